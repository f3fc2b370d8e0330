"""Expressions of words."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.models.word_vectors.word_arithmetic import ExpressionError, arithmetic, parse
from core.models.word_vectors.word_vectors import UnknownWordError, WordVectors, stored_vectors

WORDS = WordVectors(
    ["king", "man", "queen", "woman", "x-ray", "1999", "2000"],
    np.float32([[5, 1, 0], [1, 1, 0], [5, 4, 0], [1, 4, 0], [0, 0, 9], [0, 1, 7], [0, 2, 7]]),
)


def terms(expression):
    return [(term.weight, term.word) for term in parse(expression, WORDS)]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("king", [(1, "king")]),
        ("king - man + woman", [(1, "king"), (-1, "man"), (1, "woman")]),
        ("king-man+woman", [(1, "king"), (-1, "man"), (1, "woman")]),
        ("KING − Man", [(1, "king"), (-1, "man")]),
        ("-king + x-ray", [(-1, "king"), (1, "x-ray")]),
        ("king - (man - woman)", [(1, "king"), (-1, "man"), (1, "woman")]),
        ("0.5 * (king + 2 queen)", [(0.5, "king"), (1.0, "queen")]),
        ("((king))", [(1, "king")]),
        ("2000 - 1999", [(1, "2000"), (-1, "1999")]),
        ("2 1999", [(2, "1999")]),
        ("3×king", [(3, "king")]),
    ],
)
def test_expressions_are_read_as_people_write_them(expression, expected):
    assert terms(expression) == expected


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("", "There is nothing to add up"),
        ("   ", "There is nothing to add up"),
        ("king man", "Put \\+ or - between “king” and “man”"),
        ("king +", "A word is missing after “\\+”"),
        ("king + - man", "A word is missing after “\\+”"),
        ("* king", "A word is missing at the start"),
        ("2 *", "A word is missing after “\\*”"),
        ("(king", "never closed"),
        ("king - (", "never closed"),
        ("king)", "no opening one"),
        ("()", "A word is missing after “\\(”"),
        ("(" * 5000 + "king", "too long"),
    ],
)
def test_what_cannot_be_read_is_answered_with_a_sentence(expression, message):
    with pytest.raises(ExpressionError, match=message):
        parse(expression, WORDS)


def test_an_unknown_word_in_an_expression_is_named():
    with pytest.raises(UnknownWordError, match=r"“qeen”\. Did you mean “queen”"):
        arithmetic(WORDS, "king + qeen")


@given(st.text(st.sampled_from("kingman+-*() 2.é−"), max_size=30))
def test_no_expression_raises_anything_but_a_sentence(expression):
    try:
        arithmetic(WORDS, expression)
    except (ExpressionError, UnknownWordError) as error:
        assert str(error)[-1] in ".?"


def test_partial_sums_are_the_corners_of_the_drawn_path():
    path = arithmetic(WORDS, "king - man + 2 woman").partial_sums
    assert path.tolist() == [[5, 1, 0], [4, 0, 0], [6, 8, 0]]


def test_the_questions_words_are_left_out_or_let_in():
    assert arithmetic(WORDS, "king - man + woman").answers[0].word == "queen"
    assert "king" not in [near.word for near in arithmetic(WORDS, "king + king").answers]
    let_in = arithmetic(WORDS, "king + king", leave_question_out=False)
    assert let_in.answers[0].word == "king" and let_in.left_out == ()


def test_words_that_cancel_out_are_refused():
    with pytest.raises(ExpressionError, match="cancel each other out"):
        arithmetic(WORDS, "king - king")


@pytest.mark.parametrize(
    ("expression", "answer"),
    [
        ("king - man + woman", "queen"),
        ("paris - france + italy", "rome"),
        ("berlin - germany + japan", "tokyo"),
    ],
)
def test_glove_answers_the_classic_questions(expression, answer):
    assert arithmetic(stored_vectors("glove").normalised(), expression, 1).answers[0].word == answer


@pytest.mark.parametrize(
    "expression", ["king - king", "king - man + man - king", "2*king + man - king - king - man"]
)
def test_words_that_cancel_out_are_a_sentence_whatever_rounding_leaves(expression):
    random = np.random.default_rng(1).normal(size=(3, 50)).astype(np.float32)
    with pytest.raises(ExpressionError, match="cancel"):
        arithmetic(WordVectors(["king", "man", "wrap"], random), expression)


def test_a_weight_that_drowns_the_other_words_is_refused():
    with pytest.raises(ExpressionError, match="at most"):
        arithmetic(WordVectors.one_hot(["king", "man"]), "100000000000 king + man")
