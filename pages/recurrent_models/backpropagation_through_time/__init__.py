"""Backpropagation through time: a story of one gradient on its way back, and a lab on any short word."""

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.recurrent_models.gradient import unrolled_figure
from core.lesson.lesson import Lesson
from core.models.recurrent_models.unrolled_word import unrolled_word

LESSON = Lesson(__name__, icon="rewind")


def picture() -> Figure:
    """The way back through a word, three states of it."""
    read = unrolled_word("the", 2, 0.9, seed=1)
    return small(unrolled_figure(read.characters, read.target, read.norms, read.ratios, 2))
