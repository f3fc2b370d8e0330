"""Transformers: the subject's title, and its lessons in order."""

from pages.transformers import encoder_decoder

TITLE = "Transformers"
LESSONS = (encoder_decoder,)
