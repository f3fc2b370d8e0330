"""Pretraining: the lessons of the subject in order."""

from pages.pretraining import (
    elmo,
    fine_tuning,
    masked_words,
    two_sentences,
    words_in_context,
)

LESSONS = (
    masked_words,
    two_sentences,
    words_in_context,
    elmo,
    fine_tuning,
)
