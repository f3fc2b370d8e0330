"""Pictures of smoothing: what all unseen words get together, what is taken off each count, and who gets it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from core.figures.blank import FONT_SIZE, blank
from core.figures.figure import Figure, bar
from core.figures.n_grams.ngram import INSIDE, escape_label
from core.figures.palette import BLUE, GREY, VERMILLION
from core.models.n_grams.moved_mass import MovedMass
from core.words.numbers import plain_number
from pages.n_grams.smoothing import LESSON

WORDS = LESSON.words
UNSEEN = {"color": VERMILLION}


class Mass(NamedTuple):
    """A probability of 1, or scores, in two parts: what all unseen words get, and each seen word's share."""

    label: str
    unseen: float
    seen: Sequence[float]
    name: str = ""  # of the bar where it is told, its label by default
    first: str = ""  # the seen word with the largest share


def mass_figure(rows: Sequence[Mass], at: float | None = None, said: str = "", height: int = 380) -> Figure:
    """Return a bar for each row: the unseen words' part, then the seen words', each in a box of its own.

    A dashed line stands at `at`, with what is `said` of it below the bars.
    """
    figure = blank(height, WORDS.label("axis.share"))
    boxes = [
        (i, x, p)
        for i, row in enumerate(rows)
        for x, p in zip(row.unseen + np.cumsum([0, *row.seen]), row.seen, strict=False)
    ]
    traces = {
        "unseen": ([i for i, _ in enumerate(rows)], [0.0] * len(rows), [row.unseen for row in rows]),
        "seen": tuple(map(list, zip(*boxes, strict=True))) or ([], [], []),
    }
    box = {"color": BLUE, "line": {"color": "white", "width": 1 if len(boxes) < 200 else 0}}
    for name, (y, base, x) in traces.items():
        figure.add_trace(
            bar(
                x=x,
                y=y,
                base=base,
                width=0.46,
                orientation="h",
                name=WORDS.label(f"trace.{name}"),
                marker=UNSEEN if name == "unseen" else box,
                hovertemplate="%{x:.4f}<extra></extra>",
            )
        )
    top = max(1.0, *(row.unseen + sum(row.seen) for row in rows))
    for i, row in enumerate(rows):
        look = {"showarrow": False, "xanchor": "left", "yanchor": "bottom", "align": "left"}
        figure.add_annotation(x=0, y=i - 0.26, text=escape_label(row.label), font={"size": 19}, **look)
    if at is not None:
        dashed = {"color": "black", "dash": "dash", "width": 3}
        figure.add_shape(type="line", x0=at, x1=at, y0=-0.28, y1=len(rows) - 0.6, line=dashed)
        figure.add_annotation(
            x=min(at, 0.6 * top),
            y=len(rows) - 0.6,
            text=said,
            yanchor="top",
            showarrow=False,
            font={"size": 17},
        )
    figure.update_layout(barmode="overlay", legend={"traceorder": "normal", "font": {"size": 17}})
    figure.update_xaxes(range=[0, 1.01 * top], tickformat=".0%", dtick=0.25)
    labels = [escape_label(row.label) for row in rows]
    figure.layout.meta = {
        "kind": "parts",
        "names": [WORDS.label(f"part.{name}") for name in traces],
        "labels": labels,
        "largest": [escape_label(row.first) for row in rows],
    }
    bottom = len(rows) - (0.25 if at is not None else 0.6)
    named = [escape_label(row.name) or label for row, label in zip(rows, labels, strict=True)]
    ticks = {"tickvals": list(range(len(rows))), "ticktext": named}  # told, not drawn
    return figure.update_yaxes(visible=False, range=[bottom, -0.72], **ticks)


def taken_figure(names: Sequence[str], counts: Sequence[int], d: float, rest: int, total: float) -> Figure:
    """Return some counts after a context with `d` taken off each, and all that was taken as a last bar.

    `rest` more tokens stand in the row before it, each seen once.
    """
    labels = [*map(escape_label, names), WORDS.label("row.rest", n=rest), WORDS.label("row.taken")]
    places, counts = list(range(len(labels))), [*counts, 1]
    texts = [f"{count} − {d:g} = {count - d:g}" for count in counts]
    kept = [count - d for count in counts]
    figure = blank(420, WORDS.label("axis.counts"))
    for name, x, y, base, texts_at, colour in (
        ("kept", kept, places[:-1], [0] * len(counts), None, BLUE),
        ("taken", [d] * len(counts), places[:-1], kept, texts, VERMILLION),
        ("together", [total], places[-1:], [0], [f"{total:g}"], VERMILLION),
    ):
        look = {"text": texts_at, "textposition": "outside", "textfont": {"size": 17}, "cliponaxis": False}
        label = WORDS.label(f"trace.{name}") if name != "together" else ""
        trace = {"x": x, "y": y, "base": base, "orientation": "h", "marker": {"color": colour}, **look}
        hover = "%{x:g}<extra>" + label + "</extra>"
        figure.add_trace(bar(**trace, name=label, showlegend=bool(label), hovertemplate=hover))
    figure.update_layout(barmode="overlay", bargap=0.25, legend={"font": {"size": 17}})
    figure.update_xaxes(range=[0, 1.25 * total])
    return figure.update_yaxes(tickvals=places, ticktext=labels, tickfont={"size": 17}, autorange="reversed")


# The lab.


def words_figure(moved: MovedMass, names: Sequence[str], most: int = 8, height: int = 420) -> Figure:
    """Return the probabilities of the `most` most frequent tokens after a context, before and after smoothing."""
    labels = [escape_label(name) for name in names[:most]]
    figure = blank(height, x=WORDS.label("axis.probability"))
    longest = max(*moved.before[:most], *moved.after[:most], 1e-9)
    for name, values, colour in (("before", moved.before, GREY), ("after", moved.after, BLUE)):
        label, shown = WORDS.label(f"trace.{name}"), values[:most].tolist()
        figure.add_trace(
            bar(
                x=shown,
                y=list(range(len(labels))),
                orientation="h",
                name=label,
                marker={"color": [colour] * len(labels)},
                text=[plain_number(value) for value in shown],
                textposition=["inside" if value > INSIDE * longest else "outside" for value in shown],
                textfont={"size": FONT_SIZE},
                insidetextfont={"color": ["#FFFFFF" if colour == BLUE else "#000000"] * len(labels)},
                insidetextanchor="end",
                textangle=0,
                constraintext="none",
                cliponaxis=False,
                customdata=labels,
                hovertemplate="%{customdata}: %{x:.4g}<extra>" + label + "</extra>",
            )
        )
    figure.update_layout(barmode="group", bargap=0.12, bargroupgap=0)
    figure.update_xaxes(range=[0, 1.18 * longest])
    return figure.update_yaxes(tickvals=list(range(len(labels))), ticktext=labels, autorange="reversed")


def shares_figure(shares: Mapping[str, float], even: float, height: int = 320) -> Figure:
    """Return probabilities by token as bars, and a line at `even`, what each would get if all got the same."""
    names, p = [escape_label(name) for name in shares], list(shares.values())
    figure = blank(height, WORDS.label("axis.probability"))
    figure.add_trace(
        bar(
            x=p,
            y=list(range(len(names))),
            orientation="h",
            marker={"color": VERMILLION},
            text=[plain_number(value) for value in p],
            textposition="outside",
            cliponaxis=False,
            hovertemplate="%{x:.4g}<extra></extra>",
        )
    )
    label = {"text": WORDS.label("line.even"), "yanchor": "bottom"}
    figure.add_vline(x=even, line={"color": GREY, "dash": "dash"}, annotation=label)
    figure.update_layout(margin={"t": 30})
    figure.update_xaxes(range=[0, 1.2 * max(*p, even, 1e-12)], tickformat=".2g", nticks=5)
    return figure.update_yaxes(tickvals=list(range(len(names))), ticktext=names, autorange="reversed")
