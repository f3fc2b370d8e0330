"""Training a character model: a story of one recorded training on Hamlet, and a lab that trains on the learner's text."""

from core.figures.blank import blank
from core.figures.card import small
from core.figures.figure import Figure, scatter
from core.figures.palette import BLUE, VERMILLION
from core.lesson.lesson import Lesson
from core.models.generation.recorded_characters import recorded_run

LESSON = Lesson(__name__, icon="dumbbell")


def picture() -> Figure:
    """The loss of the recorded training by the square root of its step, above that of the best n-gram."""
    run, figure = recorded_run(), blank(190)
    x = [moment.step**0.5 for moment in run.moments]
    figure.add_trace(
        scatter(x=x, y=[moment.held_out for moment in run.moments], line={"color": BLUE, "width": 3})
    )
    best = run.ngrams[run.best]
    figure.add_trace(scatter(x=[x[0], x[-1]], y=[best, best], line={"color": VERMILLION, "dash": "dash"}))
    return small(figure)
