"""Bradley-Terry against scikit-learn's logistic regression."""

import numpy as np
import pytest
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

from core.models.generation.preferences import (
    Votes,
    all_pairs,
    draw_votes,
    fit_bradley_terry,
    rank_votes,
)


def fit_by_sklearn(votes, features):
    """Return the weights of an unpenalized logistic regression on the differences, one row per side of each pair."""
    a, b = np.array(votes.pairs).T
    X = features[a] - features[b]
    rows, labels = np.vstack([X, X]), np.repeat([1, 0], len(X))
    won, of = np.array(votes.won), np.array(votes.of)
    model = LogisticRegression(
        C=np.inf, fit_intercept=False, solver="newton-cholesky", tol=1e-13, max_iter=1000
    )
    return model.fit(rows, labels, np.concatenate([won, of - won])).coef_[0]


@pytest.mark.parametrize("seed", range(5))
def test_weights_of_features_are_scikit_learn_s(seed):
    draws = np.random.default_rng(seed)
    votes, features = draw_votes(draws.normal(size=6), 20, seed), draws.normal(size=(6, 3))
    assert fit_bradley_terry(votes, features) == pytest.approx(fit_by_sklearn(votes, features), abs=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_one_reward_each_is_scikit_learn_s_with_one_reward_held_at_0(seed):
    votes = draw_votes(np.random.default_rng(seed).normal(size=5), 20, seed)
    rewards = fit_bradley_terry(votes, np.eye(5))
    expected = fit_by_sklearn(votes, np.eye(5)[:, 1:])
    assert rewards[1:] - rewards[0] == pytest.approx(expected, abs=1e-6)
    assert rewards.sum() == pytest.approx(0, abs=1e-9)


def test_expected_wins_are_the_counted_ones():
    votes = draw_votes([1.0, 0.0, -1.0, 0.5], 30, seed=3)
    rewards = fit_bradley_terry(votes, np.eye(4))
    a, b = np.array(votes.pairs).T
    left_over = np.array(votes.won) - np.array(votes.of) * expit(rewards[a] - rewards[b])
    of_item = np.zeros(4)
    np.add.at(of_item, a, left_over)
    np.add.at(of_item, b, -left_over)
    assert of_item == pytest.approx(0, abs=1e-7)


def test_votes_that_all_go_one_way_have_no_finite_rewards():
    with pytest.raises(ValueError, match="wins every vote"):
        fit_bradley_terry(Votes(((0, 1),), (4,), (4,)), np.eye(2))


def test_a_ranking_gives_rewards_in_its_order():
    rewards = fit_bradley_terry(rank_votes(8, 0.95), np.eye(8))
    assert (np.diff(rewards) < 0).all() and len(all_pairs(8)) == 28
