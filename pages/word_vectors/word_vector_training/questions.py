"""Exercises on word2vec: the pairs of a window, the loss, one step of the centre vector, and noise."""

from __future__ import annotations

import numpy as np

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.word_vectors.negative_sampling import noise_distribution, pair_loss, training_step, window

WORDS = ("the", "queen", "wears", "a", "crown", "king", "eats", "cherry", "in", "paris")


def draw_pairs(draws: Draws, difficulty: int) -> Draw:
    """How many true pairs a text makes; mistakes: to the right only, no borders, the word with itself."""
    n, size = draws.integer(5, 6 + 3 * difficulty), draws.integer(2, 3)
    text = [draws.choose(WORDS) for _ in range(n)]
    pairs = sum(len(window(text, i, size)) for i in range(n))
    return Draw(
        given={"text": " ".join(text), "size": size},
        answer=pairs,
        mistakes={"right": pairs // 2, "borders": 2 * size * n, "itself": pairs + n},
        steps={
            "n": n,
            "first": len(window(text, 0, size)),
            "word": text[0],
            "per_place": [len(window(text, i, size)) for i in range(n)],
        },
    )


def draw_vectors(draws: Draws, noise: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return v (2,), u_o (2,) and the output vectors of the noise (k, 2), with one digit."""
    v, u, *others = (np.array([draws.decimal(-2, 2), draws.decimal(-2, 2)]) for _ in range(2 + noise))
    return v, u, np.array(others)


def shown_vectors(v: np.ndarray, u: np.ndarray, noise: np.ndarray) -> Table:
    """Return the vectors as a table."""
    rows = ["v", "uₒ", *(f"u{'₁₂₃'[i]}" for i in range(len(noise)))]
    return Table(rows, ("1", "2"), [v, u, *noise])


def draw_loss(draws: Draws, difficulty: int) -> Draw:
    """The loss of a true pair and its noise; mistakes: noise taken for true pairs, no noise, both exchanged."""
    v, u, noise = draw_vectors(draws, difficulty)
    loss = pair_loss(v, u, noise)
    return Draw(
        given={"vectors": shown_vectors(v, u, noise), "k": difficulty},
        answer=loss,
        mistakes={
            "true": pair_loss(v, u, -noise),
            "alone": pair_loss(v, u, np.zeros((0, 2))),
            "swapped": pair_loss(-v, u, noise),
        },
        steps={
            "dot": float(v @ u),
            "dots": noise @ v,
            "sigmoid": float(1 / (1 + np.exp(-v @ u))),
            "sigmoids": 1 / (1 + np.exp(-(noise @ v))),
        },
        digits=2,
    )


def draw_step(draws: Draws, difficulty: int) -> Draw:
    """The centre vector after a step; mistakes: uphill, the noise pulls too, the pull alone."""
    v, u, noise = draw_vectors(draws, difficulty)
    rate = draws.choose((0.5, 1.0))
    right = training_step(v, u, noise, rate)
    pull = rate * (1 - right.sigmoid) * u
    push = rate * right.negative_sigmoids @ noise
    return Draw(
        given={"vectors": shown_vectors(v, u, noise), "k": difficulty, "rate": rate},
        answer=right.new_centre,
        mistakes={
            "uphill": training_step(v, u, noise, -rate).new_centre,
            "noise": v + pull + push,
            "alone": v + pull,
        },
        steps={
            "v": v,
            "sigmoid": right.sigmoid,
            "sigmoids": right.negative_sigmoids,
            "pull": pull / rate,
            "push": push / rate,
        },
        table=Table(("v",), ("1", "2"), [[None, None]]),
        digits=2,
    )


def draw_noise(draws: Draws, difficulty: int) -> Draw:
    """How probable a word is as noise; mistakes: its plain share, the power −¾, all words equally."""
    words = draws.sample(WORDS, difficulty + 1)
    counts = {word: int(draws.choose((1, 16, 81, 256))) for word in words}
    word = words[0]
    return Draw(
        given={"counts": Table(("c",), words, [list(counts.values())]), "word": word},
        answer=noise_distribution(counts)[word],
        mistakes={
            "share": noise_distribution(counts, power=1.0)[word],
            "inverse": noise_distribution(counts, power=-0.75)[word],
            "uniform": noise_distribution(counts, power=0.0)[word],
        },
        steps={
            "powers": [round(each**0.75) for each in counts.values()],
            "n": counts[word],
            "total": sum(counts.values()),
            "k": len(words),
        },
    )


MAKERS = (Maker(draw_pairs), Maker(draw_loss), Maker(draw_step), Maker(draw_noise))
