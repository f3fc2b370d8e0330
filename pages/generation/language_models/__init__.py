"""Comparing language models: a story of six stored models that predict the same text, and a lab on the learner's text."""

from core.figures.card import small
from core.figures.figure import Figure
from core.lesson.lesson import Lesson
from core.models.stored_language_models import BITS, character_models

LESSON = Lesson(__name__, icon="trophy")


def picture() -> Figure:
    """Bits per character of the stored models on the held-out plays."""
    from pages.generation.language_models.figures import comparison_figure

    by_model = {card.model: card.quality[BITS] for card in character_models()}
    return small(comparison_figure(by_model, {})).update_yaxes(showticklabels=True)
