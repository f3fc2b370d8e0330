"""The play that the stories on n-grams count: its words, and the models that are fitted to them, once for all lessons."""

from __future__ import annotations

from functools import cache

from core.lesson.choices.ngram_choice import UNITS, counts_of, standard
from core.lesson.text_source import sample_document
from core.models.n_grams.ngram import NgramModel
from core.models.n_grams.ngram_text import CountedText

PLAY = "hamlet"


def play() -> CountedText:
    """Return the counts of the play's words."""
    return counts_of(sample_document(PLAY), UNITS[0])


@cache
def model_of(smoothing: str, n: int) -> NgramModel:
    """Return the play's n-grams with a smoothing method."""
    return standard(smoothing).fit(play().counts, n)
