"""Calibration: a story of how often models are right when they say that they are sure, and a lab on five of them."""

from core.figures.card import card
from core.figures.figure import Figure
from core.lesson.lesson import Lesson

LESSON = Lesson(__name__, icon="target")


def picture() -> Figure:
    """The reliability diagram of naive Bayes."""
    from core.models.documents.held_out_answers import BAYES, reliability_of
    from pages.documents.calibration.figures import reliability_figure

    return card(reliability_figure(reliability_of(BAYES), written=False))
