"""Transformers: the subject's title, and its lessons in order."""

from pages.transformers import (
    encoder_decoder,
    feed_forward,
    gpt_writes,
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
    gpt_writes,
    patching,
    encoder_decoder,
)
