"""Pictures of searches: named paths through one trellis with the pruned states crossed out, and how often a beam misses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.figures.blank import blank
from core.figures.figure import Figure, bar
from core.figures.palette import GREY, OCHRE, VERMILLION, faded
from core.models.hidden_markov_models.decoding import DecodedSentence
from pages.hidden_markov_models.decoding_duel import LESSON
from pages.hidden_markov_models.shared.trellis import draw_trellis

WORDS = LESSON.words
SEARCHES = {"viterbi": "blue", "beam": "ochre", "greedy": "vermillion"}  # and the hue of each one's path


def draw_searches(
    decoded: DecodedSentence,
    names: Sequence[str],
    kept: np.ndarray | None = None,
    rows: Sequence[int] | None = None,
    texts: Mapping[str, str] | None = None,
) -> dict:
    """Return the data of the view "trellis" with the paths of some searches, each in its hue.

    `kept` (n, K) are the states that a search kept: the others are crossed out, more boldly on Viterbi's path.
    `rows` are the states that are drawn, all where it is None; `texts` {name: text} stand below the paths' names.
    """
    rows = range(len(decoded.model.states)) if rows is None else rows
    places = {int(j): row for row, j in enumerate(rows)}
    data = draw_trellis(decoded, {})
    data["rows"] = [{"name": decoded.model.states[j], "hue": None} for j in places]
    data["nodes"] = [
        [node | draw_node(decoded, names, kept, t, j) for j, node in enumerate(column) if j in places]
        for t, column in enumerate(data["nodes"])
    ]
    data["paths"] = [
        {
            "id": name,
            "name": WORDS.label(f"path.{name}", width=decoded.beam.width),
            "hue": SEARCHES[name],
            "nodes": [places[j] for j in getattr(decoded, name).path],
            "text": (texts or {}).get(name, ""),
        }
        for name in names
    ]
    return data


def draw_node(
    decoded: DecodedSentence, names: Sequence[str], kept: np.ndarray | None, t: int, j: int
) -> dict:
    """Return a node's kind, and its hue: of the one path that leads through it, grey where none or several do."""
    through = [name for name in names if getattr(decoded, name).path[t] == j]
    if kept is None:
        kind = "filled" if through else "open"
    elif kept[t, j]:
        kind = "filled"
    else:
        kind = "missed" if "viterbi" in through else "lost"
    return {"kind": kind, "hue": SEARCHES[through[0]] if len(through) == 1 else "grey"}


def rows_of(decoded: DecodedSentence, names: Sequence[str], also: Sequence[int] = ()) -> list[int]:
    """Return the states that some searches' paths visit, and others, in the model's order."""
    return sorted({*also, *(j for name in names for j in getattr(decoded, name).path)})


def product_edges(kept: np.ndarray) -> list[dict]:
    """Return an edge for each product that a search computes: from each kept state to every state of the next word.

    >>> len(product_edges(np.array([[True, False], [True, True], [True, False]])))
    6
    """
    n, K = kept.shape
    return [
        {"t": t, "i": int(i), "j": j, "kind": "product", "text": ""}
        for t in range(1, n)
        for i in np.flatnonzero(kept[t - 1])
        for j in range(K)
    ]


def share_missed_figure(
    shares: Sequence[float], chosen: int, texts: Sequence[str], height: int = 260
) -> Figure:
    """Return for each beam width from 1 the share of sentences on which the beam misses the best path.

    `texts` stand at the bars; the bar of width `chosen` is marked, and width 1, which is greedy search.
    """
    figure = blank(height, WORDS.label("axis.width"), WORDS.label("axis.missed"))
    widths = list(range(1, len(shares) + 1))
    colours = {1: VERMILLION} | {chosen: OCHRE if chosen > 1 else VERMILLION}
    figure.add_trace(
        bar(
            x=widths,
            y=list(shares),
            marker={"color": [colours.get(width, faded(GREY, 0.6)) for width in widths]},
            text=list(texts),
            textposition="outside",
            cliponaxis=False,
            hovertemplate="%{x}: %{y:.1%}<extra></extra>",
        )
    )
    names = [WORDS.label("axis.greedy" if width == 1 else "axis.of_width", width=width) for width in widths]
    figure.update_xaxes(tickvals=widths, ticktext=names)
    figure.update_yaxes(tickformat=".0%", range=[0, max(0.05, 1.2 * max(shares))])
    return figure
