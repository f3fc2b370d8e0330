r"""Direct preference optimization (DPO) of a policy over a few sentences, and its optimum in closed form.

$L = -\log\sigma\bigl(\beta\,[\ln\frac{\pi(a)}{p_\text{ref}(a)} - \ln\frac{\pi(b)}{p_\text{ref}(b)}]\bigr)$ for each vote for
a over b. Its minimum is $\pi^*(y) \propto p_\text{ref}(y)\,e^{r(y)/\beta}$ with the rewards r of Bradley-Terry.

Rafael Rafailov et al. (2023), Direct preference optimization: your language model is secretly a reward model.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from core.models.generation.preferences import Votes
from core.models.neural_language_model import log_softmax

STEPS = 2000
REPORTS = 10


@dataclass(frozen=True)
class Preferred:
    """A trained policy: ln π of each sentence, (N,), and the loss before each step and at the end, (STEPS + 1,)."""

    log_policy: np.ndarray
    losses: np.ndarray


@dataclass(frozen=True)
class Step:
    """How far a training is: steps done, of how many, and the loss."""

    step: int
    steps: int
    loss: float


def best_policy(log_reference: np.ndarray, rewards: np.ndarray, beta: float) -> np.ndarray:
    """Return ln π* with π*(y) ∝ p_ref(y) exp(r(y) / β), which maximizes E[r] - β KL(π ‖ p_ref), (N,).

    >>> np.exp(best_policy(np.log([0.8, 0.2]), np.log([1.0, 4.0]), 1.0)).round(3).tolist()
    [0.5, 0.5]
    """
    return log_softmax(log_reference + np.asarray(rewards) / beta)


def divergence(log_policy: np.ndarray, log_reference: np.ndarray) -> float:
    """Return KL(π ‖ p_ref) = Σ π (ln π - ln p_ref), in nats.

    >>> round(divergence(np.log([0.5, 0.5]), np.log([0.8, 0.2])), 4)
    0.2231
    """
    return float(np.exp(log_policy) @ (log_policy - log_reference))


def dpo_loss(
    log_policy: np.ndarray, log_reference: np.ndarray, votes: Votes, beta: float
) -> tuple[float, np.ndarray]:
    """Return the mean loss over pairs, and its gradient with respect to ln π (or to the logits of π), (N,).

    A pair with votes for both sides counts both, by their shares.

    >>> loss, gradient = dpo_loss(np.log([0.5, 0.5]), np.log([0.5, 0.5]), Votes(((0, 1),), (1,), (1,)), 0.5)
    >>> round(loss, 4), gradient.tolist()
    (0.6931, [-0.25, 0.25])
    """
    a, b = np.array(votes.pairs).T
    implicit = beta * (log_policy - log_reference)  # the reward that the policy implies, (N,)
    margin, share = implicit[a] - implicit[b], votes.shares
    loss = share * np.logaddexp(0, -margin) + (1 - share) * np.logaddexp(0, margin)
    slope = beta * (expit(margin) - share) / len(a)  # (P,)
    gradient = np.zeros_like(implicit)
    np.add.at(gradient, a, slope)
    np.add.at(gradient, b, -slope)
    return float(loss.mean()), gradient


def fit_dpo(
    report: Callable[[Step], None],
    log_reference: np.ndarray,
    votes: Votes,
    beta: float,
    tied: bool = True,
) -> Preferred:
    """Return the policy that gradient descent on the DPO loss reaches from the reference.

    Not `tied`, the loss leaves out p_ref: it compares ln π(a) with ln π(b), and the start is forgotten. `votes` hold every
    pair once, which sets the step: 4 P / (N β²) for P pairs of N sentences.

    >>> votes = Votes(((0, 1),), (3,), (4,))
    >>> fitted = fit_dpo(lambda step: None, np.log([0.5, 0.5]), votes, 1.0)
    >>> np.exp(fitted.log_policy).round(4).tolist()
    [0.75, 0.25]
    """
    log_reference = np.asarray(log_reference, dtype=np.float64)
    compared = log_reference if tied else np.zeros_like(log_reference)
    rate = 4 * len(votes.pairs) / (len(log_reference) * beta**2)
    logits, losses = log_reference.copy(), []
    for step in range(STEPS):
        loss, gradient = dpo_loss(log_softmax(logits), compared, votes, beta)
        losses.append(loss)
        logits = logits - rate * gradient
        if step % (STEPS // REPORTS) == 0:
            report(Step(step, STEPS, loss))
    log_policy = log_softmax(logits)
    losses.append(dpo_loss(log_policy, compared, votes, beta)[0])
    return Preferred(log_policy, np.array(losses))
