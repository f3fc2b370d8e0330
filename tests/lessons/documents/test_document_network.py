"""The page on the network that reads documents: torch's step, sums that add up, training and naive Bayes as counted."""

import re
from functools import cache

import numpy as np
import pytest
import torch
from scipy.stats import binomtest
from sklearn.naive_bayes import MultinomialNB

from core.figures.worked import percent, plain_number
from core.lesson.footer import NUMBERS
from core.models.documents.bag_of_words import learnt_and_held_out
from core.models.documents.document_network import drawn_network
from core.models.documents.fit_documents import fit_documents
from core.models.documents.held_out import wilson
from core.text.reading.labelled import read_lines
from core.text.tokenization.tokens import words
from pages.documents.shared.labelled_source import WORDS_AT_MOST
from tests.lessons.documents.labelled_page import documents, open_on
from tests.lessons.lesson_page import frames, guess, metrics, question, said, table_with, unpacked

EVERY = pytest.mark.parametrize("which", ["reviews", "two plays", "pasted"])
NAME = "document_network"
MEASURE = "Right on held-out documents"


@cache
def opened(which, **query):
    return open_on(NAME, which, **query)


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
        f"One step of η = {rate:g} on this document: its loss {change}, from {before:.3f} to {after:.3f}."
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
    app = opened(which, beat="document_network.6")
    learnt, rest, _ = split(which)
    ours = fitted(which).posteriors.argmax(axis=1) == rest.y
    peer = MultinomialNB().fit(learnt.X, learnt.y).predict(rest.X) == rest.y
    text = said(app)
    assert (
        f"right on {ours.sum():,} of {len(ours):,} held-out documents, naive Bayes on {peer.sum():,}." in text
    )
    low, high = wilson(int(peer.sum()), len(peer))
    assert f"Naive Bayes: {peer.mean():.1%}, 95% interval {low:.1%} to {high:.1%}." in text
    only, other = int((ours & ~peer).sum()), int((peer & ~ours).sum())
    assert f"right on {only:,} of these documents, naive Bayes alone on {other:,}" in text
    p = binomtest(only, only + other).pvalue if only + other else 1.0
    assert f"so unevenly in {percent(p, 0)} of cases" in text
    assert (
        f"{peer.mean():.1%}: were both equally good, luck would set them so far apart in {percent(p, 0)} of"
        in text
    )
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
    assert found[f"{MEASURE}, whole"] == f"{rights[0] / n:.1%}"
    assert found[f"{MEASURE}, broken"] == f"{rights[1] / n:.1%}"
    (low, high), (from_, to) = (wilson(right, n) for right in rights)
    assert f"whole {low:.1%} to {high:.1%}, broken {from_:.1%} to {to:.1%}." in said(app)
    one, other = int((same[0] & ~same[1]).sum()), int((same[1] & ~same[0]).sum())
    luck = binomtest(one, one + other).pvalue if one + other else 1.0
    assert f"alone is right on {one:,}, the broken one alone on {other:,}" in said(app)
    assert f"at least so unevenly in {plain_number(luck, 2)} of all cases" in said(app)


def test_until_the_guess_no_held_out_document_is_counted():
    app = open_on(NAME, "reviews", predict="true", frozen="true", below=NUMBERS)
    text = said(app)
    assert "held-out documents" not in text.replace("right on more held-out documents", "")
    assert not app.metric and not any("right, held out" in each.value for each in app.dataframe)
    assert len(frames(app)) == 10
    assert question(app).options == ["the network", "naive Bayes", "both alike"]
    assert "held-out documents" in said(guess(app))


def test_a_document_of_unknown_words_takes_no_step():
    app = opened("reviews", sentence="xylophone zzz")
    assert frames(app) == [] and "No word of this document was learnt" in said(app)
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
        app = open_on(NAME, "reviews", **query)
        app.session_state["labelled_own"] = read_lines(lines)
        assert not app.run().exception
