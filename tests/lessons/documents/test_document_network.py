"""A neural text classifier: steps and training are torch's, in story and lab; counts of documents by hand."""

import re
from functools import cache

import numpy as np
import pytest
import torch
from scipy.stats import binomtest
from sklearn.linear_model import Perceptron
from sklearn.naive_bayes import MultinomialNB

from core.lesson.footer import NUMBERS
from core.models.documents.bag_of_words import learnt_and_held_out
from core.models.documents.document_network import drawn_network, shares_of
from core.models.documents.fit_documents import fit_documents
from core.models.documents.held_out import wilson
from core.text.reading.labelled import read_lines
from core.text.samples.reviews import wrongly_labelled
from core.text.tokenization.tokens import words
from pages.documents.document_network.page import READ_TIMES, REVIEW, SEED, STEP, D, H, side_of
from pages.documents.shared.labelled_source import WORDS_AT_MOST
from tests.lessons.documents.labelled_page import documents, open_on
from tests.lessons.lesson_page import (
    document,
    frames,
    guess,
    metrics,
    picture,
    question,
    said,
    said_in,
    table_with,
    unpacked,
)

EVERY = pytest.mark.parametrize("which", ["reviews", "two plays", "pasted"])
NAME = "document_network"
MEASURE = "Right on held-out documents"
OPENED = {"training": "true", "judged": "true"}


# The story.


def points_of(beat, *revealed, **changes):
    return {
        p["key"]: (p["x"], p["y"]) for p in picture(NAME, beat, *revealed, **changes)["panels"][0]["points"]
    }


def story_network():
    return drawn_network(len(split("reviews")[0].vocabulary), 2, D, H, SEED)


def test_words_begin_as_they_were_drawn_and_end_where_training_leaves_them_on_different_sides():
    learnt, rest, _ = split("reviews")
    for revealed, network in (
        (False, story_network()),
        (True, fit_documents(learnt, rest, D, H, seed=SEED).network),
    ):
        for word, place in points_of("drawn_words", revealed).items():
            assert place == pytest.approx(network.E[learnt.index[word]], abs=1e-3)
    assert document(NAME, "drawn_words", True)["ask"]["answer"] == "apart"
    last = points_of("drawn_words", True)
    X = np.array(list(last.values()))
    sides = [{"positive": 1, "negative": -1}.get(side_of(word), 0) for word in last]
    keep = np.array(sides) != 0
    assert Perceptron().fit(X[keep], np.array(sides)[keep]).score(X[keep], np.array(sides)[keep]) == 1


def test_the_star_is_the_mean_of_the_words_and_the_step_is_torch_s():
    learnt, network = split("reviews")[0], story_network()
    tokens = words(REVIEW)
    rows = [learnt.index[token] for token in tokens]
    before, after, x, p, E = torch_step(network, rows, 1, STEP)
    assert points_of("mean_of")["mean"] == pytest.approx(network.E[rows].mean(axis=0), abs=1e-3)
    assert points_of("mean_of")["mean"] == pytest.approx(x[0], abs=1e-3)
    assert f"{p[0, 1]:.0%} for positive" in said_in(document(NAME, "output"))
    assert f"{before:.2f}" in said_in(document(NAME, "output"))
    told = said_in(document(NAME, "step"))
    assert f"the loss is {after:.2f} instead of {before:.2f}" in told and "by the same vector" in told
    arrows = picture(NAME, "step")["panels"][0]["arrows"]
    for arrow in arrows:
        row = learnt.index[arrow["key"].removeprefix("move.")]
        assert arrow["to"] == pytest.approx(E[row], abs=1e-3)
    moves = {a["key"]: np.subtract(a["to"], a["from"]) for a in arrows}
    assert moves["move.the"] == pytest.approx(2 * moves["move.lovely"], abs=1e-3)


def test_the_reviews_with_a_word_are_counted():
    learnt = split("reviews")[0]
    for c, panel in enumerate(picture(NAME, "counts")["panels"]):
        for row in panel["rows"]:
            has = learnt.X[:, learnt.index[row["name"]]].toarray()[:, 0] > 0
            assert row["to"] == (has & (learnt.y == 1 - c)).sum()


@pytest.mark.parametrize("times", READ_TIMES)
def test_after_so_many_epochs_the_shares_are_counted(times):
    learnt, rest, _ = split("reviews")
    trained = fit_documents(learnt, rest, D, H, epochs=int(times), seed=SEED)
    told = document(NAME, "read", times=times)["done"]
    assert f"{(trained.posteriors.argmax(axis=1) == rest.y).mean():.0%}" in told
    assert ("separates" in told) != ("still mixed" in told)


def test_frozen_vectors_lose_nearly_all_and_it_is_hidden_until_the_guess():
    learnt, rest, _ = split("reviews")
    frozen = fit_documents(learnt, rest, D, H, True, seed=SEED).posteriors.argmax(axis=1) == rest.y
    rows = picture(NAME, "freeze")["panels"][0]["rows"]
    assert (rows[1]["to"], rows[1]["text"]) == (0, "?")
    assert picture(NAME, "freeze", True)["panels"][0]["rows"][1]["to"] == pytest.approx(frozen.mean())
    assert document(NAME, "freeze", True)["ask"]["answer"] == "all"


def test_it_overfits_and_memorizes_wrong_labels():
    learnt, rest, held = split("reviews")
    trained = fit_documents(learnt, rest, D, H, seed=SEED)
    held_losses = [each.held_loss for each in trained.epochs]
    told = said_in(document(NAME, "overfit"))
    best = int(np.argmin(held_losses))
    assert 0 < best < 10, "then it falls first and rises later"
    assert f"lowest after {best} epochs, {held_losses[best]:.2f}, and rises to {held_losses[-1]:.2f}" in told
    wrong = [w for w, kept in zip(wrongly_labelled(), held, strict=True) if not kept]
    given = shares_of(learnt.X) @ trained.network.E @ trained.network.W1 + trained.network.b1
    given = (np.tanh(given) @ trained.network.W2 + trained.network.b2).argmax(axis=1)
    memorized = int((given == learnt.y)[np.array(wrong)].sum())
    assert f"{sum(wrong)} of those a wrong label on purpose. It has memorized {memorized} of them" in told


def test_network_and_naive_bayes_are_too_close_to_call():
    learnt, rest, _ = split("reviews")
    ours = fit_documents(learnt, rest, D, H, seed=SEED).posteriors.argmax(axis=1) == rest.y
    peer = MultinomialNB().fit(learnt.X, learnt.y).predict(rest.X) == rest.y
    told = said_in(document(NAME, "right"))
    assert f"gets {ours.mean():.1%} right" in told and f"{peer.mean():.1%}. That is too close to call" in told
    only, other = int((ours & ~peer).sum()), int((peer & ~ours).sum())
    assert binomtest(only, only + other).pvalue > 0.05


@pytest.mark.parametrize(
    ("review", "told"),
    [
        ("🦜 zzz", "knows none of these words"),
        ("lovely lovely", "is <em>lovely</em>"),
        ("a zzz lid", "not know zzz"),
    ],
)
def test_an_own_review_gets_a_sentence_that_fits_it(review, told):
    assert told in document(NAME, "own", review=review)["done"]


# The lab.


@cache
def opened(which, **query):
    return open_on(NAME, which, **OPENED, **query)


@cache
def split(which):
    return learnt_and_held_out(documents()[which].texts, documents()[which].labels)


@cache
def fitted(which, H=4, frozen=False):
    learnt, rest, _ = split(which)
    return fit_documents(learnt, rest, 6, H, frozen)


def known(app, which):
    key = f"{NAME}_sentence" if which == "reviews" else f"{NAME}_own_sentence"
    tokens = words(app.text_input(key=key).value)[:WORDS_AT_MOST]
    return [token for token in tokens if token in split(which)[0].index]


def values(step):
    panel = step["picture"]["panels"][0]
    return unpacked(panel["values"]).reshape(-1, panel["width"])


def torch_step(network, rows, y, rate, frozen=False):
    """One step of torch.optim.SGD on one document, whose words' rows may come again; its losses, and x, p, new E."""
    t = {n: torch.tensor(p, requires_grad=True) for n, p in vars(network).items() if p is not None}

    def loss():
        x = t["E"][rows].mean(dim=0, keepdim=True)
        a = torch.tanh(x @ t["W1"] + t["b1"]) if "W1" in t else x
        z = a @ t["W2"] + t["b2"]
        return torch.nn.functional.cross_entropy(z, torch.tensor([y])), x, z.softmax(1)

    before, x, p = loss()
    before.backward()
    torch.optim.SGD([each for n, each in t.items() if not (frozen and n == "E")], lr=rate).step()
    return before.item(), loss()[0].item(), x.detach().numpy(), p.detach().numpy(), t["E"].detach().numpy()


@EVERY
@pytest.mark.parametrize(
    "query", [{}, {"flat": "true"}, {"frozen": "true"}, {"begin": "trained", "rate": 3.0}]
)
def test_the_step_is_torch_s(which, query):
    app = opened(which, **query)
    learnt, _, _ = split(which)
    H = 0 if "flat" in query else 4
    network = (
        fitted(which).network
        if "begin" in query
        else drawn_network(len(learnt.vocabulary), len(learnt.classes), 6, H)
    )
    tokens, rate = known(app, which), query.get("rate", 1.0)
    rows = [learnt.index[token] for token in tokens]
    before, after, x, p, E = torch_step(network, rows, 0, rate, "frozen" in query)
    change = "falls" if after < before else "does not fall"
    assert (
        f"One step of η = {rate:g} on this document: its loss {change}, from {before:.3f} to **{after:.3f}**."
        in said(app)
    )
    steps = {step["name"]: step for step in frames(app)}
    np.testing.assert_allclose(values(steps["their mean"])[-1], x[0], atol=1e-5)
    np.testing.assert_allclose(values(steps["the output"])[-1], p[0], atol=1e-5)
    np.testing.assert_allclose(values(steps["the update"]), E[list(dict.fromkeys(rows))], atol=1e-5)
    share, loss = re.search(r"−ln (\S+) = (\S+)\. Its gradient", steps["the loss"]["said"]).groups()
    share = float(share.replace("·10⁻", "e-").translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")))
    assert -np.log(share) == pytest.approx(float(loss), abs=7e-4), "the numbers shown give one another"
    assert len(steps) == (8 - 1 if H == 0 else 10)


@EVERY
@pytest.mark.parametrize("flat", ["false", "true"])
def test_rows_above_a_line_add_up_to_the_row_below_it(which, flat):
    steps = {step["name"]: values(step) for step in frames(opened(which, flat=flat))}
    for name in ("their mean", "the hidden layer", "the output"):
        if name == "the hidden layer" and flat == "true":
            assert name not in steps
            continue
        rule = next(s for s in frames(opened(which, flat=flat)) if s["name"] == name)["picture"]["panels"][0][
            "rule"
        ]
        np.testing.assert_allclose(steps[name][:rule].sum(axis=0), steps[name][rule], atol=1e-5)
    error = steps["the loss"]
    np.testing.assert_allclose(error[2], error[0] - error[1], atol=1e-6)
    by_E = steps["back: the embeddings"]
    np.testing.assert_allclose(by_E[1:].sum(axis=0), by_E[0], atol=1e-5)


@EVERY
def test_network_and_naive_bayes_are_counted_on_the_same_held_out_documents(which):
    app = opened(which)
    learnt, rest, _ = split(which)
    ours = fitted(which).posteriors.argmax(axis=1) == rest.y
    peer = MultinomialNB().fit(learnt.X, learnt.y).predict(rest.X) == rest.y
    text = said(app)
    held = "held-out document" if len(ours) == 1 else "held-out documents"
    assert f"gets **{ours.sum():,}** of {len(ours):,} {held} right, naive Bayes {peer.sum():,}." in text
    low, high = wilson(int(peer.sum()), len(peer))
    assert f"Naive Bayes: {peer.mean():.1%}, 95% interval {low:.1%} to {high:.1%}." in text
    only, other = int((ours & ~peer).sum()), int((peer & ~ours).sum())
    assert f"Only the network is right on {only:,}, only naive Bayes on {other:,}" in text
    p = binomtest(only, only + other).pvalue if only + other else 1.0
    assert f"(sign test, p = {p:.2g})" in text
    table = table_with(app, "right, held out")
    assert table["right, held out"].iloc[-1] == pytest.approx(ours.mean())
    assert len(table) == 11


@EVERY
@pytest.mark.parametrize(
    ("query", "H", "frozen"), [({"flat": "true"}, 0, False), ({"frozen": "true"}, 4, True)]
)
def test_what_breaking_costs_is_measured(which, query, H, frozen):
    app, rest = opened(which, **query), split(which)[1]
    same = [each.posteriors.argmax(axis=1) == rest.y for each in (fitted(which), fitted(which, H, frozen))]
    rights = [int(each.sum()) for each in same]
    n, found = len(rest.y), metrics(app)
    assert found[f"{MEASURE}, complete"] == f"{rights[0] / n:.1%}"
    assert found[f"{MEASURE}, without it"] == f"{rights[1] / n:.1%}"
    (low, high), (from_, to) = (wilson(right, n) for right in rights)
    assert f"{low:.1%} to {high:.1%} for the complete network, {from_:.1%} to {to:.1%} without" in said(app)
    one, other = int((same[0] & ~same[1]).sum()), int((same[1] & ~same[0]).sum())
    luck = binomtest(one, one + other).pvalue if one + other else 1.0
    assert (
        f"complete one is right on {one:,}, only the other on {other:,} (sign test, p = {luck:.2g})"
        in said(app)
    )


def test_until_the_guess_no_held_out_document_is_counted():
    app = open_on(NAME, "reviews", predict="true", below=NUMBERS, **OPENED)
    text = said(app)
    assert "held-out documents" not in text.replace("more held-out documents", "")
    assert not app.metric and not any("right, held out" in each.value for each in app.dataframe)
    assert len(frames(app)) == 10
    assert question(app).options == ["the network", "naive Bayes", "both the same"]
    assert "held-out documents" in said(guess(app))


def test_a_document_of_unknown_words_takes_no_step():
    app = opened("reviews", sentence="xylophone zzz")
    assert frames(app) == [] and "No word of this document was learned" in said(app)
    assert "“xylophone”" in said(opened("reviews", sentence="a xylophone"))


def test_a_word_said_twice_counts_twice():
    step = next(s for s in frames(opened("reviews", sentence="dull dull lid")) if s["name"] == "their mean")
    assert step["picture"]["rows"] == ["2/3 dull", "1/3 lid", "x"]
    alone = frames(opened("reviews", sentence="dull"))
    assert alone[0]["said"].startswith("The word has a row of 6 numbers")
    assert alone[1]["said"].startswith("There is one word")


@pytest.mark.parametrize("query", [{}, {"flat": "true"}, {"frozen": "true"}, {"begin": "trained"}])
def test_documents_of_any_kind_leave_the_page_standing(query):
    for lines in ("<b>\t$x$ `a`\n*i*\t![i](j)\n" * 6, "好\t早上\n坏\t!!!\n" * 6, "a\t...\nb\t...\n" * 6):
        app = open_on(NAME, "reviews", **OPENED, **query)
        app.session_state["labelled_own"] = read_lines(lines)
        assert not app.run().exception
