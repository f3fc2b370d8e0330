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


def kernel(distance: np.ndarray, bandwidth: float | np.ndarray, name: str = "gaussian") -> np.ndarray:
    """Return K(u) of distances u = q - k, each 1 at u = 0.

    gaussian exp(-u^2 / 2 b^2), boxcar 1 where |u| <= b, triangle max(0, 1 - |u| / b).

    >>> kernel(np.array([0.0, 1.0]), 1.0, "gaussian").round(3).tolist()
    [1.0, 0.607]
    """
    if np.any(np.asarray(bandwidth) <= 0):
        raise ValueError("The bandwidth must be larger than 0.")
    with np.errstate(over="ignore"):  # a distance of infinitely many bandwidths: K is 0
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


def product_scores(query: float, keys: np.ndarray, bandwidth: float) -> np.ndarray:
    """Return (q k - k^2 / 2) / b^2 of `keys` (N,): the Gaussian's scores and q^2 / 2 b^2, the same for every key.

    >>> product_scores(2.0, np.array([1.0, 3.0]), 1.0).tolist()
    [1.5, 1.5]
    """
    return (query * keys - keys**2 / 2) / bandwidth**2


def kernel_quotient(query: float, keys: np.ndarray, bandwidth: float) -> np.ndarray | None:
    """Return the Gaussian's K / sum K of `keys` (N,); None where every K is too small for a float.

    >>> kernel_quotient(0.0, np.array([-1.0, 1.0]), 1.0).tolist(), kernel_quotient(0.0, np.array([1.0]), 1e-9)
    ([0.5, 0.5], None)
    """
    K = kernel(query - keys, bandwidth)
    return K / K.sum() if K.sum() > 0 else None


def nearest_value(query: float, keys: np.ndarray, values: np.ndarray) -> float:
    """Return the value of the key nearest to the query; the mean of several that are equally near.

    >>> nearest_value(1.0, [0.0, 2.0, 5.0], [10.0, 20.0, 90.0])
    15.0
    """
    distance = np.abs(np.asarray(keys, float) - query)
    return float(np.asarray(values, float)[distance == distance.min()].mean())


def _mean_by(K: np.ndarray, scores: np.ndarray, values: np.ndarray) -> Lookup:
    """Return the mean of `values` (N,) weighted by K (Q, N); nan where K is 0 everywhere."""
    total = K.sum(1, keepdims=True)
    weights = np.divide(K, total, out=np.zeros_like(K), where=total > 0)
    return Lookup(scores, weights, np.where(total[:, 0] > 0, weights @ values, np.nan))


def nearness(distance: np.ndarray, bandwidth: float | np.ndarray) -> np.ndarray:
    """Return the scores -u^2 / 2 b^2 of distances u (Q, N), each row less its largest, which changes no softmax.

    As -(|u| - m)(|u| + m) / 2 b^2, with m the least |u| of the row, the nearest key has 0 at any bandwidth: no
    bandwidth is so small that every score is -inf.

    >>> nearness(np.array([[2.0, -1.0]]), 1.0).tolist(), nearness(np.array([[2.0, -1.0]]), 1e-200).tolist()
    ([[-1.5, 0.0]], [[-inf, 0.0]])
    """
    u = np.abs(distance)
    m = u.min(-1, keepdims=True)
    with np.errstate(over="ignore", invalid="ignore"):
        behind = (u - m) / bandwidth * ((u + m) / bandwidth) / 2
    return np.where(u == m, 0.0, -behind)


def soft_lookup(
    queries: np.ndarray,
    keys: np.ndarray,
    values: np.ndarray,
    bandwidth: float | np.ndarray,
    name: str = "gaussian",
) -> Lookup:
    """Return the kernel-weighted mean of `values` (N,) at each of `queries` (Q,), by nearness to `keys` (N,).

    The bandwidth is one number, or one for each query: (Q, 1).

    Where a boxcar or triangle reaches no key there is no mean: weights 0 and result nan. A Gaussian always has one:
    its weights are those of `nearness`. A score that is too far below 0 for a float is -inf.

    >>> found = soft_lookup(np.array([0.5]), np.array([0.0, 1.0]), np.array([10.0, 20.0]), bandwidth=1.0)
    >>> found.weights.tolist(), found.result.tolist()
    ([[0.5, 0.5]], [15.0])
    """
    distance = np.asarray(queries, float)[:, None] - np.asarray(keys, float)  # Q, N
    K = kernel(distance, bandwidth, name)
    if name == "gaussian":
        with np.errstate(over="ignore"):
            scores = -((distance / bandwidth) ** 2) / 2
        weights = softmax(nearness(distance, bandwidth))
        return Lookup(scores, weights, weights @ np.asarray(values, float))
    with np.errstate(divide="ignore"):
        return _mean_by(K, np.log(K), values)
