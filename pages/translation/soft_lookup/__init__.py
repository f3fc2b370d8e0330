"""Attention as soft lookup: a story of six temperatures and one query, and a lab of any keys, values and kernel."""

import numpy as np

from core.figures.blank import blank
from core.figures.card import small
from core.figures.figure import Figure, scatter
from core.figures.palette import BLUE, GREY
from core.lesson.lesson import Lesson
from core.models.translation.kernel_smoothing import soft_lookup
from core.text.reading.entries import read_points

LESSON = Lesson(__name__, icon="book-open")
TEMPERATURES = "6: 9, 9: 13, 12: 19, 14: 21, 17: 18, 21: 12"


def picture() -> Figure:
    """Six points, and the answer to every query between them."""
    keys, values = map(np.array, read_points(TEMPERATURES))
    queries = np.linspace(4, 23, 150)
    answers = soft_lookup(queries, keys, values, 1.5).result
    figure = blank(300)
    figure.add_trace(scatter(x=queries, y=answers, mode="lines", line={"color": BLUE, "width": 4}))
    figure.add_trace(scatter(x=keys, y=values, mode="markers", marker={"color": GREY, "size": 11}))
    return small(figure)
