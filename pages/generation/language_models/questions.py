"""Exercises on comparing language models: bits per character, a loss in other units, and a race of three models."""

from __future__ import annotations

from math import exp, log

import numpy as np

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.language_model import bits, bits_per_token

WORDS = ("lord", "king", "speak", "crown", "sword")
MODELS = ("n-gram", "LSTM", "GPT")
NEAR = 0.05  # bits: models that differ by less are too close to call


def draw_score(draws: Draws, difficulty: int) -> Draw:
    """Bits per character; mistakes: use natural logarithms, give the sum, take the logarithm of the mean probability."""
    word = draws.choose(WORDS)[: difficulty + 2]
    p = np.array(
        [draws.choose((0.5, 0.25, 0.125)) if difficulty == 1 else draws.decimal(0.05, 0.95, 2) for _ in word]
    )
    ln_p = np.log(p)
    return Draw(
        given={"table": Table(("p",), tuple(word), [p.tolist()]), "word": word},
        answer=bits_per_token(ln_p),
        mistakes={
            "nats": -ln_p.mean(),
            "sum": float(bits(ln_p).sum()),
            "mean": float(bits(np.log(p.mean()))),
        },
        steps={"bits": bits(ln_p), "n": len(p), "total": float(bits(ln_p).sum()), "average": float(p.mean())},
        digits=2,
    )


def draw_units(draws: Draws, difficulty: int) -> Draw:
    """A loss in nats as perplexity; mistakes: 2 to the nats, give the bits, e to the bits."""
    nats = draws.decimal(0.8, 2.8, 1 + (difficulty > 1))
    in_bits = nats / log(2)
    return Draw(
        given={"nats": nats},
        answer=2**in_bits,
        mistakes={"two": 2**nats, "bits": in_bits, "e": exp(in_bits)},
        steps={"in_bits": in_bits},
        digits=2,
    )


def draw_race(draws: Draws, difficulty: int) -> Draw | None:
    """The model with the fewest bits; mistakes: compare mean probabilities, take the most bits."""
    word = draws.choose(WORDS)[: difficulty + 2]
    p = np.array([[draws.decimal(0.02, 0.9, 2) for _ in word] for _ in MODELS])
    scores = bits(np.log(p)).mean(axis=1)
    means = p.mean(axis=1)
    if np.diff(np.sort(scores)).min() < NEAR:
        return None
    best, most, likely = int(scores.argmin()), int(scores.argmax()), int(means.argmax())
    return Draw(
        given={"table": Table(MODELS, tuple(word), p.tolist())},
        answer=MODELS[best],
        mistakes={"mean": MODELS[likely], "most": MODELS[most]},
        steps={
            "scores": list(zip(MODELS, scores.tolist(), strict=True)),
            "bits": scores[best],
            "bits_likely": scores[likely],
            "bits_most": scores[most],
            "least": float(p[likely].min()),
            "least_bits": float(bits(np.log(p[likely].min()))),
        },
    )


MAKERS = (Maker(draw_score), Maker(draw_units), Maker(draw_race))
