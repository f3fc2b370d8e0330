"""Exercises on masked language modelling: the loss of a step, what becomes of drawn tokens, and what each model reads."""

from __future__ import annotations

import numpy as np

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.pretraining.masked_training import TrainingStep

WORDS = ("and", "Saul", "said", "to", "David", "come", "with", "me", "to", "Jerusalem")
DRAWN, FATES = 15, {"mask": 80, "other": 10, "kept": 10}  # percent


def draw_loss(draws: Draws, difficulty: int) -> Draw | None:
    """The loss of a training step; mistakes: count every token, count the masks only, take logarithms to base 2."""
    words = WORDS[: difficulty + 4]
    T = len(words)
    places = np.zeros(T, bool)
    places[list(draws.sample(range(T), difficulty + 1))] = True
    fates = ["" if not drawn else draws.choose(("▢", "▢", "≠", "=")) for drawn in places]
    p = np.array([draws.decimal(0.1, 0.7, 2) if drawn else draws.decimal(0.8, 0.99, 2) for drawn in places])
    ids, ln_p = np.arange(T), np.zeros((T, T))
    ln_p[ids, ids] = np.log(p)
    masked = np.array([fate == "▢" for fate in fates])
    if not masked.any() or masked[places].all():
        return None

    def step(counted: np.ndarray) -> TrainingStep:
        return TrainingStep(ids, ids, counted, ln_p, T)

    found = step(places)
    return Draw(
        given={"text": Table(("drawn", "p"), words, [fates, p.tolist()])},
        answer=found.loss,
        mistakes={
            "everywhere": found.loss_everywhere,
            "masks": step(masked).loss,
            "bits": found.loss / np.log(2),
        },
        steps={
            "losses": found.losses[places],
            "n": int(places.sum()),
            "T": T,
            "masks": int(masked.sum()),
        },
    )


def draw_fates(draws: Draws, difficulty: int) -> Draw:
    """How many tokens meet a fate; mistakes: take the share of all tokens, forget the fate, take another fate."""
    tokens = draws.integer(1, 45) * (200, 2000, 20_000)[difficulty - 1]
    fate = draws.choose(tuple(FATES))
    other = "mask" if fate != "mask" else "other"
    drawn = tokens * DRAWN // 100
    return Draw(
        given={"tokens": tokens, "fate": fate},
        answer=drawn * FATES[fate] // 100,
        mistakes={
            "of_all": tokens * FATES[fate] // 100,
            "all_drawn": drawn,
            "other_fate": drawn * FATES[other] // 100,
        },
        steps={"drawn": drawn, "share": FATES[fate], "other_share": FATES[other]},
    )


def draw_reads(draws: Draws, difficulty: int) -> Draw:
    """From how many tokens a gap is predicted; mistakes: the other model, count the gap too, the right side only."""
    T = draws.integer(6, 9) * (2, 3, 6)[difficulty - 1]
    gaps = sorted(draws.sample(range(2, T), difficulty + 1))
    at, masked = gaps[0], draws.choose((True, False))
    both, left = T - len(gaps), at - 1
    answer = both if masked else left
    return Draw(
        given={"T": T, "gaps": gaps, "at": at, "masked": masked},
        answer=answer,
        mistakes={"other_model": left if masked else both, "gap": answer + 1, "right": both - left},
        steps={"hidden": len(gaps)},
    )


MAKERS = (Maker(draw_loss), Maker(draw_fates), Maker(draw_reads))
