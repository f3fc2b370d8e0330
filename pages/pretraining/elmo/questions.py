"""Exercises on ELMo: a score out of weighted layers, the tag it gives, and a vector brought to mean 0 and variance 1."""

from __future__ import annotations

import numpy as np

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.documents.recurrent_reader import softmax
from core.models.pretraining.layer_mix import mixed, standardise

LAYERS, TAGS = ("layer 0", "layer 1", "layer 2"), ("noun", "verb", "adjective")


WEIGHTS = ((0.5, 0.4, 0.1), (0.5, 0.3, 0.2), (0.45, 0.4, 0.15), (0.55, 0.35, 0.1))
RANGES = (  # of three tags' parts, in the layers from the largest weight to the smallest: their preferences differ
    ((2, 6), (1, 4), (-3, 0)),
    ((-5, 0), (2, 6), (-2, 2)),
    ((-3, 0), (-4, 0), (5, 9)),
)


def draw_score(draws: Draws, difficulty: int) -> Draw:
    """A tag's score; mistakes: leave out γ, weigh with u itself, weigh all layers equally."""
    layers = 2 if difficulty == 1 else 3
    u = np.array(
        [draws.integer(-2, 3) if difficulty < 3 else draws.integer(-20, 30) / 10 for _ in range(layers)]
    )
    parts = np.array([draws.signed(0.5, 4.0) for _ in range(layers)])
    gamma = draws.choose((0.5, 1.5, 2.0, 3.0))
    s = softmax(u.astype(float))
    return Draw(
        given={"rows": Table(("u", "a"), LAYERS[:layers], [u.tolist(), parts.tolist()]), "gamma": gamma},
        answer=float(mixed(parts, s, gamma)),
        mistakes={
            "no_gamma": float(mixed(parts, s, 1.0)),
            "no_softmax": float(mixed(parts, u, gamma)),
            "equal": float(mixed(parts, softmax(np.zeros(layers)), gamma)),
        },
        steps={"s": s, "parts": parts, "sum": float(mixed(parts, s, 1.0)), "n": layers},
    )


def draw_tag(draws: Draws, difficulty: int) -> Draw | None:
    """The tag that the sum prefers; mistakes: the layer with the largest weight alone, the plain sum of the layers."""
    order, layers = draws.shuffle(range(len(TAGS))), draws.shuffle(range(len(LAYERS)))
    parts, s = np.zeros((len(LAYERS), len(TAGS))), np.zeros(len(LAYERS))
    weights = draws.choose(WEIGHTS[: difficulty + 1])
    for layer, ranges, weight in zip(layers, RANGES, weights, strict=True):
        s[layer] = weight
        parts[layer, list(order)] = [draws.integer(*each) for each in ranges]
    z = mixed(parts, s, 1.0)
    heaviest, plain = parts[s.argmax()], parts.sum(0)
    scores = (z, heaviest, plain, s)
    if any(np.diff(np.sort(each))[-1] < 0.04 for each in scores):
        return None
    return Draw(
        given={
            "weights": Table(("s",), LAYERS, [s.tolist()]),
            "parts": Table(LAYERS, TAGS, parts.astype(int).tolist()),
        },
        answer=TAGS[int(z.argmax())],
        mistakes={"heaviest": TAGS[int(heaviest.argmax())], "plain": TAGS[int(plain.argmax())]},
        steps={
            "z": [(tag, float(each)) for tag, each in zip(TAGS, z, strict=True)],
            "layer": LAYERS[int(s.argmax())],
            "largest": float(s.max()),
            "best": float(z.max()),
        },
    )


def draw_normalized(draws: Draws, difficulty: int) -> Draw | None:
    """A normalized vector; mistakes: do not divide, divide by the variance, divide by one number less."""
    C = difficulty + 2
    h = np.array([draws.integer(-4, 9) for _ in range(C)], float)
    deviation, away = float(h.std()), h - h.mean()
    if deviation < 0.8:
        return None
    names = tuple(str(i + 1) for i in range(C))
    return Draw(
        given={"vector": Table(("h",), names, [h.astype(int).tolist()]), "C": C},
        answer=standardise(h),
        mistakes={"undivided": away, "variance": away / h.var(), "one_less": away / h.std(ddof=1)},
        steps={
            "mean": float(h.mean()),
            "variance": float(h.var()),
            "deviation": deviation,
            "first": int(h[0]),
            "result": float(standardise(h)[0]),
        },
        table=Table(("h",), names, [[None] * C]),
    )


MAKERS = (Maker(draw_score), Maker(draw_tag), Maker(draw_normalized))
