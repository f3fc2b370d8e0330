"""Pretraining: the subject's title, and its lessons in order."""

from pages.pretraining import (
    fine_tuning,
    masked_words,
    words_in_context,
)

TITLE = "Pretraining"
LESSONS = (
    masked_words,
    words_in_context,
    fine_tuning,
)
