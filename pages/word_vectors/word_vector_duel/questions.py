"""Exercises on comparing embeddings: shared neighbours, ranks in the other set, and the order of cosines."""

from __future__ import annotations

import numpy as np
from scipy.stats import spearmanr

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table

WORDS = ("net", "site", "spider", "silk", "page", "thread", "online", "weave", "link", "cloth", "fly", "mail")


def draw_overlap(draws: Draws, difficulty: int) -> Draw:
    """The share of shared neighbours; mistakes: divide by all different words, by both lists, count equal places."""
    k = 3 + difficulty
    one, other = (draws.sample(WORDS[: k + 3], k) for _ in range(2))
    shared = [word for word in one if word in other]
    places = sum(a == b for a, b in zip(one, other, strict=True))
    return Draw(
        given={"one": one, "other": other, "k": k},
        answer=len(shared) / k,
        mistakes={
            "different": len(shared) / len(set(one) | set(other)),
            "both": len(shared) / (2 * k),
            "places": places / k,
        },
        steps={"shared": shared, "n": len(shared), "all": len(set(one) | set(other)), "same": places},
    )


def draw_median(draws: Draws, difficulty: int) -> Draw:
    """The median of some ranks; mistakes: the mean, the middle of the list as it is, the best rank."""
    n = 1 + 2 * difficulty + 2
    ranks = [draws.integer(1, 12) * draws.choose((1, 1, 10, 100)) for _ in range(n)]
    return Draw(
        given={"ranks": Table(("rank",), WORDS[:n], [ranks]), "n": n},
        answer=float(np.median(ranks)),
        mistakes={"mean": float(np.mean(ranks)), "middle": float(ranks[n // 2]), "best": float(min(ranks))},
        steps={"ordered": sorted(ranks), "place": n // 2 + 1},
        digits=1,
    )


def draw_order(draws: Draws, difficulty: int) -> Draw | None:
    """Spearman's rank correlation; mistakes: the order turned, cosines instead of ranks, no factor 6."""
    n = 3 + difficulty
    one, other = (np.array([draws.decimal(0.0, 0.99, 2) for _ in range(n)]) for _ in range(2))
    if len(set(one)) < n or len(set(other)) < n:
        return None
    ranks = [(-each).argsort().argsort() + 1 for each in (one, other)]
    gaps = (ranks[0] - ranks[1]) ** 2
    rho = float(spearmanr(one, other).statistic)
    return Draw(
        given={"cosines": Table(("A", "B"), [f"{i + 1}" for i in range(n)], [one, other])},
        answer=rho,
        mistakes={
            "turned": float(spearmanr(one, -other).statistic),
            "cosines": float(np.corrcoef(one, other)[0, 1]),
            "factor": 1 - gaps.sum() / (n * (n**2 - 1)),
        },
        steps={"ranks": [each.tolist() for each in ranks], "gaps": gaps, "total": int(gaps.sum()), "n": n},
        digits=2,
    )


MAKERS = (Maker(draw_overlap), Maker(draw_median), Maker(draw_order))
