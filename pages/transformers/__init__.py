"""Transformers: the subject's title, and its lessons in order."""

from pages.transformers import residual_norm

TITLE = "Transformers"
LESSONS = (residual_norm,)
from pages.transformers import logit_lens

TITLE = "Transformers"
LESSONS = (logit_lens,)
