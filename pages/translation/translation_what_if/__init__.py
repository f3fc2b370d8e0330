"""Forcing attention: a story of one sentence whose attention is moved by hand, and a lab for any edit of any sentence."""

from core.figures.figure import Figure
from core.lesson.choices.translator_choice import FRENCH, TASKS, translator_of
from core.lesson.lesson import Lesson
from core.models.translation.what_if import WhatIf
from pages.translation.shared.attention_picture import attention_card

LESSON = Lesson(__name__, icon="signpost")
LINE = "The rich queen does not sell the white cars."  # the story's
OTHER = "The women do not buy the red cars."  # what the sentence of the lab is compared with at first
EXAMPLES = (LINE, OTHER, "the white cars arrive .")


def picture() -> Figure:
    """The second output word of a short sentence is made to attend to the white, not to the cars."""
    translator = translator_of(TASKS[FRENCH].models["additive"])
    return attention_card(WhatIf(tuple(EXAMPLES[2].split()), forced={1: 1}).translated(translator))
