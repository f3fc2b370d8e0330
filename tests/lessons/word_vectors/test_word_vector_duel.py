"""Two sets of vectors on the same words: shared neighbours are counted, odd ones are explained by numbers."""

import base64

import numpy as np
import pytest
from scipy.linalg import orthogonal_procrustes

from core.lesson.choices.vector_sets import shared_vectors
from core.models.word_vectors.vector_agreement import agreement, shared_words
from tests.lessons.lesson_page import figures, open_lesson, said, table_with, views
from tests.lessons.word_vectors.notebook_run import value_of

LESSON = "word_vector_duel"


def test_it_counts_the_neighbours_both_sets_share():
    app = open_lesson(LESSON)
    expected = agreement(*shared_words(shared_vectors("glove"), shared_vectors("skipgram")), "king", 10)
    assert f"{len(expected.shared)} of 10 neighbours are shared" in said(app)
    assert f"**{expected.mean:.0%}**" in said(app)


def test_the_first_neighbour_of_king_in_our_own_set_is_explained():
    app = open_lesson(LESSON)
    own = shared_vectors("skipgram")
    assert figures(app)[1]["data"][0]["y"][0] == "then"
    assert f"“then” (number {own.index['then'] + 1} by frequency) is a function word" in said(app)
    really = [near.word for near in own.neighbours("king", 10)]
    lacking = [word for word in really if word not in shared_vectors("glove")]
    assert (
        f"the other set lacks {len(lacking)} ({', '.join(lacking[:6])}, …)" in said(app) and len(lacking) > 6
    )


def test_a_set_beside_itself_agrees_with_itself_and_is_explained_once():
    app = open_lesson(LESSON, first="our skip-gram")
    assert not app.exception
    assert "10 of 10 neighbours are shared" in said(app) and said(app).count("is a function word") == 1
    table = table_with(app, "word in our skip-gram")
    near = shared_vectors("skipgram").neighbours("king", 10)
    assert table["word in our skip-gram"].tolist() == [each.word for each in near]


def test_chance_is_written_with_digits_however_small_it_is():
    assert "by chance it would be 0.0078%" in said(open_lesson(LESSON, k=1))


def test_where_no_neighbour_is_a_function_word_nothing_is_explained():
    assert "function word" not in said(open_lesson(LESSON, word="apple"))


def test_the_two_sets_mean_different_things_by_apple_and_agree_on_numbers():
    first, second = shared_words(shared_vectors("glove"), shared_vectors("skipgram"))
    shares = {word: len(agreement(first, second, word, 10).shared) for word in ("apple", "gay", "three")}
    assert shares["three"] >= 7 and max(shares["apple"], shares["gay"]) <= 3


def test_the_right_map_is_turned_to_lie_nearest_to_the_left_one():
    left, right = (
        np.frombuffer(base64.b64decode(data["places"]), "<f4").reshape(-1, 2) @ np.array(data["turn"])
        for data in views(open_lesson(LESSON, source="four themes"))
    )
    assert np.allclose(orthogonal_procrustes(right, left)[0], np.eye(2), atol=1e-4)


def test_mean_overlap_by_a_plain_loop():
    first, second = shared_words(shared_vectors("glove"), shared_vectors("skipgram"))
    near = [
        np.argsort(-(each.units[:100] @ each.units.T - 9 * np.eye(100, len(each))), axis=1)[:, :10]
        for each in (first, second)
    ]
    overlap = np.mean([len({*one} & {*other}) / 10 for one, other in zip(*near, strict=True)])
    assert f"**{overlap:.0%}**" in said(open_lesson(LESSON))


@pytest.mark.usefixtures("tiny_training")
def test_a_set_that_shares_hardly_a_word_is_compared_or_a_sentence_says_why_not():
    app = open_lesson(LESSON, second="trained by you", word="cat")
    assert not app.exception
    assert "neighbours are shared" in said(app) or "too few to compare" in said(app)
    assert "The code that ran" in {each.label for each in app.tabs}


def test_a_word_that_one_set_lacks_is_a_sentence_and_the_rest_of_the_page_stays():
    app = open_lesson(LESSON, word="blorb")
    assert "One of the two sets lacks it" in said(app) and not app.exception
    assert "The code that ran" in {each.label for each in app.tabs}


def test_the_notebook_gives_the_page_s_number(notebook_cells):
    app = open_lesson(LESSON)
    assert f"{len(value_of(notebook_cells))} of 10 neighbours are shared" in said(app)


def test_one_neighbour_is_spoken_of_as_one():
    sentences = said(open_lesson("word_vector_duel", k=1))
    assert "0 of 1 neighbour is shared" in sentences
    assert "The word that is really nearest to “king” there, “babylon”, the other set lacks" in sentences
