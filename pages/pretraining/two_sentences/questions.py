"""Exercises on next-sentence prediction: the vectors of a pair, the probability from [CLS], and an AUC."""

from __future__ import annotations

import numpy as np
from scipy.special import expit

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.pretraining.pair_measures import auc
from core.models.pretraining.sentence_pairs import pair_input

CLS, SEP = "[CLS]", "[SEP]"
FIRST, SECOND = ("rain", "falls", "hard"), ("roads", "flood", "soon")
SEGMENTS = ("A", "B")


def draw_vectors(draws: Draws, n: int, dimensions: int) -> np.ndarray:
    """Return vectors of small whole numbers (n, C)."""
    return np.array(draws.integers(-3, 3, n, dimensions))


def draw_input(draws: Draws, difficulty: int) -> Draw | None:
    """What enters the first layer; mistakes: one segment for both, no positions, count the positions of B from 0."""
    a, b = FIRST[: 1 + difficulty // 3], SECOND[: 1 + difficulty // 2]
    names, dimensions = (CLS, *a, SEP, *b), 1 + difficulty // 2
    ids = range(len(names))
    cls, sep = 0, 1 + len(a)
    E = draw_vectors(draws, len(names), dimensions)  # of every token
    S = draw_vectors(draws, 2, dimensions)
    pair = pair_input(list(ids[1:sep]), list(ids[sep + 1 :]), cls, sep)
    broken = pair_input(list(ids[1:sep]), list(ids[sep + 1 :]), cls, sep, segments=(0, 0))
    T = len(pair.ids)
    P = draw_vectors(draws, T, dimensions)
    tokens, segments = E[list(pair.ids)], np.array(pair.segments)
    restarted = [t if segment == 0 else t - pair.segments.index(1) for t, segment in enumerate(pair.segments)]
    x = tokens + S[segments] + P
    columns = [str(i + 1) for i in range(dimensions)]
    row = [names[i] for i in pair.ids]
    at = pair.segments.index(1)
    if S[0, 0] == S[1, 0] or P[at, 0] in (0, P[0, 0]):
        return None  # the feedback shows these numbers
    rows = [f"{t} {name}" for t, name in enumerate(row)]
    return Draw(
        given={
            "row": " ".join(row),
            "E": Table(names, columns, E.tolist()),
            "S": Table(SEGMENTS, columns, S.tolist()),
            "P": Table([str(t) for t in range(T)], columns, P.tolist()),
        },
        answer=x.ravel(),
        mistakes={
            "one_segment": (tokens + S[list(broken.segments)] + P).ravel(),
            "no_position": (tokens + S[segments]).ravel(),
            "restarted": (tokens + S[segments] + P[restarted]).ravel(),
        },
        steps={
            "token": row[at],
            "t": at,
            "parts": [int(each[0]) for each in (tokens[at], S[1], P[at])],
            "found": int(x[at, 0]),
            "of_a": int(S[0, 0]),
            "of_first": int(P[0, 0]),
        },
        table=Table(rows, columns, [[None] * dimensions for _ in rows]),
    )


def draw_probability(draws: Draws, difficulty: int) -> Draw | None:
    """p(is next) from the pooled vector; mistakes: leave out tanh, leave out the bias, take the wrong sign."""
    n = difficulty + 1
    pooled = np.array([draws.decimal(-2, 2) for _ in range(n)])
    w = np.array([draws.integer(-3, 3) if difficulty == 1 else draws.decimal(-3, 3) for _ in range(n)], float)
    bias = draws.decimal(-1.5, 1.5)
    c = np.tanh(pooled)
    logit = float(w @ c + bias)
    if abs(logit) > 3.5 or not bias or not w.all() or not pooled.all():
        return None
    return Draw(
        given={"pooled": pooled, "w": w, "bias": bias},
        answer=float(expit(logit)),
        mistakes={
            "no_tanh": float(expit(w @ pooled + bias)),
            "no_bias": float(expit(w @ c)),
            "sign": float(expit(-logit)),
        },
        steps={"c": c, "product": float(w @ c), "logit": logit, "exponential": float(np.exp(-logit))},
    )


def draw_auc(draws: Draws, difficulty: int) -> Draw | None:
    """An AUC; mistakes: count what is right at 0.5, compare only pairs of one row, count false pairs that win."""
    n = difficulty + 2
    scores = draws.sample(
        [each for each in range(5, 96) if each != 50], 2 * n
    )  # all different, none at the threshold
    true, false = (np.array(each) / 100 for each in (scores[:n], scores[n:]))
    found = auc(true, false)
    if not 0 < found < 1:
        return None
    return Draw(
        given={
            "scores": Table(
                ("true", "false"), [str(i + 1) for i in range(n)], [true.tolist(), false.tolist()]
            )
        },
        answer=found,
        mistakes={
            "threshold": float(((true > 0.5).mean() + (false < 0.5).mean()) / 2),
            "paired": float((true > false).mean()),
            "turned": auc(false, true),
        },
        steps={
            "wins": [(float(each), int((each > false).sum())) for each in true],
            "won": int((true[:, None] > false).sum()),
            "n": n,
            "pairs": n * n,
            "called": int((true > 0.5).sum() + (false < 0.5).sum()),
            "beside": int((true > false).sum()),
        },
    )


MAKERS = (Maker(draw_input), Maker(draw_probability), Maker(draw_auc))
