"""Exercises on Zipf's law: words for half of a text, the law's shares, the widest gap, and rare words."""

from __future__ import annotations

from collections import Counter

import numpy as np

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.tokens.zipf import RankedWords, frequency_classes, types_for, zipf_probabilities

TYPES = ("the", "of", "sea", "and", "a", "in", "old", "cold", "ship", "king", "moon", "storm")

SHARES = ((0.5, 0.6, 0.7), (0.5, 0.6, 0.7, 0.8), (0.6, 0.7, 0.8, 0.9))
EXPONENTS = ((1,), (0.5, 1, 2), (0.7, 0.8, 1.1, 1.3))


def draw_counts(draws: Draws, types: int, most: int) -> np.ndarray:
    """Return counts in falling order, which often fall fast at first."""
    counts = [draws.integer(1, max(1, most // rank)) for rank in range(1, types + 1)]
    return np.array(sorted(counts, reverse=True))


def draw_half(draws: Draws, difficulty: int) -> Draw | None:
    """Words for a share of the text; mistakes: the share of the types, the last rank below it, from the rare end."""
    V, share = 5 + 2 * difficulty, draws.choose(SHARES[difficulty - 1])
    counts = draw_counts(draws, V, 10 * (difficulty + 1))
    covered = counts.cumsum()
    needed = share * counts.sum()
    if needed in covered or covered[0] > needed:
        return None
    k = types_for(RankedWords(TYPES[:V], counts), share)
    return Draw(
        given={"counts": Table(("c",), TYPES[:V], [counts]), "share": share},
        answer=k,
        mistakes={
            "types": types_for(RankedWords(TYPES[:V], np.ones(V, int)), share),
            "short": k - 1,
            "rare": types_for(RankedWords(TYPES[:V], counts[::-1]), share),
        },
        steps={
            "N": int(counts.sum()),
            "V": V,
            "needed": float(needed),
            "sums": covered[:k],
            "below": int(covered[k - 2]),
            "reached": int(covered[k - 1]),
        },
    )


def draw_law(draws: Draws, difficulty: int) -> Draw:
    """The count that the law gives a rank; mistakes: no division, a sum that ends at the rank, a growing power."""
    s, N = draws.choose(EXPONENTS[difficulty - 1]), 100 * draws.integer(1, 20)
    V = draws.integer(4, 4 + difficulty)
    r = draws.integer(2, V - 1)
    weights = np.arange(1, V + 1) ** -float(s)
    return Draw(
        given={"s": s, "N": N, "V": V, "r": r},
        answer=N * zipf_probabilities(s, V)[r - 1],
        mistakes={
            "weight": N * weights[r - 1],
            "short": N * zipf_probabilities(s, r)[r - 1],
            "growing": N * zipf_probabilities(-s, V)[r - 1],
        },
        steps={
            "weights": weights,
            "total": float(weights.sum()),
            "part": float(weights[r - 1]),
            "until": float(weights[:r].sum()),
            "share": float(zipf_probabilities(s, V)[r - 1]),
        },
        digits=1,
    )


def draw_gap(draws: Draws, difficulty: int) -> Draw | None:
    """The widest gap D; mistakes: compare single shares, look at rank 1 only, take the mean gap."""
    V, total = difficulty + 3, 20 * draws.integer(1, 3)
    counts = np.array(sorted(draws.distribution(V, total), reverse=True)) * total
    counts = counts.round().astype(int)
    law = sorted(draws.distribution(V, 20), reverse=True)
    shares, covered, by_law = counts / total, counts.cumsum() / total, np.cumsum(law)
    gaps = abs(covered - by_law)
    farthest = int(gaps.argmax())
    if np.sort(gaps)[-2] > gaps.max() - 0.01:
        return None
    return Draw(
        given={"shares": Table(("c", "p"), TYPES[:V], [counts, law])},
        answer=gaps.max(),
        mistakes={"single": abs(shares - law).max(), "first": gaps[0], "mean": gaps.mean()},
        steps={
            "N": total,
            "cumulated": Table(
                ("F", "F law"),
                [f"r = {r}" for r in range(1, V + 1)],
                [covered.round(4), by_law.round(4)],
            ),
            "farthest": farthest + 1,
            "covered": float(covered[farthest]),
            "predicted": float(by_law[farthest]),
            "gaps": gaps,
            "at": int(abs(shares - law).argmax()) + 1,
        },
    )


def draw_classes(draws: Draws, difficulty: int) -> Draw | None:
    """Types and share of the tokens by how often a type occurs; mistakes: the share of the types, tokens for types."""
    V, bounds = 4 + difficulty, (1, 2) if difficulty == 1 else (1, 2, 3)
    counts = draw_counts(draws, V, 5)
    words = draws.shuffle([word for word, c in zip(TYPES, counts, strict=False) for _ in range(c)])
    found = frequency_classes(counts, bounds)
    if not all(types for types, _ in found):
        return None
    total = int(counts.sum())
    return Draw(
        given={"text": " ".join(words), "bounds": bounds},
        answer=[each for pair in found for each in pair],
        mistakes={
            "of_types": [each for types, _ in found for each in (types, types / V)],
            "tokens": [each for _, share in found for each in (round(share * total), share)],
        },
        steps={
            "N": total,
            "V": V,
            "counts": list(Counter(words).most_common()),
            "last": found[-1][0],
            "last_tokens": round(found[-1][1] * total),
            "from_": bounds[-1],
        },
        table=Table(
            [str(b) for b in bounds[:-1]] + [f"≥ {bounds[-1]}"],
            ("V", "p"),
            [[None, None] for _ in bounds],
            "c",
        ),
    )


MAKERS = (Maker(draw_half), Maker(draw_law), Maker(draw_gap), Maker(draw_classes))
