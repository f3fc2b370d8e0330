"""Parameters and scaling laws: a story from the course's GPT to GPT-3, and a lab with every shape and four losses."""

from core.figures.blank import blank
from core.figures.card import small
from core.figures.figure import Figure, bar
from core.figures.palette import BLUE, GREEN, OCHRE
from core.lesson.lesson import Lesson
from core.models.transformers.transformer_size import Shape, parameter_parts

LESSON = Lesson(__name__, icon="weight")


def picture() -> Figure:
    """GPT-2's parameters: those of the embedding, of attention, and of the feed-forward layers."""
    parts = parameter_parts(Shape(50_257, 1024, 12, 12, 768))
    whole, middle = sum(parts.values()), parts["feed-forward"]
    counts = [parts["embedding"], whole - parts["embedding"] - middle, middle]
    figure = blank(190)
    figure.add_trace(bar(x=[0, 1, 2], y=counts, marker={"color": [BLUE, GREEN, OCHRE]}))
    return small(figure)
