"""What the story of forced attention draws besides its columns, and the lab's table of two translations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from core.figures.blank import blank
from core.figures.figure import Figure, heatmap
from core.figures.figure import bar as plotted_bar
from core.figures.heat_map import write_in_cells
from core.figures.label import label
from core.figures.machine import arrow, machine, node
from core.figures.palette import GREY, SEQUENTIAL, VERMILLION
from core.figures.translation.decoder_step import decoder_step, worked_output
from core.models.translation.translate import Translated
from core.models.translation.what_if import aligned_places
from pages.translation.shared.translator_columns import TOP, Say

FORCED, CHANGED = "pink", "vermillion"  # the weight that is set, and what changes
MANY = 3  # changed words from which on a cell has the fullest colour
SIDES = ("before", "after")


def draw_each(
    say: Say, inputs: Sequence[str], written: Sequence[str], chances: Sequence[str], own: int
) -> dict:
    """Return what one step writes when it is forced onto each input word in turn; `own` is where it attends by itself."""
    pitch = (100 - TOP) / len(inputs)
    columns = {"in": ((8, 20), (0, 26)), "out": ((50, 22), (44, 30)), "p": ((76, 12), (78, 22))}
    nodes = [
        node(f"head.{key}", "text", *((x - 4, 0, w + 8, 5.5) for x, w in places), title=say(f"head.{key}"))
        for key, places in columns.items()
    ]
    arrows = []
    for s, texts in enumerate(zip(inputs, written, chances, strict=True)):
        y, height, hue = TOP + pitch * (s + 0.14), pitch * 0.72, "" if s == own else CHANGED
        for (key, places), kind, text in zip(columns.items(), ("token", "token", "text"), texts, strict=True):
            at = [(x, y, w, height) for x, w in places]
            nodes.append(node(f"{key}.{s}", kind, *at, title=text, hue=hue if key == "out" else ""))
        arrows.append(arrow(f"in.{s}", f"out.{s}", hue="blue" if s == own else FORCED, weight=0.35))
    return machine(nodes, arrows)


def draw_grid(say: Say, counts: np.ndarray, outputs: Sequence[str], inputs: Sequence[str]) -> Figure:
    """Return how many words change (T, S) when a step is forced onto an input word, as a heat map with numbers."""
    figure = blank(560, say("axis.input"), say("axis.output"))
    figure.add_trace(
        heatmap(
            z=np.minimum(counts, MANY),
            x=list(range(len(inputs))),
            y=list(range(len(outputs))),
            zmin=0,
            zmax=MANY,
            colorscale=SEQUENTIAL,
            showscale=False,
            xgap=2,
            ygap=2,
            text=[[str(count) for count in row] for row in counts],
            hoverinfo="skip",
        )
    )
    write_in_cells(figure)
    rows, columns = ([label(each) for each in names] for names in (outputs, inputs))
    figure.update_xaxes(tickvals=list(range(len(inputs))), ticktext=columns, side="top", tickangle=-50)
    figure.update_yaxes(tickvals=list(range(len(outputs))), ticktext=rows, range=[len(outputs) - 0.5, -0.5])
    figure.update_xaxes(showgrid=False, zeroline=False, range=[-0.5, len(inputs) - 0.5])
    return figure.update_yaxes(showgrid=False, zeroline=False, title={"standoff": 12})


def split_figure(counts: Mapping[str, int], x: str, total: str, height: int) -> Figure:
    """Return how many inputs end in each way, as bars with their numbers; in the first way nothing changes."""
    figure = blank(height, x)
    figure.add_trace(
        plotted_bar(
            x=list(counts.values()),
            y=list(counts),
            orientation="h",
            marker={"color": [GREY, *[VERMILLION] * (len(counts) - 1)]},
            text=[f"<b>{count}</b>" for count in counts.values()],
            textposition="outside",
            textfont={"size": 20},
            cliponaxis=False,
            hoverinfo="skip",
        )
    )
    figure.update_xaxes(range=[0, max(counts.values()) * 1.15], rangemode="tozero")
    where = {"x": 1, "y": 0.98, "xref": "paper", "yref": "paper", "xanchor": "right", "showarrow": False}
    figure.add_annotation(text=total, font={"size": 20}, **where)
    figure.update_yaxes(autorange="reversed", tickfont={"size": 17}, showgrid=False)
    return figure.update_layout(bargap=0.35)


def compared_steps(say: Say, before: Translated, after: Translated) -> pd.DataFrame:
    """Return a row for each place: both words, their probabilities, and where each step attends most.

    A row holds what is in the same place: a word that one of them has more moves nothing else.
    """
    rows = aligned_places(before.outputs, after.outputs)
    columns = {}
    for side, (name, made) in enumerate(zip(SIDES, (before, after), strict=True)):
        columns |= _columns(say, made, name, [row[side] for row in rows])
    return pd.DataFrame(columns)


def _columns(say: Say, made: Translated, name: str, steps: Sequence[int | None]) -> dict[str, list]:
    """Return the columns of one translation, a row for each of `steps`; None is an empty row."""
    p = made.translation.steps.probabilities[0].numpy()
    heaviest = made.weights.argmax(1)
    values = {
        "step": lambda t: t + 1,
        "word": lambda t: made.outputs[t],
        "p": lambda t: float(p[t, made.translation.words[t]]),
        "input": lambda t: made.input_names[heaviest[t]],
        "weight": lambda t: float(made.weights[t, heaviest[t]]),
    }
    return {
        say(f"column.{each}.{name}"): [None if t is None else value(t) for t in steps]
        for each, value in values.items()
    }


def worked_probability(say: Say, before: Translated, after: Translated, row: int, column: str) -> str | None:
    """Return the formula of the probability in a cell of `compared_steps`; None for a cell that has none."""
    side = next((i for i, name in enumerate(SIDES) if column == say(f"column.p.{name}")), None)
    step = None if side is None else aligned_places(before.outputs, after.outputs)[row][side]
    if step is None:
        return None
    made = (before, after)[side]
    return worked_output(
        decoder_step(made.translation, step), made.translation.words[step], made.outputs[step]
    )
