"""How often a search that prunes misses the best path, measured on sentences of the model's own.

A beam of width w keeps the w best states at each word. What it throws away may be where the best path runs:
the share of sentences on which that happens falls with w and is 0 when w is the number of states K.

Source: Lowerre, The HARPY speech recognition system (1976), where beam search was first used.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

import numpy as np

from core.models.hidden_markov_models.hmm import HiddenMarkovModel
from core.models.hidden_markov_models.searches import beam
from core.models.hidden_markov_models.speaking import sampled_sentences
from core.models.hidden_markov_models.viterbi import viterbi

NEGLIGIBLE = 1e-9  # nats: two paths as probable as each other are both best


def shares_missed(
    model: HiddenMarkovModel, sentences: int = 100, length: int = 10, seed: int = 1
) -> np.ndarray:
    """Return for each beam width 1..K the share of sentences whose best path it misses, shape (K,).

    The sentences are drawn from the model itself, `length` words each. O(sentences length K^3). Width 1 is the
    greedy search.

    >>> from core.models.hidden_markov_models.hmm_tables import ice_cream_diary
    >>> shares_missed(ice_cream_diary(), sentences=20, length=4).tolist()
    [0.45, 0.0]
    """
    drawn = islice(sampled_sentences(model, length, seed), sentences)
    return count_missed(model, drawn, range(1, len(model.states) + 1)) / sentences


def count_missed(
    model: HiddenMarkovModel, sentences: Iterable[Sequence[str]], widths: Sequence[int]
) -> np.ndarray:
    """Return for each beam width on how many sentences the beam misses the best path, shape (len(widths),).

    >>> from core.models.hidden_markov_models.hmm_tables import ice_cream_diary
    >>> count_missed(ice_cream_diary(), ["21", "33"], (1, 2)).tolist()
    [1, 0]
    """
    missed = np.zeros(len(widths), dtype=int)
    for words in sentences:
        tables = (model.log_initial, model.log_transition, model.emissions(words).log_emission, model.log_end)
        best = viterbi(*tables).log_probability
        lost = [best - beam(*tables, width=width).log_probability for width in widths]
        missed += np.array(lost) > NEGLIGIBLE
    return missed
