"""Pretraining: the subject's title, and its lessons in order."""

from pages.pretraining import (
    elmo,
    fine_tuning,
    masked_words,
    two_sentences,
    words_in_context,
)

TITLE = "Pretraining"
LESSONS = (
    masked_words,
    two_sentences,
    words_in_context,
    elmo,
    fine_tuning,
)
