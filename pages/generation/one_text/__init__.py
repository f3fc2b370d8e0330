"""The leaderboard: a story of eleven models that all predict the same text, and a lab on the learner's own text."""

from core.figures.card import card
from core.figures.figure import Figure
from core.lesson.lesson import Lesson
from core.models.generation.one_text import count_each, recorded_boards
from core.models.stored import sha256_of_text
from core.text.samples.shelf import sample

LESSON = Lesson(__name__, icon="rows-3")
SAMPLE = "hamlet"  # of the story and the card


def picture() -> Figure:
    """The play: bits per character against size, of the n-grams and of the recorded networks."""
    from core.models.generation.one_text import READ_AT_MOST
    from pages.generation.one_text.figures import SIZE, cost_figure

    text = sample(SAMPLE).read().text[:READ_AT_MOST]
    return card(cost_figure(count_each(text) + recorded_boards()[sha256_of_text(text)].networks, SIZE))
