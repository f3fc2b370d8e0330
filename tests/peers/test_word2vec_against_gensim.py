"""Skip-gram learns from a text what gensim's learns from it."""

import gensim.models
import pytest

from core.models.word_vectors.projection import nearest
from core.models.word_vectors.skipgram import SkipGram
from core.models.word_vectors.vector_tests import analogies
from core.models.word_vectors.word_vectors import WordVectors
from core.text.samples.microworld import ANALOGIES, microworld
from core.text.tokenization.tokens import words


@pytest.fixture(scope="module")
def world():
    return [words(sentence) for sentence in microworld(4000, seed=1)]


def gensims(tokens, seed):
    trained = gensim.models.Word2Vec(
        tokens, sg=1, workers=1, seed=seed, vector_size=50, window=5, negative=5, epochs=20, min_count=1
    ).wv
    return WordVectors(trained.index_to_key, trained.vectors)


def overlap(one, other):
    first, second = (nearest(vectors.subset(one.words).units, 10).rows for vectors in (one, other))
    return (first[:, :, None] == second[:, None, :]).any(axis=2).mean()


def test_neighbours_and_analogies_are_as_good_as_gensims(world):
    theirs, again = gensims(world, 1), gensims(world, 2)
    ours = SkipGram(50, window=5, negatives=5, epochs=20).fit(world).vectors_
    assert overlap(theirs, ours) >= overlap(theirs, again) - 0.1
    expected, got = (analogies(vectors, {"all": ANALOGIES})[0].accuracy for vectors in (theirs, ours))
    assert got >= expected - 0.1
