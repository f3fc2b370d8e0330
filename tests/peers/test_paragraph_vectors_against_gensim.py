"""Paragraph vectors learn from documents what gensim's Doc2Vec learns from them."""

import numpy as np
import pytest
from gensim.models.doc2vec import Doc2Vec, TaggedDocument

from core.models.documents.paragraph_vectors import PvDbow, PvDm

SUBJECTS = {
    "farm": "cow horse barn field milk farmer hay tractor".split(),
    "sea": "ship sailor wave harbour fish net captain anchor".split(),
    "school": "pupil teacher lesson book desk exam chalk class".split(),
    "kitchen": "cook oven bread flour knife soup plate recipe".split(),
}
EPOCHS = 150


@pytest.fixture(scope="module")
def documents():
    """Return 160 documents of four subjects, 12 words each, with some words that all of them say."""
    rng, common = np.random.default_rng(3), "the a and is of to".split()
    return [
        [str(word) for word in (*rng.choice(said, 8), *rng.choice(common, 4))]
        for _ in range(40)
        for said in SUBJECTS.values()
    ]


def gensims(documents, memory, seed):
    tagged = [TaggedDocument(tokens, [place]) for place, tokens in enumerate(documents)]
    settings = {"vector_size": 16, "window": 5, "negative": 5, "epochs": EPOCHS, "min_count": 1, "workers": 1}
    return Doc2Vec(tagged, dm=int(memory), dm_mean=1, seed=seed, **settings).dv.vectors


def nearest(vectors, k=10):
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = units @ units.T
    np.fill_diagonal(cosines, -2)
    return np.argsort(-cosines, axis=1)[:, :k]


def overlap(one, other):
    first, second = nearest(one), nearest(other)
    return (first[:, :, None] == second[:, None, :]).any(axis=2).mean()


def same_subject(vectors):
    return ((nearest(vectors) % 4) == (np.arange(len(vectors)) % 4)[:, None]).mean()


@pytest.mark.parametrize(("memory", "model", "rate"), [(False, PvDbow, 0.025), (True, PvDm, 0.1)])
def test_neighbours_agree_as_far_as_gensim_s_own_do_from_seed_to_seed(documents, memory, model, rate):
    theirs, again = gensims(documents, memory, 1), gensims(documents, memory, 2)
    ours = model(16, window=5, negatives=5, epochs=EPOCHS, learning_rate=rate).fit(documents).documents_
    assert overlap(theirs, ours) >= overlap(theirs, again) - 0.1
    assert same_subject(ours) >= same_subject(theirs) - 0.05
