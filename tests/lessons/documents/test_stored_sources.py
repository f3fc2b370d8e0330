"""The three lessons on counts and weights that are stored without documents: every number is of what is stored."""

from functools import cache

import numpy as np
import pytest

from core.lesson.footer import NUMBERS
from core.models.stored import load_card, load_json, load_weights
from core.text.tokenization.tokens import words
from core.words.numbers import percent, signed
from pages.documents.shared.learnt_source import EXAMPLES, STORED
from tests.lessons.documents.labelled_page import open_on
from tests.lessons.lesson_page import figures, frames, guess, metrics, question, said

EVERY = pytest.mark.parametrize("which", list(STORED))


@cache
def opened(lesson, which, **query):
    return open_on(lesson, "reviews", learnt=which, **query)


def stored(which):
    name = STORED[which]
    about = load_json(name, "vocabulary")
    index = {word: place for place, word in enumerate(about["words"])}
    return load_weights(name), about["classes"], index


def columns(which, index):
    return [index[word] for word in words(EXAMPLES[STORED[which]]) if word in index]


@EVERY
@pytest.mark.parametrize("alpha", [0.3, 1.0])
def test_naive_bayes_adds_up_the_stored_counts(which, alpha):
    arrays, classes, index = stored(which)
    n, documents = arrays["counts"][0].astype(float), arrays["documents"]
    sums = np.log(documents / documents.sum())
    for v in columns(which, index):
        sums = sums + np.log((n[:, v] + alpha) / (n.sum(axis=1) + alpha * n.shape[1]))
    p = np.exp(sums - np.logaddexp.reduce(sums))
    app = opened("naive_bayes", which, alpha=alpha)
    assert f"Naive Bayes chooses {classes[p.argmax()]}, p = {percent(p.max())}" in said(app)
    assert len(frames(app)) == len(columns(which, index)) + 2


@EVERY
def test_the_held_out_accuracy_is_the_card_s(which):
    quality = load_card(STORED[which]).quality
    shown = said(opened("naive_bayes", which, alpha=1.0, judged="true"))
    share, low, high = (quality[f"naive Bayes{each}"] for each in ("", ", 95% from", ", 95% to"))
    assert f"{share:.1%}, 95% interval {low:.1%} to {high:.1%}" in shown
    assert "no document is stored" in shown and "nothing can be learned again" in shown


@EVERY
def test_logistic_regression_adds_up_the_stored_weights(which):
    arrays, classes, index = stored(which)
    b, w = (
        arrays["intercept"][2, 0],
        arrays["coef"][2, 0].astype(float),
    )  # penalty 1, the first class with weights
    z = float(b) + w[columns(which, index)].sum()
    app = opened("logistic_regression", which)
    name = classes[1] if len(classes) == 2 else classes[0]
    assert f"p({name}) = **{percent(1 / (1 + np.exp(-z)))}**." in said(app)
    assert "The way down the loss and weights without a penalty need documents" in said(app)


@EVERY
@pytest.mark.parametrize("copies", ["false", "true"])
def test_both_sums_of_the_tug_of_war_are_the_stored_ones(which, copies):
    arrays, classes, index = stored(which)
    c, times = 1 if len(classes) == 2 else 0, 3 if copies == "true" else 1
    n, documents = arrays["counts"][0].astype(float), arrays["documents"]
    two = np.stack([n.sum(axis=0) - n[c], n[c]])
    logs = np.log(two + 1) - np.log(times * (two.sum(axis=1) + two.shape[1]))[:, None]
    z = np.log(documents[c] / (documents.sum() - documents[c]))
    z += times * sum(logs[1, v] - logs[0, v] for v in columns(which, index))
    app = opened("tug_of_war", which, copies=copies)
    assert f"Naive Bayes scores {signed(z, 2)}" in said(app)
    if copies == "true":
        whole, broken = (float(each) for each in list(metrics(app).values())[:2])
        assert broken > whole > 0


@EVERY
def test_without_smoothing_words_silence_stored_classes_too(which):
    found = metrics(opened("naive_bayes", which, raw="true"))
    assert found["with α"] == "0.0%" and float(found["with nothing added"].rstrip("%")) > 5


@pytest.mark.parametrize("lesson", ["naive_bayes", "logistic_regression", "tug_of_war"])
def test_until_the_guess_the_answer_is_not_sent(lesson):
    app = open_on(lesson, "reviews", learnt="text messages", predict="true", below=NUMBERS)
    hidden = ("Naive Bayes chooses", "p(spam) =", "Naive Bayes scores")
    assert not any(each in said(app) for each in hidden) and frames(app) == []
    assert question(app).options
    shown = said(guess(app))
    assert any(each in shown for each in hidden)


@pytest.mark.parametrize("text", ["🦜 🎉", "早上好。", "<b>x</b> $a$ `c`", " ", "the " * 90, "zzzzz"])
def test_no_text_breaks_a_page(text):
    for lesson in ("naive_bayes", "logistic_regression", "tug_of_war"):
        app = open_on(lesson, "reviews", learnt="text messages", classify_sms_sentence=text)
        assert figures(app) or frames(app)
