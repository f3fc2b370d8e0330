"""Transformers: the subject's title, and its lessons in order."""

from pages.transformers import model_size

TITLE = "Transformers"
LESSONS = (model_size,)
