"""Attention as a soft look-up: Nadaraya-Watson kernel smoothing of points on a line.

    a(q, k_i) = K(q - k_i) / sum_j K(q - k_j)          weights, by how near each key is to the query
    f(q)      = sum_i a(q, k_i) v_i                    the weighted mean of the values

A dictionary returns the value of the one key that equals the query. This returns a mean of all values, each
by the nearness of its key: as the bandwidth b shrinks, all the weight goes to the nearest key. With the
Gaussian kernel K(u) = exp(-u^2 / 2 b^2) the weights are a softmax of the scores -(q - k_i)^2 / 2 b^2, and
because q^2 is the same for all keys it cancels: softmax of (q k_i - k_i^2 / 2) / b^2. For keys of equal
length only q k_i is left: dot-product attention with b^2 as its temperature.

Sources: Nadaraya (1964), On Estimating Regression; Watson (1964), Smooth Regression Analysis.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

KERNELS = ("gaussian", "boxcar", "triangle")


@dataclass(frozen=True)
class Lookup:
    """A soft look-up of Q queries among N keys: `scores` ln K, `weights` (both (Q, N)), and `result` (Q,)."""

    scores: np.ndarray
    weights: np.ndarray
    result: np.ndarray


def kernel(distance: np.ndarray, bandwidth: float, name: str = "gaussian") -> np.ndarray:
    """Return K(u) of distances u = q - k, each 1 at u = 0.

    gaussian exp(-u^2 / 2 b^2), boxcar 1 where |u| <= b, triangle max(0, 1 - |u| / b).

    >>> kernel(np.array([0.0, 1.0]), 1.0, "gaussian").round(3).tolist()
    [1.0, 0.607]
    """
    if bandwidth <= 0:
        raise ValueError("The bandwidth must be larger than 0.")
    u = np.abs(distance) / bandwidth
    if name == "gaussian":
        return np.exp(-(u**2) / 2)
    if name == "boxcar":
        return (u <= 1).astype(float)
    if name == "triangle":
        return np.maximum(0, 1 - u)
    raise ValueError(f"The kernel must be one of {', '.join(KERNELS)}, not {name!r}.")


def softmax(scores: np.ndarray) -> np.ndarray:
    """Return exp(e_i) / sum_j exp(e_j) along the last axis; -inf counts as weight 0.

    >>> softmax(np.array([0.0, 0.0])).tolist()
    [0.5, 0.5]
    """
    exponentials = np.exp(scores - scores.max(-1, keepdims=True))
    return exponentials / exponentials.sum(-1, keepdims=True)


def dictionary_lookup(queries: np.ndarray, keys: np.ndarray, values: np.ndarray) -> Lookup:
    """Return the value of the key that equals each of `queries` (Q,): a dictionary, which is all or nothing.

    Where no key is equal the weights are 0 and the result is nan; a key that stands twice gives its values' mean.

    >>> found = dictionary_lookup(np.array([1.0, 0.9]), np.array([0.0, 1.0]), np.array([10.0, 20.0]))
    >>> found.weights.tolist(), found.result.tolist()
    ([[0.0, 1.0], [0.0, 0.0]], [20.0, nan])
    """
    K = (np.asarray(queries, float)[:, None] == np.asarray(keys, float)).astype(float)  # Q, N
    with np.errstate(divide="ignore"):
        return _mean_by(K, np.log(K), values)


def _mean_by(K: np.ndarray, scores: np.ndarray, values: np.ndarray) -> Lookup:
    """Return the mean of `values` (N,) weighted by K (Q, N); nan where K is 0 everywhere."""
    total = K.sum(1, keepdims=True)
    weights = np.divide(K, total, out=np.zeros_like(K), where=total > 0)
    return Lookup(scores, weights, np.where(total[:, 0] > 0, weights @ values, np.nan))


def soft_lookup(
    queries: np.ndarray, keys: np.ndarray, values: np.ndarray, bandwidth: float, name: str = "gaussian"
) -> Lookup:
    """Return the kernel-weighted mean of `values` (N,) at each of `queries` (Q,), by nearness to `keys` (N,).

    Where a boxcar or triangle reaches no key there is no mean: weights 0 and result nan.

    >>> found = soft_lookup(np.array([0.5]), np.array([0.0, 1.0]), np.array([10.0, 20.0]), bandwidth=1.0)
    >>> found.weights.tolist(), found.result.tolist()
    ([[0.5, 0.5]], [15.0])
    """
    distance = np.asarray(queries, float)[:, None] - np.asarray(keys, float)  # Q, N
    K = kernel(distance, bandwidth, name)
    if name == "gaussian":  # in logarithms, so that a small bandwidth does not underflow
        scores = -(distance**2) / (2 * bandwidth**2)
        weights = softmax(scores)
        return Lookup(scores, weights, weights @ values)
    with np.errstate(divide="ignore"):
        return _mean_by(K, np.log(K), values)
