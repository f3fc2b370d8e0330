"""The mixes of a bidirectional language model's layers: learned for the two tasks, and judged on what is held out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB
from torch import Tensor

from core.models.documents.fit_reader import batch_equal_lengths
from core.models.documents.held_out import wilson
from core.models.hidden_markov_models.hmm_tables import count_tagged
from core.models.hidden_markov_models.tagger import tag_sentences, tagger
from core.models.pretraining.bidirectional_language_model import BATCH, BothWaysModel
from core.models.pretraining.elmo import ALL, MIX, READINGS, SENTIMENT, TAGS
from core.models.pretraining.fit_both_ways import examples_of
from core.models.pretraining.fit_layer_mix import MixConfig, drawn_again, fit_mix
from core.models.pretraining.layer_mix import LEFT, RIGHT, LayerMix, standardise
from core.text.samples.universal_tags import UNIVERSAL_TAGS
from core.training.both_ways_text import Labelled, rated, tagged
from core.training.recipe import Progress

CLASSES = {TAGS: UNIVERSAL_TAGS, SENTIMENT: ("negative", "positive")}
AT_ONCE = 1000  # sentences whose layers are kept together while they are judged


@dataclass(frozen=True)
class Examples:
    """Normalised layers h (N, 3, 2, C) of words, or of means over the words of texts; their classes y, their texts (N,)."""

    h: Tensor
    y: Tensor
    texts: Tensor


def data_of(task: str) -> tuple[Labelled, Labelled]:
    """Return the texts of a task to learn from and those held out."""
    return tagged() if task == TAGS else rated()


def examples(model: BothWaysModel, task: str, data: Labelled) -> Examples:
    """Return the examples that texts make for a task; a text without words makes none."""
    place = {name: i for i, name in enumerate(CLASSES[task])}
    texts = [i for i, words in enumerate(data.words) if words]
    layers = [standardise(h) for h in model.layers_of([data.words[i] for i in texts])]
    if task == TAGS:
        h = np.concatenate([each.transpose(2, 0, 1, 3) for each in layers])
        y = [place[tag] for i in texts for tag in data.labels[i]]
        number = np.repeat(np.arange(len(texts)), [each.shape[2] for each in layers])
    else:
        h = np.stack([each.mean(axis=2) for each in layers])
        y, number = [place[data.labels[i]] for i in texts], np.arange(len(texts))
    return Examples(torch.from_numpy(h), torch.tensor(y), torch.from_numpy(number))


def learned(
    model: BothWaysModel, task: str, config: dict, seed: int, progress: Progress
) -> tuple[dict[str, LayerMix], np.ndarray]:
    """Return a task's mixes by reading, and s of its mix on every sample drawn again (B, 3)."""
    data = data_of(task)[0]
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
    data = data_of(task)[1]
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


def right_by_pieces(model: BothWaysModel) -> float:
    """Return the share of held-out sentences of reviews that naive Bayes rates right by the pieces that the model reads.

    What it gets right and the mixes do not was not lost on the way in: words that the model has no row for.
    """
    read, kept = (
        Labelled(
            *zip(
                *((words, label) for words, label in zip(part.words, part.labels, strict=True) if words),
                strict=True,
            )
        )
        for part in data_of(SENTIMENT)
    )
    count = CountVectorizer(
        analyzer=lambda words: [str(row) for word in words for row in model.pieces.rows(word)]
    )
    bayes = MultinomialNB().fit(count.fit_transform(read.words), read.labels)
    return float(bayes.score(count.transform(kept.words), kept.labels))


def tag_by_counting(sentences: int) -> float:
    """Return the share of held-out words that a hidden Markov model tags right, counted on as many sentences as a mix."""
    read, kept = data_of(TAGS)
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
