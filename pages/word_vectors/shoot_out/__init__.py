"""Five methods on one text: a story of two tests and two winners, and a lab for any word and any text."""

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.word_vectors.shoot_out import overlap_figure
from core.lesson.lesson import Lesson
from core.models.word_vectors.shoot_out import METHODS, PARTS
from core.models.word_vectors.shoot_out_board import recorded_board

LESSON = Lesson(__name__, icon="medal")
EXAMPLES = ("The micro-world",)  # the sample text that a prompt takes


def picture() -> Figure:
    """How many neighbours each two methods share, on the recorded corpus."""
    figure = overlap_figure(recorded_board("mix").overlaps[PARTS[0]], METHODS)
    return small(figure).update_traces(selector={"mode": "text"}, textfont={"size": 13})
