"""Speculative decoding: a story of a small GPT that proposes and a larger one that checks, and a lab on any prompt."""

from core.figures.card import card
from core.figures.figure import Figure
from core.lesson.lesson import Lesson

LESSON = Lesson(__name__, icon="rabbit")


def picture() -> Figure:
    """The speed-up by the number of drafted tokens, for a cheap draft."""
    from pages.generation.speculative_decoding.figures import speed_figure

    return card(speed_figure(0.65, 0.07, 16))
