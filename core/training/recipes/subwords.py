"""fastText and skip-gram on the micro-world with the same settings: vectors with n-grams beside vectors without."""

from __future__ import annotations

import numpy as np

from core.models.stored import sha256_of_text
from core.models.word_vectors.fasttext import FastText
from core.models.word_vectors.fit_subwords import fit_subwords, stored_subwords
from core.models.word_vectors.unseen_words import found_again, misspellings
from core.models.word_vectors.world_analogies import share, solved
from core.text.samples.shelf import sample
from core.text.tokenization.tokens import words
from core.training.recipe import Trained

DESCRIPTION = (
    "Vectors of the micro-world's words and of the character n-grams they are made of, by this project's fastText, beside"
    " those of its skip-gram with the same settings."
)
CREDITS = ["The micro-world, written for this course."]
CONFIG = {
    "dimension": 32,
    "window": 4,
    "negatives": 5,
    "epochs": 10,
    "learning_rate": 0.025,
    "subsampling": 1e-3,
    "min_count": 1,
    "least": 3,
    "most": 6,
    "buckets": 10_000,
    "precision": "float16",
}


def train(config, seed, checkpoint, progress) -> Trained:
    """Train both on the micro-world; it takes half a minute, so nothing is kept in the checkpoint folder."""
    text = sample("micro-world").read().text
    settings = {name: value for name, value in config.items() if name != "precision"}
    fitted = fit_subwords(
        lambda now: progress(now.share, f"loss {now.loss:.3f}"), text, FastText(**settings, seed=seed)
    )
    vocabulary = fitted.fasttext.vocabulary_
    weights = {"z": fitted.fasttext.input_, "plain": fitted.skipgram.vectors}
    corpus = {"The micro-world": {"tokens": len(words(text)), "sha256": sha256_of_text(text)}}
    files = {
        "words": {"words": list(vocabulary.types), "counts": [int(count) for count in vocabulary.counts]}
    }
    return Trained({name: array.astype(np.float16) for name, array in weights.items()}, corpus, files)


def measure() -> dict:
    """Return how many misspelt words are found again, and the micro-world's analogies solved by both."""
    both = stored_subwords("subwords")
    return {
        "misspelt words found again": found_again(misspellings(both.fasttext, both.vectors)),
        "analogies, fastText": share(solved(both.vectors)),
        "analogies, skip-gram": share(solved(both.skipgram)),
    }
