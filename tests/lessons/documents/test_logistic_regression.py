"""Logistic regression: the story against scikit-learn, torch and counts by hand; the lab on three sets of documents."""

from functools import cache
from itertools import pairwise

import numpy as np
import pytest
import torch
from sklearn.linear_model import LogisticRegression as Peer

from core.lesson.footer import NUMBERS
from core.models.documents.bag_of_words import learnt_and_held_out
from core.models.documents.logistic_regression import LogisticRegression
from core.models.documents.stored_classifiers import stored_classifiers
from core.models.documents.two_weights import UNMOVED, descend, two_weights
from core.text.reading.labelled import read_lines
from core.text.tokenization.tokens import words
from core.words.numbers import percent, signed
from pages.documents.logistic_regression.page import (
    FAST,
    FILMS,
    L2S,
    RATE,
    REVIEW,
    SHOWN,
    SLOW,
    STEPS,
    STEPS_MADE,
)
from pages.documents.shared.labelled_source import EXAMPLE, WORDS_AT_MOST
from pages.documents.shared.learnt import UNPENALISED_STEPS
from tests.lessons.documents.labelled_page import documents, open_on
from tests.lessons.lesson_page import (
    document,
    figures,
    frames,
    guess,
    metrics,
    numbers,
    picture,
    question,
    said,
    said_in,
    sent,
    table_with,
    unpacked,
)

EVERY = pytest.mark.parametrize("which", ["reviews", "two plays", "pasted"])
CLASS = {"reviews": 1, "two plays": 1, "pasted": 0}  # of more than two classes the first is chosen


LESSON = "logistic_regression"
OPENED = {"document": "true", "strongest": "true", "judged": "true"}


@cache
def opened(which, **query):
    return open_on(LESSON, which, **OPENED, **query)


@cache
def peer(which, l2=1.0):
    learnt, rest, _ = learnt_and_held_out(documents()[which].texts, documents()[which].labels)
    y, truth = (bags.y == CLASS[which] for bags in (learnt, rest))
    model = Peer(C=1 / l2, solver="newton-cg", tol=1e-10, max_iter=10_000).fit(learnt.X, y.astype(int))
    return model, learnt, rest, y.astype(int), truth.astype(int)


# The story.


def rows_of(beat, *revealed, **changes):
    """Return the bars of a beat's picture by name: (from, to, text)."""
    rows = picture(LESSON, beat, *revealed, **changes)["panels"][0]["rows"]
    return {row["name"]: (row["from"], row["to"], row["text"]) for row in rows}


def test_the_weights_are_scikit_learn_s_and_hidden_until_the_guess():
    model, learnt, *_ = peer("reviews")
    assert {text for _, _, text in rows_of("weights").values()} == {"?"}
    for word, (_, to, _) in rows_of("weights", True).items():
        assert to == pytest.approx(model.coef_[0][learnt.index[word]], abs=1e-3)
    far = max(("great", "terrible", "blurred"), key=lambda word: abs(model.coef_[0][learnt.index[word]]))
    assert document(LESSON, "weights", True)["ask"]["answer"] == far == "blurred"
    n = learnt.X[:, learnt.index[far]].toarray()[:, 0]
    told = said_in(document(LESSON, "weights", True))
    assert f"{int(n[learnt.y == 0].sum())} of its {int(n.sum())} uses" in told


def test_the_review_s_score_is_the_sum_of_scikit_learn_s_weights():
    model, learnt, *_ = peer("reviews")
    bag = learnt.counted(words(REVIEW))
    z, p = model.decision_function(bag)[0], model.predict_proba(bag)[0]
    rows = picture(LESSON, "score")["panels"][0]["rows"]
    assert rows[0]["to"] == pytest.approx(model.intercept_[0], abs=1e-3)
    assert all(one["to"] == pytest.approx(other["from"]) for one, other in pairwise(rows[:-1]))
    assert rows[-1]["to"] == pytest.approx(z, abs=2e-3)
    assert f"gives {p[1]:.0%} for positive" in said_in(document(LESSON, "sigmoid_of"))
    told = said_in(document(LESSON, "loss"))
    assert f"costs {-np.log(p[1]):.2f}" in told and f"costs {-np.log(p[0]):.2f}" in told


def test_the_first_pulls_are_half_of_the_difference_of_two_counts():
    _, learnt, _, y, _ = peer("reviews")
    for word, (_, to, _) in rows_of("pulls").items():
        n = learnt.X[:, learnt.index[word]].toarray()[:, 0]
        assert to == (n[y == 1].sum() - n[y == 0].sum()) / 2, word
    told = said_in(document(LESSON, "pulls"))
    assert "by 21 times the learning rate" in told and told.endswith("to 0.021.")


@cache
def trained_by_torch(rate, steps):
    """Return w and J after each step of torch.optim.SGD on the same loss."""
    _, learnt, _, y, _ = peer("reviews")
    X, target = torch.tensor(learnt.X.toarray()), torch.tensor(y, dtype=torch.float64)
    w = torch.zeros(X.shape[1], dtype=torch.float64, requires_grad=True)
    b = torch.zeros((), dtype=torch.float64, requires_grad=True)
    optimizer, found = torch.optim.SGD([w, b], lr=rate), []
    for _ in range(steps + 1):
        optimizer.zero_grad()
        loss = torch.nn.functional.binary_cross_entropy_with_logits(X @ w + b, target, reduction="sum")
        loss = loss + w @ w / 2
        found.append((w.detach().clone().numpy(), float(loss)))
        loss.backward()
        optimizer.step()
    return found


@pytest.mark.parametrize("steps", STEPS_MADE)
def test_the_weights_after_so_many_steps_are_torch_s(steps):
    _, learnt, *_ = peer("reviews")
    w, J = trained_by_torch(RATE, int(STEPS_MADE[-1]))[int(steps)]
    for word, (_, to, _) in rows_of("descend", made=steps).items():
        assert to == pytest.approx(w[learnt.index[word]], abs=1e-6)
    told = document(LESSON, "descend", made=steps)["done"]
    assert f"{J:.1f}" in told
    if steps != "0":  # great is in more reviews than love, and has gone a larger share of its way
        end = {word: peer("reviews")[0].coef_[0][learnt.index[word]] for word in ("great", "love")}
        great, love = (f"{w[learnt.index[word]] / end[word]:.1%}" for word in ("great", "love"))
        assert f"<em>great</em> has gone <strong>{great}</strong>" in told and f"<em>love</em> {love}" in told
    assert set(SHOWN) == set(rows_of("descend", made=steps))


def test_the_losses_of_three_rates_are_torch_s_and_the_large_one_is_hidden_until_the_guess():
    hidden = picture(LESSON, "rate_of")["figure"]["data"]
    assert numbers(hidden[2]["y"]) == []
    for trace, rate in zip(
        picture(LESSON, "rate_of", True)["figure"]["data"], (SLOW, RATE, FAST), strict=True
    ):
        drawn = numbers(trace["y"])
        np.testing.assert_allclose(drawn, [J for _, J in trained_by_torch(rate, len(drawn) - 1)], rtol=1e-6)
    assert document(LESSON, "rate_of", True)["ask"]["answer"] == "jumps"


@pytest.mark.parametrize("l2", L2S)
def test_a_larger_penalty_makes_shorter_weights_as_scikit_learn_s(l2):
    model, _, rest, _, truth = peer("reviews", float(l2))
    told = document(LESSON, "penalised", held_back=l2)["done"]
    assert f"the length is {np.linalg.norm(model.coef_):.1f}" in told
    assert f"{(model.predict(rest.X) == truth).mean():.1%} of {len(truth)} held-out" in told


def test_the_accuracy_on_films_is_that_of_the_stored_tables():
    stored = stored_classifiers(FILMS)
    told = said_in(document(LESSON, "right"))
    for table in (stored.arrays["regression"][2, 0], stored.arrays["bayes"][0, 10]):
        assert f"{np.trace(table) / table.sum():.1%}" in told
    low, high = stored.regression_confusion(1, 1.0).interval
    assert low < stored.bayes_confusion(1.0).accuracy < high, "then they are too close to call"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("🦜", "none of these words"),
        ("Das ist ein schöner Tag", "none of these words"),
        ("great great great", "The strongest word is <em>great</em>, +"),
    ],
)
def test_an_own_review_gets_a_sentence_that_fits_it(text, told):
    assert told in document(LESSON, "own", sentence=text)["done"]


# The lab.


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
    assert f"bring J from {losses[0]:,.2f} to **{losses[-1]:,.2f}**. Its lowest value is" in shown
    assert ("the rate is too large" in shown) == (rose > 0)
    ups = [i for i, step in enumerate(frames(app)) if "went up by" in step["said"]]
    assert len(ups) == rose
    if float(rate) < surface.safe_rate:
        assert rose == 0


def test_on_the_reviews_the_first_rate_comes_down_and_a_large_one_runs_away():
    assert "the rate is too large" not in said(opened("reviews", rate="0.1"))
    shown = said(opened("reviews", rate="2.0"))
    assert f"{STEPS} steps go up: the rate is too large." in shown


@EVERY
def test_the_document_is_worked_as_scikit_learn_reads_it(which):
    app = opened(which)
    model, learnt, *_ = peer(which)
    key = "logistic_regression_sentence" if which == "reviews" else "logistic_regression_own_sentence"
    bag = learnt.counted(words(app.text_input(key=key).value)[:WORDS_AT_MOST])
    p = model.predict_proba(bag)[0, 1]
    name = learnt.classes[CLASS[which]]
    assert f"p({name}) = **{percent(p)}**. If its label is {name}, it costs {-np.log(p):.3f}" in said(app)
    assert f"up by {1 - p:.3f} per occurrence" in said(app)
    terms = table_with(app, "w x")
    assert terms["w x"].sum() == pytest.approx(model.decision_function(bag)[0], abs=1e-3)
    other = opened(which, label="false")
    assert f"it costs {-np.log(1 - p):.3f}" in said(other)
    assert f"down by {p:.3f} per occurrence" in said(other)


@EVERY
def test_the_strongest_words_and_the_held_out_accuracy_are_scikit_learn_s(which):
    app = opened(which)
    model, learnt, rest, _, truth = peer(which)
    w = model.coef_[0]
    assert (
        f"“{learnt.vocabulary[w.argmax()]}” has the largest weight for {learnt.classes[CLASS[which]]}, +{w.max():.2f}"
        in said(app)
    )
    assert f", {signed(w.min())}." in said(app)
    right = int((model.predict(rest.X) == truth).sum())
    assert f"Logistic regression is right on {right:,} of {len(truth):,} held-out documents" in said(app)


@EVERY
def test_without_a_penalty_the_weights_are_longer_and_it_is_said_why(which):
    app = opened(which, free="true")
    _, learnt, _, y, _ = peer(which)
    whole, free = (
        LogisticRegression(1.0).fit(learnt.X, y),
        LogisticRegression(0.0, UNPENALISED_STEPS).fit(learnt.X, y),
    )
    found = metrics(app)
    assert found["Length of all weights, with the penalty"] == f"{whole.lengths_[-1]:,.1f}"
    assert found["Length of all weights, without it"] == f"{free.lengths_[-1]:,.1f}"
    assert free.lengths_[-1] > whole.lengths_[-1]
    assert f"** after {len(free.lengths_)} steps." in said(app)
    wrong = int(((free.decision(learnt.X) > 0) != y).sum())
    assert ("get their own label" in said(app)) == (wrong == 0)
    assert ("the wrong label" in said(app)) == (wrong > 0)
    assert numbers(sent(app, "attend_steps")) != numbers(sent(opened(which), "attend_steps"))


def test_the_reviews_can_be_separated_so_there_is_no_lowest_place():
    assert "falls for ever and has no lowest value" in said(opened("reviews", free="true"))


def test_until_the_guess_no_weight_is_sent():
    asked = open_on(LESSON, "reviews", predict="true", below=NUMBERS, **OPENED)
    assert frames(asked) == [] and "has the largest weight" not in said(asked)
    answered = guess(asked, question(asked).options[0])
    assert frames(answered) != [] and "has the largest weight" in said(answered)


@EVERY
def test_the_answer_is_the_weight_that_goes_farther(which):
    asked = open_on(LESSON, which, predict="true")
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
    app = open_on(LESSON, "reviews", **OPENED)
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
    app = open_on(LESSON, "reviews", sentence=text, free=free, **OPENED)
    assert len(figures(app)) >= 3


def test_the_example_is_what_stands_in_the_field():
    assert opened("reviews").text_input(key="logistic_regression_sentence").value == EXAMPLE
