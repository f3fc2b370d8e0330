"""The lesson on a sentence's probability: its factors are the model's, and something new is impossible unsmoothed."""

import json
import re

import numpy as np
import pytest

from core.models.language_model import sequence_log_probability
from core.models.n_grams.ngram import kneser_ney, maximum_likelihood
from core.models.n_grams.ngram_text import count_text
from tests.lessons.lesson_page import frames, metrics, open_lesson, said, sent, table_with, views
from tests.lessons.n_grams.three_texts import SAM, THREE


@pytest.mark.parametrize("n", [1, 2, 3])
def test_the_factors_are_those_of_the_model(n):
    app = open_lesson("ngram_probability", SAM, words_sentence="Sam I am", n=str(n))
    counted = count_text(SAM, order=5)
    factors = sequence_log_probability(kneser_ney(counted.counts, n, 0.75), counted.encode("Sam I am"))
    shown = metrics(app)
    assert shown["ln p of the sentence"] == f"{factors.log_probability:,.2f}".replace("-", "\N{MINUS SIGN}")
    assert shown["Perplexity"] == f"{factors.perplexity:,.1f}"
    bits = -factors.log_probabilities / np.log(2)
    np.testing.assert_allclose(sent(app, "steps")["shared"]["bits"], bits, atol=6e-4)
    assert [step["picture"]["at"] for step in frames(app)] == list(range(len(bits)))


def test_the_worked_formula_of_a_bigram_is_the_textbook_s():
    app = open_lesson("ngram_probability", SAM, words_sentence="I am", n="2", smoothing="none")
    worked = next(view for view in views(app)[1:] if "frames" in view)["frames"]
    assert worked[1]["notes"] == ["p( am | i )"]
    assert r"\frac{2}{3}" in worked[1]["formulas"][0]  # p(am | i) = 2 / 3
    assert "The least expected of 3 tokens is “</s>” after “am”: p = 0.5." in said(app)


def test_without_smoothing_the_perplexity_is_infinite_and_said_so():
    app = open_lesson("ngram_probability", SAM, words_sentence="green Sam", n="2", raw="true")
    assert metrics(app)["Perplexity"] == "∞"
    assert "the perplexity infinite" in said(app)


@pytest.mark.parametrize("n", ["2", "5"])
@pytest.mark.parametrize("text", THREE.values(), ids=THREE)
def test_the_sentence_that_the_lesson_opens_with_is_impossible_without_smoothing(text, n):
    whole, broken = (open_lesson("ngram_probability", text, n=n, raw=raw) for raw in (False, True))
    assert float(metrics(whole)["Perplexity"].replace(",", "")) < 10_000
    assert metrics(broken)["Perplexity, broken"] == "∞"
    assert metrics(broken)["Perplexity, whole"] == metrics(whole)["Perplexity"]
    assert re.search(
        r"(\b1 of \d+ factors is|[\d,]+ of \d+ factors are) 0: your text never has", said(broken)
    )
    assert None in sent(broken, "steps")["shared"]["bits"]
    assert None not in sent(whole, "steps")["shared"]["bits"]


def test_a_sentence_of_the_text_stays_possible_and_the_page_says_so():
    app = open_lesson("ngram_probability", SAM, words_sentence="Sam I am", raw="true")
    assert metrics(app)["Perplexity, broken"] != "∞"
    assert "Your text has every run of 2 in this sentence" in said(app)
    counted = count_text(SAM, order=5)
    tokens = counted.encode("Sam I am")
    whole, raw = (
        fit(tokens)
        for fit in (
            kneser_ney(counted.counts, 2, 0.75).token_log_probabilities,
            maximum_likelihood(counted.counts, 2).token_log_probabilities,
        )
    )
    up, down = (whole > raw + 1e-9).sum(), (whole < raw - 1e-9).sum()
    assert f"smoothing raises {up} of its {len(tokens)} factors and lowers {down}." in said(app)


def test_of_factors_that_are_all_equal_none_is_called_the_least():
    app = open_lesson("ngram_probability", "word word", words_sentence="word", n="1", smoothing="none")
    assert "The least expected of 2 tokens is “</s>”: p = 0.333." in said(app)
    app = open_lesson("ngram_probability", "word", n="2", smoothing="none")
    assert "None of 2 tokens is less expected than “word” after “<s>”: p = 1." in said(app)


@pytest.mark.parametrize("settings", [{"unit": "characters", "n": "5"}, {"n": "5"}], ids=str)
def test_the_factors_of_a_long_sentence_are_sent_within_their_bounds(settings):
    sentence = "The king and the queen speak of the dead and of the living. " * 5
    app = open_lesson("ngram_probability", words_sentence=sentence, characters_sentence=sentence, **settings)
    sizes = [len(json.dumps(view, ensure_ascii=False).encode()) for view in views(app)]
    assert len(frames(app)) == 40
    assert sum(sizes) < 60_000, sizes


@pytest.mark.parametrize("text", THREE)
def test_the_tour_names_the_smallest_factor_once_it_is_guessed(text):
    shown = said(open_lesson("ngram_probability", THREE[text], beat="ngram_probability.3"))
    table = table_with(open_lesson("ngram_probability", THREE[text]), "ln p")
    least = table.loc[table["p"].idxmin()]
    assert f"No factor is smaller than that of “{least['token']}”, {least['p']:.3g}. Long" in shown
    hidden = said(open_lesson("ngram_probability", THREE[text], predict="true", beat="ngram_probability.3"))
    assert f"“{least['token']}”, {least['p']:.3g}" not in hidden
