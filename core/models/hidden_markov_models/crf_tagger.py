"""The stored conditional random fields for parts of speech, and many sentences tagged by one of them.

They were trained on the sentences of the stored hidden Markov tagger, and are measured on the same held-out ones.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

from core.models.hidden_markov_models.crf import ConditionalRandomField
from core.models.hidden_markov_models.crf_training import TaggedRows
from core.models.hidden_markov_models.tagger import viterbi_paths
from core.models.stored import MODELS, load_json, load_weights

NAME = "crf_tagger"  # the recipe
CRF, MEMM, NO_SUFFIX, NO_NEIGHBOURS = "crf", "memm", "no_suffix", "no_neighbours"
VARIANTS = (CRF, MEMM, NO_SUFFIX, NO_NEIGHBOURS)
DROPPED = {
    NO_SUFFIX: ("suffix",),
    NO_NEIGHBOURS: ("before", "after"),
}  # kinds of features that were not trained


def load_crf(variant: str = CRF, folder: Path = MODELS) -> ConditionalRandomField:
    """Return a stored model: the whole one, the one trained word by word, or one trained without some features."""
    arrays = load_weights(NAME, folder)
    return ConditionalRandomField(
        tuple(load_json(NAME, "states", folder)),
        tuple(load_json(NAME, "features", folder)),
        arrays[f"{variant}.weights"].astype(np.float32),
        arrays[f"{variant}.transition"].astype(float),
    )


@cache
def shared_crf(variant: str = CRF) -> ConditionalRandomField:
    """Return a stored model; every session shares it and nothing changes it."""
    return load_crf(variant)


def tag_rows(crf: ConditionalRandomField, rows: TaggedRows, stepwise: bool = False) -> np.ndarray:
    """Return the tag of each row on the best path of its sentence (N,); `rows` have the model's features.

    With `stepwise` each step is normalised by itself, as `normalise_steps` does for one sentence.

    >>> from core.models.hidden_markov_models.crf_training import lay_out
    >>> rows = lay_out([[("a", "Y"), ("b", "X")]], ("X", "Y"), ("word=a", "word=b"))
    >>> weights = np.array([[0.0, 1.0], [1.0, 0.0]])
    >>> tag_rows(ConditionalRandomField(rows.states, rows.features, weights, np.zeros((2, 2))), rows)
    array([1, 0])
    """
    scores = rows.held @ crf.weights.astype(float)
    starts, running = rows.starts, rows.running
    own = scores.copy()
    for t in range(len(running) - 1) if stepwise else ():
        after = scores[starts[t + 1] : starts[t + 2]]
        leaving = np.logaddexp.reduce(crf.transition + after[:, None, :], axis=2)
        own[starts[t] : starts[t] + running[t + 1]] -= leaving
    lengths = (np.arange(running[0]) < running[:, None]).sum(axis=0)
    places = np.minimum(starts[:-1, None] + np.arange(running[0]), len(own) - 1)  # (n, B)
    paths = viterbi_paths(np.zeros(len(crf.states)), crf.transition, own, places, lengths)
    return np.concatenate([paths[t, :n] for t, n in enumerate(running)])


def right_by_sentence(right: np.ndarray, rows: TaggedRows, counted: np.ndarray) -> np.ndarray:
    """Return for each sentence in the rows' columns how many counted words are right, and how many there are (B, 2)."""
    columns = np.concatenate([np.arange(n) for n in rows.running])
    numbers = (np.bincount(columns, each, rows.running[0]) for each in (right & counted, counted))
    return np.stack(list(numbers), axis=1)


def share_interval(
    right: np.ndarray, of: np.ndarray, other: np.ndarray | float = 0.0
) -> tuple[float, float, float]:
    """Return sum(right - other) / sum(of), and its 95% interval with sentences as the independent units.

    The share is a ratio of two sums; its standard error is that of the residuals (Cochran, Sampling techniques, 1977).
    Words of one sentence are related, and so are two models' tags of it: differences are taken sentence by sentence.

    >>> [round(each, 3) for each in share_interval(np.array([1, 2, 1, 2]), np.array([2, 2, 2, 2]))]
    [0.75, 0.467, 1.033]
    """
    difference = right - other
    share = difference.sum() / of.sum()
    n = len(of)
    error = np.sqrt(n / (n - 1) * ((difference - share * of) ** 2).sum()) / of.sum()
    return float(share), float(share - 1.96 * error), float(share + 1.96 * error)
