"""The choice of word vectors: the stored sets, and those that the learner has trained in this session."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from core.lesson.lab_words import LAB_WORDS
from core.lesson.lesson import Lesson
from core.lesson.settings import Choice
from core.lesson.training_job import bench_of
from core.models.stored import load_card
from core.models.word_vectors.word_vectors import WordVectors, stored_vectors

STORED = ("glove", "skipgram")
OWN = "trained"
VECTORS = Choice(
    "vectors",
    "glove",
    (*STORED, OWN),
    {"GloVe": "glove", "our skip-gram": "skipgram", "trained by you": OWN},
)


# All sessions share one object per set, so never change it.
shared_vectors = cache(stored_vectors)


@cache
def shared_units(model: str) -> WordVectors:
    """Return a stored set with every vector scaled to length 1."""
    return shared_vectors(model).normalised()


def scale_to_unit_length(name: str, vectors: WordVectors) -> WordVectors:
    """Return the chosen set with every vector scaled to length 1."""
    return vectors.normalised() if name == OWN else shared_units(name)


def trained_vectors() -> WordVectors | None:
    """Return the vectors last trained in this session, or None."""
    model = bench_of("word_vector_training").result
    return None if model is None else model.vectors_


def choose_vectors(
    lesson: Lesson, name: str = "vectors", default: str = "glove", label: str = ""
) -> tuple[str, WordVectors]:
    """Draw the choice of a set of vectors and return its id and the vectors; one's own are offered once trained."""
    own = trained_vectors()
    ids = VECTORS.ids if own is not None else STORED
    names, label = {each: name_set(each) for each in ids}, label or LAB_WORDS.label("vectors")
    setting = replace(VECTORS, name=name, default=default, ids=ids)
    chosen = lesson.choose_id(setting, label, names, help=LAB_WORDS.label("vectors.help"))
    return chosen, own if chosen == OWN else shared_vectors(chosen)


def name_set(name: str) -> str:
    """Return the label of a set of vectors."""
    return LAB_WORDS.label(f"vectors.{name}")


def credits(name: str) -> list[str]:
    """Return the credits of a set, from its card if it is stored."""
    return [LAB_WORDS.label("vectors.credit")] if name == OWN else load_card(name).credits
