"""The shoot-out's board: how good each method's vectors are, which methods agree, and what a tenth of the text costs.

    Spearman       the rank correlation of cosines with people's ratings of the same pairs, with its interval
    analogies      solved of those asked
    overlap        the share of the k nearest words that two methods have in common, a mean over frequent words

What a text lacks the words for is not measured. Two methods are compared on the same rated pairs: pairs are drawn again
with replacement, and both rank correlations are computed from each sample.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from itertools import combinations
from pathlib import Path

import numpy as np
from scipy.stats import rankdata, spearmanr

from core.models.stored import load_card, load_json
from core.models.word_vectors.shoot_out import MODEL, PARTS, Contender, Run, load_recorded_run
from core.models.word_vectors.vector_agreement import mean_overlap
from core.models.word_vectors.vector_tests import SimilarityScore, spearman_interval, word_similarity
from core.models.word_vectors.word_vectors import WordVectors
from core.models.word_vectors.world_analogies import solved, total

TUNING = Path(__file__).resolve().parents[3] / "assets" / "runs" / "shoot_out_tuning.json"
FEW = 10  # rated pairs below which their rank correlation says nothing
SAMPLES = 1000  # of the rated pairs, to compare two methods
MEANING, GRAMMAR = "meaning", "grammar"  # the two kinds of Google's analogies


@dataclass(frozen=True)
class Score:
    """A method's row of the board: how its cosines go with people's ratings, analogies solved of those asked, its cost."""

    method: str
    similarity: SimilarityScore
    right: int
    asked: int
    seconds: float
    parameters: int
    examples: int

    @property
    def interval(self) -> tuple[float, float]:
        """The ends of the 95% interval of the rank correlation."""
        return spearman_interval(self.similarity.spearman, self.similarity.pairs)

    @property
    def solved(self) -> float:
        """The share of the analogies that were solved, 0 where none could be asked."""
        return self.right / max(1, self.asked)


MEASURES = {  # what can be compared, in the order in which it is preferred: its value, and whether there is one
    "similarity": (lambda each: each.similarity.spearman, lambda each: each.similarity.pairs >= FEW),
    "analogies": (lambda each: each.solved, lambda each: each.asked > 0),
    "seconds": (lambda each: -each.seconds, lambda each: True),
}


def score(contender: Contender, right: int, asked: int) -> Score:
    """Return a row of the board; the analogies have been put to the vectors already."""
    c = contender
    similarity = word_similarity(c.vectors, rated_pairs())
    return Score(c.method, similarity, right, asked, c.seconds, c.parameters, c.examples)


def scores_on_text(contenders: Sequence[Contender]) -> tuple[Score, ...]:
    """Return the board of a text; its analogies are the micro-world's, as far as the text has their words."""
    return tuple(score(each, *total(solved(each.vectors))) for each in contenders)


def scores_on_mix(part: str) -> tuple[Score, ...]:
    """Return the board of the recorded mix; Google's analogies were put to the vectors when they were stored."""
    quality = load_card(MODEL).quality
    return tuple(
        score(
            each, *(int(quality[f"{part}, {each.method}: analogies {what}"]) for what in ("right", "asked"))
        )
        for each in load_recorded_run("mix")[part]
    )


def measure_for(scores: Sequence[Score]) -> str:
    """Return what the board is judged by: the first of MEASURES that this text allows and one method alone is best in.

    >>> rows = [Score(m, SimilarityScore(0, 0, 9), r, 4, s, 1, 1) for m, r, s in (("a", 3, 2.0), ("b", 3, 1.0))]
    >>> measure_for(rows), best_method(rows, "seconds").method
    ('seconds', 'b')
    """
    for name, (value, known) in MEASURES.items():
        found = sorted((value(each) for each in scores), reverse=True)
        if all(map(known, scores)) and (len(found) < 2 or found[0] > found[1]):
            return name
    return "seconds"


def best_method(scores: Sequence[Score], measure: str) -> Score:
    """Return the best row by one of MEASURES."""
    return max(scores, key=MEASURES[measure][0])


def known_pairs(vectors: WordVectors) -> list[tuple[str, str, float]]:
    """Return the rated pairs whose words both have vectors."""
    return [pair for pair in rated_pairs() if pair[0] in vectors and pair[1] in vectors]


def cosines_of(vectors: WordVectors) -> np.ndarray:
    """Return the cosine of each of the known pairs, (n,)."""
    return np.array([vectors.similarity(one, other) for one, other, _ in known_pairs(vectors)])


def correlation_difference(
    one: np.ndarray, other: np.ndarray, ratings: Sequence[float], seed: int = 1
) -> tuple[float, float]:
    """Return the 95% interval of how much better the rank correlation of one method's cosines is than of another's.

    All are of the same pairs (n,), and the samples are of pairs.

    >>> ratings = np.arange(60.0)
    >>> correlation_difference(ratings, ratings, ratings)
    (0.0, 0.0)
    >>> low, high = correlation_difference(ratings, np.tile([0.0, 1.0], 30), ratings)
    >>> low > 0.5
    True
    """
    drawn = np.random.default_rng(seed).integers(len(ratings), size=(SAMPLES, len(ratings)))
    people, first, second = (rankdata(np.asarray(each)[drawn], axis=1) for each in (ratings, one, other))
    gains = _correlations(first, people) - _correlations(second, people)
    low, high = np.quantile(gains, (0.025, 0.975))
    return float(low), float(high)


def _correlations(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return Pearson's correlation of each row (S, n) with the other's."""
    one, other = (each - each.mean(axis=1, keepdims=True) for each in (one, other))
    lengths = np.sqrt((one**2).sum(axis=1) * (other**2).sum(axis=1))
    return (one * other).sum(axis=1) / np.maximum(lengths, 1e-12)


def level_with_best(run: Sequence[Contender], scores: Sequence[Score]) -> list[str]:
    """Return the methods whose rank correlation is too close to the best one's to call, in the order of the run."""
    first = best_method(scores, "similarity").method
    cosines = {each.method: cosines_of(each.vectors) for each in run}
    ratings = [rating for *_, rating in known_pairs(run[0].vectors)]
    others = [each for each in cosines if each != first]
    return [each for each in others if correlation_difference(cosines[first], cosines[each], ratings)[0] <= 0]


def leaders(scores: Sequence[Score], measure: str) -> list[str]:
    """Return the methods that nothing beats by one of MEASURES: more than one where they are level.

    >>> rows = [Score(m, SimilarityScore(0, 0, 9), r, 4, 1.0, 1, 1) for m, r in (("a", 3), ("b", 1), ("c", 3))]
    >>> leaders(rows, "analogies")
    ['a', 'c']
    """
    value = MEASURES[measure][0]
    return [each.method for each in scores if value(each) == value(best_method(scores, measure))]


def nearest_each(contenders: Sequence[Contender], word: str, k: int) -> dict[str, list[str]]:
    """Return the k words nearest to a word by each method."""
    return {one.method: [near.word for near in one.vectors.neighbours(word, k)] for one in contenders}


@lru_cache(maxsize=500)
def nearest_recorded(corpus: str, part: str, word: str, k: int) -> dict[str, list[str]]:
    """Return the same of a recorded run."""
    return nearest_each(load_recorded_run(corpus)[part], word, k)


def named_by(near: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Return by how many methods each word is named.

    >>> named_by({"CBOW": ["queen", "duke"], "GloVe": ["crown", "queen"]})
    {'queen': 2, 'duke': 1, 'crown': 1}
    """
    every = [word for words in near.values() for word in words]
    return {word: every.count(word) for word in dict.fromkeys(every)}


@dataclass(frozen=True, eq=False)
class Board:
    """A run, with its scores and the shares of nearest words that each two methods have in common (n, n), by part."""

    run: Run
    scores: dict[str, tuple[Score, ...]]
    overlaps: dict[str, np.ndarray]

    def part(self, less: bool) -> str:
        """Return the part that is shown: a tenth, if `less` is wanted and all methods were trained on it."""
        return PARTS[less and len(self.run[PARTS[1]]) == len(self.run[PARTS[0]])]

    @cached_property
    def before(self) -> tuple[Score, ...]:
        """The scores on the whole text, by those rated pairs alone whose words the tenth knows too: the same test."""
        whole, less = (self.run[part] for part in PARTS)
        known = less[0].vectors if less else whole[0].vectors
        rated = known_pairs(known)
        return tuple(
            replace(score, similarity=word_similarity(each.vectors, rated))
            for each, score in zip(whole, self.scores[PARTS[0]], strict=True)
        )


def board(run: Run, scores: dict[str, tuple[Score, ...]], k: int = 10) -> Board:
    """Return the board of a run: over the 100 most frequent words, the mean share of k nearest that two methods share."""
    overlaps = {}
    for part, some in run.items():
        overlaps[part] = np.eye(len(some))
        for i, j in combinations(range(len(some)), 2):
            overlaps[part][i, j] = overlaps[part][j, i] = mean_overlap(some[i].vectors, some[j].vectors, k)
    return Board(run, scores, overlaps)


def board_of_text(run: Run) -> Board:
    """Return the board of what was trained on a text."""
    return board(run, {part: scores_on_text(some) for part, some in run.items()})


@cache
def recorded_board(corpus: str) -> Board:
    """Return the board of a recorded run, "mix" or "world"."""
    run = load_recorded_run(corpus)
    return (
        board(run, {part: scores_on_mix(part) for part in PARTS}) if corpus == "mix" else board_of_text(run)
    )


@dataclass(frozen=True)
class Loss:
    """What a tenth of the text costs by one of MEASURES: the mean score before and after, and what each method lost."""

    measure: str
    before: float
    after: float
    lost: dict[str, float]

    @property
    def most(self) -> str:
        """The method that lost most."""
        return max(self.lost, key=self.lost.get)

    @property
    def least(self) -> str:
        """The method that lost least."""
        return min(self.lost, key=self.lost.get)


def measure_loss_of_quality(whole: Sequence[Score], less: Sequence[Score]) -> Loss:
    """Return what the methods of `less` lost against `whole`, by the first of MEASURES that both allow."""
    whole = whole[: len(less)]
    name = next(name for name, (_, known) in MEASURES.items() if all(map(known, (*whole, *less))))
    value = MEASURES[name][0]
    before, after = (abs(float(np.mean([value(each) for each in some]))) for some in (whole, less))
    lost = {each.method: value(each) - value(other) for each, other in zip(whole, less, strict=True)}
    return Loss(name, before, after, lost)


@cache
def rated_pairs() -> list[tuple[str, str, float]]:
    """Return WordSim-353's pairs of two words with the mean of people's ratings, 0 to 10, without tiger and tiger.

    >>> rated_pairs()[0], len(rated_pairs())
    (('love', 'sex', 6.77), 352)
    """
    return [tuple(pair) for pair in load_json(MODEL, "rated") if pair[0] != pair[1]]


# How each method's settings were chosen, and what was measured on the recorded mix when its vectors were stored.


@dataclass(frozen=True)
class TuningRow:
    """Settings of a method that were tried on a tenth of the mix, and their rank correlation with SimLex-999.

    `usual` are those that the method begins with.
    """

    method: str
    settings: dict[str, float]
    spearman: float
    pairs: int
    usual: bool

    @property
    def standard_error(self) -> float:
        """The standard error of the rank correlation, on Fisher's scale (Bonett and Wright, 2000).

        >>> round(TuningRow("CBOW", {}, 0.2, 770, True).standard_error, 3)
        0.036
        """
        return float(np.sqrt((1 + self.spearman**2 / 2) / (self.pairs - 3)))


@cache
def tuning() -> tuple[TuningRow, ...]:
    """Return what core/training/shoot_out_tuning.py tried."""
    return tuple(TuningRow(**row) for row in json.loads(TUNING.read_text(encoding="utf-8")))


@dataclass(frozen=True, eq=False)
class Shorter:
    """A method after fewer passes over the mix: its cosines of the known pairs (n,), and analogies solved of those asked."""

    cosines: np.ndarray
    right: int
    asked: int

    @property
    def spearman(self) -> float:
        """The rank correlation with people's ratings."""
        ratings = [rating for *_, rating in known_pairs(load_recorded_run("mix")[PARTS[0]][0].vectors)]
        return float(spearmanr(self.cosines, ratings).statistic)


@cache
def after_passes() -> dict[int, dict[str, Shorter]]:
    """Return what the methods with a window were after fewer passes over the mix than recorded, by passes and method."""
    return {
        int(passes): {
            method: Shorter(np.array(each["cosines"]), each["right"], each["asked"])
            for method, each in some.items()
        }
        for passes, some in load_json(MODEL, "passes").items()
    }


@cache
def analogies_by_kind() -> dict[str, dict[str, tuple[int, int]]]:
    """Return how many of Google's analogies each method solves of those asked, by kind, MEANING or GRAMMAR."""
    return {
        method: {kind: tuple(each) for kind, each in kinds.items()}
        for method, kinds in load_json(MODEL, "kinds").items()
    }
