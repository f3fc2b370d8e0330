"""Scaled dot-product attention: a story of one query and six keys, and a lab of random vectors and trained heads."""

from core.figures.card import small
from core.figures.figure import Figure, bar
from core.figures.palette import BLUE, VERMILLION
from core.figures.self_attention.panels import panels
from core.lesson.lesson import Lesson
from core.models.self_attention.attention_scaling import heaviest_first, random_scores

LESSON = Lesson(__name__, icon="radical")


def picture() -> Figure:
    """The mean weights of random keys of 64 dimensions, the largest first, without the division by √d and with it."""
    scores = random_scores(64, keys=8)
    figure = panels(["", ""], 300)
    for column, (scale, colour) in enumerate(((1.0, VERMILLION), (64**-0.5, BLUE)), 1):
        weights = heaviest_first(scores * scale).tolist()
        figure.add_trace(bar(x=list(range(8)), y=weights, marker_color=colour, showlegend=False), 1, column)
    return small(figure.update_yaxes(range=[0, 1]))
