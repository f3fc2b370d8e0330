"""Exercises on the leaderboard: a score on new lines, what an n-gram keeps, and a difference in bits."""

from __future__ import annotations

from math import exp

import numpy as np

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.n_grams.ngram_counts import count_ngrams

LINES = (
    "to be or not to be that",
    "words words words my lord",
    "good night good night sweet",
    "who is there who is it",
    "never never never never",
    "the lady the king the queen",
)
SPACE = "␣"


def draw_new_lines(draws: Draws, difficulty: int) -> Draw:
    """Bits per character of new lines; mistakes: keep the repeated lines, average the lines, take the repeated lines."""
    n = difficulty + 3
    lengths = np.array([10 * draws.integer(2, 8) for _ in range(n)])
    repeated = np.arange(n) < draws.integer(1, n - 2)
    repeated = repeated[list(draws.shuffle(range(n)))]
    rates = np.array([draws.decimal(0.3, 1.2) if each else draws.decimal(1.5, 3.5) for each in repeated])
    bits = lengths * rates
    new = ~repeated
    names = tuple(f"{i + 1}" for i in range(n))
    rows = [[int(a), float(b)] for a, b in zip(lengths, rates, strict=True)]
    return Draw(
        given={
            "table": Table(names, ("n", "b"), rows),
            "repeated": [names[i] for i in range(n) if repeated[i]],
        },
        answer=bits[new].sum() / lengths[new].sum(),
        mistakes={
            "kept": bits.sum() / lengths.sum(),
            "lines": rates[new].mean(),
            "only": bits[repeated].sum() / lengths[repeated].sum(),
        },
        steps={
            "new": [(int(a), float(b)) for a, b in zip(lengths[new], rates[new], strict=True)],
            "total": float(bits[new].sum()),
            "characters": int(lengths[new].sum()),
            "every": int(lengths.sum()),
            "count": int(new.sum()),
        },
        digits=2,
    )


def draw_counts(draws: Draws, difficulty: int) -> Draw | None:
    """How many counts an n-gram keeps; mistakes: the longest strings only, every place, every possible string."""
    n = 3 if difficulty == 3 else 2
    line = draws.choose(LINES)
    begin = draws.integer(0, 9)
    text = line[begin : begin + 6 + 2 * difficulty].strip().replace(" ", SPACE)
    vocabulary = tuple(sorted(set(text)))
    counts = count_ngrams([vocabulary.index(each) for each in text], vocabulary, n)
    start = len(vocabulary)  # strings that begin before the text are not counted here
    kept = [strings_inside(counts.keys[: k + 1], start) for k in range(1, n + 1)]
    return Draw(
        given={"text": " ".join(text), "n": n, "characters": len(text)},
        answer=sum(kept),
        mistakes={
            "longest": kept[-1],
            "places": sum(len(text) - k for k in range(n)),
            "possible": sum(start**k for k in range(1, n + 1)),
        },
        steps={"kept": kept, "V": start, "windows": [len(text) - k for k in range(n)]},
    )


def strings_inside(keys: tuple[np.ndarray, ...], start: int) -> int:
    """Return how many strings of the longest kind have no start token in them, of the counts' keys level by level."""
    inside = np.array([True])
    for level in keys[1:]:
        parent, token = np.divmod(level, start + 1)
        inside = inside[parent] & (token != start)
    return int(inside.sum())


def draw_among(draws: Draws, difficulty: int) -> Draw | None:
    """What a difference in bits means; mistakes: divide the bits, subtract them, use base e."""
    digits = 1 if difficulty == 1 else 2
    one, other = draws.decimal(2.2, 3.4, digits), draws.decimal(1.2, 2.1, digits)
    gap = one - other
    return Draw(
        given={"one": one, "other": other},
        answer=2**gap,
        mistakes={"ratio": one / other, "difference": gap, "e": exp(gap)},
        steps={"gap": gap, "choices": [2**one, 2**other]},
        digits=2,
    )


MAKERS = (Maker(draw_new_lines), Maker(draw_counts), Maker(draw_among))
