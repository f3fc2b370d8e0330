"""Attention scores: a story of three ways to score one input word, and a lab that runs four translators side by side."""

from core.figures.blank import blank
from core.figures.card import small
from core.figures.figure import Figure, bar
from core.figures.palette import BLUE, GREEN, PINK, VERMILLION
from core.lesson.lesson import Lesson
from core.models.translation.translation_race import recorded_scores

LESSON = Lesson(__name__, icon="flag")


def picture() -> Figure:
    """The share of held-out sentences that each translator gets right: one bar is shorter."""
    shares = [float(each.mean()) for each in recorded_scores().right.values()]
    texts = [f"{share:.0%}" for share in shares]
    colours = [BLUE, VERMILLION, GREEN, PINK]
    figure = blank(190)
    figure.add_trace(bar(x=list(range(len(shares))), y=shares, text=texts, marker_color=colours))
    return small(figure)
