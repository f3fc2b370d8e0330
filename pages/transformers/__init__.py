"""Transformers: the subject's title, and its lessons in order."""

from pages.transformers import (
    logit_lens,
    residual_norm,
)

TITLE = "Transformers"
LESSONS = (
    residual_norm,
    logit_lens,
)
from pages.transformers import transformer_block

TITLE = "Transformers"
LESSONS = (transformer_block,)
