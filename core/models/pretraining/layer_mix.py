r"""ELMo: the layers of a bidirectional language model, mixed with learned weights into one vector a word for a task.

    ELMo_t = gamma sum_j s_j h_t,j          h_t,j = [h>_t,j ; h<_t,j],   s = softmax(u)
    p_t = softmax(W ELMo_t + b)             a distribution over the task's tags, for every word that it asks about

u, gamma, W and b are learned with the task; the language model stays as it is. Each half of h_t,j is first brought to
mean 0 and variance 1 over its C numbers (layer normalisation): else a layer of long vectors would need less weight.

All but the softmax is linear, so that every layer's part can be read off:

    a_t,j = W h_t,j        z_t = W ELMo_t + b = gamma sum_j s_j a_t,j + b

Peters et al. (2018), Deep Contextualized Word Representations, equation 1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from core.models.documents.recurrent_reader import softmax

LEFT, RIGHT = 0, 1  # directions
SMALLEST = 1e-5  # what is added to a variance, as in torch


def standardise(h: np.ndarray) -> np.ndarray:
    """Return vectors (..., C) less their mean, over their standard deviation.

    >>> standardise(np.array([1.0, 3.0, 5.0])).round(3).tolist()
    [-1.225, 0.0, 1.225]
    """
    middle = h.mean(axis=-1, keepdims=True)
    return (h - middle) / np.sqrt(h.var(axis=-1, keepdims=True) + SMALLEST)


def side_by_side(h: np.ndarray) -> np.ndarray:
    """Return layers (L, D, n, C) with the directions of each word in one vector: (L, n, D C).

    >>> side_by_side(np.array([[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]])).tolist()
    [[[1, 2, 5, 6], [3, 4, 7, 8]]]
    """
    L, D, n, C = h.shape
    return h.transpose(0, 2, 1, 3).reshape(L, n, D * C)


@dataclass(frozen=True)
class LayerMix:
    """A task's mix: which layers (L,) and directions (D,) it is given, u (L,), gamma, W (K, D C) and b (K,).

    A mix of one layer is that layer alone. The layers h (3, 2, n, C) of its methods are normalised.
    """

    classes: tuple[str, ...]
    layers: tuple[int, ...]
    directions: tuple[int, ...]
    u: np.ndarray
    gamma: float
    W: np.ndarray
    b: np.ndarray

    @property
    def s(self) -> np.ndarray:
        """The layers' weights, softmax(u), (L,)."""
        return softmax(self.u)

    @property
    def learned(self) -> int:
        """How many numbers were learned with the task: u, gamma, W and b."""
        return self.u.size + 1 + self.W.size + self.b.size

    def parts(self, h: np.ndarray) -> np.ndarray:
        """Return a_t,j = W h_t,j of every layer and word, (L, n, K)."""
        return side_by_side(h[np.ix_(self.layers, self.directions)].astype(float)) @ self.W.T

    def scores(self, h: np.ndarray) -> np.ndarray:
        """Return z_t of every word, (n, K)."""
        return mixed(self.parts(h), self.s, self.gamma) + self.b

    def tag_probabilities(self, h: np.ndarray) -> np.ndarray:
        """Return p_t of every word, (n, K)."""
        return softmax(self.scores(h))

    def with_weights(self, u: np.ndarray) -> LayerMix:
        """Return the mix with other layer weights, softmax(u), all else as it was learned."""
        return replace(self, u=np.asarray(u, dtype=float))


def mixed(parts: np.ndarray, s: np.ndarray, gamma: float) -> np.ndarray:
    """Return gamma sum_j s_j parts_j of the layers' parts (L, ...), with weights s (L,).

    >>> mixed(np.array([[2.0, 0.0], [0.0, 4.0]]), np.array([0.75, 0.25]), 2.0).tolist()
    [3.0, 2.0]
    """
    return gamma * np.tensordot(s, parts, axes=1)
