"""Pictures of positions: the dials of clock hands, cosines of every two positions, and losses past the last one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import cos, sin

import numpy as np

from core.figures.blank import blank
from core.figures.figure import Figure, heatmap, scatter, subplots
from core.figures.palette import BLUE, DIVERGING, GREY, OCHRE, VERMILLION
from core.figures.self_attention.word_order import every_so_many, from_above
from core.figures.worked import number
from pages.self_attention.positions import LESSON

WORDS = LESSON.words
DRAWN = 86  # positions along an axis of a story's heat map
HAND, OTHER = "blue", "vermillion"  # the hue of a position's hands, and of a second position's

# The view "clock_hands".


def draw_clocks(
    columns: Sequence[dict],
    rows: Sequence[dict],
    dials: Sequence[Sequence[dict]],
    bars: dict | None = None,
    key: Sequence[tuple[str, str]] = (),
    sum: str = "",
) -> dict:
    """Return the data of the view "clock_hands": `dials` by row and column, `key` (text, hue) of the hands."""
    return {
        "columns": list(columns),
        "rows": list(rows),
        "dials": [list(line) for line in dials],
        "bars": bars,
        "key": [{"text": text, "hue": hue} for text, hue in key],
        "sum": sum,
    }


def head(name: str, note: str = "", hue: str | None = None) -> dict:
    """Return what stands above a column, or, without a hue of its own, left of a row."""
    return {"name": name, "note": note, "hue": hue}


def side(name: str = "", note: str = "") -> dict:
    """Return what stands left of a row."""
    return {"name": name, "note": note}


def dial(
    hands: Sequence[tuple[float, float, str]],
    texts: Sequence[tuple[str, str | None]] = (),
    arc: tuple[float, float] | None = None,
    legs: bool = False,
) -> dict:
    """Return a dial with hands (turn in radians, length from 0 to 1, hue), lines of text below it, and an arc."""
    return {
        "hands": [
            {"turn": round(turn, 5), "length": round(length, 4), "hue": hue} for turn, length, hue in hands
        ],
        "arc": None if arc is None else [round(turn, 5) for turn in arc],
        "legs": legs,
        "texts": [{"text": text, "hue": hue} for text, hue in texts],
    }


# The figures of the story.


def draw_tables(tables: Mapping[str, np.ndarray], names: Mapping[str, str]) -> Figure:
    """Return the cosine of every two positions of several tables (T, C), side by side.

    `names` holds the labels "x", "y" and "cosine", and a title for each table.
    """
    figure = subplots(1, len(tables), tuple(names[each] for each in tables), horizontal_spacing=0.1)
    for column, table in enumerate(tables.values(), 1):
        step = -(-len(table) // DRAWN)
        figure.add_trace(cosine_map(table[::step], step, names["cosine"], column == len(tables)), 1, column)
    figure.update_xaxes(title=names["x"]).update_yaxes(autorange="reversed", ticklabeloverflow="allow")
    figure.update_yaxes(row=1, col=1, title=names["y"]).update_yaxes(row=1, col=2, showticklabels=False)
    return figure.update_annotations(font={"size": 17})


def cosine_map(positions: np.ndarray, step: int, title: str, keyed: bool = True) -> dict:
    """Return the trace of the cosines of positions (T, C), of which every `step`-th is there."""
    lengths = np.linalg.norm(positions, axis=1, keepdims=True)
    unit = positions / np.maximum(lengths, 1e-12)
    return heatmap(
        z=np.rint(100 * unit @ unit.T).astype(np.int8),  # a byte each: more cannot be seen
        dx=step,
        dy=step,
        colorscale=DIVERGING,
        zmin=-100,
        zmax=100,
        showscale=keyed,
        name=title,
        hovertemplate="%{y}, %{x}: %{z} / 100<extra></extra>",
        colorbar={
            "title": title,
            "thickness": 12,
            "tickvals": [-100, -50, 0, 50, 100],
            "ticktext": ["−1", "−0.5", "0", "0.5", "1"],
        },
    )


def draw_bits(
    lines: Mapping[str, np.ndarray],
    trained: int,
    step: int,
    names: Mapping[str, str],
    height: int = 340,
    named: bool = False,
) -> Figure:
    """Return bits per character by place, in means of `step` places, with the last trained position marked.

    `names` holds the labels "x", "y" and "trained", and one for each line; `named` writes them at the lines' ends.
    """
    figure = blank(height, names["x"], names["y"])
    for (label, bits), colour in zip(lines.items(), (VERMILLION, BLUE, OCHRE), strict=False):
        starts = np.arange(0, len(bits), step)
        means = np.add.reduceat(bits, starts) / np.diff([*starts, len(bits)])
        figure.add_trace(
            scatter(
                x=starts + step / 2,
                y=means,
                name=names[label],
                mode="lines",
                line={"width": 4, "color": colour},
                showlegend=not named,
            )
        )
    figure.add_vline(
        x=trained,
        line={"color": GREY, "dash": "dot", "width": 3},
        annotation_text=names["trained"],
        annotation_position="top left",  # right of it the curves are high
    )
    return figure.update_traces(hovertemplate="%{x}: %{y:.2f}").update_yaxes(rangemode="tozero")


# The figures of the lab.


def similarity_heatmap(positions: np.ndarray, height: int = 360) -> Figure:
    """Return the cosine of every two positions (T, C) as a heat map."""
    step, name = every_so_many(len(positions))
    figure = blank(height, name, name)
    figure.add_trace(cosine_map(positions[::step], step, WORDS.label("axis.cosine")))
    return from_above(figure)


def similarity_figure(lines: Mapping[str, np.ndarray], height: int = 300) -> Figure:
    """Return the mean dot product of two positions against their distance, as a share of the product at distance 0."""
    figure = blank(height, WORDS.label("axis.distance"), WORDS.label("axis.product"))
    looks = ((BLUE, 8), (VERMILLION, 3))  # the first is wider: where both are the same, both still show
    for (label, line), (colour, width) in zip(lines.items(), looks, strict=False):
        figure.add_trace(scatter(y=line / line[0], name=label, line={"color": colour, "width": width}))
    return figure.update_traces(hovertemplate="%{x}: %{y:.3f}")


def worked_sinusoid(t: int, column: str, C: int, base: float) -> str | None:
    r"""Return one number of a table of sinusoids as LaTeX, filled in; None for the label of its row.

    >>> worked_sinusoid(2, "1", 8, 10_000)
    '\\cos\\!\\left(\\frac{2}{10{,}000^{0/8}}\\right) = \\cos(2) = -0.4161'
    """
    if not column.isdigit():
        return None
    dimension = int(column)
    i, name, function = dimension // 2, ("sin", "cos")[dimension % 2], (sin, cos)[dimension % 2]
    angle, whole = t / base ** (2 * i / C), f"{base:,}".replace(",", "{,}")
    return (
        rf"\{name}\!\left(\frac{{{t}}}{{{whole}^{{{2 * i}/{C}}}}}\right) = \{name}({number(angle)}) = "
        rf"{number(function(angle))}"
    )
