"""A soft look-up among keys that are vectors: by distance, or by dot product as attention does.

    a(q, k_i) = softmax_i(-|q - k_i|^2 / 2 b^2)        by distance: the Gaussian kernel in d dimensions
    a(q, k_i) = softmax_i(q . k_i / b^2)               by dot product
    result    = sum_i a(q, k_i) v_i

Both are the same where all keys are equally long, for |q - k_i|^2 = |q|^2 - 2 q . k_i + |k_i|^2: the first part
is the same for all keys, and so is the last, and whatever is the same for all keys cancels in a softmax. The
dot product is one matrix product for all queries and keys at once; that is why attention takes it.

Source: Tsai et al. (2019), Transformer Dissection: attention through the lens of the kernel.
"""

from __future__ import annotations

import numpy as np
import torch

from core.models.self_attention.attention import attend
from core.models.translation.kernel_smoothing import Lookup, softmax

LEAST = 1e-100  # bandwidth: of a smaller one the square, or a score over it, may be too much for a float


def _refuse(bandwidth: float) -> None:
    if bandwidth <= 0:
        raise ValueError("The bandwidth must be larger than 0.")
    if bandwidth < LEAST:
        raise ValueError(
            f"The bandwidth must be at least {LEAST:g}: a smaller one's square is too near to 0."
        )


def lookup_by_distance(query: np.ndarray, keys: np.ndarray, values: np.ndarray, bandwidth: float) -> Lookup:
    """Return the mean of `values` (N, ...) weighted by how near each of `keys` (N, d) is to `query` (d,).

    >>> found = lookup_by_distance(np.array([1.0, 0.0]), np.eye(2), np.array([10.0, 20.0]), bandwidth=1.0)
    >>> found.scores.tolist(), found.weights.round(3).tolist(), float(found.result.round(2))
    ([-0.0, -1.0], [0.731, 0.269], 12.69)
    """
    _refuse(bandwidth)
    scores = -((query - keys) ** 2).sum(1) / (2 * bandwidth**2)  # N
    weights = softmax(scores)
    return Lookup(scores, weights, weights @ values)


def lookup_by_dot_product(
    query: np.ndarray, keys: np.ndarray, values: np.ndarray, bandwidth: float
) -> Lookup:
    """Return dot-product attention of one query: `attend` with b^2 as the temperature. Shapes as above.

    >>> found = lookup_by_dot_product(np.array([1.0, 0.0]), np.eye(2), np.array([10.0, 20.0]), bandwidth=1.0)
    >>> found.scores.tolist(), found.weights.round(3).tolist()
    ([1.0, 0.0], [0.731, 0.269])
    """
    _refuse(bandwidth)
    q, K = (torch.tensor(array, dtype=torch.float64) for array in (query[None], keys))
    V = torch.tensor(values, dtype=torch.float64).reshape(len(keys), -1)
    trace = attend(q, K, V, scale=bandwidth**-2)
    return Lookup(
        trace.scaled[0].numpy(), trace.weights[0].numpy(), trace.context[0].numpy().reshape(values.shape[1:])
    )


def of_length_one(vectors: np.ndarray) -> np.ndarray:
    """Return a vector (d,), or each of several (N, d), divided by its length.

    >>> of_length_one(np.array([[3.0, 4.0], [0.0, 2.0]])).tolist()
    [[0.6, 0.8], [0.0, 1.0]]
    """
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def weights_apart(query: np.ndarray, keys: np.ndarray, values: np.ndarray, bandwidth: float) -> float:
    """Return the largest difference between the weights by distance and those by dot product.

    >>> weights_apart(np.array([1.0, 0.0]), np.eye(2), np.zeros(2), 1.0) < 1e-15
    True
    """
    near, dot = (look(query, keys, values, bandwidth) for look in (lookup_by_distance, lookup_by_dot_product))
    return float(np.abs(near.weights - dot.weights).max())
