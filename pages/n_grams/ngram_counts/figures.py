"""Pictures of counts: what follows a context as bars, windows as a staircase, how rare n-grams are, what is guessed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd

from core.figures.blank import blank
from core.figures.figure import Figure, bar, scatter
from core.figures.n_grams.ngram import escape_label
from core.figures.n_grams.ngram_worked import worked
from core.figures.palette import BLUE, GREEN, GREY, OCHRE, VERMILLION, faded
from core.models.n_grams.guesses import Guesses
from core.models.n_grams.ngram import maximum_likelihood
from core.models.n_grams.ngram_text import END, START, CountedText, most_frequent
from core.models.n_grams.rarity import Rarity
from pages.n_grams.ngram_counts import LESSON

WORDS = LESSON.words
SHOWN = 8  # next tokens with a bar of their own; all others share one
REST = "rest"  # the key of the bar that all others share
STRONG, WEAK = ("blue", 100), ("blue", 45)  # hues of the bar of which the words speak, and of the others
ROWS_AT_MOST = 1000  # of the table
LARGE = 18  # pixels of the letters in the story's figures


# The story.


def name_token(counted: CountedText, token: int) -> str:
    """Return a token as the story shows it: the start and the end of a sentence have names."""
    name = counted.name(token)
    return WORDS.label(f"token.{'end' if name == END else 'start'}") if name in (START, END) else name


def draw_panel(
    counted: CountedText,
    context: Sequence[int],
    shares: bool = False,
    most: int = SHOWN,
    strong: int | None = None,
    note: str = "",
    prompt: str = "",
    rest: bool = True,
) -> dict:
    """Return one chart of the view "next_token": what follows a context, as counts or as `shares` of them.

    `strong` is the token of which the words speak, the most frequent where it is None. Without `rest` no bar has all other
    tokens. After a context that was never counted there is one empty row.
    """
    pairs = counted.counts.continuations(context)
    total = sum(count for _, count in pairs)
    listed = pairs[:most] + [pair for pair in pairs[most:] if pair[0] == strong]
    strong = pairs[0][0] if pairs and strong is None else strong

    def draw_row(key: str, name: str, count: int, hue: tuple[str, int]) -> dict:
        text = WORDS.label("row.share" if shares else "row.count", n=count, p=count / max(1, total))
        drawn = {"key": key, "token": name, "p": count / max(1, total), "text": text, "before": None}
        return {**drawn, "cut": False, "hue": hue[0], "share": hue[1]}

    rows = [
        draw_row(str(token), name_token(counted, token), count, STRONG if token == strong else WEAK)
        for token, count in listed
    ]
    left = len(pairs) - len(listed)
    if left and rest:
        others = total - sum(count for _, count in listed)
        rows.append(draw_row(REST, WORDS.label("row.others", n=left), others, ("", 100)))
    empty = [draw_row(REST, WORDS.label("row.none"), 0, ("", 100))]
    names = " ".join(name_token(counted, token) for token in context)
    title = prompt or WORDS.label("panel.after", context=names)
    return {"prompt": title, "note": note, "rows": rows or empty, "line": None}


def draw_line(rows: Sequence[dict]) -> dict:
    """Return the line from 0 to 1 on which the bars of a chart lie end to end."""
    ends = np.minimum(1.0, np.cumsum([row["p"] for row in rows]))
    segments = [
        {name: row[name] for name in ("key", "token", "hue", "share", "cut")}
        | {"from": float(end - row["p"]), "to": float(end)}
        for row, end in zip(rows, ends, strict=True)
    ]
    segments = [{**each, "from": max(0.0, each["from"])} for each in segments]
    ticks = [{"at": at, "text": f"{at:g}"} for at in (0, 0.5, 1)]
    return {"segments": segments, "u": None, "empty": "", "cut": None, "drag": "", "ticks": ticks}


def draw_bars(*panels: dict, stairs: bool = False) -> dict:
    """Return the data of the view "next_token"."""
    return {"panels": list(panels), "texts": [], "key": [], "stairs": stairs}


def draw_windows(tokens: Sequence[str], n: int, counts: Sequence[int], lit: Sequence[int]) -> dict:
    """Return a row for each window of n tokens on a line, with its count in the text; rows `lit` stand out."""
    rows = []
    for first in range(len(tokens) - n + 1):
        last = first + n - 1
        kinds = [
            "target" if i == last else "seen" if first <= i < last else "plain" for i in range(len(tokens))
        ]
        cells = [{"text": text, "kind": kind} for text, kind in zip(tokens, kinds, strict=True)]
        rows.append({"name": str(first + 1), "lit": first in lit, "cells": cells})
    side = {
        "title": WORDS.label("window.side"),
        "hue": "ochre",
        "texts": [f"{count:,}" for count in counts],
        "bars": [count / max(counts) for count in counts],
        "mark": None,
    }
    key = [{"kind": kind, "text": WORDS.label(f"key.{kind}")} for kind in ("seen", "target")]
    return {"widths": [1] * len(tokens), "rows": rows, "links": [], "sides": [side], "key": key, "sum": ""}


def rarity_figure(found: Rarity, height: int = 420) -> Figure:
    """Return how many different n-grams there are for n = 1, 2, ..., and how many of them were seen only once."""
    figure = blank(height, WORDS.label("axis.n"), WORDS.label("axis.different"))
    n = np.arange(1, len(found.different) + 1)
    more = np.subtract(found.different, found.once)
    for name, values, colour in (("once", found.once, OCHRE), ("more", more, BLUE)):
        label = WORDS.label(f"rarity.{name}")
        figure.add_trace(
            bar(
                x=n,
                y=list(map(int, values)),
                name=label,
                marker={"color": colour},
                hovertemplate=f"n = %{{x}}: %{{y:,}}<extra>{label}</extra>",
            )
        )
    for k, different, share in zip(n, found.different, tell_apart(found.shares), strict=True):
        figure.add_annotation(
            x=int(k),
            y=int(different),
            text=WORDS.label("rarity.share", share=share),
            showarrow=False,
            yanchor="bottom",
            font={"size": LARGE, "color": OCHRE},
        )
    figure.update_layout(barmode="stack", bargap=0.25, legend={"font": {"size": LARGE}})
    figure.update_yaxes(range=[0, 1.2 * max(found.different)])
    return figure.update_xaxes(dtick=1)


def guesses_figure(
    guesses: Sequence[Guesses], unit: str = "words", hidden: bool = False, height: int = 420
) -> Figure:
    """Return a bar for each length of context, in `unit`: the tokens guessed right, wrong, and not at all.

    Where they are `hidden`, right and wrong are one grey part.
    """
    figure = blank(height, WORDS.label("axis.tested"))
    shares = np.array([each.shares for each in guesses])  # (n, 3)
    heads = [WORDS.label(f"row.{unit}", n=n) for n in range(len(guesses))]
    said = [WORDS.label("row.asked" if hidden else "row.right", p=float(right)) for right in shares[:, 0]]
    parts = {"right": (shares[:, 0], GREEN), "wrong": (shares[:, 1], faded(GREY, 0.45))}
    if hidden:
        parts = {"guessed": (shares[:, 0] + shares[:, 1], faded(GREY, 0.45))}
    for name, (values, colour) in {**parts, "none": (shares[:, 2], OCHRE)}.items():
        texts = [WORDS.label("part.none", p=float(p)) if name == "none" and p > 0.3 else "" for p in values]
        figure.add_trace(
            bar(
                x=values.tolist(),
                y=list(range(len(guesses))),
                orientation="h",
                name=WORDS.label(f"part.{name}.name"),
                marker={"color": colour},
                text=texts,
                textposition="inside",
                insidetextanchor="end",
                textangle=0,
                insidetextfont={"color": "#FFFFFF", "size": LARGE},
                hovertemplate="%{x:.1%}",
            )
        )
    ticks = [f"{head}<br><b>{text}</b>" for head, text in zip(heads, said, strict=True)]
    figure.update_layout(barmode="stack", bargap=0.3, legend={"font": {"size": 16}, "traceorder": "normal"})
    figure.update_xaxes(range=[0, 1.02], tickformat=".0%", dtick=0.5)
    return figure.update_yaxes(
        tickvals=list(range(len(guesses))), ticktext=ticks, autorange="reversed", tickfont={"size": 16}
    )


def draw_remembered(counted: Sequence[float], new: Sequence[float]) -> Figure:
    """Return the shares guessed right by the length of the context: of the text that was counted, and of new sentences."""
    figure = blank(420, WORDS.label("axis.context"), WORDS.label("axis.right"))
    n = list(range(len(new)))

    def write(i: int, p: float, name: str) -> str:
        """Return a point's number; at first both lines are at the same place."""
        return f"<b>{p:.1%}</b>" if name == "new" else f"<b>{p:.0%}</b>" if i else ""

    for name, values, colour in (("counted", counted, BLUE), ("new", new, VERMILLION)):
        figure.add_trace(
            scatter(
                x=n,
                y=list(values),
                mode="lines+markers+text",
                line={"color": colour, "width": 5},
                marker={"size": 11, "color": colour},
                text=[write(i, p, name) for i, p in enumerate(values)],
                textposition="top left" if name == "counted" else "top center",
                textfont={"size": LARGE, "color": colour},
                cliponaxis=False,
                showlegend=False,
                hoverinfo="skip",
            )
        )
        figure.add_annotation(
            x=1.4 if name == "counted" else n[-1],
            y=0.76 if name == "counted" else values[-1],
            text=f"<b>{WORDS.label(f'line.{name}')}</b>",
            xanchor="right",
            yanchor="bottom",
            yshift=0 if name == "counted" else 34,
            showarrow=False,
            font={"size": LARGE, "color": colour},
        )
    figure.update_xaxes(range=[-0.3, len(new) - 0.6], dtick=1)
    return figure.update_yaxes(range=[0, 1.05], tickformat=".0%")


# The lab.


def tree_columns(counted: CountedText, path: Sequence[int], depth: int, most: int = 10) -> dict:
    """Return the payload of the view `ngram_tree`: one column for each part of `path`, at most `depth` of them.

    A column has the `most` most frequent next tokens, the path's own next token wherever it ranks, and in the
    first one the start of a sentence; all others are its `rest`.

    >>> from core.models.n_grams.ngram_text import count_text
    >>> counted = count_text("I am Sam. Sam I am.", order=2)
    >>> [child["token"] for child in tree_columns(counted, counted.read("i"), 2)["columns"][1]["children"]]
    ['am']
    """
    path = [int(token) for token in path[:depth]]
    places = range(min(len(path) + 1, depth))
    columns = [tree_column(counted, path[:i], path[i] if i < len(path) else None, most) for i in places]
    return {"columns": columns, "path": path}


def tree_column(counted: CountedText, context: Sequence[int], chosen: int | None, most: int) -> dict:
    """Return the next tokens after one context; shares are counts over the context's count, c(hw) / c(h).

    The start of a sentence has a count but no share: it is never predicted.
    """
    pairs = counted.counts.continuations(context)
    total, start = sum(count for _, count in pairs), len(counted.vocabulary)
    shown = pairs[:most] + [pair for pair in pairs[most:] if pair[0] == chosen]
    rest = len(pairs) - len(shown), total - sum(count for _, count in shown)
    rows = [(token, count, count / total) for token, count in shown]
    if not context:
        rows.append((start, sum(count for _, count in counted.counts.continuations([start])), 0.0))
    children = [
        {"id": int(token), "token": counted.name(token), "count": int(count), "share": float(share)}
        for token, count, share in rows
    ]
    return {
        "context": counted.write(context) or WORDS.label("tree.any"),
        "total": total,
        "types": len(pairs),
        "children": children,
        "rest": {"types": rest[0], "count": rest[1]},
    }


def window_figure(tokens: Sequence[str], place: int, order: int) -> Figure:
    """Return a sentence in boxes, with the window of `order` tokens that ends at `place`: context and next."""
    figure = blank(130)
    colours = [
        VERMILLION if i == place else BLUE if place - order < i < place else GREY for i in range(len(tokens))
    ]
    fills = [faded(colour, 0.25 if colour != GREY else 0.08) for colour in colours]
    figure.add_trace(
        bar(
            x=list(range(len(tokens))),
            y=[1] * len(tokens),
            width=0.94,
            marker={"color": fills, "line": {"color": colours, "width": 2}},
            text=[escape_label(token) for token in tokens],
            textposition="inside",
            insidetextanchor="middle",
            textangle=0,
            constraintext="inside",
        )
    )
    return figure.update_xaxes(visible=False).update_yaxes(visible=False, range=[0, 1])


def worked_run(counted: CountedText, run: Sequence[int]) -> str:
    r"""Return c(hw) / c(h) of a run, written out with its counts.

    >>> from core.models.n_grams.ngram_text import count_text
    >>> counted = count_text("I am Sam. Sam I am.", order=2)
    >>> print(worked_run(counted, counted.read("i am")))
    \begin{aligned}p(\text{am}\mid \text{i}) &= \frac{c(hw)}{c(h)}\\[4pt] &= \frac{2}{2} = 1\end{aligned}\;
    """
    return worked(counted, maximum_likelihood(counted.counts, len(run)), run[:-1], run[-1])


def tell_apart(shares: Sequence[float]) -> list[str]:
    """Write shares with as few digits as tell any two apart that differ, and each from all, at most three.

    >>> tell_apart([0.5, 0.981, 0.984]), tell_apart([0.5, 1.0, 1.0]), tell_apart([0.5, 0.98, 0.996])
    (['50.0%', '98.1%', '98.4%'], ['50%', '100%', '100%'], ['50.0%', '98.0%', '99.6%'])
    """
    every = [[f"{share:.{digits}%}" for share in (1.0, *shares)] for digits in range(4)]
    return next((each for each in every if len(set(each)) == len({1.0, *shares})), every[-1])[1:]


def frequent_table(n: int, counted: CountedText) -> tuple[pd.DataFrame, Callable[[int, str], str | None]]:
    """Return the table of the most frequent n-grams with their counts, and the formula of its cells."""
    frequent = most_frequent(counted.counts, n, ROWS_AT_MOST)
    columns: Mapping[str, list] = {
        "context": [counted.write(run.tokens[:-1]) for run in frequent],
        "next": [counted.name(run.tokens[-1]) for run in frequent],
        "run": [run.count for run in frequent],
        "before": [run.context_count for run in frequent],
        "p": [run.count / run.context_count for run in frequent],
    }
    table = pd.DataFrame({WORDS.label(f"column.{name}"): values for name, values in columns.items()})
    p = WORDS.label("column.p")
    return table, lambda row, column: worked_run(counted, frequent[row].tokens) if column == p else None
