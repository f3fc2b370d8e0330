"""Transformers: the subject's title, and its lessons in order."""

from pages.transformers import logit_lens, patching

TITLE = "Transformers"
LESSONS = (logit_lens, patching)
