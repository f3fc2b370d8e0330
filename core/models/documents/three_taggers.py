"""A sentence tagged in three ways: by the hidden Markov model, by a network from the left, by one from both ends.

For every word each gives a distribution over the same tags: the networks p_t = softmax(W h_t + b), the hidden Markov
model p(q_t | o_1 ... o_n) by forward-backward. The networks give the likeliest tag of each word, the hidden Markov
model the tags of its likeliest path.

How far two distributions are apart is their total variation, D(p, q) = 1/2 sum_k |p_k - q_k|: the most that the
probability of any set of tags can differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.models.documents.recurrent_reader import RecurrentReading
from core.models.documents.recurrent_tagger import AHEAD, BOTH, RecurrentTagger
from core.models.hidden_markov_models.forward_backward import tag_posteriors
from core.models.hidden_markov_models.hmm import HiddenMarkovModel
from core.models.hidden_markov_models.tagger import tag_sentences

HMM = "HMM"
WAYS = (HMM, AHEAD, BOTH)


@dataclass(frozen=True, eq=False)
class TaggedThreeWays:
    """A sentence's words, and by each of WAYS its tags (n,) and p(tag) of every word (n, K); the networks' readings."""

    words: tuple[str, ...]
    states: tuple[str, ...]
    tags: dict[str, tuple[str, ...]]
    p: dict[str, np.ndarray]
    readings: dict[str, RecurrentReading]
    unseen: np.ndarray  # (n,): words that the hidden Markov model never saw

    @property
    def apart(self) -> np.ndarray:
        """D between the two networks at every word, (n,)."""
        return total_variation(self.p[AHEAD], self.p[BOTH])

    @property
    def differ(self) -> np.ndarray:
        """Whether the three do not give a word one tag, (n,)."""
        return np.array([len(set(tags)) > 1 for tags in zip(*self.tags.values(), strict=True)])

    def sure(self, way: str) -> np.ndarray:
        """Return the probability of the tag that each word was given, (n,)."""
        place = [self.states.index(tag) for tag in self.tags[way]]
        return self.p[way][np.arange(len(place)), place]


def total_variation(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Return D(p, q) = 1/2 sum_k |p_k - q_k| for the rows of p and q, (n,).

    >>> total_variation(np.array([[0.7, 0.2, 0.1]]), np.array([[0.4, 0.4, 0.2]])).round(6)
    array([0.3])
    """
    return np.abs(p - q).sum(axis=-1) / 2


def tag_three_ways(
    hmm: HiddenMarkovModel, networks: dict[str, RecurrentTagger], words: Sequence[str]
) -> TaggedThreeWays:
    """Return a sentence of at least one word tagged by all three; the networks, AHEAD and BOTH, have its tags."""
    emissions = hmm.emissions(words)
    posteriors = tag_posteriors(
        hmm.log_initial, hmm.log_transition, emissions.log_emission, hmm.log_end
    )  # (n, K)
    readings = {name: network.read(words) for name, network in networks.items()}
    p = {HMM: posteriors} | {name: reading.tag_probabilities for name, reading in readings.items()}
    tags = {HMM: tuple(tag_sentences(hmm, [words])[0])} | {
        name: tuple(hmm.states[j] for j in p[name].argmax(axis=1)) for name in readings
    }
    return TaggedThreeWays(tuple(words), hmm.states, tags, p, readings, emissions.unknown)


def moved(whole: TaggedThreeWays, cut: TaggedThreeWays) -> dict[str, np.ndarray]:
    """Return how far each tagger's p moves at the words that a sentence keeps when it is cut off: D, (k,) by way."""
    k = len(cut.words)
    return {way: total_variation(whole.p[way][:k], cut.p[way]) for way in WAYS}
