"""The formula behind a measure of how soft a softmax is, filled in with the first query's scores."""

from __future__ import annotations

import numpy as np

from core.figures.worked import number


def softness_formula(scores: np.ndarray, scale: float, measure: str, first: str, cell: str) -> str:
    """Return LaTeX for a field of Softness of `scale` times the scores (Q, S).

    `first` names the first query, `cell` says how the measure is made of all queries.
    """
    used = scores * scale
    if measure == "spread":
        spread = number(float(used.std()))
        return rf"\sqrt{{\tfrac1n \textstyle\sum (s - \bar s)^2}} = {spread},\quad n = {used.size}"
    s = used[0]
    exponentials = np.exp(s - s.max())
    a = exponentials / exponentials.sum()
    weight = (
        rf"\text{{{first}: }} a_1 = \frac{{e^{{{number(s[0], 3)}}}}}{{e^{{{number(s[0], 3)}}} + "
        rf"e^{{{number(s[1], 3)}}} + \dots}} = {number(a[0], 3)}"
    )
    norm = number(float(np.linalg.norm(np.diag(a) - np.outer(a, a))))
    back = rf"\lVert \partial a / \partial (q \cdot k) \rVert_F = {number(scale)} \cdot {norm}"
    bits = number(float(-(a[a > 0] * np.log2(a[a > 0])).sum()))
    of_first = {
        "entropy": rf"-\textstyle\sum a \log_2 a = {bits}",
        "largest": rf"\max a = {number(float(a.max()))}",
        "gradient": rf"\lVert \operatorname{{diag}}(a) - a a^\top \rVert_F = {norm}",
    }.get(measure, back)
    return rf"{weight},\quad {of_first};\quad \text{{{cell}}}"
