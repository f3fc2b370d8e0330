r"""A network that reads documents: the mean of its words' embeddings, one hidden layer, a softmax over the classes.

Forwards, for a batch of B documents, a row each:

    x  = X E               the mean of the embeddings of a document's words; X (B, V): its counts, divided by their sum
    a  = tanh(x W1 + b1)   the hidden layer
    z  = a W2 + b2
    p  = softmax(z)        L = -1/B sum_d ln p(d, y_d)

and backwards, by the chain rule, from the loss to the embeddings:

    dL/dz  = (p - Y) / B                    Y (B, C): 1 at the true class
    dL/dW2 = a^T dL/dz                      dL/db2 = the rows of dL/dz added up
    dL/da  = dL/dz W2^T
    dL/dh  = dL/da (1 - a^2)                h = x W1 + b1, the slope of the tanh is 1 - a^2
    dL/dW1 = x^T dL/dh                      dL/db1 = the rows of dL/dh added up
    dL/dx  = dL/dh W1^T
    dL/dE  = X^T dL/dx                      every word takes its share of each of its documents

Without a hidden layer a = x. Mohit Iyyer et al. (2015), Deep unordered composition rivals syntactic methods for text
classification; Armand Joulin et al. (2017), Bag of tricks for efficient text classification, has no hidden layer.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from scipy.sparse import csr_matrix, diags

SPREAD = 0.5  # of the embeddings as they are drawn


@dataclass(frozen=True, eq=False)
class Network:
    """The parameters: embeddings E (V, d), W1 (d, H), b1 (H,), W2 (H, C), b2 (C,); W1 and b1 None: no hidden layer."""

    E: np.ndarray
    W1: np.ndarray | None
    b1: np.ndarray | None
    W2: np.ndarray
    b2: np.ndarray

    def changed(self, change) -> Network:
        """Return the network with change(name, parameter) in the place of every parameter that it has."""
        named = {each.name: getattr(self, each.name) for each in fields(self)}
        return Network(**{name: None if p is None else change(name, p) for name, p in named.items()})


def drawn_network(V: int, C: int, d: int, H: int, seed: int = 0) -> Network:
    """Return a network as training begins: drawn at random, biases nought; H = 0: without a hidden layer.

    >>> network = drawn_network(V=5, C=2, d=3, H=4)
    >>> network.E.shape, network.W1.shape, network.W2.shape, network.b2.tolist()
    ((5, 3), (3, 4), (4, 2), [0.0, 0.0])
    """
    rng = np.random.default_rng(seed)
    E = rng.normal(0, SPREAD, (V, d))
    W1 = rng.normal(0, d**-0.5, (d, H)) if H else None
    W2 = rng.normal(0, (H or d) ** -0.5, (H or d, C))
    return Network(E, W1, np.zeros(H) if H else None, W2, np.zeros(C))


def shares_of(counts: csr_matrix) -> csr_matrix:
    """Return counts (B, V) divided by their sums, a row each; a document without a known word stays nought.

    >>> shares_of(csr_matrix([[3.0, 1.0], [0.0, 0.0]])).toarray()
    array([[0.75, 0.25],
           [0.  , 0.  ]])
    """
    return csr_matrix(diags(1 / np.maximum(np.asarray(counts.sum(axis=1)).ravel(), 1)) @ counts)


@dataclass(frozen=True, eq=False)
class Forward:
    """What a batch of documents became on its way: x (B, d), a (B, H) (x where there is no hidden layer), z, p (B, C)."""

    x: np.ndarray
    a: np.ndarray
    z: np.ndarray
    p: np.ndarray

    def loss(self, y: np.ndarray) -> float:
        """Return L = -1/B sum ln p(y) for true classes y (B,)."""
        return float(-np.log(np.maximum(self.p[np.arange(len(y)), y], 1e-300)).mean())


def softmax(z: np.ndarray) -> np.ndarray:
    """Return e^z divided by its sum, row by row.

    >>> softmax(np.log([[3.0, 1.0]]))
    array([[0.75, 0.25]])
    """
    e = np.exp(z - z.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def forward(network: Network, X: csr_matrix) -> Forward:
    """Return what documents with shares X (B, V) become.

    Two words, one dimension, one hidden unit: x = 0.75 · 2 + 0.25 · (-2) = 1, a = tanh(1), z = (a, -a).

    >>> one = Network(np.array([[2.0], [-2.0]]), np.eye(1), np.zeros(1), np.array([[1.0, -1.0]]), np.zeros(2))
    >>> found = forward(one, csr_matrix([[0.75, 0.25]]))
    >>> found.x, found.a.round(4), found.p.round(4), round(found.loss(np.array([0])), 4)
    (array([[1.]]), array([[0.7616]]), array([[0.821, 0.179]]), 0.1972)
    """
    x = X @ network.E  # (B, d)
    a = x if network.W1 is None else np.tanh(x @ network.W1 + network.b1)  # (B, H)
    z = a @ network.W2 + network.b2  # (B, C)
    return Forward(x, a, z, softmax(z))


@dataclass(frozen=True, eq=False)
class Backward:
    """The gradients: of the parameters, as a Network of their shapes, and of what lies between: z, a, h and x."""

    of: Network
    z: np.ndarray  # (B, C)
    a: np.ndarray  # (B, H)
    h: np.ndarray  # (B, H)
    x: np.ndarray  # (B, d)


def backward(network: Network, X: csr_matrix, y: np.ndarray, found: Forward) -> Backward:
    """Return the gradients of the loss of documents X (B, V) with true classes y (B,), from where `forward` has come.

    >>> one = Network(np.array([[2.0], [-2.0]]), np.eye(1), np.zeros(1), np.array([[1.0, -1.0]]), np.zeros(2))
    >>> X, y = csr_matrix([[0.75, 0.25]]), np.array([0])
    >>> back = backward(one, X, y, forward(one, X))
    >>> back.z.round(4), back.a.round(4), back.x.round(4), back.of.E.round(4).tolist()
    (array([[-0.179,  0.179]]), array([[-0.358]]), array([[-0.1503]]), [[-0.1128], [-0.0376]])
    """
    Y = np.eye(found.p.shape[1])[y]  # (B, C)
    by_z = (found.p - Y) / len(y)  # (B, C)
    by_W2, by_b2 = found.a.T @ by_z, by_z.sum(axis=0)
    by_a = by_z @ network.W2.T  # (B, H)
    if network.W1 is None:
        return Backward(Network(X.T @ by_a, None, None, by_W2, by_b2), by_z, by_a, by_a, by_a)
    by_h = by_a * (1 - found.a**2)  # (B, H)
    by_W1, by_b1 = found.x.T @ by_h, by_h.sum(axis=0)
    by_x = by_h @ network.W1.T  # (B, d)
    return Backward(Network(X.T @ by_x, by_W1, by_b1, by_W2, by_b2), by_z, by_a, by_h, by_x)


def stepped(network: Network, gradient: Network, rate: float, frozen: bool = False) -> Network:
    """Return the network one step down the gradient: every parameter less rate times its gradient.

    `frozen`: the embeddings stay as they are.
    """

    def change(name: str, parameter: np.ndarray) -> np.ndarray:
        return parameter if frozen and name == "E" else parameter - rate * getattr(gradient, name)

    return network.changed(change)
