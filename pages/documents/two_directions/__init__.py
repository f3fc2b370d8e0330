"""Bidirectional RNNs: a story of one word whose tag comes later, and a lab of three taggers and of classifiers."""

from core.figures.card import card
from core.figures.documents.two_directions import error_figure
from core.figures.figure import Figure
from core.lesson.lesson import Lesson
from core.models.stored import load_json

LESSON = Lesson(__name__, icon="move-horizontal")


def picture() -> Figure:
    """The share of held-out nouns, verbs, adjectives and adverbs that each of the three tags wrong."""
    tags = load_json("two_directions", "shape")["tags"]
    return card(error_figure(load_json("two_directions", "confusion"), tags, ("NOUN", "VERB", "ADJ", "ADV")))
