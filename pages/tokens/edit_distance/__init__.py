"""Edit distance and alignment: a story of letters, and a lab for any two words or sentences."""

from core.figures.card import card
from core.figures.figure import Figure, heatmap
from core.figures.palette import SEQUENTIAL
from core.lesson.lesson import Lesson
from core.models.tokens.edit_distance import fill_table

LESSON = Lesson(__name__, icon="spell-check")


def picture() -> Figure:
    """The filled table of two words."""
    table = fill_table("kitten", "sitting")
    cells = heatmap(
        z=table.distances[::-1].tolist(),
        text=table.distances[::-1].astype(int).tolist(),
        texttemplate="%{text}",
        colorscale=SEQUENTIAL,
        showscale=False,
    )
    return card(Figure(cells))
