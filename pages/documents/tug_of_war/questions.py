"""Exercises on naive Bayes and logistic regression: what a word adds, what copies do, the loss, and confidence."""

from __future__ import annotations

import numpy as np

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.documents.naive_bayes import NaiveBayes
from core.models.documents.tug_of_war import Pulls, how_sure, log_ratios, mean_cross_entropy

WORDS = ("lovely", "sturdy", "fine", "flimsy", "dull", "broken")
THINGS = ("handle", "lid", "box", "strap", "pump", "lamp")


def draw_term(draws: Draws, difficulty: int) -> Draw | None:
    """What a word adds to naive Bayes' score; mistakes: compare counts alone, turn the ratio, leave out the logarithm."""
    V = difficulty + 2
    words = draws.sample(WORDS, V)
    counts = np.array([[draws.integer(0, 9) for _ in words] for _ in (0, 1)], dtype=float)
    v = draws.integer(0, V - 1)
    model = NaiveBayes(1.0).fit_counts(counts, np.array([1, 1]))
    term = float(log_ratios(model)[1][v])
    negative, positive = counts[:, v] + 1
    if abs(term) < 0.1:
        return None
    return Draw(
        given={
            "counts": Table(("positive", "negative"), words, counts[::-1].astype(int), "n(v, c)"),
            "word": words[v],
        },
        answer=term,
        mistakes={
            "counts_alone": np.log(positive / negative),
            "turned": -term,
            "ratio": np.exp(term),
        },
        steps={
            "n": [int(each) for each in (positive, negative)],
            "totals": [int(each) for each in counts.sum(axis=1)[::-1] + V],
            "sizes": [int(each) for each in counts.sum(axis=1)[::-1]],
            "p": np.exp(model.log_likelihood_[::-1, v]),
            "V": V,
        },
        digits=2,
    )


def draw_copies(draws: Draws, difficulty: int) -> Draw:
    """p(positive) with copied columns; mistakes: copies change nothing, copy the start too, the other label."""
    words = draws.sample(THINGS, difficulty + 1)
    m = draws.integer(2, 4)
    terms = np.array([draws.decimal(-1.2, 1.2) or 0.1 for _ in words])
    begin = draws.decimal(-0.8, 0.8) or 0.3
    x = np.array([draws.integer(1, difficulty) for _ in words], dtype=float)
    once, copied = (Pulls(words, x, times * terms[None], np.array([begin])) for times in (1, m))
    both = Pulls(words, x, m * terms[None], np.array([m * begin]))
    return Draw(
        given={
            "m": m,
            "begin": begin,
            "terms": Table(("x", "ln p(v | 1) / p(v | 0)"), words, [x.astype(int), terms]),
        },
        answer=copied.p[0],
        mistakes={"unchanged": once.p[0], "start": both.p[0], "negative": 1 - copied.p[0]},
        steps={
            "parts": [(word, int(n), float(term)) for word, n, term in zip(words, x, terms, strict=True)],
            "total": float(once.terms.sum()),
            "z": float(copied.z[0]),
            "z_once": float(once.z[0]),
            "z_both": float(both.z[0]),
        },
    )


def draw_loss(draws: Draws, difficulty: int) -> Draw:
    """The mean of -ln p of the true label; mistakes: always the positive label's p, the sum, logarithms to base 2."""
    p, y = draw_reviews(draws, difficulty + 1)
    loss = mean_cross_entropy(p, y)
    return Draw(
        given={"reviews": reviews(p, y)},
        answer=loss,
        mistakes={
            "positive": mean_cross_entropy(p, np.ones_like(y)),
            "added": loss * len(y),
            "bits": loss / np.log(2),
        },
        steps={
            "own": np.where(y == 1, p, 1 - p),
            "costs": [mean_cross_entropy(p[i : i + 1], y[i : i + 1]) for i in range(len(y))],
            "n": len(y),
            "negative": float(p[y == 0][0]),
        },
    )


def draw_confidence(draws: Draws, difficulty: int) -> Draw | None:
    """Confidence minus accuracy; mistakes: the mean p(positive), confidence alone, the mean p of the true label."""
    p, y = draw_reviews(draws, difficulty + 3)
    right = (p > 0.5) == (y == 1)
    accuracy = float(right.mean())
    if accuracy in (0, 1) or (p == 0.5).any():
        return None
    return Draw(
        given={"reviews": reviews(p, y)},
        answer=how_sure(p) - accuracy,
        mistakes={
            "mean": p.mean() - accuracy,
            "alone": how_sure(p),
            "true": np.where(y == 1, p, 1 - p).mean() - accuracy,
        },
        steps={
            "chosen": np.maximum(p, 1 - p),
            "sure": how_sure(p),
            "right": int(right.sum()),
            "n": len(y),
            "accuracy": accuracy,
            "low": float(p.min()),
            "p_mean": float(p.mean()),
            "own_mean": float(np.where(y == 1, p, 1 - p).mean()),
        },
    )


def draw_reviews(draws: Draws, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return probabilities of the class positive (n,) and labels (n,), both labels among them."""
    p = np.array([draws.decimal(0.05, 0.95, 2) for _ in range(n)])
    y = np.array(draws.shuffle((0, 1, *(draws.integer(0, 1) for _ in range(n - 2)))))
    return p, y


def reviews(p: np.ndarray, y: np.ndarray) -> Table:
    """Return reviews as a table: p(1) and the label y, of each."""
    return Table(("p(1)", "y"), [f"d{SUBSCRIPTS[i]}" for i in range(len(p))], [p, y])


SUBSCRIPTS = "₁₂₃₄₅₆"

MAKERS = (Maker(draw_term), Maker(draw_copies), Maker(draw_loss), Maker(draw_confidence))
