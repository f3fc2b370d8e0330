"""One training step on one document, with every number on the way: forwards, the loss, backwards, the update."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse import csr_matrix

from core.models.documents.document_network import (
    Backward,
    Forward,
    Network,
    backward,
    forward,
    shares_of,
    stepped,
)


@dataclass(frozen=True, eq=False)
class DocumentStep:
    """The step: the document's k different words with counts, the network (its E: only theirs, (k, d)), before and after."""

    words: tuple[str, ...]
    counts: np.ndarray  # (k,)
    y: int
    rate: float
    before: Network
    forward: Forward
    backward: Backward
    after: Network
    forward_after: Forward

    @property
    def loss(self) -> float:
        """Return the loss before the step."""
        return self.forward.loss(np.array([self.y]))

    @property
    def loss_after(self) -> float:
        """Return the loss of the same document after the step."""
        return self.forward_after.loss(np.array([self.y]))


def document_step(
    network: Network, index: dict[str, int], tokens: Sequence[str], y: int, rate: float, frozen: bool = False
) -> DocumentStep:
    """Return one step down the gradient of the loss of one document; words that the network does not know are left out.

    >>> network = Network(np.array([[2.0], [-2.0]]), np.eye(1), np.zeros(1), np.array([[1.0, -1.0]]), np.zeros(2))
    >>> step = document_step(network, {"love": 0, "dull": 1}, ["love", "love", "dull", "?", "love"], y=0, rate=1.0)
    >>> step.words, step.forward.x, step.after.E.round(4).tolist()
    (('love', 'dull'), array([[1.]]), [[2.1128], [-1.9624]])
    >>> round(step.loss, 4), round(step.loss_after, 4)
    (0.1972, 0.089)
    """
    found = [token for token in tokens if token in index]
    words = tuple(dict.fromkeys(found))
    counts = np.array([float(found.count(word)) for word in words])
    small = replace(network, E=network.E[[index[word] for word in words]])
    X, true = shares_of(csr_matrix(counts[None])), np.array([y])
    there = forward(small, X)
    back = backward(small, X, true, there)
    after = stepped(small, back.of, rate, frozen)
    return DocumentStep(words, counts, y, rate, small, there, back, after, forward(after, X))
