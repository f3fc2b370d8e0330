"""Arithmetic with words: king - man + woman is nearest to queen.

Source: Mikolov, Yih and Zweig (2013), Linguistic Regularities in Continuous Space Word Representations.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from core.models.word_vectors import WORDS
from core.models.word_vectors.word_vectors import Neighbour, WordVectors

MOST_SYMBOLS = 100


HEAVIEST = 1000  # of all weights; beyond it the rounding of float32 hides the other words


class ExpressionError(ValueError):
    """An expression cannot be read; the message says where and what to write instead."""


@dataclass(frozen=True)
class Term:
    """One word of a sum with its weight: 2 king is Term(2.0, "king"), - man is Term(-1.0, "man")."""

    weight: float
    word: str


@dataclass(frozen=True, eq=False)
class Arithmetic:
    """A sum of word vectors and its nearest words.

    terms:        the n words with their weights, parentheses multiplied out
    partial_sums: (n, d), the sum after each term; arrows through them draw the expression on a map
    answers:      the words nearest to the last partial sum by cosine, nearest first
    left_out:     words that were not allowed as answers: those of the question, or none
    """

    terms: tuple[Term, ...]
    partial_sums: np.ndarray
    answers: list[Neighbour]
    left_out: tuple[str, ...]

    @property
    def result(self) -> np.ndarray:
        """Return the whole sum, (d,)."""
        return self.partial_sums[-1]


def arithmetic(
    vectors: WordVectors, expression: str, k: int = 10, leave_question_out: bool = True
) -> Arithmetic:
    """Return the sum of an expression's vectors and the k words nearest to it.

    result = sum over terms of weight * vector(word)

    The vectors are summed as they are: pass `vectors.normalised()` to give every word the same say, as the
    published analogy tests do. The question's own words are usually the nearest answers, so they are left out
    unless `leave_question_out` is False. Raises ExpressionError and UnknownWordError.

    >>> royal = WordVectors(["king", "man", "queen", "woman"], np.float32([[5, 1], [1, 1], [5, 4], [1, 4]]))
    >>> sum_ = arithmetic(royal, "king - man + woman")
    >>> sum_.result, sum_.answers[0].word, sum_.left_out
    (array([5., 4.], dtype=float32), 'queen', ('king', 'man', 'woman'))
    """
    terms = parse(expression, vectors)
    weights = np.float32([term.weight for term in terms])
    rows = vectors.rows(term.word for term in terms)
    if np.abs(weights).max() > HEAVIEST:
        raise ExpressionError(WORDS.label("word_arithmetic.heavy", most=HEAVIEST))
    if not np.any(np.bincount(rows, weights).round(6)):
        raise ExpressionError(WORDS.label("word_arithmetic.cancel"))
    partial_sums = np.cumsum(weights[:, None] * vectors.vectors[rows], axis=0)  # (n, d)
    if not np.any(partial_sums[-1]):
        raise ExpressionError(WORDS.label("word_arithmetic.cancel"))
    left_out = tuple(dict.fromkeys(term.word for term in terms)) if leave_question_out else ()
    return Arithmetic(
        terms, partial_sums, vectors.neighbours(partial_sums[-1], k, leave_out=left_out), left_out
    )


def corners(sum_: Arithmetic) -> tuple[str, str, str] | None:
    """Return (a, b, c) of a sum a - b + c of three different words, with which it makes a parallelogram; else None.

    a - b = (a - b + c) - c: the side from b to a and the side from c to the sum are one arrow.

    >>> names = WordVectors.one_hot(["king", "man", "woman", "queen"])
    >>> corners(arithmetic(names, "king - man + woman")), corners(arithmetic(names, "king + queen"))
    (('king', 'man', 'woman'), None)
    """
    words = tuple(term.word for term in sum_.terms)
    is_one = [term.weight for term in sum_.terms] == [1, -1, 1] and len(set(words)) == 3
    return words if is_one else None


def same_way(vectors: WordVectors, sum_: Arithmetic) -> float | None:
    """Return cos(d - a, c - b) for a sum a - b + c of three words and its answer d; None for any other.

    At 1, with arrows of one length, d is where the sum ends: a + (c - b) = a + (d - a) = d.

    >>> royal = WordVectors(["king", "man", "queen", "woman"], np.float32([[5, 1], [1, 1], [5, 4], [1, 4]]))
    >>> same_way(royal, arithmetic(royal, "king - man + woman"))
    1.0
    """
    found = corners(sum_)
    if not found or not sum_.answers or sum_.answers[0].word in found:
        return None
    a, b, c, d = vectors.vectors[vectors.rows([*found, sum_.answers[0].word])].astype(float)
    lengths = np.linalg.norm(d - a) * np.linalg.norm(c - b)
    return float((d - a) @ (c - b) / lengths) if lengths else None


def parse(expression: str, vectors: WordVectors) -> tuple[Term, ...]:
    """Return the weighted words of an expression, with every word as it is spelt in the vocabulary.

    expression = [sign] term {sign term}
    term       = [number ["*"]] (word | "(" expression ")")

    A hyphen inside a word that is known belongs to the word; otherwise it is a minus. A number is a weight
    when a word or a parenthesis follows, otherwise a word.

    >>> words = WordVectors.one_hot(["king", "man", "x-ray", "1999"])
    >>> [(term.weight, term.word) for term in parse("2*(King-man) + x-ray - 1999", words)]
    [(2.0, 'king'), (-2.0, 'man'), (1.0, 'x-ray'), (-1.0, '1999')]
    """
    symbols = _symbols(expression, vectors)
    if not symbols:
        raise ExpressionError(WORDS.label("word_arithmetic.empty"))
    if len(symbols) > MOST_SYMBOLS:
        raise ExpressionError(WORDS.label("word_arithmetic.long", most=MOST_SYMBOLS))
    terms, end = _parse_sum(symbols, 0, 1.0)
    if end < len(symbols):
        raise ExpressionError(WORDS.label("word_arithmetic.closed"))
    return tuple(Term(weight, vectors.words[vectors.row(word)]) for weight, word in terms)


def _symbols(expression: str, vectors: WordVectors) -> list[str]:
    # "−", "–" and "×" are what phones and word processors make of - and *.
    plain = expression.translate(str.maketrans("−–×", "--*"))
    symbols = []
    for chunk in re.findall(r"[-+*()]|[^\s+*()]+", plain):
        whole = chunk in vectors or "-" not in chunk
        symbols += [chunk] if whole else [part for part in re.split(r"(-)", chunk) if part]
    return symbols


def _parse_sum(symbols: list[str], at: int, outer: float) -> tuple[list[tuple[float, str]], int]:
    """Return the weighted words of the sum that starts at a symbol, and where it ends."""
    terms, sign = [], 1.0
    if symbols[at] in "+-":
        sign, at = (-1.0 if symbols[at] == "-" else 1.0), at + 1
    while True:
        term, at = _term(symbols, at, outer * sign)
        terms += term
        if at == len(symbols) or symbols[at] == ")":
            return terms, at
        if symbols[at] not in "+-":
            raise ExpressionError(
                WORDS.label("word_arithmetic.between", one=symbols[at - 1], other=symbols[at])
            )
        sign, at = (-1.0 if symbols[at] == "-" else 1.0), at + 1


def _term(symbols: list[str], at: int, weight: float) -> tuple[list[tuple[float, str]], int]:
    """Return the weighted words of the term that starts at a symbol, and where it ends."""
    following = symbols[at + 1] if at + 1 < len(symbols) else ""
    if (
        at < len(symbols)
        and re.fullmatch(r"\d+(\.\d+)?|\.\d+", symbols[at])
        and following not in ("", *"+-)")
    ):
        weight, at = weight * float(symbols[at]), at + (2 if following == "*" else 1)
    if at == len(symbols) or symbols[at] in "+-*)":
        raise ExpressionError(WORDS.label("word_arithmetic.missing", before=symbols[at - 1] if at else ""))
    if symbols[at] != "(":
        return [(weight, symbols[at])], at + 1
    if at + 1 == len(symbols):
        raise ExpressionError(WORDS.label("word_arithmetic.opened"))
    terms, end = _parse_sum(symbols, at + 1, weight)
    if end == len(symbols):
        raise ExpressionError(WORDS.label("word_arithmetic.opened"))
    return terms, end + 1
