"""What quantization draws: weights and their levels, loss by bits, sizes, and texts written in fewer bits."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Mapping, Sequence

import numpy as np
import pandas as pd
from torch import Tensor

from core.figures.blank import STORY_MARGIN, blank, enlarge
from core.figures.figure import Figure, scatter
from core.figures.layer_bars import join_panels, make_panel, make_row
from core.figures.palette import BLUE, GREEN, GREY, OCHRE, VERMILLION
from core.models.transformers.quantization import GROUP, PLAIN, ROW, TENSOR, largest_integer, quantize
from core.models.transformers.quantized_gpts import BITS, UNIFORM, held_out_loss, losses_by_piece, size_of
from core.words.numbers import percent
from pages.transformers.quantization import LESSON

WORDS = LESSON.words
HUES = {TENSOR: VERMILLION, ROW: BLUE, GROUP: GREEN}
BAR_HUES = {TENSOR: "vermillion", ROW: "blue", GROUP: "green"}
LINE = 34  # characters of a written line
SHOWN = {"\n": "⏎", " ": "␣"}  # characters that would not be seen
BEFORE, AFTER = 1, 0  # heights of weights and rounded weights


# Weights on a line


def draw_levels(weights: Tensor, bits: int, chosen: int, height: int = 420) -> Figure:
    """Return weights (n,) on a line above their rounded values, a grey tick for each value that b bits can have."""
    found = quantize(weights[None], bits, ROW)
    w, rounded, s = weights.numpy(), found.weights[0].numpy(), float(found.scales[0, 0])
    levels = s * np.arange(-largest_integer(bits), largest_integer(bits) + 1)
    figure = blank(height, WORDS.label("axis.weight"))
    figure.add_trace(
        scatter(
            x=np.repeat(levels, 3),
            y=[-0.25, 0.25, None] * len(levels),
            mode="lines",
            line={"color": GREY, "width": 2 if bits < 7 else 1},
            name=WORDS.label("key.levels"),
            hoverinfo="skip",
        )
    )
    for name, at, colour in (("others", range(len(w)), BLUE), ("chosen", (chosen,), VERMILLION)):
        kept = [i for i in at if name == "chosen" or i != chosen]
        figure.add_trace(
            scatter(
                x=[x for i in kept for x in (float(w[i]), float(rounded[i]), None)],
                y=[BEFORE, AFTER, None] * len(kept),
                mode="lines+markers",
                line={"color": colour, "width": 1 if name == "others" else 3},
                marker={"color": colour, "size": 9 if name == "others" else 15},
                opacity=0.6 if name == "others" else 1,
                name=WORDS.label(f"key.{name}"),
            )
        )
    figure.update_yaxes(
        tickvals=[BEFORE, AFTER],
        ticktext=[WORDS.label("height.before"), WORDS.label("height.after")],
        range=[-0.4, 1.3],
    )
    most = 1.05 * float(np.abs(w).max())
    return figure.update_xaxes(range=[-most, most])


def enlarge_levels(figure: Figure) -> Figure:
    """Return the line as a story shows it."""
    return enlarge(figure, margin={**STORY_MARGIN, "t": 50, "l": 90})


# Loss and size


def draw_losses(
    shared_by: Sequence[str],
    outlier: bool = False,
    shown: Collection[int] = BITS,
    written: bool = True,
    height: int = 420,
    ends: tuple[float, float] = (0.7, 6.9),
) -> Figure:
    """Return held-out loss against bits, a line for each way to share a scale; only the bits in `shown` are drawn.

    `ends` are those of the loss axis.
    """
    figure = blank(height, WORDS.label("axis.bits"), WORDS.label("axis.loss"))
    every = [f"{bits}" for bits in (PLAIN, *BITS)]
    figure.add_trace(
        scatter(
            x=[every[0], every[-1]],
            y=[UNIFORM, UNIFORM],
            mode="lines",
            line={"color": GREY, "dash": "dash"},
            name=WORDS.label("key.uniform"),
            showlegend=bool(ends[1] > UNIFORM),
            hoverinfo="skip",
        )
    )
    for by in shared_by:
        drawn = [bits for bits in (PLAIN, *BITS) if bits == PLAIN or bits in shown]
        losses = [held_out_loss(bits, by, outlier) for bits in drawn]
        figure.add_trace(
            scatter(
                x=[f"{bits}" for bits in drawn],
                y=losses,
                mode="lines+markers+text" if written and len(shared_by) == 1 else "lines+markers",
                text=[f"{loss:.2f}" for loss in losses],
                textposition="top center",
                cliponaxis=False,
                line={"color": HUES[by], "width": 3},
                marker={"size": 12},
                name=WORDS.label(f"shared_by.{by}"),
                hovertemplate="%{x}: %{y:.3f}<extra></extra>",
            )
        )
    figure.update_xaxes(type="category", categoryorder="array", categoryarray=every, range=[-0.4, 7.4])
    return figure.update_yaxes(range=list(ends))


def draw_story_losses(*args: object, **how: object) -> Figure:
    """Return the losses as a story shows them."""
    return enlarge(draw_losses(*args, **how), margin={**STORY_MARGIN, "t": 50})


def draw_outlier_losses(bits: int, told: bool) -> dict:
    """Return bars of the loss with outliers, one for each way to share a scale; not `told`, only that of 16 bits."""
    most = max(held_out_loss(bits, by, True) for by in HUES)
    rows = [
        make_row(
            WORDS.label("row.plain"),
            "row.plain",
            held_out_loss(PLAIN),
            f"{held_out_loss(PLAIN):.2f}",
            hue="grey",
        )
    ]
    for by, hue in BAR_HUES.items():
        loss = held_out_loss(bits, by, True)
        rows.append(
            make_row(
                WORDS.label(f"shared_by.{by}"),
                f"row.{by}",
                loss if told else 0,
                f"{loss:.2f}" if told else "?",
                kind="plain" if told else "open",
                hue=hue,
            )
        )
    return join_panels(make_panel(WORDS.label("panel.outliers", bits=bits), 1.2 * most, rows))


def draw_sizes(bits: int, shared_by: str) -> dict:
    """Return bars of the model's size in bytes by bits, the chosen one framed, and the sum of its parts below."""
    rows = []
    for each in (PLAIN, *BITS):
        total = sum(size_of(each, shared_by).values())
        loss = WORDS.label("note.loss", loss=held_out_loss(each, shared_by))
        rows.append(
            make_row(
                WORDS.label("bits.of", bits=each),
                f"size.{each}",
                total / 1e6,
                WORDS.label("mb", n=total / 1e6),
                note=loss,
                kind="best" if each == bits else "plain",
            )
        )
    parts = {name: WORDS.label("mb", n=n / 1e6) for name, n in size_of(bits, shared_by).items()}
    total = WORDS.label("mb", n=sum(size_of(bits, shared_by).values()) / 1e6)
    whole = sum(size_of(PLAIN).values()) / 1e6
    said = WORDS.label("sum.size", **parts, total=total)
    return join_panels(make_panel(WORDS.label("panel.size"), 1.25 * whole, rows), sum_=said)


def losses_table(shared_by: Sequence[str] = (TENSOR, ROW, GROUP)) -> pd.DataFrame:
    """Return every loss that was measured, with its size."""
    rows = [
        {
            WORDS.label("column.bits"): bits,
            WORDS.label("column.shared_by"): WORDS.label(f"shared_by.{by}"),
            WORDS.label("column.loss"): held_out_loss(bits, by),
            WORDS.label("column.outlier"): held_out_loss(bits, by, True),
            WORDS.label("column.more"): float(losses_by_piece(bits, by).mean() / held_out_loss(PLAIN) - 1),
            WORDS.label("column.bytes"): int(sum(size_of(bits, by).values())),
        }
        for by in shared_by
        for bits in BITS
    ]
    return pd.DataFrame(rows)


# Texts


def show_character(character: str) -> str:
    """Return a character as it can be seen.

    >>> show_character(" "), show_character("a")
    ('␣', 'a')
    """
    return SHOWN.get(character, character)


def wrap_lines(text: str) -> list[str]:
    """Return a text in short lines, at least one; its own line ends become slashes, as where verse is quoted.

    >>> wrap_lines("one\\n\\ntwo"), wrap_lines(" ")
    (['one / / two'], [' '])
    """
    return textwrap.wrap(text.replace("\n", " / "), LINE) or [" "]


def draw_texts(texts: Mapping[int, str], notes: Mapping[int, str] | None = None) -> dict:
    """Return the data of the view "text_parts": what the model writes, a panel for each number of bits."""
    panels = []
    for bits, text in texts.items():
        hue = "vermillion" if bits == min(texts) else "blue"
        panels.append(
            {
                "title": WORDS.label("bits.of", bits=bits),
                "note": (notes or {}).get(bits, ""),
                "text": text,
                "hue": hue,
                "lines": [
                    {"text": line, "mark": f"text.{bits}.{i}", "kind": "plain", "hue": hue, "tag": ""}
                    for i, line in enumerate(wrap_lines(text))
                ],
            }
        )
    return {"strip": [], "panels": panels}


def draw_chances(chances: Mapping[int, Sequence[tuple[str, float]]]) -> dict:
    """Return bars of the most probable next characters, a panel for each number of bits."""
    return join_panels(
        *(
            make_panel(
                WORDS.label("panel.next", bits=bits),
                1.0,
                [
                    make_row(
                        show_character(character),
                        f"next.{bits}.{i}",
                        p,
                        percent(p, 0),
                        hue="vermillion" if bits == min(chances) else "blue",
                    )
                    for i, (character, p) in enumerate(pairs)
                ],
            )
            for bits, pairs in chances.items()
        )
    )


def draw_trade(shared_by: str) -> Figure:
    """Return loss against size, a point for each number of bits, for a story."""
    figure = blank(420, WORDS.label("axis.size"), WORDS.label("axis.loss"))
    widths = [PLAIN, 8, 6, 4, 3, 2]
    figure.add_trace(
        scatter(
            x=[sum(size_of(bits, shared_by).values()) / 1e6 for bits in widths],
            y=[held_out_loss(bits, shared_by) for bits in widths],
            mode="lines+markers+text",
            text=[f"{bits}" for bits in widths],
            textposition="top right",
            cliponaxis=False,
            line={"color": GREEN, "width": 3},
            marker={"size": 13, "color": [OCHRE if bits == 4 else GREEN for bits in widths]},
            showlegend=False,
        )
    )
    figure.update_xaxes(range=[0, 4])
    return enlarge(figure.update_yaxes(range=[0.7, 6.9]), margin=STORY_MARGIN)
