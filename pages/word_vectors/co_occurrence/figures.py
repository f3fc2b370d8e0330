"""Pictures of co-occurrence: lines around a word, words by contexts, what k dimensions restore; and the lab's tables."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from math import log2

import numpy as np
import pandas as pd

from core.figures.blank import FONT_SIZE, blank
from core.figures.figure import Figure, bar, scatter, subplots
from core.figures.frame import frame, matrices, panel
from core.figures.palette import BLUE, VERMILLION
from core.figures.word_vectors.co_occurrence import colours, matrix_cells, shorten_labels
from core.figures.worked import made_by, number, word
from core.models.word_vectors.co_occurrence import CoOccurrence, co_occurrences, pmi
from core.models.word_vectors.negative_sampling import window
from core.models.word_vectors.truncated_svd import SingularFactors
from core.text.tokenization.vocabulary import Vocabulary
from pages.word_vectors.co_occurrence import LESSON

WORDS = LESSON.words
MINUS = "−"


# The story.


def draw_lines(lines: Sequence[tuple[Sequence[str], str]], of: str, hidden: bool) -> dict:
    """Return lines of a text, (words, its source) each, aligned on a word that may be hidden."""
    shown = []
    for key, (line, source) in enumerate(lines):
        at = list(line).index(of)
        parts = {"before": list(line[:at]), "word": "" if hidden else of, "after": list(line[at + 1 :])}
        shown.append({"key": str(key), **parts, "note": source})
    titles = {part: WORDS.label(f"lines.{part}") for part in ("before", "word", "after")}
    return {"lines": shown, "hidden": hidden, "titles": titles}


def draw_cells(
    M: np.ndarray,
    rows: Sequence[str],
    columns: Sequence[str],
    cell: str,
    digits: int = 0,
    now: Container[tuple[int, int]] = (),
    chosen: Container[str] = (),
    side: tuple[str, Sequence[str]] | None = None,
    strip: Sequence[dict] = (),
    most: float | np.ndarray = 0,
) -> dict:
    """Return words by contexts, (rows, columns), with a number in each cell; `cell` says what the number is.

    `most` is the number with the deepest colour, one for all rows or one for each; 0 for the largest of all.

    >>> draw_cells(np.array([[0, 2.5]]), ["king"], ["the", "crown"], "bits", 1)["cells"][0][1]["text"]
    '2.5'
    """
    full = np.broadcast_to(most if np.any(most) else np.abs(M).max() or 1.0, len(rows))

    def draw(i: int, j: int) -> dict:
        text = f"{abs(M[i, j]):.{digits}f}"
        low = bool(M[i, j] < 0) and float(text) > 0
        kind = "now" if (i, j) in now else "low" if low else "plain"
        shade = min(1.0, abs(float(M[i, j])) / full[i])
        return {"text": MINUS * low + text, "kind": kind, "shade": round(float(shade), 3)}

    return {
        "strip": list(strip),
        "axes": {"row": WORDS.label("axis.row"), "column": WORDS.label("axis.column"), "cell": cell},
        "rows": [{"text": each, "kind": "now" if each in chosen else "plain"} for each in rows],
        "columns": [{"text": each, "kind": "plain"} for each in columns],
        "cells": [[draw(i, j) for j in range(len(columns))] for i in range(len(rows))],
        "side": side and {"title": side[0], "texts": list(side[1])},
    }


def draw_bars(rows: Sequence[tuple], title: str, ends: tuple[float, float], total: str = "") -> dict:
    """Return bars from 0: (name, length, its text, a note, kind) each."""
    bars = [
        {
            "name": name,
            "mark": f"row.{name.split()[0]}",
            "from": 0,
            "to": round(float(value), 4),
            "text": text,
            "note": note,
            "kind": kind,
            "hue": "blue" if value >= 0 else "vermillion",
        }
        for name, value, text, note, kind in rows
    ]
    return {"panels": [{"title": title, "least": ends[0], "most": ends[1], "rows": bars}], "sum": total}


# The lab.


def restored_figure(
    M: np.ndarray, rows: Sequence[str], columns: Sequence[str], restored: np.ndarray
) -> Figure:
    """Return some cells of a matrix and of what fewer dimensions restore of them, on one scale of colours."""
    titles = (WORDS.label("restored.matrix"), WORDS.label("restored.few"))
    figure = subplots(1, 2, titles, horizontal_spacing=0.12)
    figure.update_layout(blank(360).layout, margin={"t": 30})
    for column, each in enumerate((M, restored), 1):
        cells = matrix_cells(each, rows, columns, colours(M, restored))
        figure.add_trace({**cells, "showscale": column == 2}, 1, column)
    figure.update_annotations(font_size=FONT_SIZE)
    figure.update_xaxes(type="category", tickangle=-90, tickfont={"size": FONT_SIZE})
    return figure.update_yaxes(type="category", dtick=1, autorange="reversed", tickfont={"size": FONT_SIZE})


def kept_figure(shares: np.ndarray, k: int, height: int = 240) -> Figure:
    """Return the share of the squared singular values that the first 1 ... V are, with k marked."""
    figure = blank(height, WORDS.label("axis.k"), WORDS.label("axis.kept"))
    places = np.arange(1, len(shares) + 1)
    hover = "k = %{x}: %{y:.1%}<extra></extra>"
    figure.add_trace(
        scatter(x=places, y=shares, mode="lines", line={"color": BLUE}, showlegend=False, hovertemplate=hover)
    )
    mark = {"color": VERMILLION, "size": 12}
    figure.add_trace(
        scatter(x=[k], y=[shares[k - 1]], mode="markers", marker=mark, showlegend=False, hovertemplate=hover)
    )
    return figure.update_yaxes(tickformat=".0%", range=[0, 1.05])


def rows_figure(x: np.ndarray, y: np.ndarray, contexts: Sequence[str], names: tuple[str, str]) -> Figure:
    """Return the numbers that two words' rows have for some contexts, as bars side by side."""
    figure = blank(300, WORDS.label("axis.column"), WORDS.label("axis.in_row"))
    for values, name, colour in zip((x, y), names, (BLUE, VERMILLION), strict=True):
        figure.add_trace(
            bar(
                x=shorten_labels(contexts),
                y=values,
                name=name,
                marker={"color": colour},
                hovertemplate="%{x}: %{y:.3~f}",
            )
        )
    figure.update_layout(barmode="group")
    return figure.update_xaxes(type="category", dtick=1)


def window_frames(tokens: Sequence[str], size: int, known: Container[str]) -> tuple[list[dict], dict]:
    """Return the steps of a window over a sentence, and what they share: each adds 1 to cells of one row.

    A word that is not `known` keeps its place in the sentence, but has neither row nor column.
    """
    types = [each for each in Vocabulary.of(tokens).types if each in known]
    frames, names = [], shorten_labels(types)
    windows = [window(tokens, centre, size) for centre in range(len(tokens))]
    columns = [
        [types.index(tokens[place]) for place in around if token in known and tokens[place] in known]
        for token, around in zip(tokens, windows, strict=True)
    ]
    counts, whole = np.zeros((len(types), len(types))), np.zeros((len(types), len(types)))
    rows = [types.index(token) if token in known else -1 for token in tokens]
    for row, into in zip(rows, columns, strict=True):
        np.add.at(whole, (row, into), 1)
    for centre, token in enumerate(tokens):
        np.add.at(counts, (rows[centre], columns[centre]), 1)
        cells = panel("", counts) | {
            "digits": 0,
            "measure": WORDS.label("called.counts"),
            "reach": float(whole.max(initial=1)),
        }
        cells["marked"] = [[rows[centre], column] for column in sorted(set(columns[centre]))]
        picture = matrices([cells], names, names) | {"write": True}
        around = [tokens[place] for place in windows[centre]]
        frames.append(
            frame(
                WORDS.label("window.around", word=token),
                {"kind": "sliding", "centre": centre, "around": windows[centre], "matrix": picture},
                WORDS.label("window.alt", word=token),
                WORDS.label("window.said", word=token, **additions(token, around, known)),
                [WORDS.label("window.sum", n=int(counts.sum()), whole=int(whole.sum()))],
            )
        )
    return frames, {"tokens": list(tokens)}


def additions(token: str, around: Sequence[str], known: Container[str]) -> dict:
    """Return what a window adds to its word's row: how much to each column, and the words without a column.

    >>> additions("of", ["the", "cat", "the", "yak"], {"of", "the", "cat"})
    {'known': True, 'added': [('the', 2), ('cat', 1)], 'n': 3, 'without': ['yak']}
    """
    times = {each: around.count(each) for each in around if each in known}
    without = [each for each in dict.fromkeys(around) if each not in known]
    return {
        "known": token in known,
        "added": list(times.items()),
        "n": sum(times.values()),
        "without": without,
    }


# The tables behind every number.


def worked_pmi(found: CoOccurrence, w: str, c: str) -> str:
    r"""Return the PMI of a cell from its four counts.

    >>> found = CoOccurrence(("the", "crown", "king"), np.array([[0, 6, 1], [6, 0, 4], [1, 4, 0]]))
    >>> worked_pmi(found, "king", "crown").partition("=")[2]
    ' \\log_2 \\frac{4 \\cdot 22}{5 \\cdot 10} = \\log_2 1.76 = 0.8156'
    """
    n = found.counts[found.index[w], found.index[c]]
    row, column = (found.totals[found.index[each]] for each in (w, c))
    start = rf"\operatorname{{PMI}}({word(w)}, {word(c)}) = \log_2 \frac{{{n} \cdot {found.total}}}{{{row} \cdot {column}}}"
    if not n:
        return rf"{start} = \log_2 0 = -\infty"
    ratio = n * found.total / (row * column)
    return rf"{start} = \log_2 {number(ratio)} = {number(log2(ratio))}"


def worked_pair(found: CoOccurrence, M: np.ndarray, row: int, column: str) -> str | None:
    """Return the formula of a cell of the table of pairs of words; None for a word.

    The table's rows are those cells of the upper triangle of the matrix that were ever added to.
    """
    w, c = (found.words[place] for place in seen_pairs(found)[row])
    i, j = found.index[w], found.index[c]
    formulas = {
        "together": rf"{made_by(co_occurrences)} C[{word(w)}, {word(c)}] = {found.counts[i, j]}",
        "chance": rf"\frac{{C[{word(w)}, *]\, C[*, {word(c)}]}}{{N}} = \frac{{{found.totals[i]} \cdot {found.totals[j]}}}"
        rf"{{{found.total}}} = {number(found.totals[i] * found.totals[j] / found.total)}",
        "pmi": f"{made_by(pmi)} {worked_pmi(found, w, c)}",
        "cell": rf"M[{word(w)}, {word(c)}] = {number(float(M[i, j]))}",
    }
    return {name_column(name): formula for name, formula in formulas.items()}.get(column)


def name_column(name: str) -> str:
    """Return a table's column as it is named."""
    return WORDS.label(f"column.{name}")


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
    columns = {
        "word": [found.words[place] for place in i],
        "context": [found.words[place] for place in j],
        "together": found.counts[i, j],
        "chance": found.totals[i] * found.totals[j] / found.total,
        "pmi": pmi(found)[i, j],
        "cell": M[i, j],
    }
    table = pd.DataFrame({name_column(name): values for name, values in columns.items()})
    return table, lambda row, column: worked_pair(found, M, row, column)


def terms_table(found: CoOccurrence, M: np.ndarray, word: str, other: str) -> tuple[pd.DataFrame, Callable]:
    """Return the table of what two rows hold with its products, and the formula of a product."""
    x, y = (M[found.index[each]] for each in (word, other))
    ends = {name_column("context"): found.words, f"“{word}”": x, f"“{other}” ": y}
    table = pd.DataFrame({**ends, name_column("product"): x * y})

    def formula(row: int, column: str) -> str | None:
        filled = rf"{number(x[row])} \cdot {number(y[row])} = {number(float(x[row] * y[row]))}"
        return filled if column == name_column("product") else None

    return table, formula


def sigma_table(factors: SingularFactors) -> tuple[pd.DataFrame, Callable]:
    """Return the table of singular values with what the first k keep and leave, and the formula of its cells."""
    k, squares = np.arange(1, len(factors.sigma) + 1), factors.sigma**2
    shares = [factors.kept(each) for each in k]
    errors = [factors.error(each) for each in k]
    share = name_column("share")
    table = pd.DataFrame({"k": k, "σ": factors.sigma, share: shares, "‖M − M_k‖": errors})
    return table, lambda row, column: worked_share(squares, row + 1) if column == share else None


def worked_share(squares: np.ndarray, k: int) -> str:
    r"""Return the share of the squared singular values that the first k are, filled in.

    >>> worked_share(np.array([9.0, 4.0, 1.0]), 2).partition("^2} = ")[2]
    '\\frac{13}{14} = 0.9286'
    """
    some, every = float(squares[:k].sum()), float(squares.sum()) or 1.0
    shown, total = (
        " + ".join([r"\sigma_1^2", r"\dots", rf"\sigma_{{{last}}}^2"]) for last in (k, len(squares))
    )
    return (
        rf"\frac{{{shown}}}{{{total}}} = \frac{{{number(some)}}}{{{number(every)}}} = {number(some / every)}"
    )
