"""Positional encodings: a story of clock hands, a learned table and RoPE, and a lab for every table of positions."""

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.self_attention.word_order import position_heatmap
from core.lesson.lesson import Lesson
from core.models.self_attention.positions import sinusoidal_positions

LESSON = Lesson(__name__, icon="map-pin")


def picture() -> Figure:
    """Sinusoids of 64 positions."""
    return small(position_heatmap(sinusoidal_positions(64, 64).numpy(), 20))
