"""fastText and skip-gram on one text with the same settings: trained in a worker process, or as they are stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.models.stored import load_card, load_json, load_weights
from core.models.word_vectors.fasttext import FastText
from core.models.word_vectors.fit_word_vectors import fit_word_vectors
from core.models.word_vectors.skipgram import SkipGram
from core.models.word_vectors.training_progress import Report
from core.models.word_vectors.word_vectors import Neighbour, WordVectors
from core.text.tokenization.tokens import sentences, words
from core.text.tokenization.vocabulary import Vocabulary

SHARED = "dimension window negatives epochs learning_rate subsampling min_count seed".split()
OWN = "least most buckets".split()


@dataclass(frozen=True, eq=False)
class WithAndWithout:
    """Vectors of one text by fastText, of its words alone, and by skip-gram with the same settings."""

    fasttext: FastText
    vectors: WordVectors
    skipgram: WordVectors

    def near(self, word: str, k: int) -> list[Neighbour]:
        """Return the k known words nearest to fastText's vector of a word that was seen or not."""
        return self.fasttext.near(word, k, self.vectors)


def without_ngrams(model: FastText) -> SkipGram:
    """Return the skip-gram of the same settings, not yet fitted.

    >>> without_ngrams(FastText(20, window=3, buckets=10))
    SkipGram(dimension=20, window=3, negatives=5, epochs=5, learning_rate=0.025, subsampling=0.001, min_count=1, seed=1)
    """
    return SkipGram(**{name: getattr(model, name) for name in SHARED})


def fit_subwords(report: Report, text: str | Sequence[Sequence[str]], model: FastText) -> WithAndWithout:
    """Return both, fitted to a text: first fastText like `model`, then skip-gram; each reports as Word2Vec.fit does.

    >>> found = fit_subwords(lambda progress: None, "A cat. A dog. A cat.", FastText(8, epochs=2, buckets=50))
    >>> found.fasttext.vocabulary_.types, found.skipgram.vectors.shape
    (('a', 'cat', 'dog'), (3, 8))
    """
    cut = [words(sentence) for sentence in sentences(text)] if isinstance(text, str) else text
    fasttext = fit_word_vectors(report, cut, model)
    skipgram = fit_word_vectors(report, cut, without_ngrams(model))
    return WithAndWithout(fasttext, fasttext.vectors_, skipgram.vectors_)


def stored_subwords(name: str) -> WithAndWithout:
    """Return a stored pair: its arrays "z" and "plain", and its words with their counts.

    >>> stored_subwords("subwords").fasttext.near("prinsess", 1)[0].word
    'princess'
    """
    config, weights, counted = load_card(name).config, load_weights(name), load_json(name, "words")
    fasttext = FastText(**{key: config[key] for key in (*SHARED, *OWN) if key in config})
    fasttext.vocabulary_ = Vocabulary(tuple(counted["words"]), tuple(counted["counts"]))
    fasttext.prepare()
    fasttext.input_ = weights["z"].astype(np.float32)
    skipgram = WordVectors(fasttext.vocabulary_.types, weights["plain"])
    return WithAndWithout(fasttext, fasttext.vectors_, skipgram)
