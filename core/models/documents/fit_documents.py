"""Training the network that reads documents, by Adam on small batches, with what it is worth after every epoch.

    m <- 0.9 m + 0.1 g          v <- 0.999 v + 0.001 g^2
    parameter <- parameter - rate (m / (1 - 0.9^t)) / (sqrt(v / (1 - 0.999^t)) + 1e-8)

Diederik Kingma and Jimmy Ba (2015), Adam: a method for stochastic optimization.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from scipy.sparse import csr_matrix

from core.models.documents.bag_of_words import Bags
from core.models.documents.document_network import (
    Network,
    backward,
    drawn_network,
    forward,
    shares_of,
)

EPOCHS, STEPS_AN_EPOCH, RATE = 10, 25, 0.02


@dataclass
class Adam:
    """Adam's steps for one network; `frozen` embeddings are left as they are."""

    rate: float = RATE
    frozen: bool = False
    t: int = 0
    m: dict[str, np.ndarray] = field(default_factory=dict)
    v: dict[str, np.ndarray] = field(default_factory=dict)

    def step(self, network: Network, gradient: Network) -> Network:
        """Return the network after one step."""
        self.t += 1
        return network.changed(lambda name, parameter: self._moved(name, parameter, getattr(gradient, name)))

    def _moved(self, name: str, parameter: np.ndarray, g: np.ndarray) -> np.ndarray:
        if self.frozen and name == "E":
            return parameter
        self.m[name] = 0.9 * self.m.get(name, 0) + 0.1 * g
        self.v[name] = 0.999 * self.v.get(name, 0) + 0.001 * g**2
        m, v = self.m[name] / (1 - 0.9**self.t), self.v[name] / (1 - 0.999**self.t)
        return parameter - self.rate * m / (np.sqrt(v) + 1e-8)


@dataclass(frozen=True)
class Epoch:
    """What a network is worth: mean loss and share that is right, of the documents learnt and of those held out."""

    loss: float
    right: float
    held_loss: float
    held_right: float


@dataclass(frozen=True, eq=False)
class TrainedDocumentNetwork:
    """A trained network, what it was worth before the first epoch and after each, and its p of the held-out (N, C)."""

    network: Network
    epochs: tuple[Epoch, ...]
    posteriors: np.ndarray


def fit_documents(
    learnt: Bags, rest: Bags, d: int, H: int, frozen: bool = False, epochs: int = EPOCHS, seed: int = 0
) -> TrainedDocumentNetwork:
    """Return the network trained on documents and measured on held-out ones; H = 0: without a hidden layer.

    An epoch goes through all documents once, in a new order, in 25 batches (fewer where there are fewer documents).

    >>> X, y = csr_matrix([[2.0, 0], [1, 0], [0, 1], [0, 3]]), np.array([0, 0, 1, 1])
    >>> bags = Bags(("good", "bad"), ("+", "-"), X, y)
    >>> trained = fit_documents(bags, bags, d=2, H=3, epochs=20)
    >>> [round(trained.epochs[i].right, 2) for i in (0, -1)]
    [0.5, 1.0]
    """
    X, held, y = shares_of(learnt.X), shares_of(rest.X), learnt.y
    network = drawn_network(X.shape[1], len(learnt.classes), d, H, seed)
    adam, rng = Adam(frozen=frozen), np.random.default_rng(seed)
    worth = [_worth(network, X, y, held, rest.y)]
    for _ in range(epochs):
        for batch in np.array_split(rng.permutation(len(y)), min(STEPS_AN_EPOCH, len(y))):
            found = forward(network, X[batch])
            network = adam.step(network, backward(network, X[batch], y[batch], found).of)
        worth.append(_worth(network, X, y, held, rest.y))
    return TrainedDocumentNetwork(network, tuple(worth), forward(network, held).p)


def _worth(network: Network, X: csr_matrix, y: np.ndarray, held: csr_matrix, held_y: np.ndarray) -> Epoch:
    found, other = forward(network, X), forward(network, held)
    right, held_right = (
        (each.p.argmax(axis=1) == true).mean() for each, true in ((found, y), (other, held_y))
    )
    return Epoch(found.loss(y), float(right), other.loss(held_y), float(held_right))
