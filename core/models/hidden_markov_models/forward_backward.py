"""The probability of each tag of each word, given the whole sentence: what stands before it, times what stands after.

    alpha_t(j) = p(o_1 ... o_t, q_t = j)          by `forward`
    beta_t(i)  = sum_j a_ij b_j(o_t+1) beta_t+1(j)      beta_n(i) = p(end | i), or 1
    p(q_t = j | o_1 ... o_n) = alpha_t(j) beta_t(j) / p(o_1 ... o_n)

Source: Jurafsky and Martin, Speech and Language Processing (3rd ed. draft), section A.5; Rabiner (1989).
"""

from __future__ import annotations

import numpy as np

from core.models.hidden_markov_models.forward import forward


def backward(log_transition: np.ndarray, log_emission: np.ndarray, log_end=None) -> np.ndarray:
    """Return ln beta, (n, K): ln p(o_t+1 ... o_n, end | q_t = i).

    >>> steps = np.log([[0.5, 0.5], [0.25, 0.75]])
    >>> np.exp(backward(steps, np.log([[0.1, 0.9], [0.8, 0.2]]))).round(3).tolist()
    [[0.5, 0.35], [1.0, 1.0]]
    """
    log_beta = np.zeros_like(log_emission, dtype=float)  # (n, K)
    if log_end is not None:
        log_beta[-1] = log_end
    for t in range(len(log_emission) - 2, -1, -1):
        log_beta[t] = np.logaddexp.reduce(log_transition + log_emission[t + 1] + log_beta[t + 1], axis=1)
    return log_beta


def tag_posteriors(
    log_initial: np.ndarray, log_transition: np.ndarray, log_emission: np.ndarray, log_end=None
) -> np.ndarray:
    """Return p(q_t = j | o_1 ... o_n), (n, K), whose rows sum to one.

    Words 1 and 2 are p = 0.06 (0.5 0.8 + 0.5 0.2) = 0.03 from state 1 and 0.36 (0.25 0.8 + 0.75 0.2) = 0.126 from 2.

    >>> steps = np.log([[0.5, 0.5], [0.25, 0.75]])
    >>> tag_posteriors(np.log([0.6, 0.4]), steps, np.log([[0.1, 0.9], [0.8, 0.2]])).round(3).tolist()
    [[0.192, 0.808], [0.615, 0.385]]
    """
    alpha = forward(log_initial, log_transition, log_emission, log_end)
    log_beta = backward(log_transition, log_emission, log_end)
    return np.exp(alpha.log_alpha + log_beta - alpha.log_probability)
