"""Pretraining: the subject's title, and its lessons in order."""

from pages.pretraining import (
    masked_words,
)

TITLE = "Pretraining"
LESSONS = (masked_words,)
