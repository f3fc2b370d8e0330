"""Attention heads: a story of one letter and three heads, and a lab for every head on any sentence."""

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.self_attention.heads import grid_figure
from core.lesson.lesson import Lesson
from core.models.self_attention.attentive_models import BACK, attentive_model

LESSON = Lesson(__name__, icon="eye")
SENTENCE = "A horse! a horse! My kingdom for a horse!"  # the lab's
EXAMPLES = (SENTENCE, "In the beginning God made the heaven and the earth.")


def picture() -> Figure:
    """All heads of the GPT of byte pairs on one sentence."""
    model = attentive_model(BACK[0])
    trace = model.trace(model.read(EXAMPLES[1]).ids)
    return small(grid_figure([layer.attention for layer in trace.layers]))
