"""Exercises on tagging: two tags of one word, the accuracy of a confusion matrix, and sentences without a mistake."""

from __future__ import annotations

import numpy as np

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.hidden_markov_models.confusion import share_right
from core.models.hidden_markov_models.hmm import joint_log_probability

TAGS = ("NOUN", "VERB")
WORDS = ("work", "record", "light", "back", "round", "fish")
BEFORE, AFTER = ("PRON", "ADV"), ("ADJ", "DET", "ADP")
THREE = ("NOUN", "VERB", "ADJ")


def draw_ratio(draws: Draws, difficulty: int) -> Draw | None:
    """How many times as probable one tag is; mistakes: the transitions alone, the emission alone, nothing after it."""
    most = (10, 20, 50)[difficulty - 1]
    into, out = (np.array([draws.integer(1, most) for _ in TAGS]) / 100 for _ in range(2))
    emitted = np.array([draws.integer(1, most) for _ in TAGS]) / 1000
    noun, verb = (factors(into, emitted, out, tag) for tag in range(2))
    if not 1.2 < verb.prod() / noun.prod() < 30:
        return None
    return Draw(
        given={
            "word": draws.choose(WORDS),
            "before": draws.choose(BEFORE),
            "after": draws.choose(AFTER),
            "table": Table(("a₁", "b", "a₂"), TAGS, [into.tolist(), emitted.tolist(), out.tolist()]),
        },
        answer=verb.prod() / noun.prod(),
        mistakes={
            "transitions": float(into[1] * out[1] / (into[0] * out[0])),
            "emission": float(emitted[1] / emitted[0]),
            "after": float(verb[:2].prod() / noun[:2].prod()),
        },
        steps={
            "noun": noun,
            "verb": verb,
            "noun_product": float(noun.prod()),
            "verb_product": float(verb.prod()),
            "b": emitted,
            "a": out,
        },
        digits=2,
    )


def factors(into: np.ndarray, emitted: np.ndarray, out: np.ndarray, tag: int) -> np.ndarray:
    """Return a tag's three factors: from the tag before, to the word, to the tag after."""
    tables = np.log(into), np.zeros((2, 2)), np.log(emitted)[None], np.log(out)
    return np.exp(joint_log_probability([tag], *tables))


def draw_accuracy(draws: Draws, difficulty: int) -> Draw:
    """The accuracy of a confusion matrix; mistakes: average the tags, take one tag's share, count what is given as a tag."""
    scale = (10, 20, 50)[difficulty - 1]
    sizes = draws.shuffle((scale, 2 * scale, 4 * scale))
    matrix = np.zeros((3, 3), dtype=int)
    for i, size in enumerate(sizes):
        wrong = draws.sample(range(1, max(4, size // 4)), 2)
        matrix[i] = size
        matrix[i, [j for j in range(3) if j != i]] = wrong
        matrix[i, i] = size - sum(wrong)
    recall, precision = np.diag(matrix) / matrix.sum(axis=1), np.diag(matrix) / matrix.sum(axis=0)
    return Draw(
        given={"table": Table(THREE, THREE, matrix.tolist())},
        answer=share_right(matrix),
        mistakes={"mean": recall.mean(), "row": recall[0], "column": precision[0]},
        steps={
            "right": np.diag(matrix),
            "n": int(matrix.sum()),
            "trace": int(np.trace(matrix)),
            "shares": recall,
            "of_tag": int(matrix[0].sum()),
            "called": int(matrix[:, 0].sum()),
            "hits": int(matrix[0, 0]),
        },
    )


def draw_sentences(draws: Draws, difficulty: int) -> Draw:
    """The share of sentences without a mistake; mistakes: the share of words, subtract the errors, one sentence with one."""
    n = draws.integer(*((5, 10), (12, 20), (20, 30))[difficulty - 1])
    right = draws.decimal(0.93, 0.985, 3)
    errors = 1 - right
    return Draw(
        given={"right": right, "n": n},
        answer=right**n,
        mistakes={
            "subtracted": 1 - n * errors,
            "wrong": 1 - right**n,
            "word": right,
        },
        steps={"errors": errors, "expected": n * errors},
    )


MAKERS = (Maker(draw_ratio), Maker(draw_accuracy), Maker(draw_sentences))
