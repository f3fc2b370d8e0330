"""Next-sentence prediction: a story of one pair and what the model learned, and a lab on any two sentences."""

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.pretraining.sentence_pairs import input_figure
from core.figures.self_attention.heads import names_of
from core.lesson.lesson import Lesson
from core.models.pretraining.sentence_pairs import stored_sentence_pairs

LESSON = Lesson(__name__, icon="messages-square")
EXAMPLES = ("What does it cost?", "Two coins, my lord.")  # the card's pair


def picture() -> Figure:
    """The three rows of a pair and their sum."""
    model = stored_sentence_pairs()
    pair = model.read(*EXAMPLES)
    return small(input_figure(model.trace(pair), names_of(model.names(pair.ids))))
