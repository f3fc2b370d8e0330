"""Tagging many sentences at once, and the part-of-speech tagger stored in assets/models/tagger.

The lattice of `core.models.hidden_markov_models.viterbi` keeps every candidate to be looked at; here the same maxima are
taken for many sentences side by side and the candidates are dropped. Sentences stand in order of falling
length, so that those still running at word t are the first columns, and no padding is needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from core.models.hidden_markov_models.hmm import HiddenMarkovModel
from core.models.hidden_markov_models.hmm_tables import TaggedCounts, estimate
from core.models.hidden_markov_models.suffix_model import SuffixModel
from core.models.stored import MODELS, load_json, load_weights

BATCH = 4096  # sentences side by side


def viterbi_paths(
    log_initial: np.ndarray,
    log_transition: np.ndarray,
    log_emission: np.ndarray,
    words: np.ndarray,
    lengths: np.ndarray,
    log_end: np.ndarray | None = None,
) -> np.ndarray:
    """Return the most probable paths (n, B) of B sentences, the same as `viterbi` finds one at a time.

    `log_emission` (W, K) has a row for each different word, `words` (n, B) the row of each sentence's t-th
    word, `lengths` (B,) must not rise. The maxima cost O(n K^2 B); which state gave the maximum is only
    asked on the way back, O(n K B). Ties go to the state listed first. Cells past a sentence's end are 0.

    >>> halves = np.log([[0.5, 0.5], [0.5, 0.5]])
    >>> words = np.array([[0, 1], [1, 0]])  # the sentences 0 1 and 1
    >>> viterbi_paths(np.log([0.6, 0.4]), halves, np.log([[0.1, 0.9], [0.8, 0.2]]), words, np.array([2, 1])).T
    array([[1, 0], [0, 0]])
    """
    n, B = words.shape
    running = [int((lengths > t).sum()) for t in range(n)]  # sentences that have a word t: the first columns
    first = log_initial[:, None] + log_emission[words[0]].T
    scores = [np.ascontiguousarray(first)]  # for each t a (K, running) matrix, a state's numbers together
    for t in range(1, n):
        before = scores[-1][:, : running[t]]
        best = before[0] + log_transition[0][:, None]  # (K to, running), from the first state
        for state, row in zip(before[1:], log_transition[1:], strict=True):
            np.maximum(best, state + row[:, None], out=best)
        best += log_emission[words[t, : running[t]]].T
        scores.append(best)
    paths = np.zeros((n, B), dtype=np.intp)
    state = np.zeros(0, dtype=np.intp)
    for t in range(n - 1, -1, -1):
        going_on = len(state)
        ending = scores[t][:, going_on:] if log_end is None else scores[t][:, going_on:] + log_end[:, None]
        emitted = log_emission[words[min(t + 1, n - 1), :going_on], state]
        arriving = scores[t][:, :going_on] + log_transition[:, state] + emitted  # (K from, going on)
        state = np.concatenate([arriving.argmax(axis=0), ending.argmax(axis=0)])
        paths[t, : len(state)] = state
    return paths


def tag_sentences(model: HiddenMarkovModel, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the tags of many sentences, those of the Viterbi path of each; an empty sentence has none."""
    order = sorted((i for i, words in enumerate(sentences) if words), key=lambda i: -len(sentences[i]))
    tags: list[list[str]] = [[] for _ in sentences]
    for start in range(0, len(order), BATCH):
        batch = order[start : start + BATCH]
        for i, path in zip(batch, tagged_batch(model, [sentences[i] for i in batch]), strict=True):
            tags[i] = path
    return tags


def tagged_batch(model: HiddenMarkovModel, sentences: list[Sequence[str]]) -> list[list[str]]:
    """Return the tags of sentences that stand in order of falling length."""
    lengths = np.array([len(sentence) for sentence in sentences])
    starts = np.cumsum(lengths) - lengths
    words = [word for sentence in sentences for word in sentence]
    emission = model.rows(words, model.columns(words, starts))
    places = starts + np.arange(lengths[0])[:, None]  # (n, B); past a sentence's end, another's, never read
    tables = (model.log_initial, model.log_transition, emission, places, lengths, model.log_end)
    paths = np.array(model.states, dtype=object)[viterbi_paths(*tables).T].tolist()
    return [path[:length] for path, length in zip(paths, lengths, strict=True)]


def most_frequent_tags(
    model: HiddenMarkovModel, counts: TaggedCounts, sentences: Sequence[Sequence[str]], endings: bool = False
) -> list[list[str]]:
    """Return each word's most frequent tag, the baseline that knows no neighbours.

    An unseen word gets the tag that words counted once have most often; with `endings`, the likeliest tag of its
    ending.
    """
    usual = counts.emission.argmax(axis=0)  # (V,)
    once = counts.emission.sum(axis=0) == 1
    commonest = int(counts.emission[:, once].sum(axis=1).argmax())

    def tag(word: str, column: int) -> int:
        if column >= 0:
            return usual[column]
        return model.guess(word).tag_probabilities.argmax() if endings else commonest

    return [
        [model.states[tag(*read)] for read in zip(words, model.columns(words), strict=True)]
        for words in sentences
    ]


def without_endings(model: HiddenMarkovModel) -> HiddenMarkovModel:
    """Return the tagger to which an unseen word says nothing: every state emits it with 1 / V, the neighbours decide."""
    return replace(model, unknown_words=None)


def load_counts(folder: Path = MODELS) -> TaggedCounts:
    """Return the stored tagger's counts; a word's counts are kept only where they are not nought."""
    weights, vocabulary = load_weights("tagger", folder), load_json("tagger", "vocabulary", folder)
    states = tuple(load_json("tagger", "states", folder))
    emission = np.zeros((len(states), len(vocabulary)), dtype=np.int64)
    emission[weights["emission_state"], weights["emission_word"]] = weights["emission_count"]
    return TaggedCounts(
        states, tuple(vocabulary), weights["initial"], weights["transition"], emission, weights["end"]
    )


def tagger(counts: TaggedCounts) -> HiddenMarkovModel:
    """Return the tagger estimated from counts: smoothed transitions, endings for new words."""
    return estimate(counts, transition_alpha=0.1, unknown_words=SuffixModel())


def load_tagger(folder: Path = MODELS) -> HiddenMarkovModel:
    """Return the stored part-of-speech tagger, ready for `decode` and `tag_sentences`."""
    return tagger(load_counts(folder))
