"""The micro-world's analogies put to a set of vectors: how many of each kind it solves, by which rule."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from core.models.word_vectors import WORDS
from core.models.word_vectors.vector_tests import AnalogyScore, analogies, own_answers
from core.models.word_vectors.word_vectors import WordVectors
from core.text.samples.microworld import PAIRS

QUESTIONS = {kind: [(*a, *b) for a, b in permutations(pairs, 2)] for kind, pairs in PAIRS.items()}


def solved(vectors: WordVectors, leave_question_out: bool = True, step: bool = True) -> list[AnalogyScore]:
    """Return how many of the micro-world's analogies the vectors solve, by kind; see `analogies` for the rules."""
    return analogies(vectors, QUESTIONS, leave_question_out, step)


def answered_by_themselves(vectors: WordVectors) -> tuple[int, int]:
    """Return how many of all questions have one of their own words nearest to the sum, and how many were asked."""
    return own_answers(vectors, [question for questions in QUESTIONS.values() for question in questions])


def total(scores: Sequence[AnalogyScore]) -> tuple[int, int]:
    """Return how many were solved of all kinds together, and how many asked.

    >>> total([AnalogyScore("family", 3, 4, 0), AnalogyScore("royal", 0, 2, 1)])
    (3, 6)
    """
    return sum(score.right for score in scores), sum(score.asked for score in scores)


def share(scores: Sequence[AnalogyScore]) -> float:
    """Return the share solved of all that could be asked."""
    right, asked = total(scores)
    return right / max(1, asked)


def a_known_question(vectors: WordVectors) -> str:
    """Return, as Markdown, the first analogy whose four words the vectors know, "" where they know none."""
    every = (question for questions in QUESTIONS.values() for question in questions)
    known = next((question for question in every if all(word in vectors for word in question)), ())
    names = dict(zip("abcd", known, strict=False))
    return WORDS.label("world_analogies.question", **names) if names else ""
