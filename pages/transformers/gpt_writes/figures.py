"""Pictures of a GPT that writes: what its cache holds, what is computed, and what a text costs that comes twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from core.figures.blank import blank
from core.figures.figure import Figure, bar, heatmap, scatter
from core.figures.frame import bars, frame, matrices, panel
from core.figures.layer_bars import make_panel, make_row
from core.figures.palette import BLUE, GREY, SEQUENTIAL, VERMILLION
from core.figures.token_grid import cell, token_grid
from core.figures.transformers.model_size import abbreviate_count
from core.models.transformers.cached_writing import WrittenToken
from core.models.transformers.copying import Copying
from pages.transformers.gpt_writes import LESSON

WORDS = LESSON.words
ROWS, HIGH = 10, 24  # rows of the cache that are drawn, the newest, and pixels of one
COLUMNS = 16  # tokens that the lab's grid draws, the newest
LIKELIEST = 4
COUNTED = {"cached": BLUE, "uncached": VERMILLION}
NONE, KEPT, NEW, AGAIN, OPEN, LEVEL = "none", "kept", "new", "again", "open", "level"

KINDS = {"unread": OPEN}  # entries of the key that are no kind of cell by name


def draw_grid(
    columns: Sequence[str],
    rows: Sequence[tuple[str, str, Sequence[dict]]],
    key: Sequence[str] = (),
    **more: object,
) -> dict:
    """Return the data of the view "token_grid"; `key` names entries of the key."""
    named = [(KINDS.get(name, name), WORDS.label(f"key.{name}")) for name in key]
    return token_grid(columns, rows, named, **more)


def draw_steps(
    names: Sequence[str], prompt: int, operations: Sequence[int], kind: str = KEPT, most: int = 0
) -> dict:
    """Return the grid with a row for each written token: which tokens are kept before it, and which are computed.

    `names` are those of the prompt's tokens and of all that were written; `kind` is what becomes of tokens read before:
    kept, computed again, or none of them (the cache was thrown away). Only the last `most` tokens are drawn, 0 for all.
    """
    n = len(names) - prompt
    width = len(names) - 1  # the last token is never read
    first = max(0, width - most) if most else 0
    rows = []
    for i in range(n):
        read = prompt + i
        cells = [cell(NEW if t >= (0 if not i else read - 1) else kind) for t in range(read)]
        cells += [cell(NONE)] * (width - read)
        total = WORDS.label("grid.million", n=operations[i] / 1e6)
        rows.append((names[prompt + i], total, cells[first:]))
    columns = list(names[first:width])
    if first:
        columns[0] = WORDS.label("grid.earlier", n=first + 1)
    keys = {KEPT: (NEW, KEPT), AGAIN: (NEW, AGAIN), NONE: (NEW, NONE)}[kind]
    gap = prompt - first if 0 < prompt - first < width - first else 0
    sum_ = WORDS.label(f"steps.{kind}", n=sum(operations) / 1e6)
    corner, end = WORDS.label("grid.writes"), WORDS.label("grid.operations")
    return draw_grid(columns, rows, keys, gap=gap, corner=corner, end=end, sum_=sum_)


def draw_twice(
    tokens: Sequence[str], found: Copying, guess: float, hidden: bool = False, sum_: str = ""
) -> dict:
    """Return the grid of a text given twice: bits of each token the first and the second time.

    The first token has no number: nothing says that it comes.
    """
    halves = {"first": found.first.mean(0), "second": found.second.mean(0)}
    rows = []
    for name, bits in halves.items():
        if hidden and name == "second":
            unknown = [cell(NONE), *(cell(OPEN, "?") for _ in bits)]
            rows.append((WORDS.label(f"twice.{name}"), "", unknown))
            continue
        cells = [cell(NONE), *(cell(LEVEL, f"{each:.1f}", each / (2 * guess)) for each in bits)]
        rows.append((WORDS.label(f"twice.{name}"), f"{bits.mean():.2f}", cells))
    return draw_grid(tokens, rows, (LEVEL,), end=WORDS.label("twice.mean"), sum_=sum_)


def draw_bars(title: str, rows: Sequence[Mapping]) -> dict:
    """Return a panel of the view "layer_bars" on a scale from 0 to 1."""
    return make_panel(title, 1.0, [make_row(**row) for row in rows])


def cache_frames(
    written: Sequence[WrittenToken],
    names: Sequence[str],
    vocabulary: Sequence[str],
    head: tuple[int, int],
    operations: Mapping[str, Sequence[int]],
    layers: int,
    kept: bool = True,
) -> list[dict]:
    """Return a step for each written token: a head's keys and values so far, the likeliest tokens, what it cost.

    `names` are those of the prompt's tokens and of all that were written; `kept` is whether the cache was.
    """
    frames = []
    known, (layer, h) = written[0].rows, head
    for i, each in enumerate(written):
        keys, values = (part[0, h].numpy() for part in each.cache[layer])  # (T, d)
        T = len(keys)
        read = names[known + i - T : known + i]  # less than all where the cache was thrown away
        first = max(0, T - ROWS)
        rows = [f"{known + i - T + t + 1} {read[t]}" for t in range(first, T)]
        panels = [
            panel(WORDS.label(f"frame.{name}"), part[first:], signed=True)
            for name, part in (("keys", keys), ("values", values))
        ]
        cached, uncached = (abbreviate_count(counts[i]) for counts in operations.values())
        told = {"token": vocabulary[each.token], "T": T, "layers": layers, "layer": layer + 1, "head": h + 1}
        frames.append(
            frame(
                WORDS.label("frame.name", **told),
                matrices(panels, rows, None) | {"most": HIGH},
                WORDS.label("frame.title", **told),
                WORDS.label("frame.said", **told, cached=cached, uncached=uncached, kept=kept),
                notes=[WORDS.label("frame.cut", n=first)] if first else [],
                below=likeliest_bars(each, vocabulary),
            )
        )
    return frames


def likeliest_bars(written: WrittenToken, vocabulary: Sequence[str]) -> dict:
    """Return the likeliest tokens as bars, the one that was drawn marked."""
    p = written.probabilities
    top = np.argsort(-p, kind="stable")[:LIKELIEST].tolist()
    if written.token not in top:
        top[-1] = written.token
    column = (WORDS.label("frame.p"), p[top].tolist(), [f"{p[i]:.3f}" for i in top])
    return bars([vocabulary[i] for i in top], [column], top.index(written.token))


def cost_figure(operations: Mapping[str, Sequence[int]], names: Sequence[str], height: int = 320) -> Figure:
    """Return the operations before each written token as bars, with the cache and without."""
    figure = blank(height, WORDS.label("costs.x"), WORDS.label("costs.y"))
    places = [f"{i + 1} {name}" for i, name in enumerate(names)]
    for key, counts in operations.items():
        name = WORDS.label(f"costs.{key}")
        hover = f"%{{x}}, {name}: %{{y:.3s}}<extra></extra>"
        figure.add_trace(
            bar(x=places, y=list(counts), name=name, marker={"color": COUNTED[key]}, hovertemplate=hover)
        )
    figure.update_xaxes(type="category")
    return figure.update_layout(barmode="group")


def copying_figure(found: Copying, names: Sequence[str] | None, guess: float, height: int = 340) -> Figure:
    """Return bits of each token the first and the second time, means over sequences; `names` of a single text's.

    `guess`, what guessing among all tokens costs, is a dashed line.
    """
    figure = blank(height, WORDS.label("copying.x"), WORDS.label("copying.y"))
    places = list(range(2, found.first.shape[1] + 2))
    shown = [f"{t} {names[t - 1]}" if names else f"{t}" for t in places]
    for key, bits, colour in (("first", found.first, GREY), ("second", found.second, BLUE)):
        name = WORDS.label(f"twice.{key}")
        figure.add_trace(
            scatter(
                x=places,
                y=bits.mean(0),
                name=name,
                mode="lines+markers",
                line={"color": colour, "width": 3},
                customdata=shown,
                hovertemplate=f"%{{customdata}}, {name}: %{{y:.2f}}<extra></extra>",
            )
        )
    name = WORDS.label("copying.guess")
    line = {"color": VERMILLION, "dash": "dash"}
    figure.add_trace(scatter(x=[places[0], places[-1]], y=[guess, guess], name=name, mode="lines", line=line))
    figure.update_xaxes(tick0=places[0], dtick=max(1, len(places) // 8))  # a token has a whole number
    return figure.update_yaxes(rangemode="tozero")


def scores_figure(scores: np.ndarray, height: int = 340) -> Figure:
    """Return each head's score, layers downwards, (L, H)."""
    figure = blank(height)
    layers, heads = scores.shape
    figure.add_trace(
        heatmap(
            z=scores,
            x=[WORDS.label("scores.head", n=h + 1) for h in range(heads)],
            y=[WORDS.label("scores.layer", n=layer + 1) for layer in range(layers)],
            zmin=0,
            zmax=1,
            colorscale=SEQUENTIAL,
            showscale=False,
            text=[[f"{score:.2f}" for score in row] for row in scores],
            texttemplate="%{text}",
            xgap=3,
            ygap=3,
            hovertemplate="%{y}, %{x}: %{z:.4f}<extra></extra>",
        )
    )
    figure.update_xaxes(side="top")
    return figure.update_yaxes(autorange="reversed", type="category")


def twice_table(whole: Copying, without: Copying) -> pd.DataFrame:
    """Return bits of each token the first and the second time, and the second without the best head."""
    columns = {
        "token": range(2, whole.first.shape[1] + 2),
        "first": whole.first.mean(0),
        "second": whole.second.mean(0),
        "without": without.second.mean(0),
    }
    return pd.DataFrame({WORDS.label(f"table.{name}"): values for name, values in columns.items()})
