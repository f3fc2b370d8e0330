"""Smoothing: a story of words that Hamlet never has after "sweet", and a lab on the learner's own text."""

from core.figures.card import small
from core.figures.figure import Figure
from core.lesson.lesson import Lesson
from core.models.n_grams.few_sentences import few_sentences
from core.models.n_grams.moved_mass import moved_mass
from core.models.n_grams.ngram import add_alpha

LESSON = Lesson(__name__, icon="scale")


def picture() -> Figure:
    """What add-one moves from the words seen after "the" to those that were not."""
    from pages.n_grams.smoothing.figures import words_figure

    counted = few_sentences()
    moved = moved_mass(add_alpha(counted.counts, 2), counted.encode("the", end=False))
    return small(words_figure(moved, [counted.name(token) for token in moved.tokens], most=5))
