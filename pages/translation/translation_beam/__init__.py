"""Beam search for translation: a story of the first word that leads and loses, and a lab to follow any search."""

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.generation.beam_search import beam_payload
from core.figures.generation.generation_tree import small_tree
from core.lesson.choices.translator_choice import FRENCH, TASKS, translator_of
from core.lesson.lesson import Lesson
from core.models.translation.beam_history import search_tree
from core.models.translation.translate import candidates

LESSON = Lesson(__name__, icon="split")
EXAMPLES = ("the white cars arrive .",)


def picture() -> Figure:
    """The tree of a beam of two, when the translator without attention reads a short sentence."""
    translator = translator_of(TASKS[FRENCH].models["none"])
    steps = candidates(translator.model, translator.source.encode(EXAMPLES[0].split()), 2)
    names = translator.target.words
    tree = search_tree(steps, 2)
    return small(
        small_tree(beam_payload(tree, names, lambda ids: " ".join(names[i] for i in ids), 4, rows=4))
    )
