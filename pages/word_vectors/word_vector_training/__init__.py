"""Training word2vec: a story of one recorded training on the micro-world, and a lab that trains on the learner's text."""

from core.figures.blank import blank
from core.figures.card import small
from core.figures.figure import Figure, scatter
from core.figures.palette import GREEN, OCHRE, PINK, SKY
from core.lesson.lesson import Lesson
from core.models.word_vectors.recorded_vectors import load_vector_training

LESSON = Lesson(__name__, icon="sprout")


def picture() -> Figure:
    """The ways that the words of the recorded training take, from one place to four groups."""
    run, figure = load_vector_training(), blank(190)
    colours = dict(zip(dict.fromkeys(run.groups), (PINK, OCHRE, GREEN, SKY), strict=True))
    moments = [moment for moment in run.moments if moment.step >= 120]
    for i, group in enumerate(run.groups):
        x, y = zip(*(moment.places[i] for moment in moments), strict=True)
        figure.add_trace(scatter(x=x, y=y, mode="lines", line={"color": colours[group], "width": 1.5}))
        end = {"color": colours[group], "size": 9}
        figure.add_trace(scatter(x=x[-1:], y=y[-1:], mode="markers", marker=end))
    return small(figure)
