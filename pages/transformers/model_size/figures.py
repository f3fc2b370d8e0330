"""Where a transformer's parameters and its work are, how both grow, and the loss of four models against their size."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from core.figures.blank import FONT_SIZE, blank
from core.figures.figure import Figure, bar, scatter
from core.figures.layer_bars import join_panels, make_panel, make_row
from core.figures.palette import BLUE, CATEGORIES, GREEN, GREY, OCHRE, PINK, SKY, VERMILLION
from core.figures.transformers.model_size import abbreviate_count
from core.models.transformers.power_law import PowerLaw
from core.models.transformers.transformer_size import Shape, parameter_parts, reading_operations
from core.words.numbers import percent
from pages.transformers.model_size import LESSON

WORDS = LESSON.words
GROUPS = {  # what is one piece of a bar, and its colour
    "embedding": (("embedding",), BLUE),
    "positions": (("positions",), SKY),
    "attention": (("queries", "keys", "values", "attention's output"), GREEN),
    "feed_forward": (("feed-forward",), OCHRE),
    "norms": (("norms",), GREY),
    "logits": (("logits",), PINK),
    "scores": (("scores",), VERMILLION),
}
HUES = {
    "embedding": "blue",
    "positions": "sky",
    "attention": "green",
    "feed_forward": "ochre",
    "norms": "grey",
    "matrices": "blue",
    "scores": "vermillion",
    "weights": "blue",
    "cache": "vermillion",
}
BYTES = ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB"))
SEEN = 0.005  # of a bar: a shorter piece is not seen, and not in the legend
LARGEST = 0.06  # of a bar: in shorter pieces their share would not be read


# The story.


def draw_bars(
    title: str,
    most: float,
    rows: Sequence[tuple[str, float, str]],
    best: str = "",
    notes: Mapping[str, str] | None = None,
    names: Mapping[str, str] | None = None,
    hue: str = "",
    sum_: str = "",
) -> dict:
    """Return the data of the view "layer_bars": a bar for each row (id, value, text), the best one framed."""
    return join_panels(
        make_panel(
            title,
            most,
            [
                make_row(
                    (names or {}).get(name) or WORDS.label(f"part.{name}"),
                    "row." + name.replace(" ", "."),
                    value,
                    text,
                    note=(notes or {}).get(name, ""),
                    kind="best" if name == best else "plain",
                    hue=hue or HUES[name.partition(".")[0]],
                )
                for name, value, text in rows
            ],
        ),
        sum_=sum_,
    )


def draw_law(
    sizes: Sequence[float],
    losses: Sequence[float],
    intervals: np.ndarray,
    law: PowerLaw,
    used: int,
    shown: int,
) -> Figure:
    """Return the law with the first `shown` losses, fitted to the first `used`, large enough for a hall."""
    figure = law_figure(
        sizes[:shown], losses[:shown], intervals[:shown], law, used, height=520, beyond=sizes[-1]
    )
    figure.update_layout(showlegend=False, font={"size": 17}, margin={"l": 70, "r": 30, "t": 20, "b": 65})
    figure.update_traces(textfont={"size": 18}, selector={"mode": "markers+text"})
    figure.update_xaxes(range=[np.log10(3000), np.log10(3_000_000)], title=WORDS.label("axis.size_without"))
    return figure.update_yaxes(range=[np.log10(1.25), np.log10(2.6)])


def mark_prediction(figure: Figure, size: float, loss: float) -> None:
    """Draw on the law what it predicts for a size, and a line through all losses that a model of it could have."""
    figure.add_vline(x=size, line={"color": GREY, "dash": "dot"})
    said = WORDS.label("law.predicted", loss=loss)
    look = {"size": 15, "color": OCHRE, "symbol": "diamond"}
    figure.add_trace(
        scatter(
            x=[size],
            y=[loss],
            mode="markers+text",
            text=[said],
            textposition="bottom left",
            textfont={"size": 18},
            marker=look,
            hoverinfo="skip",
        )
    )


# The lab.


def in_bytes(n: float) -> str:
    """Return an amount of memory as it is said, a kilobyte 1,000 bytes.

    >>> in_bytes(350e9), in_bytes(3_668_352), in_bytes(12)
    ('350 GB', '3.67 MB', '12 bytes')
    """
    for step, name in BYTES:
        if float(f"{n:.3g}") >= step:
            return f"{float(f'{n / step:.3g}'):g} {name}"
    return f"{n:.0f} bytes"


def grouped(parts: Mapping[str, int]) -> dict[str, int]:
    """Return counts by part as the pieces of a bar; a piece that has no part there is 0."""
    return {name: sum(parts.get(each, 0) for each in some) for name, (some, _) in GROUPS.items()}


def shares_figure(shape: Shape, tokens: int, height: int = 365) -> Figure:
    """Return two bars of shares by part: of the numbers learned, and of the operations to read T tokens at once."""
    counted, work = WORDS.label("bars.parameters"), WORDS.label("bars.work", T=tokens)
    bars = {
        counted: grouped(parameter_parts(shape)),
        work: grouped(reading_operations(shape, tokens)),
    }
    figure = blank(height, WORDS.label("axis.share"))
    for name, (_, colour) in GROUPS.items():
        counts = [each[name] for each in bars.values()]
        if not any(counts):
            continue
        shares = [count / sum(each.values()) for count, each in zip(counts, bars.values(), strict=True)]
        figure.add_trace(
            bar(
                x=shares,
                y=list(bars),
                name=WORDS.label(f"part.{name}"),
                orientation="h",
                showlegend=max(shares) >= SEEN,
                marker={"color": colour},
                text=[f"{share:.0%}" if share >= LARGEST else "" for share in shares],
                textposition="inside",
                insidetextanchor="middle",
                textangle=0,
                customdata=[abbreviate_count(count) for count in counts],
                hovertemplate="%{customdata}, %{x:.1%}" + "<extra></extra>",
            )
        )
    figure.update_layout(barmode="stack", bargap=0.35, legend={"traceorder": "normal", "maxheight": 0.6})
    # On a telephone two short lines keep room for the legend.
    two_lines = [each.replace(" ", "<br>", 1) for each in bars]
    figure.update_yaxes(autorange="reversed", tickvals=list(bars), ticktext=two_lines)
    return figure.update_xaxes(tickformat=".0%", range=[0, 1])


def growth_figure(
    tokens: Sequence[int], lines: Mapping[str, Sequence[float]], at: int, y: str, height: int = 330
) -> Figure:
    """Return lines that grow with T, both axes logarithmic, with a mark at the T that is chosen."""
    figure = blank(height, WORDS.label("axis.tokens"), y)
    for (name, values), colour in zip(lines.items(), (BLUE, VERMILLION), strict=True):
        figure.add_trace(
            scatter(
                x=list(tokens),
                y=list(values),
                name=name,
                mode="lines",
                line={"color": colour, "width": 3},
                hovertemplate="T = %{x:,}: %{y:.3s}<extra>" + name + "</extra>",
            )
        )
    figure.add_vline(x=at, line={"color": GREY, "dash": "dash"})
    figure.update_yaxes(type="log", exponentformat="power", dtick=2)
    return figure.update_xaxes(type="log", dtick=1, exponentformat="power")


def training_figure(operations: Mapping[str, float], chosen: str, height: int = 260) -> Figure:
    """Return the operations to train each model, a logarithmic row each; the chosen one is vermillion."""
    figure = blank(height, WORDS.label("axis.training"))  # a longer title is cut on a telephone
    values, names = list(operations.values()), list(operations)
    middle = (min(values) * max(values)) ** 0.5  # beside it there is room on the other side
    figure.add_trace(
        scatter(
            x=values,
            y=names,
            mode="markers+text",
            marker={"size": 16, "color": [VERMILLION if name == chosen else BLUE for name in names]},
            text=[abbreviate_count(value) for value in values],
            textposition=["middle right" if value < middle else "middle left" for value in values],
            hovertemplate="%{y}: %{x:.3s}<extra></extra>",
        )
    )
    low, high = np.log10([min(values), max(values)])
    figure.update_xaxes(
        type="log", dtick=3, exponentformat="power", range=[low - 0.28 * (high - low), high + 1]
    )
    lines = [name.replace(" (here)", "<br>(here)") for name in names]
    return figure.update_yaxes(autorange="reversed", type="category", tickvals=names, ticktext=lines)


def law_figure(
    sizes: Sequence[float],
    losses: Sequence[float],
    intervals: np.ndarray,
    law: PowerLaw,
    used: int,
    own: Sequence[float] = (),
    height: int = 400,
    beyond: float = 0,
) -> Figure:
    """Return losses against sizes, both logarithmic, with the fitted line, dashed where no model was used.

    The first `used` models were; `own` are their losses on the learner's text, if there are any. The line goes ten
    times as far as the last, or as `beyond`.
    """
    figure = blank(height, WORDS.label("axis.size"), WORDS.label("axis.loss"))
    end = 10 * max(sizes[-1], beyond)
    lines = (("fitted", "solid", [sizes[0], sizes[used - 1]]), ("further", "dash", [sizes[used - 1], end]))
    for name, dash, ends in lines:
        look = {"color": OCHRE, "width": 3, "dash": dash}
        named = WORDS.label(f"law.{name}")
        figure.add_trace(scatter(x=ends, y=law(ends), mode="lines", line=look, name=named, hoverinfo="skip"))
    misses = [intervals[:, 1] - losses, np.asarray(losses) - intervals[:, 0]]
    figure.add_trace(
        scatter(
            x=list(sizes),
            y=list(losses),
            name=WORDS.label("law.measured"),
            mode="markers+text",
            text=[f"{loss:.3f}" for loss in losses],
            textposition="top right",
            cliponaxis=False,
            marker={
                "size": 14,
                "color": BLUE,
                "symbol": ["circle" if i < used else "circle-open" for i in range(len(sizes))],
            },
            error_y={
                "type": "data",
                "array": misses[0].tolist(),
                "arrayminus": misses[1].tolist(),
                "color": BLUE,
                "thickness": 2,
            },
            hovertemplate="%{x:,}: %{y:.4f}<extra></extra>",
        )
    )
    if len(own):
        figure.add_trace(
            scatter(
                x=list(sizes),
                y=list(own),
                name=WORDS.label("law.own"),
                mode="markers",
                marker={"size": 13, "color": VERMILLION, "symbol": "diamond"},
                hovertemplate="%{x:,}: %{y:.4f}<extra></extra>",
            )
        )
    figure.update_xaxes(type="log", exponentformat="power", dtick=1)
    return figure.update_yaxes(type="log", nticks=6, tickformat=".2~f")


def runs_figure(runs: Mapping[str, Sequence[tuple[float, float]]], x: str, height: int = 400) -> Figure:
    """Return each model's held-out loss along its training, {name: [(x, loss)]}, x logarithmic."""
    figure = blank(height, x, WORDS.label("axis.loss"))
    for (name, points), colour in zip(runs.items(), CATEGORIES, strict=False):
        figure.add_trace(
            scatter(
                x=[each for each, _ in points],
                y=[loss for _, loss in points],
                name=name,
                mode="lines+markers",
                line={"color": colour, "width": 3},
                marker={"size": 9},
                hovertemplate=name + ": %{y:.3f}, %{x:.3s}<extra></extra>",
            )
        )
    return figure.update_xaxes(type="log", dtick=1, exponentformat="power").update_layout(
        legend={"font": {"size": FONT_SIZE - 1}}
    )


def filled_in(shape: Shape) -> dict[str, str]:
    """Return the LaTeX of each part's count with the shape's numbers filled in."""
    V, C, L, F, G = shape.vocabulary_size, shape.width, shape.layers, shape.feed_forward, shape.kept
    b, b_kept, b_middle = (f" + {n}" if shape.biases else "" for n in (C, G, F))
    first = f"2\\,({C} \\cdot {F})" if shape.gated else f"{C} \\cdot {F}{b_middle}"
    square, kept = (f"{L}\\,({C} \\cdot {n}{bias})" for n, bias in ((C, b), (G, b_kept)))
    return {
        "embedding": f"V C = {V} \\cdot {C}",
        "positions": f"T_{{max}} C = {shape.context} \\cdot {C}"
        if shape.positions
        else rf"\text{{{WORDS.label('formula.none')}}}",
        "queries": f"L\\,(C C + \\dots) = {square}",
        "keys": f"L\\,(C\\,G d + \\dots) = {kept}",
        "values": f"L\\,(C\\,G d + \\dots) = {kept}",
        "attention's output": f"L\\,(C C + \\dots) = {square}",
        "feed-forward": f"L\\,(f C F + \\dots) = {L}\\,({first} + {F} \\cdot {C}{b})",
        "norms": f"(2 L + 1) \\cdot {shape.norm} C = (2 \\cdot {L} + 1) \\cdot {shape.norm} \\cdot {C}",
        "logits": rf"\text{{{WORDS.label('formula.tied')}}}" if shape.tied else f"V C = {V} \\cdot {C}",
    }


def name_of(part: str) -> str:
    """Return how a part of a model is called."""
    return WORDS.label("part." + re.sub(r"\W+", "_", part))


def parts_table(shape: Shape, tokens: int):
    """Return the numbers and operations of every part as a table, with the formula of a count's cell."""
    learned, work = parameter_parts(shape), reading_operations(shape, tokens)
    names = list(dict.fromkeys((*learned, *work)))
    counted, worked = WORDS.label("column.count"), WORDS.label("column.work")
    table = pd.DataFrame(
        {
            WORDS.label("column.part"): [name_of(name) for name in names],
            counted: [learned.get(name, 0) for name in names],
            WORDS.label("column.share"): [
                percent(learned.get(name, 0) / sum(learned.values())) for name in names
            ],
            # beyond 2^63 a table has no whole numbers
            worked: [float(work.get(name, 0)) for name in names],
            WORDS.label("column.work_share"): [
                percent(work.get(name, 0) / sum(work.values())) for name in names
            ],
        }
    )
    formulas = filled_in(shape)

    def formula(row: int, column: str) -> str | None:
        name = names[row]
        if column == counted and name in formulas:
            return f"{formulas[name]} = {learned[name]}"
        if column != worked or name not in work:
            return None
        L, C, T = shape.layers, shape.width, tokens
        if name == "scores":
            return f"2 L C\\,T (T + 1) = 2 \\cdot {L} \\cdot {C} \\cdot {T} \\cdot {T + 1} = {work[name]}"
        weights = work[name] // (2 * T)
        return f"2 T M = 2 \\cdot {T} \\cdot {weights} = {work[name]}"

    return table, formula
