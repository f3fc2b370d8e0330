"""Sentence probability: the story's numbers are counted again here; the lab shows a sentence's own factors on any text."""

import json
import re
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from core.models.language_model import sequence_log_probability
from core.models.n_grams.ngram import kneser_ney, maximum_likelihood
from core.models.n_grams.ngram_text import count_text, tokenized
from core.models.n_grams.spliced import spliced
from core.text.samples.shelf import sample
from tests.lessons.lesson_page import (
    document,
    frames,
    guess,
    metrics,
    mounted,
    open_lesson,
    picture,
    question,
    said,
    said_in,
    sent,
    table_with,
    views,
)
from tests.lessons.n_grams.three_texts import SAM, THREE, numbers

NAME = "ngram_probability"
SEEN, SCENE = "i have seen the king", "i have scene the king"


# The story.


@pytest.fixture(scope="module")
def pairs():
    """Count the pairs of Hamlet and what they begin with, by hand."""
    sentences = tokenized(sample("hamlet").read().text, "words")
    found = Counter(pair for each in sentences for pair in pairwise(["<s>", *each]))
    return found, Counter(pair[0] for pair in found.elements())


@pytest.fixture(scope="module")
def smoothed():
    counted = count_text(sample("hamlet").read().text, order=5)
    return counted, {n: kneser_ney(counted.counts, n, 0.75) for n in range(1, 6)}


def fractions(pairs, sentence):
    found, before = pairs
    return [(found[pair], before[pair[0]]) for pair in pairwise(["<s>", *sentence.split(), "</s>"])]


def bits_of(smoothed, sentence, n=2):
    counted, models = smoothed
    return -np.log2(models[n].token_scores(counted.encode(sentence)))


def test_neither_sentence_is_in_the_play_and_the_copied_one_is():
    sentences = [" ".join(each[:-1]) for each in tokenized(sample("hamlet").read().text, "words")]
    assert SEEN not in " ".join(sentences) and SCENE not in " ".join(sentences)
    assert "the king is a thing" in sentences
    assert "father is" not in "|".join(sentences)  # why “my father is dead” gets 0


def test_the_rows_are_the_counts_of_the_play(pairs):
    data, told = picture(NAME, "factors"), said_in(document(NAME, "factors"))
    expected = fractions(pairs, SEEN)
    assert expected[1] == (53, 569)
    assert data["sides"][0]["texts"] == [f"{n:,} / {of:,}" for n, of in expected]
    shares = np.array([n / of for n, of in expected])
    np.testing.assert_allclose([float(text) for text in data["sides"][1]["texts"]], shares, rtol=0.05)
    np.testing.assert_allclose(data["sides"][1]["bars"], shares / shares.max())
    assert "53 of 569 cases" in told and "0.0931" in told


def test_the_product_and_the_sum_of_bits_are_those_of_the_counts(pairs):
    p = np.array([n / of for n, of in fractions(pairs, SEEN)])
    drawn = picture(NAME, "product")["figure"]["data"][0]["y"]
    np.testing.assert_allclose(numbers(drawn), np.cumprod(p))
    assert f"1 in {1 / p.prod() / 1e6:.1f} million" in said_in(document(NAME, "product"))
    told = said_in(document(NAME, "bits"))
    assert f"add up to {-np.log2(p).sum():.1f} bits" in told
    assert p.argmin() == 4 and "king, with 4.8 bits" in told


def test_one_pair_that_never_occurs_makes_the_product_zero_after_the_guess(pairs):
    assert fractions(pairs, SCENE)[2] == (0, 181)
    before, revealed = document(NAME, "zero"), document(NAME, "zero", True)
    assert before["picture"]["data"]["sides"][1]["texts"][2:] == ["?"] * 4
    assert before["picture"]["data"]["sum"] == "" and "/ 181" not in json.dumps(before)
    assert revealed["picture"]["data"]["sides"][0]["texts"][2] == "0 / 181"
    assert revealed["ask"]["answer"] == "zero" and "0 / 181 = 0" in said_in(revealed)
    headings = Counter(token for each in tokenized(sample("hamlet").read().text, "words") for token in each)
    assert f"the word {headings['scene']} times" in said_in(before)


def test_with_smoothing_seen_is_thousands_of_times_as_probable(smoothed):
    one, other = bits_of(smoothed, SEEN), bits_of(smoothed, SCENE)
    told = said_in(document(NAME, "smoothed"))
    assert f"{round(2 ** (other.sum() - one.sum()), -2):,.0f} times as probable" in told
    assert f"scene costs {other[2]:.1f} bits" in told and other.argmax() == 2
    drawn = [numbers(trace["y"]) for trace in picture(NAME, "smoothed")["figure"]["data"]]
    np.testing.assert_allclose(drawn, [one, other])
    end = document(NAME, "answer")
    assert f"into 1 in {2 ** other.sum() / 1e9:.0f} billion" in said_in(
        end
    ) and "Here that is scene" in said_in(end)


def test_without_context_the_order_of_words_does_not_matter_and_with_one_word_it_does(smoothed):
    back = "king the seen have i"
    assert bits_of(smoothed, SEEN, 1).sum() == pytest.approx(bits_of(smoothed, back, 1).sum())
    told = said_in(document(NAME, "order"))
    assert f"both lines have {bits_of(smoothed, back, 1).sum():.1f} bits" in told
    told = said_in(document(NAME, "order", context="one"))
    one, other = bits_of(smoothed, SEEN, 2).sum(), bits_of(smoothed, back, 2).sum()
    assert other > one + 5 and f"{one:.1f} bits, the words backwards have {other:.1f} bits" in told


def test_a_longer_context_helps_the_copied_sentence_alone(smoothed):
    found = [
        [2 ** bits_of(smoothed, each, n).mean() for n in range(2, 6)]
        for each in (SEEN, "the king is a thing")
    ]
    assert (np.diff(found[0]) > 0).all() and (np.diff(found[1]) < 0).all()
    hidden, shown = (picture(NAME, "longer", each)["figure"]["data"] for each in (False, True))
    assert [len(trace["y"]) for trace in hidden] == [1, 1]
    np.testing.assert_allclose([numbers(trace["y"]) for trace in shown], found)
    told = said_in(document(NAME, "longer", True))
    assert f"from {found[1][0]:.1f} to {found[1][3]:.1f}" in told
    assert f"from {found[0][0]:.1f} to {found[0][3]:.1f}" in told


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("the king is dead", "The least expected of 5 tokens is dead"),
        ("the zebra is dead", "Hamlet does not have zebra"),
        ("Heute war es sehr kalt", "too little to judge"),
        ("مرحبا بالعالم", "too little to judge"),
        ("no " * 20, "shows the first 12 tokens"),
    ],
)
def test_own_sentences_get_an_honest_sentence(typed, told):
    assert told in re.sub(r"<[^>]+>", "", document(NAME, "own", typed=typed)["done"]).replace("\\", "")


# The lab.


def test_the_lab_s_factors_are_those_of_the_sentence():
    app = open_lesson(NAME, SAM, words_sentence="I am Sam", n="2", smoothing="Kneser-Ney", discount="0.75")
    counted = count_text(SAM, order=5)
    expected = sequence_log_probability(kneser_ney(counted.counts, 2, 0.75), counted.encode("I am Sam"))
    table = table_with(app, "ln p")
    np.testing.assert_allclose(table["ln p"], expected.log_probabilities)
    assert metrics(app)["Perplexity"] == f"{expected.perplexity:,.1f}"
    assert metrics(app)["ln p of the sentence"] == f"{expected.log_probability:,.2f}".replace("-", "−")


def test_the_lab_opens_on_the_story_s_sentence_or_on_one_made_of_the_text():
    app = open_lesson(NAME)
    assert sent(app, "steps")["shared"]["tokens"] == [*SEEN.split(), "</s>"]
    app, counted = open_lesson(NAME, SAM), count_text(SAM, order=5)
    made = [counted.name(token) for token in spliced(counted)]
    assert sent(app, "steps")["shared"]["tokens"] == [*made, "</s>"]
    assert "halves of two sentences of your text" in said(app)


@pytest.mark.parametrize("text", THREE.values(), ids=THREE)
def test_without_smoothing_the_sentence_becomes_impossible(text):
    with_it, without = (open_lesson(NAME, text, n="5", raw=raw) for raw in (False, True))
    assert "with smoothing" not in metrics(with_it)
    assert metrics(without)["with smoothing"] == metrics(with_it)["Perplexity"]
    assert metrics(without)["without smoothing"] == "∞"
    assert (
        None in sent(without, "steps")["shared"]["bits"]
        and None not in sent(with_it, "steps")["shared"]["bits"]
    )
    assert "makes the whole product 0" in said(without)


def test_where_all_was_seen_smoothing_changes_little_and_the_lab_says_so():
    app = open_lesson(NAME, SAM, words_sentence="I am Sam.", raw=True)
    assert "nothing here is impossible" in said(app)
    counted = count_text(SAM, order=5)
    model = maximum_likelihood(counted.counts, 2)
    found = sequence_log_probability(model, counted.encode("I am Sam."))
    assert metrics(app)["without smoothing"] == f"{found.perplexity:,.1f}"


def test_a_sentence_that_the_text_has_is_said_to_look_better_than_a_new_one():
    told = "Your text has every run of 3 tokens in this sentence"
    assert told in said(open_lesson(NAME, SAM, words_sentence="I am Sam", n="3"))
    assert told not in said(open_lesson(NAME, SAM, words_sentence="I do ham", n="3"))


def test_the_least_expected_token_is_hidden_until_the_guess():
    app = open_lesson(NAME, SAM, predict="true", words_sentence="I am ham")
    assert not frames(app) and len(app.dataframe) == 0 and not mounted(app)
    options = question(app).options
    guess(app, options[0])
    assert frames(app) and "Your score" in said(app)


def test_of_equally_unexpected_tokens_none_is_called_the_least():
    app = open_lesson(NAME, "A b. B a.", words_sentence="a b", n="1", smoothing="none")
    assert "None of 3 tokens is less expected than" in said(app)


def test_each_factor_is_worked_out():
    app = open_lesson(NAME, SAM, words_sentence="I am Sam", n="2", smoothing="none")
    worked = [view for view in views(app) if any(each.get("formulas") for each in view.get("frames", []))]
    assert len(worked) == 1 and len(worked[0]["frames"]) == 4
    assert r"\frac{2}{3}" in worked[0]["frames"][1]["formulas"][0]  # am after i


def test_a_long_sentence_is_drawn_in_part_and_counted_in_whole():
    app = open_lesson(NAME, words_sentence="the king " * 60)
    assert "All 121 tokens are in the numbers; the picture shows the first 40." in said(app)
    assert len(frames(app)) == 40 and len(table_with(app, "ln p")) == 121
    assert sum(len(json.dumps(view, ensure_ascii=False).encode()) for view in views(app)) < 80_000
