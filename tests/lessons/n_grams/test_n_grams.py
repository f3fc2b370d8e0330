"""The n-gram lessons show the numbers that core computes, and say what is wrong in a sentence."""

import base64
import re

import numpy as np
import pytest

from core.models.generation.sampling import Settings, generate
from core.models.language_model import sequence_log_probability
from core.models.n_grams.ngram import add_alpha, held_out, kneser_ney, maximum_likelihood, moved_mass
from core.models.n_grams.ngram_text import count_text
from tests.lessons.lesson_page import figure, metrics, open_lesson, said, sent

SAM = "I am Sam. Sam I am. I do not like green eggs and ham."
LESSONS = ("ngram_counts", "ngram_probability", "smoothing", "ngram_perplexity", "ngram_generation")
EVERY = pytest.mark.parametrize("lesson", LESSONS)


def open_with(lesson, text=SAM, **query):
    return open_lesson(lesson, text, **query)


def numbers(values):
    """Return a trace's numbers, which plotly sends as a list or as base64."""
    if isinstance(values, dict):
        return np.frombuffer(base64.b64decode(values["bdata"]), values["dtype"])
    return np.array(values)


@EVERY
@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("two words", "words"),
        ("早上好。你好吗？", "words"),
        ("مرحبا بالعالم. كيف الحال؟", "characters"),
        ("👍🏽 <b>x</b> $a$ `c` ![i](j) \\frac{}{}. 👍🏽!", "characters"),
        ("long " * 5000, "words"),
    ],
    ids=["two words", "chinese", "arabic", "marks", "one long sentence"],
)
def test_no_text_breaks_a_lesson(lesson, text, unit):
    app = open_with(lesson, text, unit=unit)
    assert not app.exception
    for chart in app.get("plotly_chart"):
        assert "NaN" not in chart.proto.spec


@EVERY
def test_a_text_without_words_is_answered_with_a_sentence(lesson):
    app = open_with(lesson, "... !!! ???")
    assert not app.exception
    assert "no words to count" in said(app)


@pytest.mark.parametrize(
    ("lesson", "settings"),
    [
        ("ngram_counts", {"n": "5", "crossing": "true", "words_path": "<s> i am sam </s>"}),
        ("ngram_probability", {"n": "5", "smoothing": "Katz back-off"}),
        ("ngram_probability", {"n": "1", "words_sentence": "word " * 150}),
        ("smoothing", {"n": "1", "raw": "true"}),
        ("smoothing", {"n": "5", "smoothing": "modified Kneser-Ney", "words_after": "i am"}),
        ("ngram_perplexity", {"raw": "true", "min_count": "5"}),
        ("ngram_generation", {"n": "5", "greedy": "true", "length": "100"}),
    ],
)
def test_the_ends_of_the_controls_work(lesson, settings):
    assert not open_with(lesson, **settings).exception


def test_the_counts_page_draws_the_continuations_of_the_path():
    app = open_with("ngram_counts", words_path="i", n="2")
    data = sent(app)
    rows = {row["token"]: (row["count"], row["share"]) for row in data["columns"][1]["children"]}
    assert rows == {"am": (2, 2 / 3), "do": (1, 1 / 3)}
    assert any(r"\frac{3}" in latex.value for latex in app.latex)  # c(i) over all 17 tokens


def test_a_click_in_the_tree_goes_into_the_field():
    counted = count_text(SAM, order=5)
    app = open_with("ngram_counts")
    app.session_state["ngram_counts_tree"] = {"walk": {"path": counted.read("i am"), "time": 1}}
    app.run()
    assert app.text_input(key="ngram_counts_words_path").value == "i am"


def test_a_word_that_the_text_lacks_is_named():
    assert "zebra" in said(open_with("ngram_counts", words_path="zebra"))
    assert "zebra" in said(open_with("smoothing", words_after="zebra"))
    assert "zebra" in said(open_with("ngram_probability", words_sentence="the zebra"))
    assert "zebra" in said(open_with("ngram_generation", words_prompt="the zebra"))


@pytest.mark.parametrize("n", [1, 2, 3])
def test_the_factors_are_those_of_the_model(n):
    app = open_with("ngram_probability", words_sentence="Sam I am", n=str(n))
    counted = count_text(SAM, order=5)
    factors = sequence_log_probability(kneser_ney(counted.counts, n, 0.75), counted.encode("Sam I am"))
    shown = metrics(app)
    assert shown["ln p of the sentence"] == f"{factors.log_probability:,.2f}".replace("-", "\N{MINUS SIGN}")
    assert shown["Perplexity"] == f"{factors.perplexity:,.1f}"
    np.testing.assert_allclose(
        numbers(figure(app)["data"][0]["y"]), -factors.log_probabilities / np.log(2), rtol=1e-6
    )


def test_the_worked_formula_of_a_bigram_is_the_textbook_s():
    app = open_with("ngram_probability", words_sentence="I am", n="2", smoothing="none", step="2")
    assert any(r"\frac{2}{3}" in latex.value for latex in app.latex)  # p(am | i) = 2 / 3


def test_without_smoothing_the_perplexity_is_infinite_and_said_so():
    app = open_with("ngram_probability", words_sentence="green Sam", n="2", raw="true")
    assert metrics(app)["Perplexity"] == "∞"
    assert "the perplexity infinite" in said(app)
    app = open_with("ngram_perplexity", raw="true", min_count="1")
    assert "Finite here: for no n" in said(app)


def test_smoothing_shows_the_mass_that_moved():
    app = open_with("smoothing", words_after="i", smoothing="add-alpha", alpha="1.0")
    counted = count_text(SAM, order=5)
    moved = moved_mass(add_alpha(counted.counts, 2, 1.0), counted.read("i"))
    before, after = (numbers(trace["x"]) for trace in figure(app)["data"])
    np.testing.assert_allclose(before, [*moved.before, 0])
    np.testing.assert_allclose(after, [*moved.after, moved.unseen_mass])
    assert f"{moved.unseen_mass:.1%}" in said(app)
    assert before.sum() == pytest.approx(1)
    assert after.sum() == pytest.approx(1)


def test_the_uniform_model_s_perplexity_is_the_size_of_the_vocabulary():
    text = " ".join(f"Word{i % 7} word{i % 5} and word{i % 3}." for i in range(60))
    found = re.search(
        r"all ([\d,]+) types .* is ([\d,.]+), the size", said(open_with("ngram_perplexity", text))
    )
    assert float(found[1]) == float(found[2])


def test_the_perplexity_curve_is_that_of_the_held_out_sentences():
    text = " ".join(f"Word{i % 7} word{i % 5} and word{i % 3}." for i in range(60))
    counted = count_text(text, order=5, min_count=2, hold_out=10)
    expected = [
        held_out(kneser_ney(counted.counts, n, 0.75), counted.held_out).perplexity for n in range(1, 6)
    ]
    lines = {
        trace["name"]: numbers(trace["y"]) for trace in figure(open_with("ngram_perplexity", text))["data"]
    }
    np.testing.assert_allclose(lines["Kneser-Ney"], expected)


def test_one_sentence_cannot_be_held_out_and_the_page_says_so():
    assert "at least two sentences" in said(open_with("ngram_perplexity", "only one sentence here"))


def test_the_generated_text_is_that_of_the_seed():
    app = open_with("ngram_generation", n="2", seed="7", length="10", smoothing="none")
    counted = count_text(SAM, order=5)
    model = maximum_likelihood(counted.counts, 2)
    steps = generate(model, [], 10, Settings(), 7)
    assert counted.text(step.token for step in steps) in [code.value for code in app.code]


def test_an_unseen_beginning_has_no_next_token_without_smoothing():
    app = open_with("ngram_generation", words_prompt="green Sam", n="3", smoothing="none")
    assert "no next token" in said(app)
    assert not open_with("ngram_generation", words_prompt="green Sam", n="3", smoothing="Kneser-Ney").warning


@pytest.mark.parametrize("lesson", LESSONS[:1] + LESSONS[2:4])
def test_predict_first_hides_the_picture_until_the_guess(lesson):
    app = open_with(lesson, predict="true")
    assert len(app.radio) >= 1
    assert "Guess, and the numbers appear." in said(app)
    assert (
        "every number" not in " ".join(each.label.lower() for each in app.expander)
        or lesson == "ngram_counts"
    )
