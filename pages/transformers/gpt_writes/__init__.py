"""KV cache and induction heads: a story of a GPT that writes eight tokens, and a lab for any prompt."""

from core.figures.blank import blank
from core.figures.card import small
from core.figures.figure import Figure, bar
from core.figures.palette import BLUE, VERMILLION
from core.lesson.lesson import Lesson
from core.models.transformers.cached_writing import writing_operations
from core.models.transformers.transformer_size import Shape

LESSON = Lesson(__name__, icon="feather")


def picture() -> Figure:
    """Operations for each of eight written tokens, with and without the cache."""
    shape = Shape(vocabulary_size=63, context=256, layers=4, heads=6, width=192, biases=False)
    figure = blank(190)
    for counts, colour in zip(writing_operations(shape, 6, 8).values(), (BLUE, VERMILLION), strict=True):
        figure.add_trace(bar(x=list(range(1, 9)), y=counts, marker={"color": colour}))
    return small(figure.update_layout(barmode="group", showlegend=False))
