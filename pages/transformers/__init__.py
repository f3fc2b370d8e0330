"""Transformers: the lessons of the subject in order."""

from pages.transformers import (
    encoder_decoder,
    feed_forward,
    gpt_writes,
    in_context,
    logit_lens,
    model_size,
    patching,
    quantization,
    residual_norm,
    transformer_block,
)

LESSONS = (
    transformer_block,
    residual_norm,
    feed_forward,
    logit_lens,
    model_size,
    quantization,
    gpt_writes,
    patching,
    in_context,
    encoder_decoder,
)
