"""Exercises on a neural text classifier: the mean of word vectors, the layers forwards, and one step of a word."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_matrix

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.documents.document_network import (
    Network,
    backward,
    forward,
    shares_of,
    softmax,
    stepped,
)

WORDS = ("lovely", "flimsy", "handle", "dull", "fine", "lid")
CLASSES = ("positive", "negative")


def draw_document(draws: Draws, difficulty: int) -> tuple[tuple[str, ...], np.ndarray, str]:
    """Return the words of a review, how often it has each (k,), and the review; one word comes more than once."""
    words = draws.sample(WORDS, difficulty + 1)
    counts = np.array([draws.integer(1, 2) for _ in words])
    counts[0] = draws.integer(2, 3)
    review = draws.shuffle([word for word, n in zip(words, counts, strict=True) for _ in range(n)])
    return words, counts, " ".join(review)


def draw_vectors(draws: Draws, rows: int) -> np.ndarray:
    """Return vectors of two numbers with one digit, (rows, 2)."""
    return np.array([[draws.decimal(-2, 2), draws.decimal(-2, 2)] for _ in range(rows)])


def draw_mean(draws: Draws, difficulty: int) -> Draw:
    """The vector of a review; mistakes: no division, each word once, divide by the different words."""
    words, counts, review = draw_document(draws, difficulty)
    E, n = draw_vectors(draws, len(words)), int(counts.sum())
    X = shares_of(csr_matrix(counts[None].astype(float)))
    summed = counts @ E
    return Draw(
        given={"vectors": Table(words, ("e₁", "e₂"), E), "review": review},
        answer=(X @ E)[0],
        mistakes={
            "added": summed,
            "once": (shares_of(csr_matrix(np.ones((1, len(words))))) @ E)[0],
            "types": summed / len(words),
        },
        steps={
            "n": n,
            "k": len(words),
            "summed": summed,
            "often": words[0],
            "times": int(counts[0]),
            "first": [(int(times), float(e[0])) for times, e in zip(counts, E, strict=True)],
        },
        table=Table(("x",), ("x₁", "x₂"), [[None, None]]),
        digits=2,
    )


def draw_forward(draws: Draws, difficulty: int) -> Draw:
    """Hidden units, z and p; mistakes: no tanh, W1 read the wrong way round, the bias left out."""
    E = draw_vectors(draws, 1)
    W1, W2 = (np.array([[draws.integer(-2, 2) / 2 for _ in range(2)] for _ in range(2)]) for _ in range(2))
    b1 = np.array([draws.integer(-2, 2) / 2 or 0.5 for _ in range(2)])
    network, X = Network(E, W1, b1, W2, np.zeros(2)), csr_matrix([[1.0]])
    right = forward(network, X)
    h = E @ W1 + b1
    return Draw(
        given={
            "x": E[0],
            "W1": Table(("x₁", "x₂"), ("a₁", "a₂"), W1, "W₁"),
            "b1": b1,
            "W2": Table(("a₁", "a₂"), CLASSES, W2, "W₂"),
        },
        answer=[*right.a[0], *right.p[0]][: 4 if difficulty > 1 else 2],
        mistakes={
            "linear": columns(h, h @ W2, difficulty),
            "transposed": columns(
                (turned := forward(Network(E, W1.T, b1, W2, np.zeros(2)), X)).a, turned.z, difficulty
            ),
            "bias": columns(
                (bare := forward(Network(E, W1, np.zeros(2), W2, np.zeros(2)), X)).a, bare.z, difficulty
            ),
        },
        steps={
            "h": h[0],
            "a": right.a[0],
            "z": right.z[0],
            "into": W1[:, 0],
            "row": W1[0],
        },
        table=Table(
            ("d",),
            ("a₁", "a₂", "p(positive)", "p(negative)")[: 4 if difficulty > 1 else 2],
            [[None] * (4 if difficulty > 1 else 2)],
        ),
    )


def columns(a: np.ndarray, z: np.ndarray, difficulty: int) -> list[float]:
    """Return what is asked for: the hidden units, from the second difficulty on the probabilities too."""
    return [*a[0], *softmax(z)[0]][: 4 if difficulty > 1 else 2]


def draw_output(draws: Draws, difficulty: int) -> Draw:
    """The slope of the loss at z; mistakes: the sign turned, the probabilities themselves, the other class."""
    C = difficulty + 1
    p = np.array(draws.distribution(C, 20))
    y = draws.integer(0, C - 1)
    names = ("sport", "world", "business", "science")[:C]
    network = Network(np.log(p)[None], None, None, np.eye(C), np.zeros(C))
    X = csr_matrix([[1.0]])
    slopes = [backward(network, X, np.array([c]), forward(network, X)).z[0] for c in range(C)]
    rate = draws.choose((0.5, 1.0, 2.0))
    return Draw(
        given={"p": Table(("p",), names, [p]), "label": names[y], "rate": rate},
        answer=-rate * slopes[y],
        mistakes={
            "uphill": rate * slopes[y],
            "label": -rate * p,
            "other": -rate * slopes[(y + 1) % C],
        },
        steps={"own": float(p[y]), "slope": slopes[y], "other_label": names[(y + 1) % C]},
        table=Table(("Δz",), names, [[None] * C]),
        digits=2,
    )


def draw_step(draws: Draws, difficulty: int) -> Draw:
    """A word's vector after a step; mistakes: uphill, the word counted once, the complete slope for every word."""
    words, counts, review = draw_document(draws, difficulty)
    E, slope = draw_vectors(draws, len(words)), draw_vectors(draws, 1)
    n, rate = int(counts.sum()), draws.choose((0.5, 1.0, 2.0))
    X = shares_of(csr_matrix(counts[None].astype(float)))
    zeros = np.zeros((2, 2))

    def moved(gradient: np.ndarray, rate: float) -> np.ndarray:
        network = Network(E, None, None, zeros, np.zeros(2))
        return stepped(network, Network(gradient, None, None, zeros, np.zeros(2)), rate).E[0]

    return Draw(
        given={
            "review": review,
            "word": words[0],
            "e": E[0],
            "slope": slope[0],
            "rate": rate,
        },
        answer=moved(X.T @ slope, rate),
        mistakes={
            "uphill": moved(X.T @ slope, -rate),
            "once": moved(np.ones((len(words), 1)) / n @ slope, rate),
            "complete": moved(np.ones((len(words), 1)) @ slope, rate),
        },
        steps={
            "n": n,
            "times": int(counts[0]),
            "part": (counts[0] / n * slope[0]),
            "after": moved(X.T @ slope, rate),
        },
        table=Table(("e",), ("e₁", "e₂"), [[None, None]]),
    )


MAKERS = (Maker(draw_mean), Maker(draw_forward), Maker(draw_output), Maker(draw_step))
