"""What an n-gram model writes: token after token drawn, without keeping what each was drawn from.

    the tokens, likeliest first, are laid end to end, each as long as p(w | h); u in [0, 1) falls into one of them

`core.models.generation.sampling.generate` writes the same text and keeps every distribution, which costs ten times
as much: a lesson that sets the texts of five orders side by side shows one distribution only.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.models.n_grams.ngram import NgramModel


def write(
    model: NgramModel, prompt: Sequence[int], length: int, seed: int, greedy: bool = False
) -> list[int]:
    """Return the `length` tokens that a model writes after a prompt; `greedy` takes the likeliest always.

    None where the model says nothing of what follows the prompt: 0 / 0.

    >>> from core.models.n_grams.ngram import maximum_likelihood
    >>> from core.models.n_grams.ngram_counts import count_ngrams
    >>> model = maximum_likelihood(count_ngrams([0, 1, 2, 0, 1, 2, 0], ("a", "b", "c"), order=2), 2)
    >>> write(model, [0], 5, seed=1)
    [1, 2, 0, 1, 2]
    """
    tokens = []
    for u in random_numbers(seed, length):
        p = model.scores([*prompt, *tokens])
        possible = np.flatnonzero(p)
        if not len(possible):
            break
        likeliest_first = possible[np.argsort(-p[possible], kind="stable")]
        cumulative = np.cumsum(p[likeliest_first])
        place = 0 if greedy else np.searchsorted(cumulative, u * cumulative[-1], side="right")
        tokens.append(int(likeliest_first[min(place, len(possible) - 1)]))
    return tokens


def random_numbers(seed: int, length: int) -> np.ndarray:
    """Return the uniform numbers of a seed, (length,); the i-th depends on the seed and i alone."""
    return np.random.default_rng(seed).random(length)
