"""Transformers: the subject's title, and its lessons in order."""

from pages.transformers import transformer_block

TITLE = "Transformers"
LESSONS = (transformer_block,)
