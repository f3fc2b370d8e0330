"""Smoothing: the story's numbers counted a second time with a Counter; the lab, whose scores are no probabilities."""

import json
from collections import Counter
from itertools import pairwise
from math import exp, factorial

import numpy as np
import pytest

from core.models.n_grams.moved_mass import mean_unseen_mass, moved_mass, unseen_tokens
from core.models.n_grams.ngram import add_alpha, kneser_ney, stupid_backoff
from core.models.n_grams.ngram_text import count_text, hold_out_every, tokenized
from core.text.samples.shelf import sample
from tests.lessons.lesson_page import (
    document,
    figure,
    figures,
    guess,
    metrics,
    open_lesson,
    picture,
    said,
    said_in,
    table_with,
)
from tests.lessons.n_grams.three_texts import SAM, THREE, codes, numbers

# The story. Its numbers are counted here a second time, with nothing but a Counter.

SENTENCES = [tuple(each) for each in tokenized(sample("hamlet").read().text, "words")]


def pairs_of(sentences):
    """Return the count of each pair of tokens, "<s>" before each sentence."""
    return Counter(pair for each in sentences for pair in pairwise(("<s>", *each)))


PAIRS = pairs_of(SENTENCES)
WORDS = Counter(word for each in SENTENCES for word in each)
AFTER_SWEET = {w: n for (h, w), n in PAIRS.items() if h == "sweet"}
V = len(WORDS) + 1  # and the token for unknown words
HELD, TRAINING = hold_out_every(10, SENTENCES)


def bars(data, panel=0):
    """Return the rows of a panel of bars: {name: where the bar ends}."""
    return {row["name"]: row["to"] for row in data["panels"][panel]["rows"]}


def masses(data):
    """Return what the unseen words get in each row of a picture of shares."""
    return numbers(data["figure"]["data"][0]["x"]).tolist()


def test_the_two_lines_are_the_counts_divided_and_one_is_impossible():
    data = picture("smoothing", "zero")
    for panel, line in enumerate(("good night sweet prince", "good night sweet king")):
        for h, w in pairwise(("<s>", *line.split())):
            total = sum(n for (first, _), n in PAIRS.items() if first == h)
            assert bars(data, panel)[w] == pytest.approx(PAIRS[h, w] / total), (h, w)
    assert PAIRS["sweet", "king"] == 0 and sum(AFTER_SWEET.values()) == 25
    assert "product: 2.62·10⁻⁶ on the left, 0 on the right" in data["sum"]


def test_the_share_of_new_pairs_is_counted_on_held_out_sentences_and_waits_for_the_guess():
    known, counted = {w for each in TRAINING for w in each}, pairs_of(TRAINING)
    found = [pair for each in HELD for pair in pairwise(("<s>", *each))]
    new = [pair for pair in found if not counted[pair]]
    unknown = [w for _, w in found if w not in known]
    shown = bars(picture("smoothing", "new", True))
    assert shown["pairs"] == pytest.approx(len(new) / len(found)) and round(shown["pairs"], 2) == 0.57
    assert shown["single words"] == pytest.approx(len(unknown) / len(found))
    assert f"the {len(set(HELD))} held-out sentences" in said_in(document("smoothing", "new"))
    before = json.dumps(document("smoothing", "new"))
    assert "57" not in before and set(bars(picture("smoothing", "new")).values()) == {1}


def test_one_added_gives_nearly_everything_to_words_that_were_never_seen():
    unseen = V - len(AFTER_SWEET)
    assert masses(picture("smoothing", "laplace")) == pytest.approx([0, unseen / (25 + V)])
    text = said_in(document("smoothing", "laplace"))
    assert f"1 in {25 + V:,}" in text and f"the {unseen:,} unseen words hold 99%" in text


@pytest.mark.parametrize(
    ("alpha", "verdict"), [("0.001", "too little"), ("0.03", "close"), ("1.0", "too much")]
)
def test_alpha_is_judged_by_what_it_gives_on_held_out_sentences(alpha, verdict):
    beat = document("smoothing", "amount", alpha=alpha)
    vocabulary, counted = len({w for each in TRAINING for w in each}) + 1, pairs_of(TRAINING)
    after, types = Counter(), Counter()
    for (h, _), n in counted.items():
        after[h] += n
        types[h] += 1
    a, contexts = float(alpha), [h for each in HELD for h in ("<s>", *each[:-1])]
    given = [a * (vocabulary - types[h]) / (after[h] + a * vocabulary) for h in contexts]
    assert masses(beat["picture"]["data"])[0] == pytest.approx(np.mean(given))
    assert verdict in beat["done"] and "57%" in said_in(beat)


def test_what_is_taken_off_all_counts_is_the_last_bar():
    data = picture("smoothing", "discount")["figure"]["data"]
    assert numbers(data[2]["x"]).tolist() == [0.75 * len(AFTER_SWEET)] == [15.75]
    assert [AFTER_SWEET[w] for w in ("lord", "and", "heavens", "queen", "prince")] == [3, 2, 2, 1, 1]
    assert all(n == 1 for w, n in AFTER_SWEET.items() if w not in ("lord", "and", "heavens"))
    assert "63%" in said_in(document("smoothing", "discount"))


def test_love_follows_more_different_words_than_lord_although_lord_is_more_frequent():
    data = picture("smoothing", "rivals", True)
    for word in ("lord", "love"):
        assert bars(data, 0)[word] == WORDS[word]
        assert bars(data, 1)[word] == len({h for h, w in PAIRS if w == word})
        assert PAIRS["poor", word] == 0
    assert bars(data, 0)["lord"] > bars(data, 0)["love"] and bars(data, 1)["lord"] < bars(data, 1)["love"]
    assert f"{PAIRS['my', 'lord']} times after my" in said_in(document("smoothing", "rivals", True))
    assert (
        "different" not in json.dumps(picture("smoothing", "rivals"))
        and document("smoothing", "rivals", True)["ask"]["answer"] == "love"
    )
    counted = count_text(sample("hamlet").read().text, order=5)
    p = kneser_ney(counted.counts, 2, 0.75).scores(counted.read("poor"))
    assert p[counted.vocabulary["love"]] > p[counted.vocabulary["lord"]]


def test_kneser_ney_expects_as_many_new_pairs_with_lord_as_there_are():
    counted = pairs_of(TRAINING)
    came = sum(w == "lord" and not counted[h, w] for each in HELD for h, w in pairwise(("<s>", *each)))
    expected, kneser_ney_s, really = bars(picture("smoothing", "proof")).values()
    assert really == came == 2
    assert abs(kneser_ney_s - came) < 1 < 7 < expected - came
    assert sum(expected**k / factorial(k) for k in range(came + 1)) * exp(-expected) < 0.01  # Poisson
    assert "it expects and most of all new words, then of" in said_in(document("smoothing", "proof"))


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("lord", "lord follows sweet 3 of 25 times"),
        ("love", "love never follows sweet"),
        ("Ofen", "ofen is not in Hamlet"),
        ("مرحبا", "is not in Hamlet"),
        ("<unk>", "unk is not in Hamlet"),
        ("my old love", "We take the last word, love."),
        ("?!", "We found no word in this, so the picture shows king"),
    ],
)
def test_a_word_of_one_s_own_is_said_to_be_what_it_is(typed, expected):
    beat = document("smoothing", "own", word=typed)
    assert expected in said_in({"words": beat["done"]})
    data = bars(beat["picture"]["data"])
    assert data["one added"] == pytest.approx((AFTER_SWEET.get(typed, 0) + 1) / (25 + V))
    assert data["counts divided"] == AFTER_SWEET.get(typed, 0) / 25


def test_stupid_back_off_sums_to_more_than_one():
    seen = sum(WORDS[w] for w in AFTER_SWEET)
    total = 1 + 0.4 * (1 - seen / sum(WORDS.values()))
    assert f"sum to {total:.2f}" in said_in(document("smoothing", "scores"))
    assert masses(picture("smoothing", "scores"))[1] == pytest.approx(total - 1)


def test_the_answer_compares_what_is_given_with_what_is_new():
    given = masses(picture("smoothing", "answer"))
    assert [round(each, 2) for each in given] == [0, 0.92, 0.46]
    assert abs(given[2] - 0.57) < abs(given[1] - 0.57) < 0.57  # the nearest is Kneser-Ney, then one added
    counted = count_text(sample("hamlet").read().text, order=2, hold_out=10)
    modified = mean_unseen_mass(kneser_ney(counted.counts, 2), counted.held_out)
    assert abs(modified - 0.57) < abs(given[2] - 0.57)


def test_a_beat_opens_the_lab_on_the_play_at_its_context():
    assert document("smoothing", "discount")["lab"] == (
        "smoothing?lab=true&smoothing_smoothing=absolute+discounting&smoothing_words_after=sweet&text_source_sample=Hamlet"
    )
    app = open_lesson("smoothing", words_after="sweet", smoothing="Kneser-Ney")
    assert "After “sweet”, your text has 21 of 4,676 types." in said(app)


# The lab.


def test_smoothing_shows_the_mass_that_moved():
    app = open_lesson("smoothing", SAM, words_after="i", smoothing="add-alpha", alpha="1.0")
    counted = count_text(SAM, order=5)
    moved = moved_mass(add_alpha(counted.counts, 2, 1.0), counted.read("i"))
    unseen, seen = (numbers(trace["x"]) for trace in figure(app)["data"])
    np.testing.assert_allclose(unseen, [0, moved.unseen_mass])
    np.testing.assert_allclose(seen, [*moved.before, *moved.after])
    assert unseen.sum() + seen.sum() == pytest.approx(2)
    before, after = (numbers(trace["x"]) for trace in figures(app)[1]["data"])
    np.testing.assert_allclose(before, moved.before)
    np.testing.assert_allclose(after, moved.after)
    assert f"**{moved.unseen_mass:.1%}** of the probability" in said(app)


@pytest.mark.parametrize("text", THREE.values(), ids=THREE)
def test_without_smoothing_new_sentences_become_impossible(text):
    whole, broken = (open_lesson("smoothing", text, n="3", raw=raw, unseen="true") for raw in (False, True))
    shown = metrics(broken)
    assert shown["with smoothing"] == "0.0%"
    assert float(shown["without smoothing"].rstrip("%")) > 20
    assert numbers(figure(whole)["data"][0]["x"])[-1] > 0
    assert numbers(figure(broken)["data"][0]["x"])[-1] == 0
    assert "None of them: nothing is left" in said(broken)


def test_too_few_held_out_tokens_are_said_to_be_too_few():
    app = open_lesson("smoothing", "only one sentence here", raw="true")
    assert "no second sentence to hold out" in said(app) and not metrics(app)
    german = "Der alte Hund schläft vor dem Ofen. Draußen schneit es seit Tagen."
    assert "That is too small to measure" in said(open_lesson("smoothing", german, raw="true"))
    assert "That is too small to measure" not in said(open_lesson("smoothing", raw="true"))
    assert "seen only once: too small a sample" in said(open_lesson("smoothing", german, words_after="hund"))


def test_stupid_backoff_is_offered_and_called_no_probability():
    app = open_lesson("smoothing", SAM, words_after="i", smoothing="stupid back-off", ways="true")
    counted = count_text(SAM, order=5)
    scores = stupid_backoff(counted.counts, 2).scores(counted.read("i"))
    assert scores.sum() != pytest.approx(1, abs=0.01)
    assert f"scores and not probabilities: together they sum to {scores.sum():.3f}" in said(app)
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
    assert "All unseen tokens get the same" in said(open_lesson("smoothing", text, unseen="true"))
    app = open_lesson("smoothing", text, smoothing="Kneser-Ney", n="3", unseen="true")
    assert "times an even share" in said(app)
    shown = numbers(figures(app)[2]["data"][0]["x"])
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
    app = open_lesson("smoothing", "no no no no no", words_after="no", unseen="true")
    assert "After “no”, your text has 2 of 3 types. The other one gets" in said(app)
    assert "There is only one: “<unk>”." in said(app)
    app = open_lesson("smoothing", "a b", words_after="a")
    assert "your text has 1 of 4 types. The other 3 get" in said(app)


def test_the_share_is_hidden_until_the_guess():
    app = open_lesson("smoothing", predict="true")
    assert not figures(app)
    assert "68.7%" not in said(app)
    assert "68.7%" in said(guess(app, "more than a half"))
