"""Training a seq2seq translator: a story of one recorded training on dates, and a lab that trains on any pairs."""

from core.figures.card import card
from core.figures.figure import Figure
from core.figures.translation.decoder_step import attention_heatmap
from core.lesson.lesson import Lesson
from core.models.translation.recorded_translator import recorded_training

LESSON = Lesson(__name__, icon="graduation-cap")


def picture() -> Figure:
    """What the recorded training finds: which characters of a date say the year, the month and the day."""
    run = recorded_training()
    figure = card(attention_heatmap(run.moments[-1].weights[:-1], run.target, run.source))
    return figure.update_xaxes(title="").update_yaxes(title="")
