"""Exercises on a CRF: a path's score, its probability, the forward sums, and an entry of the gradient."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.hidden_markov_models.crf import normalise_steps
from core.models.hidden_markov_models.forward import forward
from core.models.hidden_markov_models.hmm import joint_log_probability
from core.models.hidden_markov_models.viterbi import viterbi

TAGS = ("NOUN", "VERB", "ADJ")
NOUNS, VERBS = ("dogs", "birds", "cats", "ships", "stars"), ("walk", "run", "swim", "turn", "rest")
FEATURES = ("suffix -ed", "suffix -s", "capital", "hyphen")
NEAR = 0.02  # probabilities that differ by less are too close to be told apart


def draw_tables(draws: Draws, tags: int, words: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return a start of 0, steps (K, K) and words' scores (n, K): tenths or halves, some below 0."""
    steps = np.array(draws.integers(-4, 4, tags, tags)) / 4
    scores = np.array(draws.integers(-4, 8, words, tags)) / 4
    return np.zeros(tags), steps, scores


def draw_words(draws: Draws, n: int) -> list[str]:
    """Return the words of a short sentence.

    >>> len(draw_words(Draws("crf"), 3))
    3
    """
    return [*draws.sample(NOUNS, n - 1), draws.choose(VERBS)]


def show_tables(words: list[str], steps: np.ndarray, scores: np.ndarray) -> dict[str, object]:
    """Return the tables as a question shows them, and its words."""
    tags = TAGS[: len(steps)]
    return {
        "words": words,
        "scores": Table(words, tags, scores.tolist()),
        "moves": Table(tags, tags, steps.tolist(), "↓ →"),
    }


def draw_path(draws: Draws, difficulty: int) -> Draw:
    """A path's score; mistakes: leave out the steps, read the steps the wrong way round, use the words alone twice."""
    K, n = (2, 2) if difficulty == 1 else (3, difficulty)
    start, steps, scores = draw_tables(draws, K, n)
    path = [draws.integer(0, K - 1) for _ in range(n)]
    parts = [float(scores[t, j]) for t, j in enumerate(path)]
    moves = [float(steps[i, j]) for i, j in pairwise(path)]
    return Draw(
        given=show_tables(draw_words(draws, n), steps, scores) | {"path": [TAGS[j] for j in path]},
        answer=float(joint_log_probability(path, start, steps, scores).sum()),
        mistakes={
            "words": sum(parts),
            "transposed": float(joint_log_probability(path, start, steps.T, scores).sum()),
            "best": float(viterbi(start, steps, scores).log_probability),
        },
        steps={
            "parts": parts,
            "moves_made": moves,
            "best_score": viterbi(start, steps, scores).log_probability,
        },
        digits=2,
    )


def draw_probability(draws: Draws, difficulty: int) -> Draw | None:
    """The best path's probability; mistakes: divide scores, leave it out of Z, normalise each step by itself."""
    start, steps, scores = draw_tables(draws, 2, 2)
    every = list(product(range(2), repeat=2))
    totals = [float(joint_log_probability(path, start, steps, scores).sum()) for path in every]
    if min(totals) <= 0:
        return None  # the first mistake needs a share of scores
    best = int(np.argmax(totals))
    powers = np.exp(totals)
    stepwise = joint_log_probability(every[best], *normalise_steps(start, steps, scores)).sum()
    given = show_tables(draw_words(draws, 2), steps, scores)
    names = [" ".join(TAGS[j] for j in path) for path in every]
    answer = float(powers[best] / powers.sum())
    if answer > 1 - NEAR or np.sort(totals)[-1] - np.sort(totals)[-2] < 0.2:
        return None
    return Draw(
        given=given
        | {
            "totals": Table(names, ("s",), [[each] for each in totals]),
            "shown": difficulty == 1,
            "path": names[best],
        },
        answer=answer,
        mistakes={
            "scores": totals[best] / sum(totals),
            "others": float(powers[best] / (powers.sum() - powers[best])),
            "stepwise": float(np.exp(stepwise)),
        },
        steps={
            "sums": totals,
            "names": names,
            "powers": powers.tolist(),
            "z": float(powers.sum()),
            "score": totals[best],
        },
    )


def draw_forward(draws: Draws, difficulty: int) -> Draw | None:
    """Forward sums in logarithms; mistakes: keep the maximum, leave out the steps, add without exponentials."""
    K, n = (2, 2) if difficulty == 1 else (2, 3) if difficulty == 2 else (3, 3)
    start, steps, scores = draw_tables(draws, K, n)
    words = draw_words(draws, n)
    alpha = forward(start, steps, scores).log_alpha.T  # (K, n)
    plain = scores.astype(float).copy()
    for t in range(1, n):
        plain[t] += (plain[t - 1][:, None] + steps).sum(axis=0)
    blank = [[float(alpha[j, 0]), *[None] * (n - 1)] for j in range(K)]
    first = (scores[0] + steps[:, 0]).tolist()
    return Draw(
        given=show_tables(words, steps, scores),
        answer=alpha[:, 1:].ravel(),
        mistakes={
            "viterbi": viterbi(start, steps, scores).scores.T[:, 1:].ravel(),
            "no_steps": forward(start, 0 * steps, scores).log_alpha.T[:, 1:].ravel(),
            "plain": plain.T[:, 1:].ravel(),
        },
        steps={
            "ways": first,
            "powers": np.exp(first).tolist(),
            "own": float(scores[1, 0]),
            "second": float(alpha[0, 1]),
            "log_z": float(np.logaddexp.reduce(alpha[:, -1])),
            "kept": float(max(first) + scores[1, 0]),
            "second_word": words[1],
        },
        digits=2,
        table=Table(TAGS[:K], words, blank, is_lattice=True),
    )


def draw_gradient(draws: Draws, difficulty: int) -> Draw | None:
    """An entry of the gradient; mistakes: turn the sign, leave out the penalty, count the best tags only."""
    places = 2 + difficulty
    tag, weight, penalty = draws.choose(TAGS), draws.integer(2, 8) / 4, draws.choose((0.1, 0.2, 0.5))
    chances = [draws.integer(1, 19) / 20 for _ in range(places)]
    gold = [bool(draws.integer(0, 1)) for _ in range(places)]
    expected, observed = sum(chances), sum(gold)
    best = sum(p > 0.5 for p in chances)
    answer = expected - observed + penalty * weight
    if 0.5 in chances or abs(answer) < NEAR:
        return None
    names = [f"{i}" for i in range(1, places + 1)]
    table = Table(
        names,
        (f"p({tag} | x)", "y"),
        [[p, tag if own else "–"] for p, own in zip(chances, gold, strict=True)],
    )
    return Draw(
        given={
            "places": table,
            "count": places,
            "feature": draws.choose(FEATURES),
            "tag": tag,
            "weight": weight,
            "penalty": penalty,
        },
        answer=answer,
        mistakes={
            "sign": observed - expected + penalty * weight,
            "penalty": expected - observed,
            "best": best - observed + penalty * weight,
        },
        steps={"expected": expected, "observed": observed, "pull": penalty * weight, "best_count": best},
    )


MAKERS = (Maker(draw_path), Maker(draw_probability), Maker(draw_forward), Maker(draw_gradient))
