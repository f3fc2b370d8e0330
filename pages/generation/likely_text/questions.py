"""Exercises on likely text: the loop of greedy search, how varied a text is, and what a phrase costs."""

from __future__ import annotations

import numpy as np

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.generation.beam_search import beam_search
from core.models.generation.degeneration import distinct, repeated_cycle
from pages.generation.shared.small_model import BigramTable

WORDS = ("my", "good", "lord", "king", "and", "the")


def draw_loop(draws: Draws, difficulty: int) -> Draw | None:
    """How many tokens a loop has; mistakes: count what comes before it, count from the start."""
    size = difficulty + 3 if difficulty < 3 else 6
    p = np.array([draws.distribution(size, 20) for _ in range(size)])
    if any(np.diff(np.sort(row))[-1] == 0 for row in p):
        return None
    model = BigramTable(WORDS[:size], p)
    start = draws.integer(0, size - 1)
    text = [start, *beam_search(model, [start], 1, 4 * size).winning_path]
    loop = repeated_cycle(text)
    if loop is None or loop.start == 0:
        return None
    return Draw(
        given={"table": model.table, "start": WORDS[start]},
        answer=loop.length,
        mistakes={
            "lead": loop.start,
            "all": loop.start + loop.length,
        },
        steps={
            "text": model.spell(text[: loop.start + loop.length]),
            "loop": model.spell(text[loop.start : loop.start + loop.length]),
            "again": WORDS[text[loop.start]],
            "lead_text": model.spell(text[: loop.start]),
        },
    )


def draw_distinct(draws: Draws, difficulty: int) -> Draw:
    """distinct-2 of a text; mistakes: use words, divide by the words, give the share that repeats."""
    n = 5 + 3 * difficulty
    text = [draws.choose(WORDS[: 2 + difficulty]) for _ in range(n)]
    different, pairs = distinct([text], 2)
    words, _ = distinct([text], 1)
    return Draw(
        given={"text": " ".join(text)},
        answer=different / pairs,
        mistakes={"words": words / n, "by_words": different / n, "repeated": 1 - different / pairs},
        steps={"different": different, "pairs": pairs, "n": n, "words": words},
    )


def draw_bits(draws: Draws, difficulty: int) -> Draw:
    """Bits that a loop saves in a later round; mistakes: per token, natural logarithms, give round 1 alone."""
    n = difficulty + 1
    first = np.array([draws.decimal(0.05, 0.5, 2) for _ in range(n)])
    later = np.array([draws.decimal(0.6, 0.98, 2) for _ in range(n)])
    rounds = -np.log2(first), -np.log2(later)
    saved = float(rounds[0].sum() - rounds[1].sum())
    return Draw(
        given={"table": Table(("1", "5"), WORDS[:n], [first.tolist(), later.tolist()])},
        answer=saved,
        mistakes={
            "mean": saved / n,
            "nats": saved * float(np.log(2)),
            "once": float(rounds[0].sum()),
        },
        steps={"one": rounds[0], "sums": [float(each.sum()) for each in rounds], "n": n},
        digits=2,
    )


MAKERS = (Maker(draw_loop), Maker(draw_distinct), Maker(draw_bits))
