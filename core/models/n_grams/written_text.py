"""What an n-gram model writes: token after token drawn, and what each was drawn from where somebody asks for it.

    the tokens, likeliest first, are laid end to end, each as long as p(w | h); u in [0, 1) falls into one of them

`core.models.generation.sampling.generate` writes the same text and keeps every column of every distribution, which costs
ten times as much.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from core.models.n_grams.ngram import NgramModel

LIKELIEST = 12  # tokens of a draw that are kept


@dataclass(frozen=True)
class Drawn:
    """One token as it was drawn: u, its p, the sum of p up to it, its rank among so many `possible` tokens.

    `likeliest` are the likeliest of these, and `p` what each of them has.
    """

    token: int
    u: float
    chance: float
    cumulative: float
    rank: int
    possible: int
    likeliest: np.ndarray
    p: np.ndarray


def writing(
    model: NgramModel, prompt: Sequence[int], length: int, seed: int, greedy: bool = False
) -> Iterator[Drawn]:
    """Draw token after token, `length` of them; `greedy` takes the likeliest always.

    It ends where the model says nothing of what follows: 0 / 0.

    >>> from core.models.n_grams.ngram import maximum_likelihood
    >>> from core.models.n_grams.ngram_counts import count_ngrams
    >>> model = maximum_likelihood(count_ngrams([0, 1, 0, 1, 0, 2, 0], ("a", "b", "c"), order=2), 2)
    >>> first = next(writing(model, [0], 1, seed=1))
    >>> first.token, first.likeliest.tolist(), first.p.round(3).tolist(), first.possible
    (1, [1, 2], [0.667, 0.333], 2)
    """
    tokens = []
    for u in random_numbers(seed, length):
        p = model.scores([*prompt, *tokens])
        possible = np.flatnonzero(p)
        if not len(possible):
            return
        likeliest_first = possible[np.argsort(-p[possible], kind="stable")]
        cumulative = np.cumsum(p[likeliest_first])
        place = 0 if greedy else int(np.searchsorted(cumulative, u * cumulative[-1], side="right"))
        place = min(place, len(possible) - 1)
        tokens.append(int(likeliest_first[place]))
        likeliest, total = likeliest_first[:LIKELIEST].copy(), cumulative[-1]
        yield Drawn(
            token=tokens[-1],
            u=float(u),
            chance=float(p[tokens[-1]] / total),
            cumulative=float(cumulative[place] / total),
            rank=place + 1,
            possible=len(possible),
            likeliest=likeliest,
            p=p[likeliest] / total,
        )


def write(
    model: NgramModel, prompt: Sequence[int], length: int, seed: int, greedy: bool = False
) -> list[int]:
    """Return the `length` tokens that a model writes after a prompt; none where it says nothing of what follows.

    >>> from core.models.n_grams.ngram import maximum_likelihood
    >>> from core.models.n_grams.ngram_counts import count_ngrams
    >>> model = maximum_likelihood(count_ngrams([0, 1, 2, 0, 1, 2, 0], ("a", "b", "c"), order=2), 2)
    >>> write(model, [0], 5, seed=1)
    [1, 2, 0, 1, 2]
    """
    return [drawn.token for drawn in writing(model, prompt, length, seed, greedy)]


def random_numbers(seed: int, length: int) -> np.ndarray:
    """Return the uniform numbers of a seed, (length,); the i-th depends on the seed and i alone."""
    return np.random.default_rng(seed).random(length)
