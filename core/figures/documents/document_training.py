"""What a network that reads documents has learnt: its training by epoch, embeddings, and every number of one step."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
import pandas as pd

from core.figures.blank import FONT_SIZE, blank, write_axes
from core.figures.documents import WORDS
from core.figures.documents.document_network import in_brackets
from core.figures.figure import Figure, heatmap, scatter, subplots
from core.figures.palette import BLUE, DIVERGING, GREY, OCHRE
from core.figures.worked import number
from core.models.documents.document_step import DocumentStep
from core.models.documents.fit_documents import Epoch


def say(what: str, **values: object) -> str:
    """Return one of the words of this file's figures."""
    return WORDS.label(f"document_training.{what}", **values)


def step_table(step: DocumentStep) -> tuple:
    """Return the words' embeddings before the step, their gradients and those after it, and the formula of a cell."""
    d = step.before.E.shape[1]
    table: dict[str, Sequence] = {
        say("word"): step.words,
        say("times"): step.counts.astype(int),
    }
    made: dict[str, tuple[str, int]] = {}  # column: what it holds, of which dimension
    for j in range(d):
        gradient, new = (say(kind, j=j + 1) for kind in ("gradient", "new"))
        table[f"e{j + 1}"] = step.before.E[:, j]
        table[gradient] = step.backward.of.E[:, j]
        table[new] = step.after.E[:, j]
        made |= {gradient: ("gradient", j), new: ("new", j)}
    n = int(step.counts.sum())

    def formula(row: int, column: str) -> str | None:
        kind, i = made.get(column, ("", 0))
        if kind == "gradient":
            by_x = step.backward.x[0, i]
            return (
                rf"\tfrac{{{int(step.counts[row])}}}{{{n}}} \cdot {in_brackets(by_x)} = "
                rf"{number(step.backward.of.E[row, i])}"
            )
        if kind == "new":
            g = 0.0 if step.after.E is step.before.E else step.backward.of.E[row, i]
            before = number(step.before.E[row, i])
            return rf"{before} - {step.rate:g} \cdot {in_brackets(g)} = {number(step.after.E[row, i])}"
        return None

    return pd.DataFrame(table), formula


def epochs_figure(epochs: Sequence[Epoch], peer: float) -> Figure:
    """Return the loss and the share that is right by epoch; `peer` is the held-out share of naive Bayes."""
    figure = subplots(1, 2, (say("mean_loss"), say("share_right")), horizontal_spacing=0.1)
    figure.update_layout(blank(300).layout, margin={"t": 64}, legend={"y": 1.16})
    write_axes(figure)
    x = list(range(len(epochs)))
    lines = (
        (say("learned"), GREY, [e.loss for e in epochs], [e.right for e in epochs]),
        (say("held_out"), BLUE, [e.held_loss for e in epochs], [e.held_right for e in epochs]),
    )
    for name, colour, losses, rights in lines:
        for column, values in enumerate((losses, rights), 1):
            look = {"mode": "lines+markers", "line": {"color": colour, "width": 3}, "marker": {"size": 7}}
            trace = scatter(x=x, y=values, name=name, showlegend=column == 1, **look)
            figure.add_trace(trace, 1, column)
    line = {"color": OCHRE, "width": 2, "dash": "dot"}
    both = {
        "x": [0, x[-1]],
        "y": [peer, peer],
        "mode": "lines",
        "line": line,
        "name": say("peer"),
    }
    figure.add_trace(scatter(**both), 1, 2)
    figure.update_annotations(font_size=FONT_SIZE)
    figure.update_yaxes(rangemode="tozero", col=1, row=1)
    figure.update_yaxes(tickformat=".0%", col=2, row=1)
    return figure.update_xaxes(title={"text": say("epochs")})


def epochs_table(epochs: Sequence[Epoch]) -> pd.DataFrame:
    """Return the numbers of the figure."""
    return pd.DataFrame(
        {
            say("epoch"): range(len(epochs)),
            say("loss_learned"): [e.loss for e in epochs],
            say("loss_held_out"): [e.held_loss for e in epochs],
            say("right_learned"): [e.right for e in epochs],
            say("right_held_out"): [e.held_right for e in epochs],
        }
    )


def embeddings_figure(words: Sequence[str], E: np.ndarray) -> Figure:
    """Return words' embeddings (k, d) as coloured cells."""
    reach = float(np.abs(E).max()) or 1.0
    figure = blank(300)
    cells = heatmap(z=E, zmin=-reach, zmax=reach, colorscale=DIVERGING, showscale=False, xgap=2, ygap=2)
    figure.add_trace(cells)
    figure.update_xaxes(showticklabels=False, showgrid=False)
    names = [escape(w, quote=False) for w in words]
    return figure.update_yaxes(
        autorange="reversed", tickvals=list(range(len(names))), ticktext=names, showgrid=False
    )
