"""Part-of-speech tagging: a story about one stored tagger and how well it does, and a lab for any text."""

import numpy as np

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.hidden_markov_models.tables import confusion_figure
from core.lesson.lesson import Lesson
from core.models.stored import load_json

LESSON = Lesson(__name__, icon="tags")


def picture() -> Figure:
    """The stored tagger's confusion matrix on held-out text."""
    figure = confusion_figure(np.array(load_json("tagger", "confusion")), load_json("tagger", "states"))
    figure.data = figure.data[:1]  # too small for numbers
    return small(figure)
