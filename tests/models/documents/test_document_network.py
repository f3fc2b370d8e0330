"""The network that reads documents: torch's gradients and steps, a step by hand, and training that can be trusted."""

from functools import cache

import numpy as np
import pytest
import torch
from scipy.sparse import csr_matrix
from scipy.stats import binomtest

from core.models.documents.bag_of_words import learnt_and_held_out
from core.models.documents.document_network import (
    Network,
    backward,
    drawn_network,
    forward,
    shares_of,
    softmax,
    stepped,
)
from core.models.documents.document_step import document_step
from core.models.documents.fit_documents import Adam, fit_documents
from core.models.documents.sign_test import sign_test
from core.text.samples.reviews import reviews

NAMES = ("E", "W1", "b1", "W2", "b2")


@cache
def bags():
    return learnt_and_held_out(reviews().texts, reviews().labels)


def batch(C=3, V=7, B=5):
    rng = np.random.default_rng(3)
    X = shares_of(csr_matrix(rng.integers(0, 3, (B, V)).astype(float)))
    return X, rng.integers(0, C, B)


def with_biases(network):
    rng = np.random.default_rng(4)
    return network.changed(lambda name, p: rng.normal(size=p.shape) if name.startswith("b") else p)


def tensors(network):
    found = {name: getattr(network, name) for name in NAMES}
    return {n: None if p is None else torch.tensor(p, requires_grad=True) for n, p in found.items()}


def torch_loss(t, X, y):
    x = torch.tensor(X.toarray()) @ t["E"]
    a = x if t["W1"] is None else torch.tanh(x @ t["W1"] + t["b1"])
    return torch.nn.functional.cross_entropy(a @ t["W2"] + t["b2"], torch.tensor(y))


@pytest.mark.parametrize("H", [0, 4])
def test_gradients_are_autograd_s(H):
    X, y = batch()
    network = with_biases(drawn_network(7, 3, 6, H))
    t = tensors(network)
    loss = torch_loss(t, X, y)
    loss.backward()
    found = forward(network, X)
    back = backward(network, X, y, found)
    assert found.loss(y) == pytest.approx(loss.item(), abs=1e-9)
    for name in NAMES:
        ours = getattr(back.of, name)
        if t[name] is None:
            assert ours is None
        else:
            np.testing.assert_allclose(ours, t[name].grad.numpy(), atol=1e-9)


@pytest.mark.parametrize("frozen", [False, True])
def test_adam_s_steps_are_torch_s(frozen):
    X, y = batch()
    network = drawn_network(7, 3, 4, 2)
    t, adam = tensors(network), Adam(rate=0.05, frozen=frozen)
    peer = torch.optim.Adam([p for n, p in t.items() if not (frozen and n == "E")], lr=0.05)
    for _ in range(5):
        network = adam.step(network, backward(network, X, y, forward(network, X)).of)
        peer.zero_grad()
        torch_loss(t, X, y).backward()
        peer.step()
    for name in NAMES:
        np.testing.assert_allclose(getattr(network, name), t[name].detach().numpy(), atol=1e-6)


def test_a_step_by_hand():
    """Words love (2) and dull (−2), once and three times: x = −1, a = tanh(−1), z = (a, −a), label 0."""
    network = Network(np.array([[2.0], [-2.0]]), np.eye(1), np.zeros(1), np.array([[1.0, -1.0]]), np.zeros(2))
    step = document_step(network, {"love": 0, "dull": 1}, ["dull", "love", "dull", "dull"], 0, 0.5)
    a = -0.761594
    p = 1 / (1 + np.exp(-2 * a))  # 0.1790
    by_x = 2 * (p - 1) * (1 - a * a)  # −0.6896
    assert step.words == ("dull", "love")
    assert step.forward.p[0, 0] == pytest.approx(p, abs=1e-6)
    assert step.loss == pytest.approx(1.7204, abs=1e-4)
    assert step.after.E[:, 0] == pytest.approx([-2 - 0.5 * 0.75 * by_x, 2 - 0.5 * 0.25 * by_x], abs=1e-5)
    assert step.loss_after < step.loss


@pytest.mark.parametrize("H", [0, 4])
def test_a_document_s_step_is_the_step_of_the_whole_network_on_it(H):
    learnt, _, _ = bags()
    network = drawn_network(len(learnt.vocabulary), 2, 6, H)
    tokens = "not dull and not a dull lid".split()
    step = document_step(network, learnt.index, tokens, 1, 2.0)
    X = shares_of(learnt.counted(tokens))
    back = backward(network, X, np.array([1]), forward(network, X))
    whole = stepped(network, back.of, 2.0)
    np.testing.assert_allclose(whole.E[[learnt.index[w] for w in step.words]], step.after.E, atol=1e-12)
    np.testing.assert_allclose(whole.W2, step.after.W2, atol=1e-12)
    others = np.setdiff1d(np.arange(len(learnt.vocabulary)), [learnt.index[w] for w in step.words])
    assert (whole.E[others] == network.E[others]).all()


def test_frozen_embeddings_stay():
    learnt, rest, _ = bags()
    drawn = drawn_network(len(learnt.vocabulary), 2, 4, 4, seed=0)
    trained = fit_documents(learnt, rest, 4, 4, frozen=True, epochs=2)
    assert (trained.network.E == drawn.E).all() and not np.allclose(trained.network.W1, drawn.W1)
    step = document_step(drawn, learnt.index, ["lid"], 0, 1.0, frozen=True)
    assert (step.after.E == step.before.E).all() and not np.allclose(step.after.W2, step.before.W2)


def test_the_training_is_always_the_same_and_measured_as_it_ends():
    learnt, rest, _ = bags()
    one, other = (fit_documents(learnt, rest, 4, 2, epochs=3) for _ in range(2))
    assert one.epochs == other.epochs and len(one.epochs) == 4
    right = (one.posteriors.argmax(axis=1) == rest.y).mean()
    assert one.epochs[-1].held_right == right
    assert one.epochs[-1].loss < one.epochs[0].loss


def test_softmax_is_torch_s_and_does_not_overflow():
    z = np.array([[1000.0, 999.0, -1000.0], [0.5, -0.5, 0.0]])
    np.testing.assert_allclose(softmax(z), torch.softmax(torch.tensor(z), 1).numpy(), atol=1e-12)


def test_the_sign_test_looks_at_the_documents_that_they_differ_on():
    one, other = (
        np.array([True] * 10 + [False] * 4),
        np.array([True] * 3 + [False] * 7 + [True] * 2 + [False] * 2),
    )
    found = sign_test(one, other)
    assert (found.one, found.other) == (7, 2)
    assert found.p == pytest.approx(binomtest(7, 9).pvalue)
    assert sign_test(one, one).p == 1.0
