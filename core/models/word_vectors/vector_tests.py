"""Tests of word vectors against people's judgement: rated pairs (WordSim-353) and analogies (Google).

Sources: Finkelstein et al. (2002), Placing Search in Context; Mikolov, Chen, Corrado and Dean (2013),
Efficient Estimation of Word Representations in Vector Space.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from scipy.stats import spearmanr

from core.models.word_vectors.word_vectors import WordVectors

Analogy = tuple[str, str, str, str]


@dataclass(frozen=True)
class SimilarityScore:
    """Spearman's rank correlation of cosines with people's ratings, over the pairs with two known words."""

    spearman: float
    pairs: int
    unknown: int


@dataclass(frozen=True)
class AnalogyScore:
    """One category of analogies: how many were solved, asked (all four words known) and not asked."""

    category: str
    right: int
    asked: int
    unknown: int

    @property
    def accuracy(self) -> float:
        """Return right / asked, or 0 when none could be asked."""
        return self.right / self.asked if self.asked else 0.0


def read_similarities(text: str) -> list[tuple[str, str, float]]:
    """Return the rated pairs of a file with one `word <tab> word <tab> rating` a line; `#` starts a comment.

    >>> read_similarities("# rated by people\\ntiger\\tcat\\t7.35\\n")
    [('tiger', 'cat', 7.35)]
    """
    rows = [line.split("\t") for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [(one, other, float(rating)) for one, other, rating, *_ in rows]


def read_analogies(text: str) -> dict[str, list[Analogy]]:
    """Return the questions of a file by category: `: category`, then four words `a b c d` a line.

    >>> read_analogies(": capitals\\nAthens Greece Oslo Norway\\n")
    {'capitals': [('Athens', 'Greece', 'Oslo', 'Norway')]}
    """
    questions: dict[str, list[Analogy]] = {}
    for line in filter(str.strip, text.splitlines()):
        if line.startswith(":"):
            category = questions.setdefault(line[1:].strip(), [])
        else:
            category.append(tuple(line.split()))
    return questions


def word_similarity(vectors: WordVectors, rated: Iterable[tuple[str, str, float]]) -> SimilarityScore:
    """Return Spearman's correlation between cosines and ratings; pairs with an unknown word are only counted.

    >>> pets = WordVectors(["cat", "dog", "car"], np.float32([[3, 4], [4, 3], [-4, 3]]))
    >>> word_similarity(pets, [("cat", "dog", 9), ("cat", "car", 2), ("dog", "car", 1), ("cat", "pig", 3)])
    SimilarityScore(spearman=1.0, pairs=3, unknown=1)
    """
    rated = list(rated)
    known = [(one, other, rating) for one, other, rating in rated if one in vectors and other in vectors]
    if len(known) < 2:
        return SimilarityScore(0.0, len(known), len(rated) - len(known))
    cosines = [vectors.similarity(one, other) for one, other, _ in known]
    correlation = spearmanr(cosines, [rating for *_, rating in known]).statistic
    return SimilarityScore(float(np.nan_to_num(correlation)), len(known), len(rated) - len(known))


def spearman_interval(rho: float, n: int) -> tuple[float, float]:
    """Return the ends of the 95% interval of a rank correlation over n > 3 pairs.

    tanh(artanh ρ ± 1.96 s)        s = √((1 + ρ²/2) / (n - 3))

    Source: Bonett and Wright (2000), Sample Size Requirements for Estimating Pearson, Kendall and Spearman Correlations.

    >>> low, high = spearman_interval(0.6, 100)
    >>> round(low, 4), round(high, 4)
    (0.4438, 0.7208)
    """
    reach = 1.96 * np.sqrt((1 + rho**2 / 2) / (n - 3))
    centre = np.arctanh(np.clip(rho, -0.999999, 0.999999))
    return float(np.tanh(centre - reach)), float(np.tanh(centre + reach))


def analogies(
    vectors: WordVectors,
    questions: Mapping[str, Iterable[Analogy]],
    leave_question_out: bool = True,
    step: bool = True,
) -> list[AnalogyScore]:
    """Return the score of each category: a is to b as c is to d.

    answer = argmax over words other than a, b, c of  cos(word, b/|b| - a/|a| + c/|c|)

    With `leave_question_out` False, a, b and c may be answers too, and then usually are. With `step` False the answer is
    the word nearest to c alone: what is solved without any arithmetic.

    >>> royal = WordVectors(["king", "man", "queen", "woman"], np.float32([[5, 1], [1, 1], [5, 4], [1, 4]]))
    >>> analogies(royal, {"family": [("man", "woman", "king", "queen"), ("man", "woman", "boy", "girl")]})
    [AnalogyScore(category='family', right=1, asked=1, unknown=1)]
    """
    scores = []
    for category, asked in questions.items():
        asked = list(asked)
        known = [vectors.rows(words) for words in asked if all(word in vectors for word in words)]
        right = sum(
            _solved(vectors.units, np.array(known[at : at + 512]), leave_question_out, step)
            for at in range(0, len(known), 512)
        )
        scores.append(AnalogyScore(category, right, len(known), len(asked) - len(known)))
    return scores


def own_answers(vectors: WordVectors, questions: Iterable[Analogy]) -> tuple[int, int]:
    """Return how many analogies have one of their own words a, b, c nearest to the sum, and how many were asked.

    >>> royal = WordVectors(["king", "man", "queen", "woman"], np.float32([[5, 1], [1, 1], [5, 4], [1, 4]]))
    >>> own_answers(royal, [("man", "woman", "king", "queen"), ("man", "king", "boy", "prince")])
    (0, 1)
    """
    known = [vectors.rows(words) for words in questions if all(word in vectors for word in words)]
    own = 0
    for at in range(0, len(known), 512):
        rows = np.array(known[at : at + 512])
        own += int(
            (rows[:, :3] == sums_with_all(vectors.units, rows).argmax(axis=1)[:, None]).any(axis=1).sum()
        )
    return own, len(known)


def sums_with_all(units: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return (b - a + c) . word for each question's rows (questions, 4) and every word, (questions, V)."""
    a, b, c, _ = rows.T
    return (units[b] - units[a] + units[c]) @ units.T


def _solved(units: np.ndarray, rows: np.ndarray, leave_question_out: bool, step: bool) -> int:
    similarities = sums_with_all(units, rows) if step else units[rows[:, 2]] @ units.T
    if leave_question_out:
        np.put_along_axis(similarities, rows[:, :3], -np.inf, axis=1)
    return int((similarities.argmax(axis=1) == rows[:, 3]).sum())
