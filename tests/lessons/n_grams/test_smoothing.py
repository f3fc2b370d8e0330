"""The smoothing lesson: what moves is what core computes, and scores are not called probabilities."""

import re

import numpy as np
import pytest

from core.models.n_grams.moved_mass import moved_mass, unseen_tokens
from core.models.n_grams.ngram import add_alpha, kneser_ney, stupid_backoff
from core.models.n_grams.ngram_text import count_text
from pages.n_grams.smoothing import said_of_others
from tests.lessons.lesson_page import figure, figures, metrics, open_lesson, said, table_with
from tests.lessons.n_grams.three_texts import SAM, THREE, codes, numbers


def test_smoothing_shows_the_mass_that_moved():
    app = open_lesson("smoothing", SAM, words_after="i", smoothing="add-alpha", alpha="1.0")
    counted = count_text(SAM, order=5)
    moved = moved_mass(add_alpha(counted.counts, 2, 1.0), counted.read("i"))
    before, after = (numbers(trace["x"]) for trace in figure(app)["data"])
    np.testing.assert_allclose(before, [*moved.before, 0])
    np.testing.assert_allclose(after, [*moved.after, moved.unseen_mass])
    assert f"{moved.unseen_mass:.1%}" in said(app)
    assert before.sum() == pytest.approx(1)
    assert after.sum() == pytest.approx(1)


@pytest.mark.parametrize("text", THREE.values(), ids=THREE)
def test_without_smoothing_new_sentences_become_impossible(text):
    whole, broken = (open_lesson("smoothing", text, n="3", raw=raw) for raw in (False, True))
    shown = metrics(broken)
    assert shown["Tokens called impossible, whole"] == "0.0%"
    assert float(shown["Tokens called impossible, broken"].rstrip("%")) > 20
    assert numbers(figure(whole)["data"][1]["x"])[-1] > 0
    assert numbers(figure(broken)["data"][1]["x"])[-1] == 0
    assert "None of them: nothing is left" in said(broken)


def test_one_sentence_leaves_nothing_to_measure_and_the_page_says_so():
    app = open_lesson("smoothing", "only one sentence here", raw="true")
    assert "no second sentence to hold out" in said(app)


def test_stupid_backoff_is_offered_and_called_no_probability():
    app = open_lesson("smoothing", SAM, words_after="i", smoothing="stupid back-off")
    counted = count_text(SAM, order=5)
    scores = stupid_backoff(counted.counts, 2).scores(counted.read("i"))
    assert scores.sum() != pytest.approx(1, abs=0.01)
    assert f"no probabilities: together they sum to {scores.sum():.3f}" in said(app)
    assert numbers(figure(app)["data"][1]["x"]).sum() == pytest.approx(scores.sum())
    assert "def stupid_backoff(" in codes(app)
    sums = table_with(app, "sum").set_index("smoothing")["sum"]
    assert sums["stupid back-off"] == pytest.approx(scores.sum())
    np.testing.assert_allclose(sums.drop("stupid back-off"), 1)


@pytest.mark.parametrize("lesson", ["ngram_probability", "ngram_perplexity", "ngram_generation"])
def test_what_has_no_perplexity_is_not_offered_elsewhere(lesson):
    app = open_lesson(lesson, SAM)
    offered = [option for each in app.selectbox for option in each.options]
    offered += [option for each in app.get("button_group") for option in each.options]
    assert "stupid back-off" not in str(offered)


@pytest.mark.parametrize("text", THREE.values(), ids=THREE)
def test_who_gets_the_unseen_share_is_said_as_it_is(text):
    app = open_lesson("smoothing", text)
    assert "All unseen tokens get the same" in said(app)
    app = open_lesson("smoothing", text, smoothing="Kneser-Ney", n="3")
    assert "times an even share" in said(app)
    shown = numbers(figures(app)[1]["data"][0]["x"])
    assert shown[0] > shown.min()


def test_the_unseen_are_ranked_as_the_model_ranks_them():
    counted = count_text(SAM, order=3)
    model = kneser_ney(counted.counts, 3, 0.75)
    tokens, p = unseen_tokens(model, counted.read("i am"))
    assert p.tolist() == sorted(p, reverse=True)
    np.testing.assert_array_equal(model.scores(counted.read("i am"))[tokens], p)
    assert not {counted.vocabulary["sam"], counted.vocabulary["</s>"]} & set(tokens.tolist())


def test_kneser_ney_is_shown_with_the_lines_that_do_the_arithmetic():
    shown = codes(open_lesson("smoothing", SAM, smoothing="modified Kneser-Ney"))
    for name in ("kneser_ney", "estimated_discounts", "discounted_level", "scores"):
        assert f"def {name}(" in shown


def test_one_type_is_said_to_be_one():
    app = open_lesson("smoothing", "no no no no no", words_after="no")
    assert "After “no”, 2 of the vocabulary's 3 types were seen; the one other gets" in said(app)
    assert "There is only one: “<unk>”." in said(app)
    app = open_lesson("smoothing", "a b", words_after="a")
    assert "1 of the vocabulary's 4 types was seen; the other 3 get" in said(app)


@pytest.mark.parametrize("text", THREE)
def test_the_tour_counts_what_was_seen_after_the_context_and_what_was_not(text):
    shown = said(open_lesson("smoothing", THREE[text], beat="smoothing.1"))
    seen, V, unseen = re.search(
        r": ([\d,]+) different tokens were seen there\. The vocabulary has ([\d,]+), among them .*? The other ([\d,]+) were",
        shown,
    ).groups()
    numbers = [int(each.replace(",", "")) for each in (seen, unseen, V)]
    assert numbers[0] + numbers[1] == numbers[2]


def test_the_tour_speaks_of_one_token_as_of_one():
    shown = said(open_lesson("smoothing", "a b. a b.", words_after="a", beat="smoothing.1"))
    assert "1 token was seen there." in shown and "1 different" not in shown
    assert (
        said_of_others(1).endswith("it is impossible. Is it?")
        and said_of_others(0) == "No other token is left."
    )
