"""Search: a story of how passages are ranked for a query, by words and by vectors, and a lab on any documents."""

from core.figures.card import card
from core.figures.figure import Figure
from core.lesson.lesson import Lesson

LESSON = Lesson(__name__, icon="search-check")


def picture() -> Figure:
    """What more occurrences of a word are worth, with and without saturation."""
    from core.models.documents.bm25 import K1
    from pages.documents.search.figures import draw_saturation

    return card(draw_saturation(K1, named=False))
