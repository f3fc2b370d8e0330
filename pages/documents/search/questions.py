"""Exercises on search: what a word adds to a BM25 score, inverse document frequencies, and the mean reciprocal rank."""

from __future__ import annotations

from math import inf

import numpy as np

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.documents.bm25 import rarity, saturate
from core.models.documents.ranking import mean_reciprocal_rank, recall_at

NAMES = ("river", "bridge", "zumbrel", "honey", "moon", "treaty")
DASH = "–"


def draw_score(draws: Draws, difficulty: int) -> Draw | None:
    """What a word adds; mistakes: every occurrence in full, no length, no idf."""
    idf, tf = draws.integer(5, 35) / 10, draws.integer(2, 3 + 2 * difficulty)
    k1, b = draws.choose((1.0, 1.2, 1.5, 2.0)), draws.choose((0.5, 0.75, 1.0))
    length = draws.choose((0.5, 1.5, 2.0, 3.0))
    worth = float(saturate(tf, length, k1, b))
    return Draw(
        given={
            "N": 40,
            "word": draws.choose(NAMES),
            "idf": idf,
            "tf": tf,
            "length": length,
            "k1": k1,
            "b": b,
        },
        answer=idf * worth,
        mistakes={
            "straight": idf * tf,
            "length": idf * float(saturate(tf, length, k1, 0.0)),
            "idf": worth,
        },
        steps={"factor": 1 - b + b * length, "worth": worth},
    )


def draw_idf(draws: Draws, difficulty: int) -> Draw | None:
    """The weights of some words; mistakes: the share of passages, the logarithm to base 10."""
    N = draws.choose((20, 40, 50, 100))
    names = tuple(draws.sample(NAMES, difficulty + 1))
    df = np.array(draws.sample(range(1, N // 2), len(names)))
    idf = rarity(df, N)
    table = Table(names, ("idf",), [(None,) for _ in names], "word")
    return Draw(
        given={"N": N, "words": Table(names, ("df",), [(int(each),) for each in df], "word")},
        answer=tuple(idf.tolist()),
        mistakes={"share": tuple((df / N).tolist()), "base": tuple((idf / np.log(10)).tolist())},
        steps={
            "word": names[0],
            "df": int(df[0]),
            "value": float(idf[0]),
            "inside": float(np.exp(idf[0])),
        },
        table=table,
    )


def draw_mrr(draws: Draws, difficulty: int) -> Draw | None:
    """The mean of 1 / rank; mistakes: without the query that failed, of the mean rank, the share of first places."""
    n = 3 + difficulty
    ranks = [draws.integer(1, 8) for _ in range(n - 1)]
    found = draws.shuffle([*map(float, ranks), inf])
    shown = Table(
        tuple(f"q{i}" for i in range(1, n + 1)),
        ("rank",),
        [(DASH if rank == inf else int(rank),) for rank in found],
        "query",
    )
    return Draw(
        given={"n": n, "ranks": shown},
        answer=mean_reciprocal_rank(found),
        mistakes={
            "found": mean_reciprocal_rank([rank for rank in found if rank != inf]),
            "mean": 1 / float(np.mean(ranks)),
            "first": recall_at(found, 1),
        },
        steps={"total": sum(1 / rank for rank in ranks), "found": n - 1},
    )


MAKERS = (Maker(draw_score), Maker(draw_idf), Maker(draw_mrr))
