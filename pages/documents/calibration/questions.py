"""Exercises on calibration: answers sorted into bins, the expected calibration error, and temperature scaling."""

from __future__ import annotations

import numpy as np

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.documents.calibration import (
    BINS,
    Reliability,
    bin_answers,
    divide_probabilities,
    scale_logits,
)

RIGHT, WRONG = "✓", "✗"
COLUMNS = ("conf", "acc")
EDGES = np.linspace(0, 1, BINS + 1)


def name_bin(place: int) -> str:
    """Return a bin as an interval."""
    return f"{EDGES[place]:.1f}–{EDGES[place + 1]:.1f}"


def columns(confidence: np.ndarray, accuracy: np.ndarray) -> np.ndarray:
    """Return a table's entries row by row: of each bin its mean confidence and its accuracy."""
    return np.stack([confidence, accuracy], axis=1).ravel()


def draw_bins(draws: Draws, difficulty: int) -> Draw | None:
    """The bins of a diagram; mistakes: divide by all answers, count the wrong ones, take the middle of the bin."""
    places = sorted(draws.sample(range(5, BINS), 2 if difficulty == 1 else 3))
    answers = draws.shuffle(
        [
            (place / BINS + draws.integer(1, 9) / 100, draws.integer(0, 2) > 0)
            for place in places
            for _ in range(draws.integer(2, difficulty + 2))
        ]
    )
    confidence, right = (np.array(each, dtype=float) for each in zip(*answers, strict=True))
    found, failed = bin_answers(confidence, right), bin_answers(confidence, 1 - right)
    conf, acc, n = found.confidence[places], found.accuracy[places], found.counts[places]
    middles = (EDGES[places] + EDGES[np.array(places) + 1]) / 2
    names = [name_bin(place) for place in places]
    if acc[0] in (0, 1) or abs(conf[0] - middles[0]) < 0.002:
        return None  # the solution shows the first bin
    by_all = acc * found.shares[places]
    if (np.abs(by_all - failed.accuracy[places]) < 0.002).any():
        return None  # one cell would speak for two mistakes
    first = [(c, r) for c, r in answers if found.edges[places[0]] < c <= found.edges[places[0] + 1]]
    return Draw(
        given={
            "answers": Table(
                ("c", "y"),
                [str(i + 1) for i in range(len(answers))],
                [
                    [round(float(c), 2) for c in confidence],
                    [RIGHT if each else WRONG for each in right],
                ],
            ),
        },
        answer=columns(conf, acc),
        mistakes={
            "all": columns(conf * found.shares[places], by_all),
            "errors": columns(conf, failed.accuracy[places]),
            "middle": columns(middles, acc),
        },
        steps={
            "name": names[0],
            "n": int(n[0]),
            "total": len(answers),
            "kept": int(sum(r for _, r in first)),
            "values": [round(float(c), 2) for c, _ in first],
            "conf": float(conf[0]),
            "acc": float(acc[0]),
            "lost": float(failed.accuracy[places[0]]),
            "middle": float(middles[0]),
        },
        table=Table(names, COLUMNS, [[None, None] for _ in names]),
    )


def draw_error(draws: Draws, difficulty: int) -> Draw | None:
    """The expected calibration error; mistakes: count bins equally, let the gaps cancel, take the largest gap."""
    places = sorted(draws.sample(range(5, BINS), difficulty + 1))
    counts = np.array([draws.integer(1, 12) * 10 for _ in places])
    confidence = np.array([place / BINS + draws.integer(2, 8) / 100 for place in places])
    accuracy = np.array([draws.decimal(0.3, 1.0) for _ in places])
    found = Reliability(EDGES, counts, confidence, accuracy)
    gaps, names = found.gaps, [name_bin(place) for place in places]
    if abs(gaps).min() < 0.015 or len(set(counts.tolist())) == 1:
        return None
    return Draw(
        given={
            "bins": Table(
                names,
                ("N", *COLUMNS),
                [
                    (int(n), round(float(c), 2), float(a))
                    for n, c, a in zip(counts, confidence, accuracy, strict=True)
                ],
            ),
        },
        answer=found.error,
        mistakes={
            "equal": float(abs(gaps).mean()),
            "signed": float(abs((found.shares * gaps).sum())),
            "largest": float(abs(gaps).max()),
        },
        steps={
            "counts": counts,
            "gaps": [round(float(each), 2) for each in abs(gaps)],
            "signs": [round(float(each), 2) for each in gaps],
            "total": int(counts.sum()),
            "widest": names[int(abs(gaps).argmax())],
        },
    )


def draw_temperature(draws: Draws, difficulty: int) -> Draw | None:
    """A probability after scaling; mistakes: divide the probabilities, multiply the logits, do not sum to 1 again."""
    classes = 2 if difficulty == 1 else 3
    logits = [draws.integer(-2, 4) if difficulty == 1 else draws.decimal(-2, 4) for _ in range(classes)]
    T = draws.choose((2.0, 4.0) if difficulty < 3 else (0.5, 1.5, 2.5, 3.0))
    z, k = np.array([logits], dtype=float), draws.integer(0, classes - 1)
    before, after = scale_logits(z, 1.0)[0], scale_logits(z, T)[0]
    if len(set(logits)) < classes or not logits[k] or not 0.02 < after[k] < 0.98:
        return None
    scaled = z[0] / T
    return Draw(
        given={"logits": logits, "T": T, "k": k + 1},
        answer=after[k],
        mistakes={
            "cancelled": divide_probabilities(z, T)[0, k],
            "multiplied": scale_logits(z, 1 / T)[0, k],
            "probability": before[k] / T,
        },
        steps={
            "scaled": scaled,
            "exponentials": np.exp(scaled),
            "total": float(np.exp(scaled).sum()),
            "raised": z[0] * T,
            "before": float(before[k]),
        },
    )


MAKERS = (Maker(draw_bins), Maker(draw_error), Maker(draw_temperature))
