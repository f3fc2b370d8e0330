"""Pictures of the Viterbi algorithm: a trellis with its paths, and scores that underflow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from core.figures.blank import blank
from core.figures.figure import Figure, scatter
from core.figures.palette import BLUE, VERMILLION
from core.figures.worked import plain_number
from core.models.hidden_markov_models.decoding import Decoded
from core.models.hidden_markov_models.viterbi import Lattice
from pages.hidden_markov_models.viterbi import LESSON

WORDS = LESSON.words
HUES = {"hot": "vermillion", "cold": "blue"}
SCOOPS_AT_MOST = 4  # a larger number is only written


def draw_trellis(
    decoded: Decoded,
    kinds: Mapping[tuple[int, int], str],
    edges: Iterable[tuple[int, int, int, str, str]] = (),
    scores_until: int = 0,
    total: str = "",
    faint: bool = False,
) -> dict:
    """Return the data of the view "trellis".

    `kinds` {(t, j): kind} are nodes that are not plain, `edges` (t, i, j, kind, text) lead from state i at t - 1 to state
    j at t, `scores_until` is the number of columns whose scores stand in their nodes, `total` a line of arithmetic;
    `faint` draws every other edge faintly.
    """
    lattice, words = decoded.viterbi, decoded.emissions.words
    n, K = lattice.scores.shape
    scores = np.exp(lattice.scores)
    return {
        "columns": [{"word": word, "count": count_scoops(word)} for word in words],
        "rows": [{"name": state, "hue": HUES.get(state)} for state in decoded.model.states],
        "nodes": [
            [
                {
                    "text": format_probability(scores[t, j]) if t < scores_until else "",
                    "kind": kinds.get((t, j), "filled" if t < scores_until else "open"),
                }
                for j in range(K)
            ]
            for t in range(n)
        ],
        "edges": [
            {"t": t, "i": i, "j": j, "kind": kind, "text": text} for t, i, j, kind, text in unique(edges)
        ],
        "axis": WORDS.label("axis.diary") if any(map(count_scoops, words)) else "",
        "sum": total,
        "faint": faint,
    }


def unique(edges: Iterable[tuple[int, int, int, str, str]]) -> list[tuple[int, int, int, str, str]]:
    """Return edges with the last one of each place: what is drawn later lies above."""
    return list({edge[:3]: edge for edge in edges}.values())


def path_edges(path: Sequence[int], kind: str = "best") -> list[tuple[int, int, int, str, str]]:
    """Return the edges of a path.

    >>> path_edges([1, 0])
    [(1, 1, 0, 'best', '')]
    """
    return [(t, path[t - 1], path[t], kind, "") for t in range(1, len(path))]


def pointer_edges(lattice: Lattice) -> list[tuple[int, int, int, str, str]]:
    """Return the edge that each cell's backpointer follows."""
    n, K = lattice.backpointers.shape
    return [(t, int(lattice.backpointers[t, j]), j, "way", "") for t in range(1, n) for j in range(K)]


def count_scoops(word: str) -> int:
    """Return how many scoops stand under a word: as many as it says, none where it is no small number.

    >>> count_scoops("3"), count_scoops("dog"), count_scoops("90")
    (3, 0, 0)
    """
    return int(word) if word.isascii() and word.isdecimal() and int(word) <= SCOOPS_AT_MOST else 0


def format_probability(p: float) -> str:
    """Return a probability as a node shows it.

    >>> format_probability(0.0576), format_probability(0.000829), format_probability(0.00001234)
    ('0.0576', '0.00083', '1.2·10⁻⁵')
    """
    return plain_number(p, 3 if p >= 0.001 or p == 0 else 2)


def draw_underflow(
    exact: Lattice, products: Lattice, names: Mapping[str, str], logarithms: bool = True
) -> Figure:
    """Return the best score of each word as a power of ten: by products until they are 0, and by sums of logarithms.

    `names` holds the labels "logarithms", "products", "gone", "x" and "y".
    """
    figure = blank(420, names["x"], names["y"])
    place = np.arange(1, len(exact.scores) + 1)
    powers = exact.scores.max(axis=1) / np.log(10)
    if logarithms:
        line = {"color": BLUE, "width": 7}
        figure.add_trace(scatter(x=place, y=powers, mode="lines", name=names["logarithms"], line=line))
    with np.errstate(divide="ignore"):
        rounded = np.log10(products.scores.max(axis=1))
    alive = np.isfinite(rounded)
    line = {"color": VERMILLION, "width": 4}
    mode = "lines" if alive.sum() > 1 else "markers"
    figure.add_trace(scatter(x=place[alive], y=rounded[alive], mode=mode, name=names["products"], line=line))
    if not alive.all():
        gone, last = int(place[~alive][0]), int(place[-1])
        figure.add_vrect(x0=gone, x1=last, fillcolor=VERMILLION, opacity=0.16, line_width=0)
        corner = {"xref": "paper", "x": 0.99, "xanchor": "right", "yref": "paper", "y": 0.97, "yanchor": "top"}
        figure.add_annotation(text=names["gone"], showarrow=False, **corner)
    figure.update_xaxes(range=[0, len(place) + 1]).update_yaxes(
        range=[float(powers.min()) * 1.05, 2], tickprefix="10<sup>", ticksuffix="</sup>"
    )
    return figure.update_layout(showlegend=True)
