"""Logistic regression ends where scikit-learn's does, its gradient is torch's, and descent on two weights ends there too."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression as Peer

from core.models.documents.bag_of_words import learnt_and_held_out
from core.models.documents.logistic_regression import LogisticRegression, loss_and_gradient, work_document
from core.models.documents.two_weights import TwoWeights, descend, measured_surface, minimum_of, two_weights
from core.text.samples.reviews import reviews
from tests.models.documents.test_naive_bayes import TEXTS

REVIEWS = reviews()
LEARNT, REST, _ = learnt_and_held_out(REVIEWS.texts, REVIEWS.labels)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("l2", [0.1, 1.0, 10.0])
def test_the_optimum_is_scikit_learn_s(text, l2):
    learnt, rest, _ = learnt_and_held_out(*TEXTS[text])
    peer = Peer(C=1 / l2, solver="newton-cg", tol=1e-10, max_iter=10_000).fit(learnt.X, learnt.y)
    model = LogisticRegression(l2).fit(learnt.X, learnt.y)
    np.testing.assert_allclose(model.coef_, peer.coef_[0], atol=1e-4)
    assert model.intercept_ == pytest.approx(peer.intercept_[0], abs=1e-4)
    np.testing.assert_allclose(model.posterior(rest.X), peer.predict_proba(rest.X), atol=1e-4)


@given(st.integers(0, 1000), st.sampled_from([0.0, 0.5, 3.0]))
def test_the_gradient_is_torch_s(seed, l2):
    rng = np.random.default_rng(seed)
    X, y, w, b = rng.poisson(1, (6, 4)).astype(float), rng.integers(0, 2, 6), rng.normal(size=4), rng.normal()
    weights, bias = (
        torch.tensor(w, requires_grad=True),
        torch.tensor(b, dtype=torch.float64, requires_grad=True),
    )
    z = torch.tensor(X) @ weights + bias
    J = torch.nn.functional.binary_cross_entropy_with_logits(z, torch.tensor(y).double(), reduction="sum")
    J = J + l2 / 2 * weights @ weights
    J.backward()
    mine = loss_and_gradient(w, b, csr_matrix(X), y, l2)
    assert mine[0] == pytest.approx(J.item())
    np.testing.assert_allclose(mine[1], weights.grad.numpy(), atol=1e-12)
    assert mine[2] == pytest.approx(bias.grad.item())


def test_without_a_penalty_the_weights_grow_on_what_can_be_separated_and_longer_ones_are_better_still():
    free = LogisticRegression(0.0, 60).fit(LEARNT.X, LEARNT.y)
    held = LogisticRegression(1.0).fit(LEARNT.X, LEARNT.y)
    assert free.lengths_[-1] > 20 * held.lengths_[-1]
    assert ((free.decision(LEARNT.X) > 0) == LEARNT.y).all()
    J = [
        loss_and_gradient(k * free.coef_, k * free.intercept_, LEARNT.X, LEARNT.y, 0.0)[0] for k in (1, 2, 4)
    ]
    assert J[0] > J[1] > J[2]


def test_a_document_is_worked_as_the_model_reads_it():
    model = LogisticRegression(1.0).fit(LEARNT.X, LEARNT.y)
    tokens = "the lid is dull and the handle is a zzz".split()
    for y in (0, 1):
        worked = work_document(model, LEARNT.index, tokens, y)
        bag = LEARNT.counted(tokens)
        assert worked.z == pytest.approx(model.decision(bag)[0])
        assert worked.p == pytest.approx(model.posterior(bag)[0, 1])
        J, by_w, by_b = loss_and_gradient(model.coef_, model.intercept_, bag, np.array([y]), 0.0)
        assert worked.loss == pytest.approx(J)
        assert worked.p - y == pytest.approx(by_b)
        expected = by_w[[LEARNT.index[token] for token in worked.tokens]]
        np.testing.assert_allclose(worked.gradient, expected, atol=1e-12)


def surface_of(pair=(3, 7), l2=1.0, chosen=1.0):
    model = LogisticRegression(chosen).fit(LEARNT.X, LEARNT.y)
    return model, two_weights(model, LEARNT.X, LEARNT.y, pair, l2), pair


@pytest.mark.parametrize("pair", [(3, 7), (0, 40), (100, 12)])
def test_the_surface_is_the_whole_loss_with_two_weights_moved_and_its_lowest_place_what_was_learnt(pair):
    model, surface, _ = surface_of(pair)
    for w in ([0.0, 0.0], [1.5, -2.0], [-0.3, 4.0]):
        moved = model.coef_.copy()
        moved[list(pair)] = w
        J, by_w, _ = loss_and_gradient(moved, model.intercept_, LEARNT.X, LEARNT.y, 1.0)
        assert surface.loss(np.array(w)) == pytest.approx(J)
        np.testing.assert_allclose(surface.gradient(np.array(w)), by_w[list(pair)], atol=1e-8)
    np.testing.assert_allclose(minimum_of(surface), model.coef_[list(pair)], atol=1e-5)
    assert surface.loss(model.coef_[list(pair)]) == pytest.approx(model.loss_)


def test_below_the_safe_rate_every_step_goes_down_and_far_above_it_descent_runs_away():
    _, surface, _ = surface_of()
    for rate in (0.1 * surface.safe_rate, 0.99 * surface.safe_rate):
        losses = surface.loss(descend(surface, np.zeros(2), rate, 30))
        assert (np.diff(losses) <= 1e-9).all()
    losses = surface.loss(descend(surface, np.zeros(2), 40 * surface.safe_rate, 30))
    assert losses[-1] > losses[0]


def test_the_safe_rate_is_two_divided_by_the_largest_curvature_which_stands_where_every_p_is_a_half():
    rng = np.random.default_rng(5)
    surface = TwoWeights(rng.normal(size=(20, 2)), rng.integers(0, 2, 20), np.zeros(20), 0.0, 0.7)
    step = 1e-5 * np.eye(2)
    curvature = np.array(
        [(surface.gradient(each) - surface.gradient(-each)) / 2e-5 for each in step]
    )  # at w = 0, where z = 0 for all documents
    assert surface.safe_rate == pytest.approx(2 / np.linalg.eigvalsh(curvature)[-1], rel=1e-6)


def test_descent_arrives_at_the_lowest_place():
    _, surface, _ = surface_of()
    path = descend(surface, np.zeros(2), 0.9 * surface.safe_rate, 2000)
    np.testing.assert_allclose(path[-1], minimum_of(surface), atol=1e-4)


def test_descent_that_leaves_all_bounds_is_cut_off():
    _, surface, _ = surface_of()
    assert len(descend(surface, np.zeros(2), 1e9, 30)) == 1


def test_a_word_of_one_class_alone_has_no_best_weight_without_a_penalty():
    X, y = csr_matrix([[1.0, 0, 1], [1.0, 1, 0], [0.0, 1, 1], [0.0, 2, 0]]), np.array([1, 1, 0, 0])
    model = LogisticRegression(1.0).fit(X, y)
    assert minimum_of(two_weights(model, X, y, (0, 1), 0.0)) is None
    assert minimum_of(two_weights(model, X, y, (0, 1), 1.0)) is not None


def test_the_measured_surface_is_the_loss_at_its_places():
    _, surface, _ = surface_of()
    heights = measured_surface(surface, np.array([[-1.0, 3.0], [-2.0, 1.0]]))
    assert heights[0, 0] == pytest.approx(surface.loss(np.array([-1.0, -2.0])))
    assert heights[0, -1] == pytest.approx(surface.loss(np.array([3.0, -2.0])))
    assert heights[-1, 0] == pytest.approx(surface.loss(np.array([-1.0, 1.0])))
