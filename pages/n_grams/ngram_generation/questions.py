"""Exercises on generating text with n-grams: a random number on the line, a text of several draws, the longest copy."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.hidden_markov_models.speaking import chosen_by
from core.models.n_grams.longest_copy import longest_copy
from core.models.n_grams.ngram import maximum_likelihood
from pages.n_grams.shared.small_text import DETERMINERS, STOP, count_small_text, draw_text

WORDS = ("lord", "father", "mother", "good", "dear")
CONTEXTS = ("my", "lord", "good", "dear")
SHARES = ((5, 3, 2, 0), (6, 3, 1, 0), (7, 2, 1, 0), (4, 3, 2, 1))  # tenths, none equal to another
NEAR = 0.02  # a random number nearer to the end of a part is no question for paper


def fall_on(p: np.ndarray, u: float, order: Sequence[int] | None = None) -> int:
    """Return the token on whose part of the line u falls, the most probable first unless an order is given.

    >>> fall_on(np.array([0.2, 0.5, 0.3]), 0.6), fall_on(np.array([0.2, 0.5, 0.3]), 0.6, (0, 1, 2))
    (2, 1)
    """
    order = np.argsort(-p, kind="stable") if order is None else np.asarray(order)
    return int(order[chosen_by(p[order], u)])


def is_near_an_end(p: np.ndarray, u: float) -> bool:
    """Return whether u is too near to where a part of the line ends."""
    return bool(np.abs(np.cumsum(np.sort(p)[::-1]) - u).min() < NEAR)


def draw_line(draws: Draws, difficulty: int) -> Draw | None:
    """The token on which u falls; mistakes: take the most probable, give all equal parts, keep the table's order."""
    words = sorted(WORDS)
    counts = np.array(draws.sample(range(1, 6 + 4 * difficulty), len(words)))
    u = draws.decimal(0.05, 0.95, 2)
    p = counts / counts.sum()
    if is_near_an_end(p, u):
        return None
    order = np.argsort(-p)
    ends = np.cumsum(p[order])
    place = order.tolist().index(fall_on(p, u))
    return Draw(
        given={"counted": Table(("c",), words, [counts.tolist()]), "u": u},
        answer=words[order[place]],
        mistakes={
            "greedy": words[order[0]],
            "equal": words[fall_on(np.full(len(words), 1 / len(words)), u, order)],
            "table": words[fall_on(p, u, range(len(words)))],
        },
        steps={
            "total": int(counts.sum()),
            "parts": [(words[i], int(counts[i]), end) for i, end in zip(order, ends.tolist(), strict=True)],
            "begin": float(ends[place] - p[order[place]]),
            "end": float(ends[place]),
            "size": 1 / len(words),
            "top": float(p[order[0]]),
            "ahead": words[0],
        },
    )


def draw_continuation(draws: Draws, difficulty: int) -> Draw | None:
    """A text of several draws; mistakes: greedy, leave the window where it is, use one random number for all."""
    length = (2, 3, 4)[difficulty - 1]
    rows = np.array([draws.shuffle(draws.choose(SHARES)) for _ in CONTEXTS])
    luck = [draws.decimal(0.02, 0.98, 2) for _ in range(length)]
    p, start = rows / 10, draws.integer(0, len(CONTEXTS) - 1)
    written = write_tokens(p, start, luck)
    before = [start, *written[:-1]]
    if any(is_near_an_end(p[h], u) for h in range(len(CONTEXTS)) for u in luck):
        return None
    texts = {
        "greedy": write_tokens(p, start, [0.0] * length),
        "stuck": [fall_on(p[start], u) for u in luck],
        "reused": write_tokens(p, start, luck[:1] * length),
    }
    rounds = [
        (CONTEXTS[h], u, CONTEXTS[w], *part_of(p[h], w))
        for h, u, w in zip(before, luck, written, strict=True)
    ]
    return Draw(
        given={
            "table": Table(CONTEXTS, CONTEXTS, rows.tolist()),
            "start": CONTEXTS[start],
            "luck": luck,
        },
        answer=spell(written),
        mistakes={name: spell(text) for name, text in texts.items()},
        steps={
            "rounds": rounds,
            "parted": {name: rounds[first_difference(text, written)] for name, text in texts.items()},
        },
    )


def first_difference(one: Sequence[int], other: Sequence[int]) -> int:
    """Return the first place at which two texts differ, 0 where there is none.

    >>> first_difference([1, 2, 3], [1, 3, 3])
    1
    """
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=True)) if a != b), 0)


def write_tokens(p: np.ndarray, start: int, luck: Sequence[float]) -> list[int]:
    """Return the tokens that a bigram model writes after a start, one for each random number."""
    written = [start]
    for u in luck:
        written.append(fall_on(p[written[-1]], u))
    return written[1:]


def part_of(p: np.ndarray, token: int) -> tuple[float, float]:
    """Return where a token's part of the line begins and ends, the most probable first."""
    end = float(p[p >= p[token]].sum())
    return end - float(p[token]), end


def spell(tokens: Sequence[int]) -> str:
    """Return a text as its words."""
    return " ".join(CONTEXTS[token] for token in tokens)


def draw_copy(draws: Draws, difficulty: int) -> Draw | None:
    """The longest copied run; mistakes: run over a sentence's end, look at the beginning only, count every known word."""
    tokens = draw_text(draws, difficulty + 2)
    counts = count_small_text(tokens)
    name, model = counts.vocabulary, maximum_likelihood(counts, 2)
    ids = np.array([name.index(token) for token in tokens])
    written = [name.index(draws.choose([each for each in DETERMINERS if each in tokens]))]
    for _ in range(5 + 2 * difficulty):
        written.append(fall_on(model.scores(written[-1:]), draws.decimal(0.01, 0.99, 2)))
    end = name.index(STOP)
    at, longest = longest_copy(written, ids, end)
    over, across = longest_copy(written, ids)
    starts = [k for k in range(1, len(written)) if longest_copy(written[:k], ids, end) == (0, k)]
    return Draw(
        given={
            "text": " ".join(tokens),
            "written": " ".join(name[token] for token in written),
        },
        answer=longest,
        mistakes={
            "across": across,
            "beginning": max(starts),
            "words": sum(token != end for token in written),
        },
        steps={
            "run": " ".join(name[token] for token in written[at : at + longest]),
            "over": " ".join(name[token] for token in written[over : over + across]),
            "first": " ".join(name[token] for token in written[: max(starts)]),
        },
    )


MAKERS = (Maker(draw_line), Maker(draw_continuation), Maker(draw_copy))
