"""Pictures of speculative decoding: calls as rows of characters, one round as a grid, distributions and speed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from core.figures.blank import STORY_MARGIN, blank, enlarge
from core.figures.figure import Figure, FigurePart, bar, scatter
from core.figures.palette import BLUE, GREY, VERMILLION
from core.figures.token_grid import cell, token_grid
from core.figures.token_label import label_token
from core.figures.worked import Z, number
from core.lesson.every_number import Formula
from core.models.generation.speculative_decoding import (
    Round,
    acceptance,
    residual,
    speed_up,
    tokens_per_call,
)
from pages.generation.speculative_decoding import LESSON

WORDS = LESSON.words
SHOWN = 7  # tokens with a bar of their own; all others share one
ROWS = 14  # calls that have a row


def draw_calls(rounds: Sequence[Round], names: Sequence[str]) -> dict:
    """Return a row for each call of the target, with the characters that it wrote (view "token_grid")."""
    k = len(rounds[0].drafted)
    rows = []
    for n, each in enumerate(rounds[:ROWS], 1):
        cells = [cell("kept", label_token(names[x])) for x in each.written[:-1]]
        cells += [cell("new", label_token(names[each.written[-1]]))]
        cells += [cell("none")] * (k + 1 - len(cells))
        rows.append((WORDS.label("row.call", n=n), f"{len(each.written)}", cells))
    key = [(kind, WORDS.label(f"key.{kind}")) for kind in ("kept", "new")]
    more = len(rounds) - ROWS
    sum_ = WORDS.label("more_calls", n=more) if more > 0 else ""
    columns = [f"{i}" for i in range(1, k + 2)]
    named = {
        "names": [WORDS.label("grid.character", n=n) for n in columns],
        "axes": (WORDS.label("grid.row"), WORDS.label("grid.column")),
    }
    return token_grid(columns, rows, key, end=WORDS.label("grid.written"), sum_=sum_, **named)


def tell_calls(rounds: Sequence[Round]) -> str:
    """Return how much the calls wrote, how many drafted characters were accepted, and which call wrote most."""
    written = [len(each.written) for each in rounds]
    return WORDS.label(
        "alt.calls",
        calls=len(rounds),
        written=sum(written),
        drafted=sum(len(each.drafted) for each in rounds),
        accepted=sum(each.accepted for each in rounds),
        most=max(written),
        call=written.index(max(written)) + 1,
    )


def draw_round(found: Round, names: Sequence[str], checked: int) -> dict:
    """Return one round as a grid: a column for each drafted token, `checked` of them checked (view "token_grid")."""
    tokens, k = found.drafted, len(found.drafted)
    hues: dict[int, str] = {}
    results = []
    for i in range(k):
        if i > found.accepted:
            results.append(
                cell("none", WORDS.label("cell.unread")) if checked > found.accepted else cell("open")
            )
        elif i >= checked:
            results.append(cell("open"))
        elif i < found.accepted:
            hues[i] = "green"
            results.append(cell("kept", WORDS.label("cell.accepted")))
        else:
            hues[i] = "vermillion"
            own = label_token(names[found.written[-1]])
            results.append(cell("again", WORDS.label("cell.redrawn", token=own)))
    shown = [i < checked and i <= found.accepted for i in range(k)]

    def row(name: str, values: Sequence[float]) -> tuple[str, str, list[dict]]:
        return (
            WORDS.label(f"grid.{name}"),
            "",
            [
                cell("level", f"{value:.2f}", value / 2) if told else cell("open")
                for value, told in zip(values, shown, strict=True)
            ],
        )

    q = [found.q[i][x] for i, x in enumerate(tokens)]
    p = [found.p[i][x] for i, x in enumerate(tokens)]
    drafted = [cell("level", f"{value:.2f}", value / 2) for value in q]
    rows = [
        (WORDS.label("grid.q"), "", drafted),
        row("p", p),
        row("ratio", found.ratios),
        row("u", found.u),
        (WORDS.label("grid.result"), "", results),
    ]
    return token_grid([label_token(names[x]) for x in tokens], rows, hues=hues)


def first_tokens(p: np.ndarray, q: np.ndarray) -> list[int]:
    """Return the tokens that get bars of their own: the largest of max(p, q), the most probable of p first.

    >>> first_tokens(np.array([0.2, 0.5, 0.3]), np.array([0.6, 0.2, 0.2]))
    [1, 2, 0]
    """
    largest = np.argsort(-np.maximum(p, q), kind="stable")[:SHOWN]
    return sorted(map(int, largest), key=lambda token: -p[token])


def grouped(values: np.ndarray, tokens: Sequence[int]) -> list[float]:
    """Return the values of some tokens, and the sum of all others'.

    >>> grouped(np.array([0.25, 0.5, 0.25]), [1])
    [0.5, 0.5]
    """
    return [*(float(values[token]) for token in tokens), float(values.sum() - values[list(tokens)].sum())]


def name_tokens(tokens: Sequence[int], names: Sequence[str]) -> list[str]:
    """Return what stands below the bars."""
    return [*(label_token(names[token]) for token in tokens), WORDS.label("bar.others")]


def sum_figure(p: np.ndarray, q: np.ndarray, names: Sequence[str]) -> Figure:
    """Return what is accepted and what is redrawn as stacked bars; the lines are the draft's q."""
    tokens = first_tokens(p, q)
    x = name_tokens(tokens, names)
    accepted = q * acceptance(p, q)
    redrawn = (1 - accepted.sum()) * residual(p, q)
    figure = blank(420, "", WORDS.label("axis.probability"))
    for name, values, colour in (("accepted", accepted, BLUE), ("redrawn", redrawn, VERMILLION)):
        figure.add_trace(
            bar(x=x, y=grouped(values, tokens), marker_color=colour, name=WORDS.label(f"key.{name}"))
        )
    figure.add_trace(mark_line(x, grouped(q, tokens), "key.q"))
    figure.update_yaxes(rangemode="tozero")
    return figure.update_layout(barmode="stack", showlegend=True)


def mark_line(x: Sequence[str], y: Sequence[float], key: str) -> FigurePart:
    """Return short horizontal lines across the bars."""
    return scatter(
        x=list(x),
        y=list(y),
        mode="markers",
        marker={"symbol": "line-ew", "size": 22, "line": {"width": 4, "color": GREY}},
        name=WORDS.label(key),
    )


def written_figure(
    written: np.ndarray, p: np.ndarray, q: np.ndarray, names: Sequence[str], wrong: bool = False
) -> Figure:
    """Return what is written as bars, with the target's p as lines across them."""
    tokens = first_tokens(p, q)
    x = name_tokens(tokens, names)
    figure = blank(420, "", WORDS.label("axis.share"))
    colour = VERMILLION if wrong else BLUE
    figure.add_trace(
        bar(x=x, y=grouped(written, tokens), marker_color=colour, name=WORDS.label("key.written"))
    )
    figure.add_trace(mark_line(x, grouped(p, tokens), "key.p"))
    return figure.update_yaxes(rangemode="tozero").update_layout(showlegend=True)


def calls_figure(runs: dict[int, Sequence[int]], alpha: float) -> Figure:
    """Return the mean tokens per call by k with a 95% interval, and the formula as a line."""
    ks = list(runs)
    means = [float(np.mean(counts)) for counts in runs.values()]
    errors = [Z * float(np.std(counts, ddof=1)) / len(counts) ** 0.5 for counts in runs.values()]
    along = list(range(1, max(ks) + 1))
    figure = blank(420, WORDS.label("axis.k"), WORDS.label("axis.tokens"))
    figure.add_trace(
        scatter(
            x=along,
            y=[tokens_per_call(alpha, k) for k in along],
            mode="lines",
            line_color=BLUE,
            line_width=3,
            name=WORDS.label("key.formula"),
        )
    )
    figure.add_trace(
        scatter(
            x=ks,
            y=means,
            mode="markers",
            marker_color=VERMILLION,
            marker_size=14,
            error_y={"type": "data", "array": errors},
            name=WORDS.label("key.measured"),
        )
    )
    figure.update_xaxes(tickvals=ks, range=[0.5, max(ks) + 0.5])
    return figure.update_yaxes(rangemode="tozero").update_layout(showlegend=True)


def speed_figure(alpha: float, cost: float, most: int) -> Figure:
    """Return the speed-up by k at a cost of the draft's call; the dashed line is the target alone."""
    ks = list(range(1, most + 1))
    speeds = [speed_up(alpha, k, cost) for k in ks]
    best = int(np.argmax(speeds))
    figure = blank(420, WORDS.label("axis.k"), WORDS.label("axis.speed"))
    figure.add_trace(
        scatter(x=ks, y=speeds, mode="lines+markers", line_color=BLUE, line_width=3, showlegend=False)
    )
    figure.add_trace(
        scatter(
            x=[0, most + 1],
            y=[1, 1],
            mode="lines",
            line_color=GREY,
            line_dash="dash",
            name=WORDS.label("key.alone"),
        )
    )
    figure.add_trace(
        scatter(
            x=[ks[best]],
            y=[speeds[best]],
            mode="markers+text",
            marker_color=VERMILLION,
            marker_size=16,
            text=[WORDS.label("best", k=ks[best], times=speeds[best])],
            textposition="top right",
            textfont_color=VERMILLION,
            showlegend=False,
        )
    )
    figure.update_xaxes(range=[0, most + 1])
    return figure.update_yaxes(range=[0, 1.25 * max(1.0, *speeds)]).update_layout(showlegend=True)


def draw_figure(figure: Figure) -> dict:
    """Return a figure as the data of the view "figure", as a story shows it."""
    return {"figure": enlarge(figure, margin={**STORY_MARGIN, "t": 40}).to_dict()}


def rounds_table(rounds: Sequence[Round], names: Sequence[str]) -> tuple[pd.DataFrame, Formula]:
    """Return every drafted token that was checked, and the formula of its probability of being accepted."""
    columns = [WORDS.label(f"column.{name}") for name in ("call", "token", "q", "p", "ratio", "u", "result")]
    rows = []
    for n, each in enumerate(rounds, 1):
        for i, x in enumerate(each.drafted[: each.accepted + 1]):
            said = "accepted" if i < each.accepted else "rejected"
            numbers = (float(each.q[i][x]), float(each.p[i][x]), float(each.ratios[i]), float(each.u[i]))
            rows.append((n, label_token(names[x]), *numbers, WORDS.label(f"result.{said}")))

    def formula(row: int, column: str) -> str | None:
        if column != columns[4]:
            return None
        _, _, q, p, ratio, *_ = rows[row]
        return rf"\min(1, \frac{{{number(p)}}}{{{number(q)}}}) = {number(ratio)}"

    return pd.DataFrame(rows, columns=columns), formula
