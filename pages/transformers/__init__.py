"""Transformers: the subject's title, and its lessons in order."""

from pages.transformers import (
    encoder_decoder,
    feed_forward,
    logit_lens,
    model_size,
    patching,
    residual_norm,
    transformer_block,
)

TITLE = "Transformers"
LESSONS = (
    transformer_block,
    residual_norm,
    feed_forward,
    logit_lens,
    model_size,
    patching,
    encoder_decoder,
)
