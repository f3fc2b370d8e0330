"""Seq2seq with attention: a story of a sentence on its way into French, and a lab with every number of every step."""

from core.figures.figure import Figure
from core.lesson.choices.translator_choice import FRENCH, TASKS, translator_of
from core.lesson.lesson import Lesson
from core.models.translation.translate import translated
from pages.translation.shared.attention_picture import attention_card

LESSON = Lesson(__name__, icon="languages")
LINE = "The rich queen does not sell the white cars."  # the story's
EXAMPLES = (LINE, "the white cars arrive .", "the rich queen sold the white cars yesterday .")


def picture() -> Figure:
    """Which input word the French translator attends to at each step: the colour and the car cross."""
    return attention_card(translated(translator_of(TASKS[FRENCH].models["additive"]), EXAMPLES[1].split()))
