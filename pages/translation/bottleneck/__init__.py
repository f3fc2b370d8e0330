"""The seq2seq bottleneck: a story of one vector for a whole sentence, and a lab that measures accuracy against length."""

from core.figures.card import small
from core.figures.figure import Figure
from core.lesson.lesson import Lesson
from core.models.stored import load_card

LESSON = Lesson(__name__, icon="funnel")
SHORT_SENTENCE = "the mouse was thirsty ."
LONG_SENTENCE = (
    "you gave a bicycle to your clever mother last week and "
    "the happy boy took a coat because he lost a key last week ."
)
EXAMPLES = (SHORT_SENTENCE, LONG_SENTENCE)


def picture() -> Figure:
    """Exact match against length from two cards: with attention it stays, without it falls."""
    from pages.translation.bottleneck.figures import by_range, length_figure

    cards = {"attends": "translate_french_additive", "without": "translate_french_none"}
    stored = {name: by_range(load_card(model).quality) for name, model in cards.items()}
    return small(length_figure(lambda key, **_: "", {}, stored))
