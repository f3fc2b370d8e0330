"""fastText: a story of how “kittens”, never seen, gets its vector, and a lab for any word and text."""

from core.figures.blank import blank, write_axes
from core.figures.card import small
from core.figures.figure import Figure, bar
from core.figures.palette import BLUE
from core.lesson.lesson import Lesson
from core.models.word_vectors.fit_subwords import stored_subwords

LESSON = Lesson(__name__, icon="whole-word")
STORED = "subwords"
EXAMPLE = "kittens"


def picture() -> Figure:
    """The known words nearest to one that was never seen."""
    near = stored_subwords(STORED).near(EXAMPLE, 4)
    figure = write_axes(blank(190)).update_yaxes(autorange="reversed", type="category")
    figure.add_trace(
        bar(
            x=[each.similarity for each in near],
            y=[each.word for each in near],
            orientation="h",
            marker={"color": BLUE},
        )
    )
    return small(figure).update_yaxes(showticklabels=True)
