"""Exercises on logistic regression: a review's probability, the loss with its penalty, and one step of a weight."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_matrix
from scipy.special import expit, logit

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.documents.logistic_regression import WorkedDocument, loss_and_gradient
from core.models.documents.two_weights import TwoWeights

WORDS = ("lovely", "sturdy", "flimsy", "dull", "handle", "lid", "the")
SUBSCRIPTS = "₁₂₃₄"


def draw_probability(draws: Draws, difficulty: int) -> Draw | None:
    """p(positive) of a review; mistakes: no bias, each word once, the sign of z turned."""
    words = draws.sample(WORDS, difficulty + 2)
    w = np.array([draws.decimal(-1.5, 1.5) for _ in words])
    b = draws.decimal(-0.9, 0.9)
    known = words[: difficulty + 1]
    x = np.array([draws.integer(1, 2) for _ in known], dtype=float)
    right = WorkedDocument(known, x, w[: len(known)], b, 1)
    review = draws.shuffle([word for word, n in zip(known, x, strict=True) for _ in range(int(n))])
    if x.max() == 1 or not b or not w.all() or abs(right.z) < 0.1:
        return None
    many = int(x.argmax())
    return Draw(
        given={"weights": Table(("w",), words, [w]), "b": b, "review": " ".join(review)},
        answer=right.p,
        mistakes={
            "bias": WorkedDocument(known, x, right.w, 0.0, 1).p,
            "once": WorkedDocument(known, np.ones_like(x), right.w, b, 1).p,
            "turned": expit(-right.z),
        },
        steps={
            "parts": [(word, int(n), float(each)) for word, n, each in zip(known, x, right.w, strict=True)],
            "z": right.z,
            "without": right.z - b,
            "many": known[many],
            "times": int(x[many]),
            "z_once": b + float(right.w.sum()),
        },
    )


def draw_loss(draws: Draws, difficulty: int) -> Draw | None:
    """J of some reviews; mistakes: no penalty, lambda instead of its half, the length not squared, always p(positive)."""
    n = difficulty + 1
    words, l2 = draws.sample(WORDS, 2), draws.choose((0.1, 0.5, 1.0))
    w = np.array([draws.integer(-4, 4) / 2 or 0.5 for _ in words])
    X = np.array([[draws.integer(0, 2), draws.integer(0, 1)] for _ in range(n)], dtype=float)
    y = np.array(draws.shuffle((0, 1, *(draws.integer(0, 1) for _ in range(n - 2)))))
    J = loss_and_gradient(w, 0.0, csr_matrix(X), y, l2)[0]
    costs = loss_and_gradient(w, 0.0, csr_matrix(X), y, 0.0)[0]
    p = expit(X @ w)
    if min(*p, *(1 - p)) < 0.04:
        return None  # four digits of p would not give two of J
    return Draw(
        given={
            "reviews": Table(
                ("p(1)", "y"), [f"d{SUBSCRIPTS[i]}" for i in range(n)], [p.round(4).tolist(), y.tolist()]
            ),
            "w": w,
            "l2": l2,
        },
        answer=J,
        mistakes={
            "penalty": costs,
            "half": loss_and_gradient(w, 0.0, csr_matrix(X), y, 2 * l2)[0],
            "length": costs + l2 / 2 * float(np.linalg.norm(w)),
            "label": loss_and_gradient(w, 0.0, csr_matrix(X), np.ones_like(y), l2)[0],
        },
        steps={
            "own": np.where(y == 1, p, 1 - p),
            "costs": float(costs),
            "squares": float(w @ w),
            "added": float(J - costs),
            "negative": float(p[y == 0][0]),
        },
        digits=2,
    )


def draw_step(draws: Draws, difficulty: int) -> Draw | None:
    """A weight after one step of descent; mistakes: uphill, counts ignored, no penalty, p instead of its error."""
    n = difficulty + 1
    w, rate, l2 = draws.decimal(-1, 1), draws.choose((0.1, 0.2, 0.5)), draws.choose((0.5, 1.0, 2.0))
    x = np.array([draws.integer(0, 3) for _ in range(n)], dtype=float)
    y = np.array([draws.integer(0, 1) for _ in range(n)])
    p = np.array([draws.decimal(0.1, 0.9) for _ in range(n)])
    if not w or x.max() < 2:
        return None

    def stepped(counts=x, labels=y, penalty=l2, sign=1):
        columns = np.column_stack([counts, np.zeros(n)])
        others = logit(p) - counts * w  # what all other words add, so that p is as given
        slope = TwoWeights(columns, labels, others, 0.0, penalty).gradient(np.array([w, 0.0]))[0]
        return float(w - sign * rate * slope)

    return Draw(
        given={
            "reviews": Table(
                ("x", "p(1)", "y"), [f"d{SUBSCRIPTS[i]}" for i in range(n)], [x.astype(int), p, y]
            ),
            "w": w,
            "rate": rate,
            "l2": l2,
        },
        answer=stepped(),
        mistakes={
            "uphill": stepped(sign=-1),
            "counts": stepped(counts=np.minimum(x, 1)),
            "penalty": stepped(penalty=0.0),
            "labels": stepped(labels=np.zeros(n)),
        },
        steps={
            "pulls": [(float(pd), int(yd), int(xd)) for pd, yd, xd in zip(p, y, x, strict=True) if xd],
            "data": float((p - y) @ x),
            "slope": (w - stepped()) / rate,
            "most": int(x.max()),
            "positive": next((float(pd) for pd, yd, xd in zip(p, y, x, strict=True) if xd and yd), 0.0),
        },
    )


MAKERS = (Maker(draw_probability), Maker(draw_loss), Maker(draw_step))
