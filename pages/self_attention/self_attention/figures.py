"""Pictures of attention heads: arrows from queries to keys, vectors in rows, heads by habit, and the lab's figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt

import numpy as np
import pandas as pd

from core.figures.blank import blank
from core.figures.figure import Figure, bar, scatter
from core.figures.n_grams.ngram import escape_label
from core.figures.palette import BLUE, GREEN, GREY, OCHRE
from core.figures.worked import dot_product, number
from core.models.self_attention.attention import AttentionTrace
from core.models.self_attention.head_habits import BEFORE, ENTROPY, FIRST, ITSELF
from core.models.self_attention.score_parts import ScoreParts
from core.words.numbers import how_often, signed
from pages.self_attention.self_attention import LESSON
from pages.self_attention.shared.attention_pictures import WORDS as SHARED
from pages.self_attention.shared.attention_pictures import vector_row

WORDS = LESSON.words
UNKNOWN = "?"  # a weight that is still to come
NAMELESS = "<extra></extra>"  # no second box with the name of the trace
KEYS_AT_MOST = 16
COLOURS = (BLUE, OCHRE, GREEN)

# The story.


def unknown_row(tokens: int, places: Sequence[int]) -> dict:
    """Return a row of bars that are still to come, with a question mark at some places."""
    return {
        "title": SHARED.label("arrows.weight"),
        "bars": [{"value": 0, "text": UNKNOWN if s in places else "", "hue": None} for s in range(tokens)],
    }


def part_rows(parts: np.ndarray, chosen: Sequence[int], hues: Mapping[int, str]) -> list[dict]:
    """Return two rows of bars: how far each key's letter, and its position, raise its score above the other keys'.

    `parts` (2, T), already less their mean over the keys that are not `chosen`; the bars of `chosen` have a number.
    """
    most = float(np.abs(parts).max()) or 1.0
    return [
        {
            "title": WORDS.label(f"row.{name}"),
            "bars": [
                {
                    "value": round(float(value) / most, 4),
                    "text": signed(float(value), 1, "+") if s in chosen else "",
                    "hue": hues.get(s) if s in chosen else None,
                }
                for s, value in enumerate(row)
            ],
        }
        for name, row in zip(("letter", "position"), parts, strict=True)
    ]


def product_rows(query: np.ndarray, keys: Sequence[tuple[np.ndarray, str, str | None]], name: str) -> dict:
    """Return a query (d,), and for each key (d,), its name and its hue: the key, the products, and their sum."""
    most = float(max(np.abs(query).max(), *(np.abs(key).max() for key, _, _ in keys)))
    products = [query * key for key, _, _ in keys]
    widest = float(max(np.abs(each).max() for each in products))
    rows = [vector_row("query", name, query, most, hue="blue")]
    for i, ((key, label, hue), product) in enumerate(zip(keys, products, strict=True)):
        total = f"Σ = {signed(float(product.sum()), 1, '+')}"
        rows.append(vector_row(f"key.{i}", label, key, most, hue=hue))
        rows.append(vector_row(f"product.{i}", WORDS.label("row.product"), product, widest, total))
    return {"rows": rows, "sum": ""}


def draw_habits(
    before: np.ndarray, equal: np.ndarray, named: Mapping[int, str], names: Mapping[str, str]
) -> Figure:
    """Return every head as a point: its mean weight on the letter before against that on the same letter.

    `named` {index: label} are written out; `names` holds the labels "x" and "y".
    """
    figure = blank(420, names["x"], names["y"])
    hues = [{0: OCHRE, 1: BLUE}.get(list(named).index(i)) if i in named else GREY for i in range(len(before))]
    figure.add_trace(
        scatter(x=before, y=equal, mode="markers", marker={"size": 17, "color": hues}, showlegend=False)
    )
    for i, label in named.items():
        left = before[i] > 0.6
        figure.add_annotation(
            x=before[i],
            y=equal[i],
            text=f"<b>{label}</b>",
            font={"size": 18},
            showarrow=False,
            xanchor="right" if left else "left",
            xshift=-14 if left else 14,
            yanchor="bottom" if left else "middle",
        )
    for axis in (figure.update_xaxes, figure.update_yaxes):
        axis(range=[-0.02, 1.06], tickformat=".0%")
    return figure


# The lab.


def drawn_keys(scores: np.ndarray, seen: Sequence[int], chosen: int) -> list[int]:
    """Return the keys that are drawn, in the text's order: the chosen one and those with the highest scores.

    >>> drawn_keys(np.array([0.1, 0.9, 0.5]), [0, 1, 2], chosen=0)
    [0, 1, 2]
    """
    best = sorted(seen, key=lambda s: (s != chosen, -scores[s]))
    return sorted(best[:KEYS_AT_MOST])


def score_parts_figure(parts: ScoreParts, names: Sequence[str], seen: Sequence[int], chosen: int) -> Figure:
    """Return the scaled score of each drawn key as bars that add up to it, and the score itself as a mark."""
    keys = drawn_keys(parts.scores, seen, chosen)
    figure = blank(330, WORDS.label("axis.key_token"), WORDS.label("axis.score"))
    labels = [f"{s + 1} {escape_label(names[s])}" for s in keys]
    for i, (heights, colour) in enumerate(zip(parts.parts[:, keys], COLOURS, strict=True)):
        name = WORDS.label(f"part.{i}")
        bars = bar(x=labels, y=heights, name=name, marker_color=colour, hovertemplate="%{x}: %{y:+.4f}")
        figure.add_trace(bars)
    figure.add_trace(
        scatter(
            x=labels,
            y=parts.scores[keys] - parts.shift,
            name=WORDS.label("part.sum"),
            mode="markers",
            marker={
                "symbol": "diamond",
                "size": 10,
                "color": "white",
                "line": {"width": 2, "color": "black"},
            },
            hovertemplate="%{x}: %{y:+.4f}",
        )
    )
    figure.update_xaxes(type="category", tickangle=-45)
    figure.update_layout(barmode="relative", bargap=0.3)
    return figure


def liked_figure(names: Sequence[str], scores: Sequence[float], times: Sequence[int]) -> Figure:
    """Return tokens as bars: how far the mean score of their keys is above the mean of all keys."""
    figure = blank(300, WORDS.label("axis.liked"), WORDS.label("axis.above"))
    places = np.arange(len(names))
    figure.add_trace(
        bar(
            x=places,
            y=list(scores),
            customdata=[
                f"{escape_label(name)} ({how_often(n)})" for name, n in zip(names, times, strict=True)
            ],
            marker_color=BLUE,
            hovertemplate="%{customdata}: %{y:+.3f}" + NAMELESS,
        )
    )
    figure.update_xaxes(tickvals=places, ticktext=[escape_label(name) for name in names], tickangle=-45)
    return figure


def describe_lead(parts: ScoreParts, s: int, seen: Sequence[int], name: str) -> dict:
    """Return what the words may say of why a key's score differs from the others': the case, and each part's lead."""
    if s not in seen:
        return {"case": "masked", "name": name}
    if len(seen) == 1:
        return {"case": "alone", "name": name}
    if not parts.scores.any():
        return {"case": "zero", "name": name}
    lead = parts.lead(s, seen)
    rounded = [round(float(part), 2) for part in lead]  # so that they add up as they are shown
    above = lead.sum() > 0
    return {
        "case": "lead",
        "name": name,
        "above": bool(above),
        "total": f"{abs(sum(rounded)):.2f}",
        "leads": [signed(part, 2, "+") for part in rounded],
        "most": int(np.argmax(lead if above else -lead)),
    }


def all_equal(weights: np.ndarray) -> bool:
    """Return whether a row gives each of several keys the same weight."""
    seen = weights[weights > 0]
    return len(seen) > 1 and float(np.ptp(seen)) < 1e-6


def count_habits(habits: pd.DataFrame) -> dict[str, int]:
    """Return how many of all heads put over half of their weight on one place, from the means over a text's tokens.

    >>> count_habits(pd.DataFrame({BEFORE: [0.9, 0.1], FIRST: [0.05, 0.6], ITSELF: [0.0, 0.2]}))
    {'heads': 2, 'before': 1, 'first': 1, 'itself': 0}
    """
    counts = {
        name: int((habits[column] > 0.5).sum())
        for name, column in (("before", BEFORE), ("first", FIRST), ("itself", ITSELF))
    }
    return {"heads": len(habits), **counts}


def name_habits(habits: pd.DataFrame) -> pd.DataFrame:
    """Return the habits of all heads with the heads of their columns as they are shown."""
    keys = {FIRST: "first", BEFORE: "before", ITSELF: "itself", ENTROPY: "entropy"}
    return habits.rename(columns=lambda name: WORDS.label(f"column.{keys.get(name, name)}"))


COLUMNS = ("place", "key", "score", "scaled", "masked", "exponential", "weight", "length")


def row_table(head: AttentionTrace, t: int, names: Sequence[str]) -> pd.DataFrame:
    """Return query t's whole row, one line a key, from the dot product to the weight."""
    columns = (
        range(1, len(names) + 1),
        names,
        head.scores[t].numpy(),
        head.scaled[t].numpy(),
        np.where(np.isneginf(head.masked[t].numpy()), "−∞", ""),
        head.exponentials[t].numpy(),
        head.weights[t].numpy(),
        (head.weights[t][:, None] * head.value).norm(dim=1).numpy(),
    )
    return pd.DataFrame(
        {WORDS.label(f"column.{name}"): each for name, each in zip(COLUMNS, columns, strict=True)}
    )


def worked_weight(head: AttentionTrace, t: int, s: int, column: str) -> str | None:
    """Return the formula of one number of query t and key s of a head, filled in; None for a label."""
    named = {WORDS.label(f"column.{name}"): name for name in COLUMNS}
    q, k = head.query[t].numpy(), head.key[s].numpy()
    d, score, scaled = len(q), float(head.scores[t, s]), float(head.scaled[t, s])
    if named.get(column) != "score" and float(head.masked[t, s]) == -np.inf:
        return rf"\text{{{WORDS.label('formula.masked')}}} -\infty" + r":\quad e^{-\infty} = 0"
    shift = float(head.shift[t, 0])
    less = rf" - ({number(shift)})" if shift else ""
    exponential, total = float(head.exponentials[t, s]), float(head.row_sums[t, 0])
    formulas = {
        "score": f"q_t \\cdot k_s = {dot_product(q, k)}",
        "scaled": rf"\frac{{{number(score)}}}{{\sqrt{{{d}}}}} = \frac{{{number(score)}}}{{{number(sqrt(d))}}} "
        rf"= {number(score / sqrt(d))}",
        "exponential": rf"e^{{{number(scaled)}{less}}} = {number(exponential)}",
        "weight": rf"\frac{{{number(exponential)}}}{{{number(total)}}} = {number(exponential / total)},\qquad "
        rf"{number(total)} = \sum_j e^{{s_j}}",
    }
    return formulas.get(named.get(column))


def pair_formulas(head: AttentionTrace, t: int, s: int) -> list[str]:
    """Return one pair's way from the dot product over the root to the weight, a formula a step, as LaTeX."""
    d = head.query.shape[-1]
    score, scaled = float(head.scores[t, s]), float(head.scaled[t, s])
    first = rf"q_{{{t + 1}}} \cdot k_{{{s + 1}}} = \sum_i q_i k_i = {number(score)}"
    if float(head.masked[t, s]) == -np.inf:
        return [first, rf"\text{{{WORDS.label('formula.hidden')}}}"]
    exponential, total, shift = (
        float(part) for part in (head.exponentials[t, s], head.row_sums[t, 0], head.shift[t, 0])
    )
    less = rf" - ({number(shift)})" if shift else ""
    return [
        first,
        rf"\frac{{{number(score)}}}{{\sqrt{{{d}}}}} = {number(score / sqrt(d))}",
        rf"w = \frac{{e^{{{number(scaled)}{less}}}}}{{\sum_j e^{{s_j{less}}}}} = "
        rf"\frac{{{number(exponential)}}}{{{number(total)}}} = {number(exponential / total)}",
    ]
