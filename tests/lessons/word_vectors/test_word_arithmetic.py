"""Word arithmetic shows core's answers; letting the question answer changes picture, table and score."""

import json

import numpy as np
import pytest

from core.lesson.choices.vector_sets import NAMES, shared_vectors
from core.models.word_vectors.word_arithmetic import arithmetic
from core.models.word_vectors.world_analogies import QUESTIONS
from tests.lessons.lesson_page import guess, metrics, open_lesson, question, said, sent, table_with, views
from tests.lessons.word_vectors.notebook_run import value_of

LESSON = "word_arithmetic"
BROKEN = "solved when the question may answer"


def by_plain_loop(vectors):
    """Return (solved, solved when the question may answer, of them nearest is its own word, asked), by a loop."""
    units, counts = vectors.units, np.zeros(4, dtype=int)
    for a, b, c, d in (each for kind in QUESTIONS.values() for each in kind):
        if all(word in vectors for word in (a, b, c, d)):
            rows = vectors.rows([a, b, c, d])
            near = units @ (units[rows[1]] - units[rows[0]] + units[rows[2]])
            free = near.argmax()
            near[rows[:3]] = -9
            counts += [near.argmax() == rows[3], free == rows[3], free in rows[:3], 1]
    return counts.tolist()


def test_it_shows_core_s_answer_and_what_was_left_out():
    best = arithmetic(shared_vectors("glove").normalised(), "king - man + woman").answers[0]
    text = f"≈ {best.word}   (cosine {best.similarity:.3f}; left out of the answers: king, man, woman)"
    assert text in said(open_lesson(LESSON))


def test_why_the_sum_ends_near_its_answer_is_the_cosine_of_two_differences():
    units = shared_vectors("glove").normalised()
    up, across = units["queen"] - units["king"], units["woman"] - units["man"]
    cosine = up @ across / np.linalg.norm(up) / np.linalg.norm(across)
    shown = said(open_lesson(LESSON))
    assert "Were queen − king the same arrow as woman − man, the sum would end exactly at queen." in shown
    assert f"The cosine of these two arrows is {cosine:.2f}." in shown
    for other in ("king", "2 king - queen", "king + man - woman"):
        assert "the same arrow" not in said(open_lesson(LESSON, expression=other))


def test_the_cosine_of_the_answer_by_hand():
    vectors = shared_vectors("glove")
    king, man, woman, queen = (
        vectors[word].astype(float) / np.linalg.norm(vectors[word].astype(float))
        for word in ("king", "man", "woman", "queen")
    )
    sum_ = king - man + woman
    assert f"≈ queen   (cosine {sum_ @ queen / np.linalg.norm(sum_):.3f};" in said(open_lesson(LESSON))


@pytest.mark.parametrize(
    "expression", ["king -", "(king", "king man", "", "blorb + king", "king - king", "🙂"]
)
def test_a_bad_expression_is_a_sentence_and_the_rest_of_the_page_stays(expression):
    app = open_lesson(LESSON)
    app.text_input(key="word_arithmetic_expression").set_value(expression).run()
    assert not app.exception
    assert len(app.warning) == 1
    assert "The code that ran" in {each.label for each in app.tabs} and len(app.dataframe)


@pytest.mark.parametrize("vectors", ["glove", "skipgram"])
def test_letting_the_question_answer_changes_the_picture_the_table_and_the_score(vectors):
    whole, app = (open_lesson(LESSON, vectors=NAMES[vectors], **broken) for broken in ({}, {"keep": "true"}))
    solved, free, own, asked = by_plain_loop(shared_vectors(vectors))
    assert f"**{solved} of {asked}** analogies" in said(whole)
    before, after = (float(value.rstrip("%")) for value in metrics(app).values())
    assert (before, after) == (round(100 * solved / asked), round(100 * free / asked)) and after < before - 10
    assert f"In {own} of the {asked} the word nearest" in said(app)
    assert f"worth {solved - free} answers" in said(app)
    table = table_with(app, BROKEN)
    assert (table[BROKEN] <= table["solved"]).all() and (table[BROKEN] < table["solved"]).any()
    assert BROKEN not in table_with(whole, "solved")
    assert sent(app, "_map")["words"] != sent(whole, "_map")["words"]
    assert "none left out" in said(app) and "≈ king" in said(app)


def test_before_the_guess_the_answer_is_nowhere(notebook_cells):
    app = open_lesson(LESSON, predict="true", expression="berlin - germany + japan")
    assert question(app)
    shown = json.dumps(views(app)) + said(app) + "".join(notebook_cells)
    assert "tokyo" not in shown and "Take it away" in {each.label for each in app.tabs}
    assert "≈ tokyo" in said(guess(app))


def test_an_analogy_is_drawn_as_a_parallelogram_and_another_sum_as_a_row_of_arrows():
    data = sent(open_lesson(LESSON), "_map")
    assert [point["name"] for point in data["points"]] == ["the sum"]
    assert [each["name"] for each in data["arrows"] if each["head"]] == ["king − man"] * 2
    data = sent(open_lesson(LESSON, expression="2 king - queen"), "_map")
    assert [each["name"] for each in data["arrows"] if each["head"]] == ["+ 2 king", "− queen"]


@pytest.mark.parametrize("expression", ["king - man + woman", "2 king - queen", "rome"])
def test_the_tour_says_what_the_arrows_are_that_are_drawn(expression):
    app = open_lesson(LESSON, expression=expression, beat="word_arithmetic.1")
    names = [each["name"] for each in sent(app, "_map")["arrows"] if each["head"]]
    same = (
        "Both green arrows are the same step, king − man: from man it leads to king, from woman to the sum."
    )
    one_each = "Each arrow of the picture is one word of the sum."
    assert (same in said(app)) == (names == ["king − man"] * 2)
    assert (one_each in said(app)) == (names != ["king − man"] * 2)


def test_the_other_set_is_asked_the_same_and_answers_for_itself():
    app = open_lesson(LESSON, expression="paris - france + italy", vectors="our skip-gram")
    own = arithmetic(shared_vectors("skipgram").normalised(), "paris - france + italy").answers[0]
    assert f"≈ {own.word}" in said(app)


@pytest.mark.usefixtures("tiny_training")
def test_a_set_of_four_words_breaks_nothing():
    app = open_lesson(LESSON, vectors="trained by you", keep="true")
    assert not app.exception and "these vectors lack their words" in said(app)


def test_the_notebook_gives_the_page_s_answer(notebook_cells):
    app = open_lesson(LESSON)
    assert f"≈ {value_of(notebook_cells)[0].word}" in said(app)


def test_of_one_word_alone_no_variance_is_told():
    sentences = said(open_lesson("word_arithmetic", expression="3 rome", keep="true", k="1"))
    assert "The arrows are exact in 50 dimensions. Only the nearness in all 50 counts." in sentences


def test_the_tour_says_how_near_the_answer_was_and_which_word_wins_without_the_rule():
    units = shared_vectors("glove").normalised()
    king, man, woman, queen = (units[word].astype(float) for word in ("king", "man", "woman", "queen"))
    sum_ = king - man + woman
    reached = [f"{word @ sum_ / np.linalg.norm(sum_):.3f}" for word in (queen, king)]
    why = said(open_lesson(LESSON, beat="word_arithmetic.3"))
    assert f"its cosine with the sum is {reached[0]}, with king alone {king @ queen:.3f}." in why
    free = said(open_lesson(LESSON, keep="true", beat="word_arithmetic.5"))
    assert f"nearest to king - man + woman is “king”, with {reached[1]}." in free
