"""The choice of a set of word vectors: two stored ones, and the learner's own once trained."""

from __future__ import annotations

from dataclasses import replace

from core.lesson.choices.vector_sets import OWN, WAS, shared_vectors, trained_vectors
from core.lesson.lesson import Lesson
from core.lesson.settings import Choice
from core.models.word_vectors.word_vectors import WordVectors
from pages.word_vectors.shared import WORDS

VECTORS = Choice(
    "vectors",
    "glove",
    ("glove", "skipgram", OWN),
    WAS,
)


def open_vectors(lesson: Lesson, name: str = "vectors", default: str = "glove") -> tuple[str, WordVectors]:
    """Draw the choice of a set of vectors, its label that of `name`; return its id and the vectors.

    One's own are offered once trained.
    """
    own = trained_vectors()
    ids = VECTORS.ids if own is not None else VECTORS.ids[:-1]
    setting = replace(VECTORS, name=name, default=default, ids=ids)
    names = {each: name_set(each) for each in ids}
    help = WORDS.label("vectors.help")
    chosen = lesson.choose_id(setting, lesson.label_of(name), names, help=help)
    return chosen, own if chosen == OWN else shared_vectors(chosen)


def name_set(name: str) -> str:
    """Return the label of a set of vectors."""
    return WORDS.label(f"vectors.{name}")
