"""Pictures of the leaderboard: the text's parts, bars of bits per character, runs side by side, bits against cost."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import log

import numpy as np
import pandas as pd

from core.figures.blank import FONT_SIZE, blank
from core.figures.figure import Figure, bar, scatter
from core.figures.layer_bars import join_panels, make_panel, make_row
from core.figures.palette import GREY, HUES, OCHRE
from core.figures.worked import number
from core.models.generation.one_text import NETWORKS, ORDERS, BoardRun, BoardScore, BoardText, best
from pages.generation.one_text import LESSON

WORDS = LESSON.words
NAMES = (*(f"{n}-gram" for n in ORDERS), *NETWORKS)  # in the order of the course
HUE = dict(zip(NETWORKS, ("pink", "sky", "green", "blue", "vermillion"), strict=True))  # n-grams are ochre
COLOURS = {name: HUES[hue] for name, hue in HUE.items()}
LN_2 = log(2)
NO_MORE = "<extra></extra>"  # of a point that is pointed at: no name of its trace
TIME, SIZE = "time", "size"
COSTS = {TIME: "seconds", SIZE: "size"}  # the field of a score
HELD_OUT, SEEN = "held_out_bits", "training_bits"
UNBROKEN = "\N{NON-BREAKING HYPHEN}"
UP, BELOW = -80, 42  # pixels from a network's point to its name; no name covers another on a phone
NAMED = {
    SIZE: {
        "feed-forward": (-25, UP),
        "RNN": (-60, BELOW),
        "GRU": (-30, -140),
        "LSTM": (0, -75),
        "GPT": (5, -40),
    },
    TIME: {
        "feed-forward": (-25, UP),
        "RNN": (-60, BELOW),
        "GRU": (-20, -140),
        "LSTM": (0, BELOW),
        "GPT": (5, -40),
    },
}
COLUMNS = {  # of the table of every number
    "model": "name",
    "held_out_loss": "held_out_loss",
    "held_out_bits": HELD_OUT,
    "training_loss": "training_loss",
    "training_bits": SEEN,
    "too_good": "too_good",
    "seconds": "seconds",
    "size": "size",
    "characters": "characters",
}


# The story.


def draw_parts(told: BoardText, training: Sequence[str], measured: Sequence[str]) -> dict:
    """Return the data of the view "text_parts": the strip of the whole text, and lines of its two parts."""
    whole = told.training + told.held_out + told.dropped
    rest = whole - told.training - told.measured
    strip = [
        ("training", told.training / whole, "grey", False),
        ("measured", told.measured / whole, "blue", False),
        ("rest", rest / whole, "grey", True),
    ]
    return {
        "strip": [
            {"mark": f"part.{name}", "share": share, "hue": hue, "unused": unused}
            for name, share, hue, unused in strip
        ],
        "panels": [
            draw_panel("training", "grey", training, n=told.training),
            draw_panel("measured", "blue", measured, n=told.measured),
        ],
    }


def draw_panel(name: str, hue: str, lines: Sequence[str], n: int) -> dict:
    """Return one panel of lines."""
    return {
        "title": WORDS.label(f"panel.{name}", n=n),
        "note": WORDS.label(f"panel.{name}.note"),
        "hue": hue,
        "lines": [
            {"text": line, "mark": f"{name}.{i}", "kind": "plain", "hue": hue, "tag": ""}
            for i, line in enumerate(lines)
        ],
    }


def draw_seen(lines: Sequence[tuple[str, bool]], n: int) -> dict:
    """Return the data of the view "text_parts": measured lines, filled where training has the line word for word."""
    drawn = [
        {
            "text": line,
            "mark": f"line.{i}",
            "kind": "seen" if seen else "new",
            "hue": "grey" if seen else "blue",
            "tag": WORDS.label("tag.seen" if seen else "tag.new"),
        }
        for i, (line, seen) in enumerate(lines)
    ]
    panel = {"title": WORDS.label("panel.lines", n=n), "note": "", "hue": "blue", "lines": drawn}
    return {"strip": [], "panels": [panel]}


def draw_board(panels: Sequence[dict]) -> dict:
    """Return the data of the view "layer_bars"."""
    return join_panels(*panels)


def draw_bars(
    title: str,
    scores: Sequence[BoardScore],
    measure: str = HELD_OUT,
    most: float | None = None,
    open_: bool = False,
    notes: Mapping[str, str] | None = None,
    bold: Sequence[str] | None = None,
    guess: float | None = None,
) -> dict:
    """Return a panel of bars, one per model; `open_` hides the networks' bars, `guess` adds a bar of blind guessing.

    The best bar is filled, or those named in `bold`.
    """
    values = {each.name: getattr(each, measure) for each in scores}
    most = 1.0 * (most or max([*values.values(), guess or 0]))
    filled = (min(values, key=values.get),) if bold is None else bold
    rows = []
    for name, value in values.items():
        hidden = open_ and name in NETWORKS
        rows.append(
            make_row(
                name,
                f"row.{name}",
                most if hidden else value,
                "?" if hidden else f"{value:.2f}",
                note=(notes or {}).get(name, ""),
                kind="open" if hidden else "best" if name in filled and not open_ else "plain",
                hue=HUE.get(name, "ochre"),
            )
        )
    if guess is not None:
        label = WORDS.label("row.guess")
        rows.append(make_row(label, "row.guess", guess, f"{guess:.2f}", kind="faint", hue="grey"))
    return make_panel(title, most, rows)


def draw_duels(duels: Sequence[tuple[str, int, BoardScore, BoardScore]]) -> dict:
    """Return a panel with the best n-gram and the best network of each text, the better of the two filled.

    `duels` are (text, characters of its training part, n-gram, network).
    """
    rows, most = [], max(max(a.held_out_bits, b.held_out_bits) for *_, a, b in duels)
    for name, characters, *pair in duels:
        for score in pair:
            rows.append(
                make_row(
                    f"{WORDS.label(f'text.{name}')}: {score.name.replace('-', UNBROKEN)}",
                    f"row.{name}.{score.name}",
                    score.held_out_bits,
                    f"{score.held_out_bits:.2f}",
                    note=WORDS.label("row.characters", n=characters),
                    kind="best" if score is best(pair) else "plain",
                    hue=HUE.get(score.name, "ochre"),
                )
            )
    return make_panel(WORDS.label("title.bars"), most, rows)


def draw_runs(runs: Sequence[BoardRun], ngram: BoardScore) -> Figure:
    """Return a row of dots for each network, a dot for each run, and a line at the best n-gram."""
    figure = blank(420, WORDS.label("axis.bits"))
    names = list(NETWORKS)
    for i, name in enumerate(names):
        found = [each.held_out_bits for run in runs for each in run.networks if each.name == name]
        figure.add_trace(
            scatter(
                x=found,
                y=[i] * len(found),
                mode="markers",
                name=name,
                showlegend=False,
                marker={"color": COLOURS[name], "size": 20, "opacity": 0.65},
                hovertemplate="%{x:.3f}<extra>" + name + "</extra>",
            )
        )
        figure.add_annotation(
            x=max(found), y=i, text=f"{np.mean(found):.2f}", showarrow=False, xshift=36, font={"size": 20}
        )
    figure.add_shape(
        type="line",
        x0=ngram.held_out_bits,
        x1=ngram.held_out_bits,
        y0=-0.6,
        y1=len(names) - 0.4,
        line={"color": OCHRE, "width": 4, "dash": "dash"},
    )
    figure.add_annotation(
        x=ngram.held_out_bits,
        y=-0.5,
        text=WORDS.label("runs.line", name=ngram.name, bits=ngram.held_out_bits),
        showarrow=False,
        xanchor="left",
        xshift=10,
        font={"size": 17},
    )
    figure.update_yaxes(
        tickvals=list(range(len(names))),
        ticktext=names,
        range=[len(names) - 0.4, -0.85],
        tickfont={"size": 17},
    )
    return figure.update_xaxes(range=[2.26, 2.78], tickfont={"size": 16})


def draw_cost(scores: Sequence[BoardScore], cost: str) -> Figure:
    """Return bits against a cost, with names at the networks and at the first and the best n-gram."""
    figure = cost_figure(scores, cost).update_layout(showlegend=False)
    for trace in figure.data:
        trace.mode = "lines+markers" if len(trace.x) > 1 else "markers"
        trace.marker.size = 18
    ngrams = [each for each in scores if each.name not in NETWORKS]
    network = best([each for each in scores if each.name in NETWORKS])
    networks = [(each, *NAMED[cost][each.name]) for each in scores if each.name in NETWORKS]
    for each, ax, ay in ((ngrams[0], 62, -22), (best(ngrams), 0, 44), *networks):
        with_bits = each is network or each.name not in NETWORKS
        figure.add_annotation(
            x=log(getattr(each, COSTS[cost]), 10),
            y=each.held_out_bits,
            text=f"{each.name} {each.held_out_bits:.2f}" if with_bits else each.name,
            ax=ax,
            ay=ay,
            standoff=12,
            font={"size": 20},
        )
    figure.update_yaxes(range=[1.8, 4.9], title=WORDS.label("axis.bits"))
    return figure


# The lab.


def board_figure(scores: Sequence[BoardScore], trained_on: bool = False, height: int = 360) -> Figure:
    """Return bits per character on the held-out part, a row for each model; `trained_on` adds its other part.

    A model that is not there yet has its row.
    """
    figure = blank(height + 100 * trained_on, WORDS.label("axis.bits"))
    groups = [(WORDS.label("trace.held"), [COLOURS.get(each.name, OCHRE) for each in scores], HELD_OUT)]
    if trained_on:
        groups.append((WORDS.label("trace.seen"), GREY, SEEN))
    for label, colour, measure in groups:
        values = [getattr(each, measure) for each in scores]
        figure.add_trace(
            bar(
                y=[each.name for each in scores],
                x=values,
                name=label,
                orientation="h",
                marker={"color": colour},
                text=[f"{value:.2f}" for value in values],
                textposition="outside",
                textfont={"size": 14 if trained_on else FONT_SIZE},
                constraintext="none",
                cliponaxis=False,
                showlegend=measure == SEEN,
                hovertemplate="%{y}: %{x:.3f}<extra>" + label + "</extra>",
            )
        )
    figure.update_layout(barmode="group", bargap=0.15)
    figure.update_yaxes(categoryorder="array", categoryarray=list(NAMES), range=[len(NAMES) - 0.5, -0.5])
    most = max(max(each.held_out_bits, each.training_bits * trained_on) for each in scores)
    return figure.update_xaxes(range=[0, 1.12 * most])


def cost_figure(scores: Sequence[BoardScore], cost: str, height: int = 380) -> Figure:
    """Return bits per character on the held-out part against one of COSTS; a network has its colour on the board."""
    field = COSTS[cost]
    figure = blank(height, WORDS.label(f"axis.{cost}"), WORDS.label("axis.bits"))
    ngrams = [each for each in scores if each.name not in NETWORKS]
    low = best(ngrams)
    groups = [(WORDS.label("trace.ngrams"), OCHRE, ngrams)]
    groups += [(each.name, COLOURS[each.name], [each]) for each in scores if each.name in NETWORKS]
    for name, colour, some in groups:
        figure.add_trace(
            scatter(
                x=[getattr(each, field) for each in some],
                y=[each.held_out_bits for each in some],
                name=name,
                mode="lines+markers+text" if some is ngrams else "markers",
                text=[each.name if each in (ngrams[0], low) and some is ngrams else "" for each in some],
                textposition="top right",
                cliponaxis=False,
                marker={"color": colour, "size": 14},
                line={"color": colour, "width": 2},
                customdata=[each.name for each in some],
                hovertemplate="%{customdata}: %{y:.3f}, %{x:,.3~g}" + NO_MORE,
            )
        )
    figure.update_xaxes(type="log", dtick=1, exponentformat="none", tickformat=",~g")
    return figure.update_yaxes(range=[0, 1.15 * max(each.held_out_bits for each in scores)])


def worked_score(score: BoardScore, column: str) -> str | None:
    r"""Return the formula of one number of a model's row, filled in; None for what was counted or measured as it is.

    >>> worked_score(BoardScore("coin", 1.0, 2.0, 0.5, 1, 10), "held_out_bits")
    '\\frac{2\\text{ nats}}{\\ln 2} = 2.885\\text{ bits}'
    """
    losses = {"held_out_bits": score.held_out_loss, "training_bits": score.training_loss}
    if column in losses:
        loss = losses[column]
        nats = rf"{number(loss)}\text{{ nats}}"
        return rf"\frac{{{nats}}}{{\ln 2}} = {number(loss / LN_2)}\text{{ bits}}"
    if column == "too_good":
        return rf"{score.held_out_bits:.2f} - {score.training_bits:.2f} = {score.too_good:.2f}\text{{ bits}}"
    return None


def models_table(
    scores: Sequence[BoardScore],
) -> tuple[pd.DataFrame, Callable[[int, str], str | None]]:
    """Return every model's losses, bits and costs, and the formula of its cells."""
    labels = {WORDS.label(f"column.{column}"): column for column in COLUMNS}
    table = pd.DataFrame(
        {label: [getattr(each, COLUMNS[column]) for each in scores] for label, column in labels.items()}
    )
    return table, lambda row, label: worked_score(scores[row], labels[label])
