"""In context: a story of a rule that only the examples tell, and a lab for a learner's own examples."""

from core.figures.card import card
from core.figures.figure import Figure
from core.lesson.lesson import Lesson

LESSON = Lesson(__name__, icon="message-square-text")


def picture() -> Figure:
    """The loss by the number of examples: the model, Bayes, the nearest example."""
    from core.models.transformers.in_context import recorded_curve
    from pages.transformers.in_context.figures import curve_figure

    return card(curve_figure({name: recorded_curve(name) for name in ("nearest", "bayes", "model")}))
