"""The page on the tug-of-war says what scikit-learn's two classifiers add up to, on three sets of documents."""

from functools import cache

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression as PeerRegression
from sklearn.metrics import log_loss
from sklearn.naive_bayes import MultinomialNB

from core.figures.documents.tug_of_war import METHODS
from core.figures.worked import percent, signed
from core.lesson.footer import NUMBERS
from core.models.documents.bag_of_words import learnt_and_held_out
from core.models.documents.tug_of_war import copied
from core.text.reading.labelled import read_lines
from core.text.tokenization.tokens import words
from pages.documents.shared.labelled_source import WORDS_AT_MOST
from pages.documents.tug_of_war import COPIES
from tests.lessons.documents.labelled_page import documents, open_on
from tests.lessons.lesson_page import (
    figure,
    figures,
    guess,
    metrics,
    numbers,
    open_lesson,
    question,
    said,
    table_with,
)

EVERY = pytest.mark.parametrize("which", ["reviews", "two plays", "pasted"])
CLASS = {"reviews": 1, "two plays": 1, "pasted": 0}


@cache
def opened(which, **query):
    return open_on("tug_of_war", which, **query)


@cache
def peers(which, copies=1):
    learnt, rest, _ = learnt_and_held_out(documents()[which].texts, documents()[which].labels)
    X, y = copied(learnt.X, copies), (learnt.y == CLASS[which]).astype(int)
    regression = PeerRegression(C=1.0, solver="newton-cg", tol=1e-10, max_iter=10_000)
    models = MultinomialNB(alpha=1.0).fit(X, y), regression.fit(X, y)
    return models, learnt, copied(rest.X, copies), (rest.y == CLASS[which]).astype(int)


def typed(app, which):
    key = "tug_of_war_sentence" if which == "reviews" else "tug_of_war_own_sentence"
    return words(app.text_input(key=key).value)[:WORDS_AT_MOST]


def sums(which, tokens, copies=1):
    models, learnt, *_ = peers(which, copies)
    bag = copied(learnt.counted(tokens), copies)
    p = models[0].predict_log_proba(bag)[0]
    return np.array([p[1] - p[0], models[1].decision_function(bag)[0]])


@EVERY
@pytest.mark.parametrize("copies", ["false", "true"])
def test_the_terms_that_are_shown_add_up_to_the_sums_that_are_scikit_learn_s(which, copies):
    app = opened(which, copies=copies)
    z = sums(which, typed(app, which), COPIES if copies == "true" else 1)
    table = table_with(app, METHODS[0])
    for place, method in enumerate(METHODS):
        *terms, total = table[method]
        assert sum(terms) == pytest.approx(total)
        assert total == pytest.approx(z[place], abs=2e-3)
        drawn = numbers(figure(app)["data"][place]["x"])
        assert drawn == pytest.approx([*terms, total])


@EVERY
def test_the_sentence_says_both_sums_and_where_they_part(which):
    app = opened(which)
    z = sums(which, typed(app, which))
    shown, p = said(app), 1 / (1 + np.exp(-z))
    name = peers(which)[1].classes[CLASS[which]]
    assert f"Naive Bayes adds up to {signed(z[0], plus='+')}, p({name}) = {percent(p[0])}" in shown
    assert f"logistic regression to {signed(z[1], plus='+')}, {percent(p[1])}." in shown
    table = table_with(app, METHODS[0])[1:-1]
    apart = (table[METHODS[0]] - table[METHODS[1]]).abs()
    assert f"They part most over “{table['word'][apart.idxmax()]}”" in shown


def test_on_the_example_the_two_do_not_agree():
    z = sums("reviews", typed(opened("reviews"), "reviews"))
    assert z[0] < 0 < z[1]


@EVERY
def test_copied_features_raise_the_loss_that_is_scikit_learn_s(which):
    app = opened(which, copies="true")
    losses = []
    for copies in (1, COPIES):
        models, _, X, y = peers(which, copies)
        losses.append([log_loss(y, model.predict_proba(X)[:, 1], labels=[0, 1]) for model in models])
    found = metrics(app)
    name = "Naive Bayes: mean loss of a held-out document"
    assert float(found[f"{name}, whole"]) == pytest.approx(losses[0][0], abs=6e-4)
    assert float(found[f"{name}, broken"]) == pytest.approx(losses[1][0], abs=6e-4)
    if which == "reviews":
        assert losses[1][0] > 2 * losses[0][0] and losses[1][1] < 1.1 * losses[0][1]
    assert f"from {losses[0][1]:.3f} to {losses[1][1]:.3f}" in said(app)
    assert numbers(figure(app)) != numbers(figure(opened(which)))


@EVERY
def test_how_sure_both_are_and_how_often_right(which):
    models, _, X, y = peers(which)
    shown = said(opened(which))
    for method, model in zip(METHODS, models, strict=True):
        p = model.predict_proba(X)
        right = (p.argmax(axis=1) == y).mean()
        sure = p.max(axis=1).mean()
        assert f"{method} is right on {percent(right)} and on average {percent(sure)} sure" in shown


def test_what_is_almost_sure_is_not_said_to_be_sure():
    shown = said(open_lesson("tug_of_war", learnt="news", copies="true"))
    assert "naive Bayes is right on" in shown and "100.0% sure" not in shown


def test_on_the_reviews_naive_bayes_is_surer_than_right_and_logistic_regression_is_not():
    models, _, X, y = peers("reviews")
    over = [
        p.max(axis=1).mean() - (p.argmax(axis=1) == y).mean() for p in (m.predict_proba(X) for m in models)
    ]
    assert over[0] > 0 > over[1]


def test_saying_a_word_again_is_typing_it_again():
    app = opened("reviews", sentence="the lid is dull", word="dull")
    two = sums("reviews", "the lid is dull dull".split())
    lines = figures(app)[1]["data"]
    assert [numbers(line["y"])[2] for line in lines] == pytest.approx(1 / (1 + np.exp(-two)), abs=1e-3)


def test_until_the_guess_neither_sum_is_sent():
    asked = open_on("tug_of_war", "reviews", predict="true", below=NUMBERS)
    assert figures(asked) == [] and "adds up to" not in said(asked)
    z = sums("reviews", typed(opened("reviews"), "reviews"))
    assert question(asked).options == list(METHODS)
    assert "Right." in said(guess(asked, METHODS[int(abs(z[1]) > abs(z[0]))]))


def test_words_of_own_documents_are_not_in_the_address():
    assert not any("word" in name or "sentence" in name for name in opened("pasted").query_params)


@pytest.mark.parametrize("text", ["🦜 🎉", "早上好。", "<b>x</b> $a$ `c`", " ", "lid " * 90, "zzz"])
@pytest.mark.parametrize("copies", ["false", "true"])
def test_no_text_breaks_the_page(text, copies):
    open_on("tug_of_war", "reviews", sentence=text, copies=copies)


def test_documents_without_words_leave_the_page_standing():
    app = open_on("tug_of_war", "reviews")
    for lines in ("a\tword\nb\tword\n" * 6, "a\t...\nb\t!!!\n" * 6):
        app.session_state["labelled_own"] = read_lines(lines)
        app = app.run()
        assert not app.exception
    assert "No word of this document was learnt" in said(app)
