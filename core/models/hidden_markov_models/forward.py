"""The probability of the words whatever the path: Viterbi with sums in place of maxima.

Source: Jurafsky and Martin, Speech and Language Processing (3rd ed. draft), section A.3.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Forward:
    """alpha[t, j] = ln p(o_1..o_t, q_t = j), and ln p(o_1..o_n), summed over all K^n paths."""

    log_alpha: np.ndarray  # (n, K)
    log_probability: float


def forward(
    log_initial: np.ndarray, log_transition: np.ndarray, log_emission: np.ndarray, log_end=None
) -> Forward:
    """Return ln alpha and the probability of the words whatever the path: Viterbi with sums, not maxima.

    alpha[t, j] = sum_i alpha[t-1, i] p(j | i) p(o_t | j). O(n K^2). Source: Jurafsky and Martin, section A.3.

    >>> halves = np.log([[0.5, 0.5], [0.5, 0.5]])
    >>> result = forward(np.log([0.6, 0.4]), halves, np.log([[0.1, 0.9], [0.8, 0.2]]))
    >>> f"{np.exp(result.log_probability):.3f}"
    '0.210'
    """
    log_alpha = np.empty_like(log_emission, dtype=float)  # (n, K)
    log_alpha[0] = log_initial + log_emission[0]
    for t in range(1, len(log_emission)):
        log_alpha[t] = (
            np.logaddexp.reduce(log_alpha[t - 1][:, None] + log_transition, axis=0) + log_emission[t]
        )
    final = log_alpha[-1] if log_end is None else log_alpha[-1] + log_end
    return Forward(log_alpha, float(np.logaddexp.reduce(final)))
