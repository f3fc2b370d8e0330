"""The pictures of activation patching: one vector on its way from A to B, what each restores, and the lab's heat maps."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd

from core.figures.blank import FONT_SIZE, blank
from core.figures.figure import Figure, heatmap
from core.figures.heat_map import write_in_cells
from core.figures.layer_bars import join_panels, make_panel, make_row
from core.figures.machine import arrow, machine, node, share_bar
from core.figures.n_grams.ngram import escape_label
from core.figures.palette import DIVERGING, OCHRE
from core.figures.token_grid import cell, token_grid
from core.figures.worked import number
from core.models.transformers.patching import STREAM, ReadingContrast
from core.words.numbers import signed
from pages.transformers.patching import LESSON
from pages.transformers.shared import WORDS as SUBJECT
from pages.transformers.shared.short_share import short

WORDS = LESSON.words
OF_A, OF_B = "ochre", "blue"
ROUNDING = 1e-5  # smaller shares are what 32 bits leave of nothing
WRITTEN_AT_MOST = 12  # columns: in more the numbers would overlap


def say(key: str, **values: object) -> str:
    """Return a label of the lesson, or of its subject."""
    return (WORDS if WORDS.has(key) else SUBJECT).label(key, **values)


def share_text(share: float) -> str:
    """Return a restored share as it stands in a cell.

    >>> share_text(0.955), share_text(-0.001), share_text(-0.09)
    ('96%', '0%', '−9%')
    """
    return f"{signed(100 * share, 0)}%"


# The story.


def draw_line(side: str, tokens: Sequence[str], bars: Sequence[dict]) -> tuple[list[dict], list[dict]]:
    """Return a line, the GPT that reads it, and its prediction: A on the left, B on the right, on a phone below."""
    hue, x, y = (OF_A, 0.0, 0.0) if side == "A" else (OF_B, 54.0, 52.0)
    wide, narrow = 46 / len(tokens), 100 / len(tokens)
    nodes = [
        node(f"{side}.name", "text", (x, 0, 46, 8), (0, y, 17, 5), title=say(f"title.{side}")),
        node(f"{side}.model", "box", (x, 32, 46, 16), (0, y + 18, 100, 8), title=say("box.model")),
        node(
            f"{side}.bars",
            "bars",
            (x, 60, 46, 40),
            (0, y + 29, 100, 19),
            title=say("bars.next"),
            bars=list(bars),
        ),
    ]
    for t, token in enumerate(tokens):
        places = (x + wide * t, 10, wide - 1, 10), (narrow * t, y + 6, narrow - 2, 7.5)
        nodes.append(node(f"{side}.token.{t}", "token", *places, title=token, hue=hue))
    arrows = [arrow(f"{side}.token.{t}", f"{side}.model", hue=hue) for t in range(len(tokens))]
    return nodes, [*arrows, arrow(f"{side}.model", f"{side}.bars", "stream", hue)]


def draw_two(
    tokens_a: Sequence[str], tokens_b: Sequence[str], bars_a: Sequence[dict], bars_b: Sequence[dict]
) -> dict:
    """Return both lines with their predictions."""
    (nodes, arrows), more = draw_line("A", tokens_a, bars_a), draw_line("B", tokens_b, bars_b)
    return machine([*nodes, *more[0]], [*arrows, *more[1]])


def draw_patch(
    of_A: Sequence[str],
    of_B: Sequence[str],
    layer: int,
    place: int,
    layers: int,
    bars: Sequence[dict] | None,
) -> dict:
    """Return the vectors of both forward passes, one copied from A to B, and B's prediction; no bars: not told yet.

    A row is a layer from the top down, a column a token. Cells of B that are computed from the copy have A's hue.
    """
    nodes, arrows = [], []
    for side, tokens, x0, y0 in (("A", of_A, 13.0, 0.0), ("B", of_B, 58.0, 41.0)):
        wide, narrow = (100 - 58.0) / len(tokens), 82.0 / len(tokens)
        nodes.append(node(f"{side}.name", "text", (x0, 0, 42, 7), (0, y0, 17, 6), title=say(f"title.{side}")))
        for t, token in enumerate(tokens):
            nodes.append(
                node(
                    f"{side}.token.{t}",
                    "text",
                    (x0 + wide * t, 8, wide, 7),
                    (18 + narrow * t, y0, narrow, 6),
                    title=token,
                )
            )
            for r in range(layers + 1):
                copied = side == "B" and (r, t) == (layer, place)
                changed = side == "B" and r > layer and t >= place
                nodes.append(
                    node(
                        f"{side}.{r}.{t}",
                        "box",
                        (x0 + wide * t + 0.6, 16 + 9.6 * r, wide - 1.2, 7.6),
                        (18 + narrow * t + 1, y0 + 7 + 6.1 * r, narrow - 2, 5.1),
                        hue=OF_A if side == "A" or copied or changed else OF_B,
                        state="now" if copied or (side == "A" and (r, t) == (layer, place)) else "",
                    )
                )
    for side, y0 in (("A", 0.0), ("B", 41.0)):
        for r in range(layers + 1):
            wide_place = (0, 16 + 9.6 * r, 12.4, 7.6) if side == "A" else None
            name = say("row.layer", k=r) if r else say("row.start")
            nodes.append(
                node(f"{side}.row.{r}", "text", wide_place, (0, y0 + 7 + 6.1 * r, 17, 5.1), title=name)
            )
    below, low = (58, 68, 42, 32), (18, 82, 82, 18)
    if bars is None:
        nodes.append(node("next", "box", (70, 74, 18, 16), (44, 85, 24, 12), title="?", state="open"))
    else:
        nodes.append(node("next", "bars", below, low, title=say("bars.patched"), bars=list(bars)))
    arrows.append(arrow(f"A.{layer}.{place}", f"B.{layer}.{place}", hue=OF_A, weight=0.5))
    return machine(nodes, arrows)


def next_bars(p: Mapping[str, float], hues: Mapping[str, str]) -> list[dict]:
    """Return tokens with their probabilities as bars; the largest is marked."""
    most = max(p, key=p.__getitem__)
    return [
        share_bar(name, value, short(value), hues.get(name, "grey"), name == most)
        for name, value in p.items()
    ]


def draw_scale(low: float, patched: float, high: float, name: str) -> dict:
    """Return the differences of logits of B, of B with the copied vector, and of A."""
    values = {"B": (low, OF_B), "patched": (patched, OF_A), "A": (high, OF_A)}
    rows = [
        make_row(
            say(f"row.{key}", name=name),
            f"row.{key}",
            value,
            signed(value, 1, "+"),
            kind="best" if key == "patched" else "plain",
            hue=hue,
        )
        for key, (value, hue) in values.items()
    ]
    reach = 1.15 * max(abs(low), abs(high), abs(patched))
    return join_panels(make_panel(say("title.scale"), reach, rows, least=-reach))


def share_cell(share: float) -> dict:
    """Return a cell with a restored share; what is blank has no partner, what is below 0.5% is 0%."""
    if np.isnan(share):
        return cell("none")
    return cell("level", share_text(share), share) if share >= 0.005 else cell("none", share_text(share))


def draw_map(tokens: Sequence[str], shares: np.ndarray, changed: Sequence[int] = ()) -> dict:
    """Return what each token's stream (a column) restores after each layer (a row); changed tokens have A's hue."""
    rows = [
        (say("row.after", k=r) if r else say("row.before"), "", [share_cell(each) for each in shares[r]])
        for r in range(len(shares))
    ]
    key = [("level", say("key.share"))]
    return token_grid(tokens, rows, key, hues=dict.fromkeys(changed, OF_B))


def draw_heads(shares: np.ndarray, shown: bool) -> dict:
    """Return what each head of each layer restores, or open cells before the answer."""
    rows = [
        (say("row.layer", k=layer), "", [share_cell(each) if shown else cell("open", "?") for each in row_])
        for layer, row_ in enumerate(shares, 1)
    ]
    key = [("level", say("key.head"))] if shown else [("open", say("key.open"))]
    return token_grid([say("column.head", k=h) for h in range(1, shares.shape[1] + 1)], rows, key)


def draw_parts(attention: Sequence[float], feed_forward: Sequence[float]) -> dict:
    """Return what the attention and the feed-forward part of each layer restore at one token."""
    panels = []
    for key, values, hue in (("attention", attention, "blue"), ("feed_forward", feed_forward, "green")):
        rows = [
            make_row(
                say("row.layer", k=layer),
                f"row.{key}.{layer}",
                max(value, 0.0),
                share_text(value),
                kind="best" if value == max(values) else "plain",
                hue=hue,
            )
            for layer, value in enumerate(values, 1)
        ]
        panels.append(make_panel(say(f"title.{key}"), 0.9, rows))
    return join_panels(*panels)


def draw_control(bars: Mapping[str, Sequence[dict]], titles: Mapping[str, str]) -> dict:
    """Return B's predictions, one with a vector of A and one with a vector of an unrelated text."""
    nodes = [
        node(key, "bars", (54 * i, 4, 46, 92), (0, 51 * i, 100, 48), title=titles[key], bars=list(each))
        for i, (key, each) in enumerate(bars.items())
    ]
    return machine(nodes, [])


def draw_path(tokens: tuple[str, str], shares: np.ndarray, head: str, layer: int, answer: str) -> dict:
    """Return the changed and the last token layer by layer with what each restores, and the head between them."""
    nodes, arrows, rows = [], [], len(shares)
    pitch = 84.0 / rows
    for c, token in enumerate(tokens):
        x = (20, 62)[c]
        nodes.append(node(f"token.{c}", "token", (x, 0, 24, 9), title=token, hue=OF_A if not c else ""))
        for r in range(rows):
            share = float(shares[r, c])
            nodes.append(
                node(
                    f"cell.{r}.{c}",
                    "box",
                    (x, 13 + pitch * r, 24, pitch - 5.5),
                    title=share_text(share),
                    hue=OF_A if share >= 0.5 else "",
                    state="" if share >= 0.005 else "faint",
                )
            )
            if r:
                arrows.append(
                    arrow(f"cell.{r - 1}.{c}", f"cell.{r}.{c}", "stream", OF_A if share >= 0.5 else "")
                )
    for r in range(rows):
        name = say("row.layer", k=r) if r else say("row.start")
        nodes.append(node(f"row.{r}", "text", (0, 13 + pitch * r, 18, pitch - 5.5), title=name))
    arrows.append(arrow(f"cell.{layer - 1}.0", f"cell.{layer}.1", hue=OF_A, text=head, weight=0.6))
    nodes.append(
        node("answer", "token", (88, 13 + pitch * (rows - 1), 12, pitch - 5.5), title=answer, hue=OF_A)
    )
    arrows.append(arrow(f"cell.{rows - 1}.1", "answer", hue=OF_A))
    return machine(nodes, arrows)


# The lab.


def restored_figure(
    shares: np.ndarray,
    rows: Sequence[str],
    columns: Sequence[str],
    y: str,
    x: str = "",
    chosen: tuple[int, int] | None = None,
    height: int = 335,
) -> Figure:
    """Return shares (rows, columns) as a heat map, the last row on top, one cell framed; nan stays blank.

    What is only left by rounding is 0.
    """
    figure = blank(height, x, y)
    reach = max(1.0, float(np.nanmax(np.abs(shares), initial=0.0)))
    shares = np.where(np.abs(shares) < ROUNDING, 0.0, shares)
    known = [[None if np.isnan(each) else float(each) for each in row_] for row_ in shares]
    figure.add_trace(
        heatmap(
            x=list(range(len(columns))),
            y=list(range(len(rows))),
            z=known,
            text=[[written(each) for each in row_] for row_ in known],
            name=say("cell.restored"),
            colorscale=DIVERGING,
            zmin=-reach,
            zmax=reach,
            showscale=False,
            hoverongaps=False,
            xgap=1,
            ygap=1,
            hovertemplate="%{text}<extra></extra>",
        )
    )
    if len(columns) <= WRITTEN_AT_MOST:
        write_in_cells(figure, min(FONT_SIZE, 90 / len(columns)) if len(columns) > 6 else FONT_SIZE - 1)
    ticks = {"showgrid": False, "zeroline": False, "tickfont": {"size": FONT_SIZE}}
    figure.update_xaxes(
        tickvals=list(range(len(columns))),
        ticktext=[escape_label(each) for each in columns],
        tickangle=-60 if sum(map(len, columns)) > 3 * len(columns) else 0,
        **ticks,
    )
    figure.update_yaxes(tickvals=list(range(len(rows))), ticktext=list(rows), **ticks)
    if chosen:
        r, c = chosen
        box = {"x0": c - 0.48, "x1": c + 0.48, "y0": r - 0.46, "y1": r + 0.46}
        figure.add_shape(type="rect", line={"color": OCHRE, "width": 4}, **box)
    return figure


def written(share: float | None) -> str:
    """Return a share as its cell has it: nothing, or what rounding leaves of it, is 0.

    >>> written(1e-8), written(0.001), written(-0.25), written(None)
    ('0', '0.00', '−0.25', '')
    """
    return "" if share is None else "0" if abs(share) < ROUNDING else signed(share)


def layer_names(kind: str, layers: int) -> list[str]:
    """Return the names of the heat map's rows.

    >>> layer_names(STREAM, 2)
    ['0', '1', '2']
    """
    return [str(layer) for layer in range(0 if kind == STREAM else 1, layers + 1)]


COLUMNS = ("layer", "place", "token", "taken", "difference", "restored")


def restored_table(
    found: ReadingContrast,
    shares: np.ndarray,
    rows: Sequence[str],
    into: Sequence[str],
    donor: Sequence[str],
    partner: Mapping[int, int],
) -> tuple[pd.DataFrame, Callable[[int, str], str | None]]:
    """Return every patch with its difference of logits and what it restores; `into` are B's tokens."""
    low, high = found.ends
    cells = [(r, t) for r in range(len(shares)) for t in partner]
    restored = np.array([shares[each] for each in cells])
    values = (
        [rows[r] for r, _ in cells],
        [t + 1 for _, t in cells],
        [into[t] for _, t in cells],
        [donor[partner[t]] for _, t in cells],
        low + restored * (high - low),
        restored,
    )
    names = [say(f"table.{key}") for key in COLUMNS]
    table = pd.DataFrame(dict(zip(names, values, strict=True)))

    def formula(chosen: int, column: str) -> str | None:
        if column != names[-1]:
            return None
        d = float(values[4][chosen])
        return (
            rf"\frac{{d - d_B}}{{d_A - d_B}} = \frac{{{number(d)} - ({number(low)})}}"
            rf"{{{number(high)} - ({number(low)})}} = {number(float(restored[chosen]))}"
        )

    return table, formula
