"""The mixes of a bidirectional language model's layers: learned for the two tasks, and judged on what is held out.

Both tasks have the tagged sentences of the Brown corpus. One tags every word. The other has the words alone that training
had as noun and as verb, and tells the one from the other: the word itself leaves it open, its context decides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import torch
from torch import Tensor

from core.models.documents.fit_reader import batch_equal_lengths
from core.models.documents.held_out import wilson
from core.models.hidden_markov_models.hmm_tables import count_tagged
from core.models.hidden_markov_models.tagger import tag_sentences, tagger
from core.models.pretraining.bidirectional_language_model import BATCH, BothWaysModel
from core.models.pretraining.elmo import ALL, MIX, NOUN_VERB, READINGS, TAGS
from core.models.pretraining.fit_both_ways import examples_of
from core.models.pretraining.fit_layer_mix import MixConfig, drawn_again, fit_mix
from core.models.pretraining.layer_mix import LEFT, RIGHT, LayerMix, standardise
from core.text.samples.universal_tags import UNIVERSAL_TAGS
from core.training.both_ways_text import KINDS, Labelled, noun_verb_forms, tagged
from core.training.recipe import Progress

CLASSES = {TAGS: UNIVERSAL_TAGS, NOUN_VERB: KINDS}
AT_ONCE = 1000  # sentences whose layers are kept together while they are judged


@dataclass(frozen=True)
class Examples:
    """Normalised layers h (N, 3, 2, C) of words, their classes y and the numbers of their sentences, (N,) each."""

    h: Tensor
    y: Tensor
    texts: Tensor


def asked(task: str, words: Sequence[str], tags: Sequence[str]) -> list[int]:
    """Return the places of a sentence's words that a task asks about."""
    if task == TAGS:
        return list(range(len(words)))
    forms = known_forms()
    pairs = enumerate(zip(words, tags, strict=True))
    return [t for t, (word, tag) in pairs if tag in KINDS and word.lower() in forms]


@cache
def known_forms() -> frozenset[str]:
    """Return the words that are noun and verb in training, to look one up."""
    return frozenset(noun_verb_forms())


def examples(model: BothWaysModel, task: str, data: Labelled) -> Examples:
    """Return the examples that sentences make for a task; a sentence without a word that it asks about makes none."""
    place = {name: i for i, name in enumerate(CLASSES[task])}
    places = [asked(task, *each) for each in zip(data.words, data.labels, strict=True)]
    texts = [i for i, found in enumerate(places) if found]
    layers = model.layers_of([data.words[i] for i in texts])
    h = [
        standardise(each[:, :, places[i]]).transpose(2, 0, 1, 3)
        for i, each in zip(texts, layers, strict=True)
    ]
    y = [place[data.labels[i][t]] for i in texts for t in places[i]]
    number = np.repeat(np.arange(len(texts)), [len(places[i]) for i in texts])
    return Examples(torch.from_numpy(np.concatenate(h)), torch.tensor(y), torch.from_numpy(number))


def learned(
    model: BothWaysModel, task: str, config: dict, seed: int, progress: Progress
) -> tuple[dict[str, LayerMix], np.ndarray]:
    """Return a task's mixes by reading, and s of its mix on every sample drawn again (B, 3)."""
    data = tagged()[0]
    some = slice(0, config["texts"])
    found = examples(model, task, Labelled(data.words[some], data.labels[some]))
    fit = MixConfig(**config["fit"])
    mixes = {}
    for number, (reading, (layers, directions)) in enumerate(READINGS.items()):
        mixes[reading] = fit_mix(found.h, found.y, CLASSES[task], layers, directions, fit, seed)
        progress(number / len(READINGS), f"{task}: {reading}")
    again = []
    for draw in range(config["drawn again"]):
        places = drawn_again(found.texts, seed + draw)
        mix = fit_mix(
            found.h[places], found.y[places], CLASSES[task], ALL, (LEFT, RIGHT), fit, seed + 1 + draw
        )
        again.append(mix.s)
        progress(draw / config["drawn again"], f"{task}: drawn again {mix.s.round(3)}")
    return mixes, np.array(again)


def right_of(model: BothWaysModel, task: str, mixes: dict[str, LayerMix]) -> dict[str, np.ndarray]:
    """Return which held-out examples each reading gets right, (N,)."""
    data = tagged()[1]
    right: dict[str, list[np.ndarray]] = {reading: [] for reading in mixes}
    for start in range(0, len(data.words), AT_ONCE):
        some = slice(start, start + AT_ONCE)
        found = examples(model, task, Labelled(data.words[some], data.labels[some]))
        h, y = found.h.numpy().transpose(1, 2, 0, 3), found.y.numpy()
        for reading, mix in mixes.items():
            right[reading].append(mix.scores(h).argmax(axis=1) == y)
    return {reading: np.concatenate(each) for reading, each in right.items()}


def compare_answers(right: dict[str, np.ndarray]) -> dict:
    """Return how many each reading gets right, and of each two, how many the one alone does, as HeldOut has it."""
    return {
        "n": len(right[MIX]),
        "right": {one: int(is_right.sum()) for one, is_right in right.items()},
        "alone": {
            one: {other: int((is_right & ~right[other]).sum()) for other in right}
            for one, is_right in right.items()
        },
    }


def accuracies(task: str, right: dict[str, np.ndarray]) -> dict[str, float]:
    """Return each reading's share of the held-out examples with its interval, by the names of a card."""
    found = {}
    for reading, is_right in right.items():
        low, high = wilson(int(is_right.sum()), len(is_right))
        name = f"{task} right, {reading if 'mix' in reading else f'layer {reading}'}"
        found |= {name: float(is_right.mean()), f"{name}, 95% from": low, f"{name}, 95% to": high}
    return found


def right_by_usual_tag(sentences: int) -> float:
    """Return how often a word that can be noun and verb has its usual tag, counted on as many sentences as a mix has."""
    read, kept = tagged()
    counts = Counter(kinds_of(Labelled(read.words[:sentences], read.labels[:sentences])))
    usual = [max(KINDS, key=lambda tag, word=word: counts[word, tag]) for word, _ in kinds_of(kept)]
    return float(np.mean([one == tag for one, (_, tag) in zip(usual, kinds_of(kept), strict=True)]))


def kinds_of(data: Labelled) -> list[tuple[str, str]]:
    """Return the word in lower case and the tag of every word that the task of nouns and verbs asks about."""
    pairs = zip(data.words, data.labels, strict=True)
    return [(words[t].lower(), tags[t]) for words, tags in pairs for t in asked(NOUN_VERB, words, tags)]


def tag_by_counting(sentences: int) -> float:
    """Return the share of held-out words that a hidden Markov model tags right, counted on as many sentences as a mix."""
    read, kept = tagged()
    pairs = zip(read.words[:sentences], read.labels[:sentences], strict=True)
    counts = count_tagged([list(zip(words, tags, strict=True)) for words, tags in pairs], UNIVERSAL_TAGS)
    found = tag_sentences(tagger(counts), kept.words)
    right = [
        one == other
        for tags, truth in zip(found, kept.labels, strict=True)
        for one, other in zip(tags, truth, strict=True)
    ]
    return float(np.mean(right))


@torch.inference_mode()
def surprise(model: BothWaysModel, sentences: Sequence[Sequence[str]]) -> tuple[np.ndarray, int]:
    """Return the mean of -ln p of words and end marks from the left and from the right, (2,), and how many there are."""
    found = examples_of(model, sentences)
    total, n = np.zeros(2), 0
    for places in batch_equal_lengths([len(words) for words in sentences], BATCH, seed=0):
        pieces, words = map(torch.stack, zip(*(found[i] for i in places), strict=True))
        bits = model.network.surprise(pieces, words)  # (2, B, T - 1)
        total += bits.double().sum(dim=(1, 2)).numpy()
        n += bits[0].numel()
    return total / n, n
