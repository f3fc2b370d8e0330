"""Pictures of training a translator: the recorded run for the story; pairs, a replay and its table for the lab."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import isfinite

import numpy as np
import pandas as pd

from core.figures.blank import blank, write_axes
from core.figures.figure import Figure, bar, heatmap, scatter, subplots
from core.figures.label import label
from core.figures.machine import arrow, machine, node
from core.figures.packed import packed
from core.figures.palette import BLUE, GREY, SEQUENTIAL, VERMILLION
from core.figures.translation.decoder_step import attention_heatmap
from core.figures.worked import number
from core.models.translation.fit_translation import Snapshot
from core.models.translation.recorded_translator import Course, RecordedMoment, RecordedTraining
from core.text.grammar.pairs import Pair, is_held_out
from core.words.numbers import percent, signed
from pages.translation.translation_training import LESSON

WORDS = LESSON.words
SPACE, SIZE = "␣", 17
MOST_SHOTS = 60
COLOURS = {"aligned": BLUE, "right": VERMILLION, "true": BLUE, "mixed": GREY}  # of curves
COLUMNS = (  # of the shuffled pairs: where, in which colour
    (0.0, BLUE, "middle right"),
    (0.58, VERMILLION, "middle center"),
    (0.86, GREY, "middle center"),
)
LAST_DRAWN = 300  # the step at which the curves end: nothing happens after it
ALIGNED, CHARACTERS = 2, 3  # fields of a course


# The story.


def names_of(units: Iterable[str]) -> list[str]:
    """Return characters or words as an axis names them."""
    return [SPACE if unit == " " else label(unit) for unit in units]


def draw_map(
    weights: np.ndarray,
    outputs: Iterable[str],
    inputs: Iterable[str],
    title: str,
    sides: Sequence[str] = (),
    numbers: Iterable[tuple[int, int]] = (),
) -> dict:
    """Return the weights (T, S) as a heat map below a title; `sides` are texts behind the rows, the first their head.

    `numbers` are the cells (t, s) whose weight is written.
    """
    outputs, inputs = names_of(outputs), names_of(inputs)
    figure = blank(420, WORDS.label("axis.input"), WORDS.label("axis.output"))
    add_map(figure, weights, outputs, inputs)
    written = [(s, t, f"{weights[t, s]:.2f}", "#FFFFFF" if weights[t, s] > 0.6 else None) for t, s in numbers]
    written += [(len(inputs) + 0.3, t, text, None) for t, text in enumerate(sides[1:])]
    written += [(len(inputs) + 0.3, -1, text, None) for text in sides[:1]]
    for x, y, text, colour in written:
        font = {"size": SIZE} | ({"color": colour} if colour else {})
        figure.add_annotation(x=x, y=y, text=text, showarrow=False, font=font)
    wide = len(inputs) + (1.3 if sides else -0.5)
    figure.update_xaxes(range=[-0.5, wide])
    figure.update_yaxes(range=[len(outputs) - 0.5, -1.5 if sides else -0.5], title={"standoff": 14})
    return {"figure": titled(figure, title).to_dict()}


def add_map(figure: Figure, weights: np.ndarray, outputs: list[str], inputs: list[str], **place: int) -> None:
    """Add a heat map with its names, to the panel in a place (row and col) where there are panels."""
    look = {"zmin": 0, "zmax": 1, "colorscale": SEQUENTIAL, "showscale": False, "xgap": 2, "ygap": 2}
    figure.add_trace(heatmap(z=np.asarray(weights, float), hoverinfo="z", **look), **place)
    for update, names in ((figure.update_xaxes, inputs), (figure.update_yaxes, outputs)):
        axis = {"tickvals": list(range(len(names))), "ticktext": names, "tickangle": 0}
        update(**place, **axis, tickfont={"size": SIZE}, showgrid=False, zeroline=False)
    figure.update_yaxes(**place, range=[len(outputs) - 0.5, -0.5])


def titled(figure: Figure, title: str) -> Figure:
    """Return a figure with a title of one line or two above it."""
    where = {
        "xref": "paper",
        "yref": "paper",
        "x": 0,
        "y": 1,
        "xanchor": "left",
        "yanchor": "bottom",
        "yshift": 8,
    }
    figure.add_annotation(text=title, showarrow=False, align="left", font={"size": SIZE}, **where)
    top = 64 if "<br>" in title else 42
    return figure.update_layout(margin={"l": 8, "r": 8, "t": top, "b": 8}, showlegend=False)


def draw_two(run: RecordedTraining, moments: Sequence[RecordedMoment]) -> dict:
    """Return the weights at two moments next to each other, each below its step and what the model writes there."""
    titles = [WORDS.label("map.two", step=each.step, written=shown(each.written)) for each in moments]
    figure = write_axes(subplots(1, len(moments), tuple(titles), horizontal_spacing=0.12))
    for i, moment in enumerate(moments, 1):
        add_map(figure, moment.weights[:-1], names_of(run.target), names_of(run.source), row=1, col=i)
    figure.update_annotations(font={"size": SIZE}, yshift=6)
    figure.update_xaxes(title=WORDS.label("axis.input"))
    figure.update_yaxes(title=WORDS.label("axis.output"), row=1, col=1)
    return {"figure": figure.update_layout(margin={"l": 8, "r": 8, "t": 64, "b": 8}).to_dict()}


def shown(written: str, most: int = 12) -> str:
    """Return what a model writes, cut where it does not end.

    >>> shown("1" * 60), shown("1945-05-08")
    ('111111111111…', '1945-05-08')
    """
    return written if len(written) <= most else written[:most] + "…"


def draw_step(run: RecordedTraining, moment: RecordedMoment, t: int) -> dict:
    """Return the machine at output t: inputs by weight into the context, the decoder, p, the loss, the gradient back."""
    weights, p = moment.weights[t], float(moment.p[t])
    nodes = [
        node(
            f"input.{s}",
            "box",
            (1 + 9.9 * s, 2, 8.6, 15),
            (0.3 + 10 * s, 1, 9.4, 15),
            title=name,
            note=f"{weight:.2f}".removeprefix("0"),
            hue="blue" if weight > 0.2 else "",
        )
        for s, (name, weight) in enumerate(zip(names_of(run.source), weights, strict=True))
    ]
    texts = {"done": run.target[:t], "right": run.target[t], "p": p, "loss": -np.log(p)}
    for key, wide, narrow, hue in (
        ("context", (30, 32, 40, 13), (18, 30, 64, 14), "blue"),
        ("decoder", (30, 56, 40, 14), (18, 54, 64, 14), "green"),
        ("p", (6, 82, 34, 14), (2, 80, 44, 16), "green"),
        ("loss", (60, 82, 34, 14), (54, 80, 44, 16), "vermillion"),
        ("back", (76, 44, 22, 13), (80, 44, 20, 11), "vermillion"),
    ):
        kind = "text" if key == "back" else "box"
        words = {"title": WORDS.label(f"box.{key}", **texts), "note": WORDS.label(f"box.{key}.note", **texts)}
        nodes.append(node(key, kind, wide, narrow, hue=hue, state="now" if key == "loss" else "", **words))
    arrows = [
        arrow(f"input.{s}", "context", hue="blue", weight=float(each))
        for s, each in enumerate(weights)
        if each > 0.005
    ]
    arrows += [
        arrow("context", "decoder", hue="blue", weight=0.3),
        arrow("decoder", "p", hue="green", weight=0.3),
        arrow("p", "loss", weight=0.3),
        arrow("loss", "back", "open", "vermillion", weight=0.3),
        arrow("back", f"input.{len(weights) - 1}", "open", "vermillion", weight=0.3),
    ]
    return machine(nodes, arrows)


def draw_push(run: RecordedTraining, moment: RecordedMoment, t: int, revealed: bool) -> dict:
    """Return the larger weights of output t as bars, and how the gradient pushes their scores, covered till revealed."""
    places = [s for s, weight in enumerate(moment.weights[t]) if weight >= 0.01]
    names, values = names_of(run.source[s] for s in places), {"right": run.target[t], "p": float(moment.p[t])}
    weights = [(float(weight), f"{weight:.2f}", "blue") for weight in moment.weights[t][places]]
    pushes = [(0.0, WORDS.label("hidden"), "grey")] * len(places)
    if revealed:
        pushes = [
            (float(push), signed(float(push), 2, "+"), "green" if push > 0 else "vermillion")
            for push in moment.push[t][places]
        ]
    return {
        "panels": [
            {
                "title": WORDS.label(f"push.{key}", **values),
                "least": least,
                "most": most,
                "rows": [
                    {
                        "name": name,
                        "mark": f"{key}.{name}",
                        "from": 0,
                        "to": to,
                        "text": text,
                        "note": "",
                        "kind": "plain",
                        "hue": hue,
                    }
                    for name, (to, text, hue) in zip(names, bars, strict=True)
                ],
            }
            for key, bars, least, most in (("weights", weights, 0.0, 0.6), ("scores", pushes, -0.25, 0.3))
        ],
        "sum": "",
    }


def draw_courses(
    courses: Mapping[str, tuple[Course, int]],
    last: int = LAST_DRAWN,
    marked: int | None = None,
    names_at: Mapping[str, tuple[float, float, str]] | None = None,
) -> dict:
    """Return shares by step up to a step, {key of the label: (course, field)}; at step `marked` they are written.

    `names_at` are the places of the names, by the same keys: x, y and which end of the name is there.
    """
    figure = blank(420, WORDS.label("axis.step"), WORDS.label("axis.share"))
    for name, (course, field) in courses.items():
        drawn, colour = [moment for moment in course if moment[0] <= last], COLOURS[name]
        x, y = [moment[0] for moment in drawn], [moment[field] for moment in drawn]
        look = {"marker": {"size": 9}, "line": {"color": colour, "width": 4}}
        figure.add_trace(scatter(x=x, y=y, mode="lines+markers", **look))
        text, font = WORDS.label(f"line.{name}", share=y[-1]), {"size": SIZE, "color": colour}
        at = (names_at or {}).get(name, (last + 8, y[-1], "left"))
        place = {"x": at[0], "y": at[1], "xanchor": at[2], "align": at[2], "showarrow": False}
        figure.add_annotation(text=text, font=font, **place)
        if marked is not None:
            share = y[x.index(marked)]
            down = 20 if share == min(each[marked // 20][f] for each, f in courses.values()) else -20
            figure.add_annotation(x=marked, y=share, text=f"<b>{share:.0%}</b>", ax=0, ay=down, font=font)
    if last < LAST_DRAWN:
        look = {"showarrow": False, "font": {"size": 72, "color": GREY}}
        figure.add_annotation(x=LAST_DRAWN / 2, y=0.6, text=WORDS.label("hidden"), **look)
    figure.update_xaxes(range=[-4, LAST_DRAWN + 4], automargin=False)
    figure.update_yaxes(
        range=[0, 1.04], tickformat=".0%", automargin=False
    )  # the same room by Next and by Back
    margin = {"l": 78, "r": 12, "t": 12, "b": 56}
    return {"figure": figure.update_layout(showlegend=False, margin=margin).to_dict()}


def draw_mixed(run: RecordedTraining) -> dict:
    """Return pairs whose outputs were shuffled: the input, the output given, and the right one, which is not given."""
    figure = blank(420)
    heads = [f"<b>{WORDS.label(f'mixed.{key}')}</b>" for key in ("input", "given", "right")]
    rows = [heads, *([source, given, f"<s>{right}</s>"] for source, given, right in run.mixed)]
    y = list(range(len(rows), 0, -1))
    for column, (x, colour, position) in enumerate(COLUMNS):
        texts = [row[column] for row in rows]
        look = {"mode": "text", "textfont": {"size": SIZE, "color": colour}, "textposition": position}
        figure.add_trace(
            scatter(x=[x] * len(rows), y=y, text=texts, hoverinfo="skip", cliponaxis=False, **look)
        )
    look = {"ax": -18, "ay": 0, "text": "", "showarrow": True, "arrowwidth": 2, "arrowcolor": VERMILLION}
    for each in y[1:]:
        figure.add_annotation(x=0.42, y=each, **look)
    figure.update_xaxes(visible=False, range=[0, 1]).update_yaxes(visible=False, range=[0.3, len(rows) + 0.7])
    return {"figure": figure.update_layout(showlegend=False).to_dict()}


def draw_uniform(shares: Mapping[str, float]) -> dict:
    """Return the share of dates that are right as bars, {key of the label: share}."""
    figure = blank(420, WORDS.label("axis.right"))
    names, values = [WORDS.label(f"bar.{key}") for key in shares], list(shares.values())
    look = {"textposition": "outside", "textfont": {"size": 22}, "cliponaxis": False, "width": 0.5}
    texts = [percent(value) for value in values]
    colours = {"color": [BLUE, VERMILLION]}
    figure.add_trace(bar(x=values, y=names, orientation="h", text=texts, marker=colours, **look))
    figure.update_xaxes(range=[0, 1.18], tickvals=[0, 0.25, 0.5, 0.75, 1], tickformat=".0%")
    figure.update_yaxes(autorange="reversed", tickfont={"size": SIZE})
    return {"figure": figure.update_layout(showlegend=False).to_dict()}


# The lab.


def gold_weights(pair: Pair) -> np.ndarray:
    """Return a pair's gold alignment as weights (T, S): each output shared out over the inputs that it comes from.

    >>> gold_weights(Pair(("a", "b"), ("c",), frozenset({(0, 0), (0, 1)}))).tolist()
    [[0.5, 0.5]]
    """
    links = np.zeros((len(pair.target), len(pair.source)))
    for t, s in pair.links:
        links[t, s] = 1
    return links / np.maximum(1, links.sum(1, keepdims=True))


def gold_figure(pair: Pair, unit: str) -> Figure:
    """Return a pair's gold alignment as a heat map; `unit` is what one input or output is called."""
    return attention_heatmap(gold_weights(pair), pair.target, pair.source, unit)


def lengths_figure(pairs: Sequence[Pair], unit: str, height: int = 320) -> Figure:
    """Return how many pairs have how many words (or characters) on either side."""
    figure = blank(height, WORDS.label("lengths.x", unit=unit), WORDS.label("lengths.y"))
    for side in ("source", "target"):
        counts = np.bincount([len(getattr(pair, side)) for pair in pairs])
        name = WORDS.label(f"lengths.{side}")
        figure.add_trace(bar(x=list(range(1, len(counts))), y=counts[1:], name=name))
    return figure.update_layout(barmode="group")


def thinned(snapshots: Sequence[Snapshot], most: int) -> list[Snapshot]:
    """Return at most so many snapshots, evenly spread, the first and the last among them.

    >>> thinned([1, 2, 3, 4, 5], most=3)
    [1, 3, 5]
    """
    places = np.linspace(0, len(snapshots) - 1, min(most, len(snapshots))).round().astype(int)
    return [snapshots[place] for place in places]


def replay_payload(snapshots: Sequence[Snapshot], unit: str = "word", most: int = MOST_SHOTS) -> dict:
    """Return the view "attention_replay": the inputs and, for `most` of the snapshots, loss, outputs and weights.

    `unit` is what one input is called. Weights are base64 of float32, (outputs, inputs).

    >>> shot = Snapshot(0.0, 0, float("nan"), ["a"], ["b", "<end>"], np.float32([[1], [1]]))
    >>> [each["loss"] for each in replay_payload([shot])["shots"]]
    [None]
    """
    return {
        "inputs": list(snapshots[-1].source),
        "unit": unit,
        "shots": [
            {
                "step": shot.step,
                "share": shot.share,
                "loss": float(shot.loss) if isfinite(shot.loss) else None,
                "outputs": shot.output,
                "weights": packed(shot.weights),
            }
            for shot in thinned(snapshots, most)
        ],
    }


def named(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table with its columns as the page names them."""
    return table.rename(columns={column: WORDS.label(f"column.{column}") for column in table})


def pairs_table(pairs: Sequence[Pair], apart: str) -> pd.DataFrame:
    """Return pairs as the model reads them, their units set `apart`: how long they are, and which are held out."""
    answers = {held: WORDS.label(f"held_out.{key}") for held, key in ((True, "yes"), (False, "no"))}
    rows = [
        (
            apart.join(p.source),
            apart.join(p.target),
            len(p.source),
            len(p.target),
            answers[is_held_out(p.source)],
        )
        for p in pairs
    ]
    return named(pd.DataFrame(rows, columns=["input", "output", "inputs", "outputs", "held_out"]))


def training_table(snapshots: Sequence[Snapshot]) -> pd.DataFrame:
    """Return every snapshot's step, loss, perplexity and output; the first comes before a loss is known."""
    rows = [(shot.step, shot.loss, float(np.exp(shot.loss)), " ".join(shot.output)) for shot in snapshots[1:]]
    return named(pd.DataFrame(rows, columns=["step", "loss", "perplexity", "output"]))


def worked_training(table: pd.DataFrame, row: int, column: str) -> str | None:
    """Return LaTeX of a cell of that table: the perplexity that belongs to a loss.

    >>> worked_training(pd.DataFrame({"loss": [0.0], "perplexity": [1.0]}), 0, "perplexity")
    'e^{L} = e^{0} = 1'
    """
    loss, perplexity = (number(table[WORDS.label(f"column.{name}")][row]) for name in ("loss", "perplexity"))
    is_perplexity = column == WORDS.label("column.perplexity")
    return rf"e^{{L}} = e^{{{loss}}} = {perplexity}" if is_perplexity else None
