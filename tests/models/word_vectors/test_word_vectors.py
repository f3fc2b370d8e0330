"""Look-up, neighbours, one-hot vectors and export."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.models.word_vectors.word_vectors import (
    UnknownWordError,
    WordVectors,
    to_projector_tsv,
    to_word2vec_text,
)


@pytest.fixture(scope="module")
def animals():
    words = ["cat", "dog", "Paris", "kitten", "zero"]
    return WordVectors(words, np.float32([[3, 4], [4, 3], [-4, 3], [6, 8.5], [0, 0]]))


def test_cosine_ignores_length_and_euclidean_does_not(animals):
    assert animals.neighbours("cat", 1, "cosine")[0].word == "kitten"
    assert animals.neighbours("cat", 1, "euclidean")[0].word == "dog"


def test_a_neighbour_carries_both_measures(animals):
    near = animals.neighbours("cat", 1, "euclidean")[0]
    assert (near.similarity, near.distance) == pytest.approx((24 / 25, 2**0.5))


def test_a_word_is_not_its_own_neighbour_and_left_out_words_are_no_answers(animals):
    assert [near.word for near in animals.neighbours("cat", 9, leave_out=["kitten"])] == [
        "dog",
        "Paris",
        "zero",
    ]


def test_a_point_may_be_asked_for_instead_of_a_word(animals):
    assert animals.neighbours(np.float32([3, 4]), 1, "euclidean")[0].word == "cat"


def test_a_zero_vector_is_similar_to_nothing(animals):
    assert animals.similarity("zero", "cat") == 0
    assert {near.similarity for near in animals.neighbours("zero")} == {0}


def test_one_hot_vectors_know_no_similarity():
    names = WordVectors.one_hot(["cat", "dog", "car", "sun"])
    nearest = [near for word in names.words for near in names.neighbours(word)]
    assert {near.similarity for near in nearest} == {0}
    assert {near.distance for near in nearest} == {np.float32(np.sqrt(2))}


def test_a_word_is_found_in_lower_case_when_it_is_not_there_as_written(animals):
    assert "CAT" in animals and animals.row("CAT") == 0
    assert "Paris" in animals and "paris" not in animals


def test_an_unknown_word_is_named_with_near_spellings(animals):
    with pytest.raises(UnknownWordError, match=r"no vector for “kiten”\. Did you mean “kitten”") as caught:
        animals["kiten"]
    assert (caught.value.word, caught.value.near[0]) == ("kiten", "kitten")


def test_an_unknown_word_crosses_from_a_worker_process():
    build, arguments = UnknownWordError("kiten", ["kitten"]).__reduce__()
    assert str(build(*arguments)) == "There is no vector for “kiten”. Did you mean “kitten”?"


def test_a_pasted_page_is_refused_at_once(animals):
    with pytest.raises(UnknownWordError) as caught:
        animals["x" * 1_000_000]
    assert len(str(caught.value)) < 200


def test_a_subset_keeps_the_order_asked_for_and_each_word_once(animals):
    some = animals.subset(["dog", "cat", "DOG"])
    assert some.words == ("dog", "cat")
    assert np.array_equal(some.vectors, animals.vectors[[1, 0]])


def test_words_and_vectors_must_be_as_many():
    with pytest.raises(ValueError, match="2 words need as many vectors"):
        WordVectors(["a", "b"], np.zeros((3, 2)))


@given(st.lists(st.text(), min_size=1, max_size=8, unique=True))
def test_exported_files_keep_one_line_a_word_whatever_the_words_are(words):
    vectors = WordVectors(words, np.arange(2 * len(words)).reshape(-1, 2))
    assert to_word2vec_text(vectors).count("\n") == len(words) + 1
    assert all(len(line.split()) == 3 for line in to_word2vec_text(vectors).split("\n")[1:-1])
    for file in to_projector_tsv(vectors).values():
        assert len(file.splitlines()) == len(words)
