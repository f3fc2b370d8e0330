"""Next-token prediction: a story of one short question read letter by letter, and a lab on the learner's own text."""

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.generation.characters import shifted_figure
from core.lesson.lesson import Lesson
from core.models.generation.shifted_window import score_window
from core.models.stored_language_models import encode, stored_language_model

LESSON = Lesson(__name__, icon="text-cursor")
EXAMPLES = ("to be or n",)  # the card


def picture() -> Figure:
    """A short window above its target, and the loss of a network at each character."""
    model = stored_language_model("char_feedforward")
    scored = score_window(model, encode("char_feedforward", EXAMPLES[0]).ids, 0, 9)
    return small(shifted_figure(scored, model.vocabulary, 3)).update_yaxes(showticklabels=True, row=1)
