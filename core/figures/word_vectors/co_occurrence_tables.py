"""The tables behind a co-occurrence matrix, and the formulas of their cells: pairs, two rows, singular values."""

from __future__ import annotations

from collections.abc import Callable
from math import log2

import numpy as np
import pandas as pd

from core.figures.worked import made_by, number, word
from core.models.word_vectors.co_occurrence import CoOccurrence, co_occurrences, pmi
from core.models.word_vectors.truncated_svd import Factors


def worked_pmi(found: CoOccurrence, w: str, c: str) -> str:
    r"""Return the PMI of a cell from its four counts.

    >>> found = CoOccurrence(("the", "crown", "king"), np.array([[0, 6, 1], [6, 0, 4], [1, 4, 0]]))
    >>> worked_pmi(found, "king", "crown").partition("=")[2]
    ' \\log_2 \\frac{4 \\cdot 22}{5 \\cdot 10} = \\log_2 1.76 = 0.8156'
    """
    n, row, column = (
        found.counts[found.index[w], found.index[c]],
        *(found.totals[found.index[each]] for each in (w, c)),
    )
    start = rf"\operatorname{{PMI}}({word(w)}, {word(c)}) = \log_2 \frac{{{n} \cdot {found.total}}}{{{row} \cdot {column}}}"
    if not n:
        return rf"{start} = \log_2 0 = -\infty"
    ratio = n * found.total / (row * column)
    return rf"{start} = \log_2 {number(ratio)} = {number(log2(ratio))}"


def worked_pair(found: CoOccurrence, M: np.ndarray, row: int, column: str) -> str | None:
    """Return the formula of a cell of the table of pairs of words; None for a label.

    The table's rows are those cells of the upper triangle of the matrix that were ever added to.
    """
    w, c = (found.words[place] for place in seen_pairs(found)[row])
    i, j = found.index[w], found.index[c]
    return {
        "times together": rf"{made_by(co_occurrences)} C[{word(w)}, {word(c)}] = {found.counts[i, j]}",
        "by chance": rf"\frac{{C[{word(w)}, *]\, C[*, {word(c)}]}}{{N}} = \frac{{{found.totals[i]} \cdot {found.totals[j]}}}"
        rf"{{{found.total}}} = {number(found.totals[i] * found.totals[j] / found.total)}",
        "PMI": f"{made_by(pmi)} {worked_pmi(found, w, c)}",
        "in the matrix": rf"M[{word(w)}, {word(c)}] = {number(float(M[i, j]))}",
    }.get(column)


def seen_pairs(found: CoOccurrence, most: int = 400) -> np.ndarray:
    """Return the pairs of rows (n, 2) that stand together, each once, the most frequent pairs first.

    >>> seen_pairs(CoOccurrence(("the", "crown", "king"), np.array([[0, 6, 1], [6, 0, 4], [1, 4, 0]]))).tolist()
    [[0, 1], [1, 2], [0, 2]]
    """
    rows, columns = np.triu(found.counts).nonzero()
    order = np.argsort(-found.counts[rows, columns], kind="stable")[:most]
    return np.column_stack([rows[order], columns[order]])


def pairs_table(found: CoOccurrence, M: np.ndarray) -> tuple[pd.DataFrame, Callable]:
    """Return the table of the pairs that stand together, and the formula of its cells."""
    i, j = seen_pairs(found).T
    table = pd.DataFrame(
        {
            "word": [found.words[place] for place in i],
            "context": [found.words[place] for place in j],
            "times together": found.counts[i, j],
            "by chance": found.totals[i] * found.totals[j] / found.total,
            "PMI": pmi(found)[i, j],
            "in the matrix": M[i, j],
        }
    )
    return table, lambda row, column: worked_pair(found, M, row, column)


def terms_table(found: CoOccurrence, M: np.ndarray, word: str, other: str) -> tuple[pd.DataFrame, Callable]:
    """Return the table of what two rows hold with its products, and the formula of a product."""
    x, y = (M[found.index[each]] for each in (word, other))
    table = pd.DataFrame({"context": found.words, f"“{word}”": x, f"“{other}” ": y, "product": x * y})

    def formula(row: int, column: str) -> str | None:
        filled = rf"{number(x[row])} \cdot {number(y[row])} = {number(float(x[row] * y[row]))}"
        return filled if column == "product" else None

    return table, formula


def sigma_table(factors: Factors) -> tuple[pd.DataFrame, Callable]:
    """Return the table of singular values with what the first k keep and leave, and the formula of its cells."""
    k, squares = np.arange(1, len(factors.sigma) + 1), factors.sigma**2
    shares = [factors.kept(each) for each in k]
    errors = [factors.error(each) for each in k]
    table = pd.DataFrame({"k": k, "σ": factors.sigma, "share kept": shares, "‖M − M_k‖": errors})
    return table, lambda row, column: worked_share(squares, row + 1) if column == "share kept" else None


def worked_share(squares: np.ndarray, k: int) -> str:
    r"""Return the share of the squared singular values that the first k are, filled in.

    >>> worked_share(np.array([9.0, 4.0, 1.0]), 2).partition("^2} = ")[2]
    '\\frac{13}{14} = 0.9286'
    """
    V, some, every = len(squares), float(squares[:k].sum()), float(squares.sum()) or 1.0
    return (
        rf"\frac{{\sigma_1^2 + \dots + \sigma_{{{k}}}^2}}{{\sigma_1^2 + \dots + \sigma_{{{V}}}^2}} = "
        rf"\frac{{{number(some)}}}{{{number(every)}}} = {number(some / every)}"
    )
