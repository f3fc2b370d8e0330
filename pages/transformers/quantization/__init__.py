"""Quantization: a story of a GPT's weights in 16 to 2 bits and the scales they share, and a lab with a prompt."""

from core.figures.card import card
from core.figures.figure import Figure
from core.lesson.lesson import Lesson

LESSON = Lesson(__name__, icon="shrink")


def picture() -> Figure:
    """The held-out loss against the bits of a weight."""
    from core.models.transformers.quantization import ROW
    from pages.transformers.quantization.figures import draw_losses

    return card(draw_losses((ROW,), written=False))
