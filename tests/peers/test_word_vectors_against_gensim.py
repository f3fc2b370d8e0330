"""gensim's KeyedVectors give the same neighbours, analogies, correlations and files."""

import io

import numpy as np
import pytest
from gensim.models import KeyedVectors
from gensim.test.utils import datapath

from core.models.word_vectors.vector_tests import (
    analogies,
    read_analogies,
    read_similarities,
    word_similarity,
)
from core.models.word_vectors.word_arithmetic import arithmetic
from core.models.word_vectors.word_vectors import WordVectors, to_word2vec_text


@pytest.fixture(scope="module")
def questions():
    return read_analogies(open(datapath("questions-words.txt"), encoding="utf-8").read().lower())


@pytest.fixture(scope="module")
def rated():
    return read_similarities(open(datapath("wordsim353.tsv"), encoding="utf-8").read())


@pytest.fixture(scope="module")
def ours(questions, rated):
    """Vectors in which d is near b - a + c for some analogies, so that both right and wrong answers occur."""
    words = list(dict.fromkeys(word for some in questions.values() for four in some for word in four))
    words += [word for pair in rated for word in pair[:2] if word.islower() and word not in words]
    words = list(dict.fromkeys(words))
    generator = np.random.default_rng(1)
    groups = np.array([hash_of(word) for word in words])
    return WordVectors(
        words, generator.normal(size=(len(words), 12)) + 2 * generator.normal(size=(7, 12))[groups]
    )


def hash_of(word):
    return sum(map(ord, word)) % 7


@pytest.fixture(scope="module")
def theirs(ours):
    keyed = KeyedVectors(ours.dimension)
    keyed.add_vectors(list(ours.words), ours.vectors)
    keyed.fill_norms()
    return keyed


@pytest.mark.parametrize("word", ["king", "oslo", "cheap"])
def test_neighbours_and_similarities_are_gensims(ours, theirs, word):
    expected = theirs.most_similar(word, topn=20)
    got = ours.neighbours(word, 20)
    assert [near.word for near in got] == [near for near, _ in expected]
    assert [near.similarity for near in got] == pytest.approx([share for _, share in expected], abs=1e-5)


@pytest.mark.parametrize(("b", "a", "c"), [("king", "man", "woman"), ("oslo", "norway", "france")])
def test_answers_of_arithmetic_on_unit_vectors_are_gensims(ours, theirs, b, a, c):
    expected = theirs.most_similar(positive=[b, c], negative=[a], topn=10)
    got = arithmetic(ours.normalised(), f"{b} - {a} + {c}", 10)
    assert [near.word for near in got.answers] == [near for near, _ in expected]


def test_analogy_scores_by_category_are_gensims(ours, theirs, questions):
    _, sections = theirs.evaluate_word_analogies(datapath("questions-words.txt"))
    expected = {section["section"]: section for section in sections}
    for score in analogies(ours, questions):
        section = expected[score.category]
        assert score.right == len(section["correct"])
        assert score.asked == len(section["correct"]) + len(section["incorrect"])


def test_the_correlation_with_ratings_is_gensims(ours, theirs, rated):
    _, (expected, _), unknown = theirs.evaluate_word_pairs(datapath("wordsim353.tsv"), case_insensitive=True)
    score = word_similarity(ours, rated)
    assert score.spearman == pytest.approx(expected, abs=1e-6)
    assert 100 * score.unknown / len(rated) == pytest.approx(unknown)


def test_gensim_reads_back_the_very_same_vectors(tmp_path):
    words = ["kat", "né", "ελ", "猫", "👍", "new\u00a0york", "a\tb", "'s", "#"]
    vectors = WordVectors(words, np.random.default_rng(0).normal(size=(9, 5)) * np.logspace(-9, 9, 5))
    file = tmp_path / "vectors.txt"
    file.write_text(to_word2vec_text(vectors), encoding="utf-8")
    read = KeyedVectors.load_word2vec_format(str(file))
    assert read.index_to_key == ["kat", "né", "ελ", "猫", "👍", "new_york", "a_b", "'s", "#"]
    assert np.array_equal(read.vectors, vectors.vectors)
    assert io.StringIO(to_word2vec_text(vectors)).readline() == "9 5\n"
