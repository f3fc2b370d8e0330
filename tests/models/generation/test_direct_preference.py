"""DPO against torch's autograd and the closed form of its optimum."""

import numpy as np
import pytest
import torch
from torch.nn import functional

from core.models.generation.direct_preference import best_policy, divergence, dpo_loss, fit_dpo
from core.models.generation.preferences import draw_votes, fit_bradley_terry, rank_votes

SEEDS = pytest.mark.parametrize("seed", range(4))


def drawn(seed, n=5):
    """Return random ln π, ln p_ref and votes."""
    draws = np.random.default_rng(seed)
    log_policy, log_reference = (np.log(draws.dirichlet(np.ones(n))) for _ in range(2))
    return log_policy, log_reference, draw_votes(draws.normal(size=n), 12, seed)


@SEEDS
@pytest.mark.parametrize("beta", [0.1, 1.0])
def test_the_loss_and_its_gradient_by_the_logits_are_torch_s(seed, beta):
    log_policy, log_reference, votes = drawn(seed)
    logits = torch.tensor(log_policy + 3, requires_grad=True)
    ratio = beta * (logits.log_softmax(0) - torch.tensor(log_reference))
    a, b = torch.tensor(votes.pairs).T
    share = torch.tensor(votes.shares)
    expected = functional.binary_cross_entropy_with_logits(ratio[a] - ratio[b], share)
    expected.backward()
    loss, gradient = dpo_loss(log_policy, log_reference, votes, beta)
    assert loss == pytest.approx(expected.item(), abs=1e-12)
    assert gradient == pytest.approx(logits.grad.numpy(), abs=1e-12)


@SEEDS
@pytest.mark.parametrize("beta", [0.05, 0.3, 2.0])
@pytest.mark.parametrize("tied", [True, False])
def test_training_reaches_the_closed_form(seed, beta, tied):
    _, log_reference, votes = drawn(seed)
    rewards = fit_bradley_terry(votes, np.eye(5))
    start = log_reference if tied else np.zeros(5)
    trained = np.exp(fit_dpo(lambda step: None, log_reference, votes, beta, tied).log_policy)
    assert trained == pytest.approx(np.exp(best_policy(start, rewards, beta)), abs=1e-6)


def test_training_on_a_long_ranking_reaches_the_closed_form():
    votes = rank_votes(8, 0.95)
    log_reference = np.log(np.random.default_rng(1).dirichlet(np.ones(8)))
    fitted = fit_dpo(lambda step: None, log_reference, votes, 0.05)
    exact = best_policy(log_reference, fit_bradley_terry(votes, np.eye(8)), 0.05)
    assert np.exp(fitted.log_policy) == pytest.approx(np.exp(exact), abs=1e-6)
    assert (np.diff(fitted.losses) < 1e-12).all()


@SEEDS
def test_no_other_policy_has_more_reward_less_its_divergence(seed):
    draws = np.random.default_rng(seed)
    log_reference, rewards = np.log(draws.dirichlet(np.ones(6))), draws.normal(size=6)
    best = best_policy(log_reference, rewards, 0.4)

    def objective(log_policy):
        return np.exp(log_policy) @ rewards - 0.4 * divergence(log_policy, log_reference)

    others = [np.log(draws.dirichlet(np.ones(6))) for _ in range(200)]
    assert objective(best) > max(map(objective, others))


def test_a_weaker_tie_goes_farther():
    log_reference, rewards = np.log([0.7, 0.2, 0.1]), np.array([-1.0, 0.0, 1.0])
    moved = [
        divergence(best_policy(log_reference, rewards, beta), log_reference) for beta in (4, 1, 0.3, 0.05)
    ]
    assert moved == sorted(moved)
