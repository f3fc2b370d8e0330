"""The page on logistic regression says what scikit-learn finds, on the reviews, on two plays and on pasted documents."""

import re
from functools import cache

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression as Peer

from core.figures.worked import percent, signed
from core.lesson.footer import NUMBERS
from core.models.documents.bag_of_words import learnt_and_held_out
from core.models.documents.logistic_regression import LogisticRegression
from core.models.documents.two_weights import UNMOVED, descend, two_weights
from core.text.reading.labelled import read_lines
from core.text.tokenization.tokens import words
from pages.documents.logistic_regression import STEPS
from pages.documents.shared.labelled_source import EXAMPLE, WORDS_AT_MOST
from pages.documents.shared.learnt import UNPENALISED_STEPS
from tests.lessons.documents.labelled_page import documents, open_on
from tests.lessons.lesson_page import (
    figures,
    frames,
    guess,
    metrics,
    numbers,
    question,
    said,
    sent,
    table_with,
    unpacked,
)

EVERY = pytest.mark.parametrize("which", ["reviews", "two plays", "pasted"])
CLASS = {"reviews": 1, "two plays": 1, "pasted": 0}  # of more than two classes the first is chosen


@cache
def opened(which, **query):
    return open_on("logistic_regression", which, **query)


@cache
def peer(which, l2=1.0):
    learnt, rest, _ = learnt_and_held_out(documents()[which].texts, documents()[which].labels)
    y, truth = (bags.y == CLASS[which] for bags in (learnt, rest))
    model = Peer(C=1 / l2, solver="newton-cg", tol=1e-10, max_iter=10_000).fit(learnt.X, y.astype(int))
    return model, learnt, rest, y.astype(int), truth.astype(int)


def pair_of(app, learnt):
    """Return the columns of the two words whose weights are moved."""
    return tuple(learnt.index[name.strip("“”")] for name in sent(app, "attend_steps")["shared"]["names"])


@EVERY
@pytest.mark.parametrize("rate", ["0.1", "2.0"])
def test_the_way_is_core_s_and_its_lowest_place_scikit_learn_s_weights(which, rate):
    app = opened(which, rate=rate)
    model, learnt, _, y, _ = peer(which)
    pair, shared = pair_of(app, learnt), sent(app, "attend_steps")["shared"]
    assert shared["least"] == pytest.approx(model.coef_[0][list(pair)], abs=1e-4)
    surface = two_weights(LogisticRegression(1.0).fit(learnt.X, y), learnt.X, y, pair, 1.0)
    path = descend(surface, np.zeros(2), float(rate), STEPS)
    np.testing.assert_allclose(unpacked(shared["path"]), path.ravel(), rtol=1e-4, atol=1e-4)
    losses = surface.loss(path)
    rose = int((np.diff(losses) > UNMOVED).sum())
    shown = said(app)
    assert f"bring J from {losses[0]:,.2f} to {losses[-1]:,.2f}; its lowest is" in shown
    assert ("the rate is too large" in shown) == (rose > 0)
    ups = [i for i, step in enumerate(frames(app)) if "went up by" in step["said"]]
    assert len(ups) == rose
    if float(rate) < surface.safe_rate:
        assert rose == 0


def test_on_the_reviews_the_first_rate_comes_down_and_a_large_one_runs_away():
    assert "the rate is too large" not in said(opened("reviews", rate="0.1"))
    shown = said(opened("reviews", rate="2.0"))
    assert f"{STEPS} of them go up: the rate is too large." in shown


@EVERY
def test_the_document_is_worked_as_scikit_learn_reads_it(which):
    app = opened(which)
    model, learnt, *_ = peer(which)
    key = "logistic_regression_sentence" if which == "reviews" else "logistic_regression_own_sentence"
    bag = learnt.counted(words(app.text_input(key=key).value)[:WORDS_AT_MOST])
    p = model.predict_proba(bag)[0, 1]
    name = learnt.classes[CLASS[which]]
    assert f"p({name}) = {percent(p)}. If its label is {name} it costs {-np.log(p):.3f}" in said(app)
    assert f"up by {1 - p:.3f} for every time" in said(app)
    terms = table_with(app, "w x")
    assert terms["w x"].sum() == pytest.approx(model.decision_function(bag)[0], abs=1e-3)
    told = said(opened(which, beat="logistic_regression.5"))
    numbers_told = r"here (\S+)\. The sigmoid.* of it, \S+%\..* probability, (\S+)%: (\S+)\."
    shown, own, loss = re.search(numbers_told, told).groups()
    z = float(shown.replace("\N{MINUS SIGN}", "-"))
    assert 1 / (1 + np.exp(-z)) == pytest.approx(float(own) / 100, abs=1e-4), (
        "the numbers shown give one another"
    )
    assert -np.log(float(own) / 100) == pytest.approx(float(loss), abs=1e-3)
    other = opened(which, label="false")
    assert f"it costs {-np.log(1 - p):.3f}" in said(other) and f"down by {p:.3f} for every time" in said(
        other
    )


@EVERY
def test_the_strongest_words_and_the_held_out_accuracy_are_scikit_learn_s(which):
    app = opened(which)
    model, learnt, rest, _, truth = peer(which)
    w = model.coef_[0]
    assert (
        f"“{learnt.vocabulary[w.argmax()]}” speaks most for {learnt.classes[CLASS[which]]}, +{w.max():.2f}"
        in said(app)
    )
    assert f", {signed(w.min())}." in said(app)
    right = int((model.predict(rest.X) == truth).sum())
    assert f"Logistic regression is right on {right:,} of {len(truth):,} held-out documents" in said(app)


@EVERY
def test_without_a_penalty_the_weights_are_longer_and_it_is_said_why(which):
    app = opened(which, free="true", beat="logistic_regression.6")
    _, learnt, _, y, _ = peer(which)
    whole, free = (
        LogisticRegression(1.0).fit(learnt.X, y),
        LogisticRegression(0.0, UNPENALISED_STEPS).fit(learnt.X, y),
    )
    found = metrics(app)
    assert found["Length of all weights, whole"] == f"{whole.lengths_[-1]:,.1f}"
    assert found["Length of all weights, broken"] == f"{free.lengths_[-1]:,.1f}"
    assert free.lengths_[-1] > whole.lengths_[-1]
    assert f"after {len(free.lengths_)} steps all weights together are" in said(app)
    wrong = int(((free.decision(learnt.X) > 0) != y).sum())
    assert ("are on their right side" in said(app)) == (wrong == 0)
    assert ("on the wrong side after the last step" in said(app)) == (wrong > 0)
    assert numbers(sent(app, "attend_steps")) != numbers(sent(opened(which), "attend_steps"))


def test_the_reviews_can_be_separated_so_there_is_no_lowest_place():
    assert "falls for ever, and has no lowest place" in said(opened("reviews", free="true"))


def test_until_the_guess_no_weight_is_sent():
    asked = open_on("logistic_regression", "reviews", predict="true", below=NUMBERS)
    assert frames(asked) == [] and "speaks most for" not in said(asked)
    answered = guess(asked, question(asked).options[0])
    assert frames(answered) != [] and "speaks most for" in said(answered)


@EVERY
def test_the_answer_is_the_weight_that_goes_farther(which):
    asked = open_on("logistic_regression", which, predict="true")
    model, learnt, *_ = peer(which)
    far = {name: abs(model.coef_[0][learnt.index[name]]) for name in question(asked).options[:2]}
    one, other = far
    apart = abs(far[one] - far[other]) > 2e-3
    answer = max(far, key=far.get) if apart else "neither"
    assert ("Right." in said(guess(asked, answer))) or not apart


def test_two_words_are_chosen_and_never_one_twice():
    app = opened("reviews", one="lid", other="dull")
    assert sent(app, "attend_steps")["shared"]["names"] == ["“lid”", "“dull”"]
    same = opened("reviews", one="blurred")
    assert len(set(sent(same, "attend_steps")["shared"]["names"])) == 2


def test_words_of_own_documents_are_not_in_the_address():
    app = opened("pasted")
    assert not any("one" in name or "class" in name for name in app.query_params)


def test_documents_with_a_single_word_are_answered_with_a_sentence():
    app = open_on("logistic_regression", "reviews")
    for lines in ("a\tword\nb\tword\n" * 6, "a\t...\nb\t!!!\n" * 6):
        app.session_state["labelled_own"] = read_lines(lines)
        app = app.run()
        assert not app.exception and "fewer than two different words" in said(app)
    app.session_state["labelled_own"] = read_lines("a\tone two\nb\tone two\n" * 6)
    app = app.run()
    assert not app.exception and "Every weight is 0" in said(app)


@pytest.mark.parametrize("text", ["🦜 🎉", "早上好。", "<b>x</b> $a$ `c`", " ", "lid " * 90])
@pytest.mark.parametrize("free", ["false", "true"])
def test_no_text_breaks_the_page(text, free):
    app = open_on("logistic_regression", "reviews", sentence=text, free=free)
    assert len(figures(app)) >= 3


def test_the_example_is_what_stands_in_the_field():
    assert opened("reviews").text_input(key="logistic_regression_sentence").value == EXAMPLE
