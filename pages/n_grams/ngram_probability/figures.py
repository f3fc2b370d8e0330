"""Pictures of a sentence's factors: as a path, as rows of counts, as a product that falls, as bars in bits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

import numpy as np
import pandas as pd

from core.figures.blank import blank
from core.figures.figure import Figure, bar, scatter
from core.figures.n_grams.ngram import escape_label
from core.figures.n_grams.ngram_worked import worked
from core.figures.palette import BLUE, VERMILLION
from core.models.language_model import Factors, bits
from core.models.n_grams.ngram import NgramModel
from core.models.n_grams.ngram_text import END, START, CountedText
from core.models.n_grams.ngram_worked import explain
from core.words.numbers import plain_number
from pages.n_grams.ngram_probability import LESSON

WORDS = LESSON.words
HUES = ("blue", "vermillion")  # of the two sentences
COLOURS = (BLUE, VERMILLION)
LARGE = 18  # pixels of the letters in the story's figures


# The story.


def name_token(counted: CountedText, token: int) -> str:
    """Return a token as the story shows it: the start and the end of a sentence have names."""
    name = counted.name(token)
    return WORDS.label(f"token.{'end' if name == END else 'start'}") if name in (START, END) else name


def write_odds(p: float) -> str:
    """Return a probability as once in so many times."""
    return WORDS.label("odds", n=1 / p)


def draw_tree(texts: Sequence[Sequence[str]], p: Sequence[np.ndarray] | None = None) -> dict:
    """Return the data of the view "text_tree": two sentences as paths that begin with the same tokens.

    With `p`, the probabilities of their tokens, lines are as thick as these, and each end has the product.
    """
    nodes, ends, through = [], [], {}
    for row, text in enumerate(texts):
        for depth in range(len(text) + 1):
            through.setdefault(tuple(text[:depth]), []).append(row)
    for path, rows in through.items():
        row, depth = rows[0], len(path)
        share = float(p[row][depth - 1]) if p and depth else 0.0
        both = len(rows) > 1
        nodes.append(
            {
                "key": "/".join((START, *path)),
                "parent": "/".join((START, *path[:-1])) if path else "",
                "token": path[-1] if path else WORDS.label("token.start"),
                "number": plain_number(float(f"{share:.2g}")) if p and depth else "",
                "p": share,
                "depth": depth,
                "row": float(np.mean(rows)),
                "hue": "" if both else HUES[row],
                "share": 100,
                "kind": "plain" if path else "prompt",
                "mark": f"text_{row}.{depth}" if path else "prompt",
            }
        )
    if p:
        for row, text in enumerate(texts):
            lines = [WORDS.label("end.odds"), write_odds(float(np.prod(p[row])))]
            ends.append({"node": "/".join((START, *text)), "lines": lines, "strong": True, "hue": HUES[row]})
    key = [{"kind": "width", "text": WORDS.label("key.width")}] if p else []
    return {"nodes": nodes, "ends": ends, "heads": [], "key": key}


def draw_factors(
    tokens: Sequence[str], counts: Sequence[tuple[int, int]], known: int | None = None, product: str = ""
) -> dict:
    """Return a row for each factor of a sentence: its two tokens, its two counts, p.

    `tokens` begin with the start. From row `known` on the counts and p are hidden. `product` stands below.
    """
    known = len(counts) if known is None else known
    shares = [count / total if total else 0.0 for count, total in counts]
    rows = [
        {
            "name": "",
            "lit": i == known,
            "cells": [{"text": before, "kind": "seen"}, {"text": token, "kind": "target"}],
        }
        for i, (before, token) in enumerate(pairwise(tokens))
    ]
    shown = [i < known for i in range(len(counts))]
    texts = {
        "counts": [WORDS.label("row.counts", n=n, of=of) for n, of in counts],
        "p": [plain_number(float(f"{p:.2g}")) for p in shares],
    }
    bars = {
        "counts": None,
        "p": [p / max(shares) if seen else 0.0 for p, seen in zip(shares, shown, strict=True)],
    }
    sides = [
        {
            "title": WORDS.label(f"side.{name}"),
            "hue": "ochre" if name == "p" else "grey",
            "texts": [
                text if seen else WORDS.label("hidden") for text, seen in zip(texts[name], shown, strict=True)
            ],
            "bars": bars[name],
            "mark": None,
        }
        for name in texts
    ]
    key = [{"kind": kind, "text": WORDS.label(f"key.{kind}")} for kind in ("seen", "target")]
    return {"widths": [1.6, 1.6], "rows": rows, "links": [], "sides": sides, "key": key, "sum": product}


def product_figure(names: Sequence[str], p: np.ndarray) -> Figure:
    """Return the product of the factors so far, after each token, on a logarithmic axis."""
    so_far = np.cumprod(p)
    figure = blank(420, y=WORDS.label("axis.product"))
    figure.add_trace(
        scatter(
            x=list(range(len(p))),
            y=so_far.tolist(),
            mode="lines+markers",
            line={"color": BLUE, "width": 5, "shape": "hv"},
            marker={"size": 13, "color": BLUE},
            hoverinfo="skip",
        )
    )
    for i, value in enumerate(so_far):
        last = i == len(p) - 1
        figure.add_annotation(
            x=i,
            y=float(np.log10(value)),
            text=f"<b>{write_odds(value)}</b>" if last else write_odds(value),
            xanchor="right" if last else "left",
            yanchor="top" if last else "bottom",
            xshift=10 if last else 6,
            yshift=-8 if last else 6,
            showarrow=False,
            font={"size": LARGE},
        )
    low = float(np.log10(so_far[-1]))
    figure.update_xaxes(
        tickvals=list(range(len(p))),
        ticktext=[escape_label(name) for name in names],
        range=[-0.3, len(p) - 0.4],
        tickfont={"size": LARGE},
    )
    return figure.update_yaxes(
        type="log", range=[low - 1, -0.5], tickvals=[1e-2, 1e-4, 1e-6], ticktext=["10⁻²", "10⁻⁴", "10⁻⁶"]
    )


def bits_figure(texts: Sequence[tuple[Sequence[str], np.ndarray]], labels: Sequence[str] = ()) -> Figure:
    """Return the surprisal of each token, −log₂ p in bits, of one sentence or of two side by side.

    `texts` are (tokens, ln p). Of one sentence the largest bar has another colour.
    """
    figure = blank(420, y=WORDS.label("axis.bits"))
    most = max(float(bits(ln_p).max()) for _, ln_p in texts)
    for at, (names, ln_p) in enumerate(texts):
        values = bits(ln_p)
        own = [COLOURS[at]] * len(names)
        if len(texts) == 1:
            own = [VERMILLION if value == values.max() else BLUE for value in values]
        figure.add_trace(
            bar(
                x=list(range(len(names))),
                y=values.tolist(),
                name=labels[at] if labels else "",
                marker={"color": own},
                text=[f"{value:.1f}" for value in values],
                textposition="outside",
                textfont={"size": 16},
                textangle=0,
                cliponaxis=False,
                showlegend=bool(labels),
                hoverinfo="skip",
            )
        )
    if not labels:
        total = WORDS.label("sum.bits", n=float(bits(texts[0][1]).sum()))
        place = {"x": 0, "y": 1, "xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": "top"}
        figure.add_annotation(text=f"<b>{total}</b>", showarrow=False, font={"size": LARGE}, **place)
    columns = zip(*(names for names, _ in texts), strict=True)
    ticks = ["<br>".join(escape_label(name) for name in dict.fromkeys(column)) for column in columns]
    figure.update_layout(bargap=0.18, bargroupgap=0.05, legend={"font": {"size": LARGE}})
    figure.update_xaxes(tickvals=list(range(len(ticks))), ticktext=ticks, tickangle=0, tickfont={"size": 16})
    return figure.update_yaxes(range=[0, 1.12 * most if labels else 1.25 * most])


def draw_orders(lines: Sequence[tuple[str, Sequence[int], Sequence[str], np.ndarray]]) -> dict:
    """Return two orders of the same tokens, (name, ids, tokens, ln p), with the bits of each token."""
    most = max(float(bits(ln_p).max()) for *_, ln_p in lines)
    drawn = []
    for name, ids, tokens, ln_p in lines:
        cards = [
            {"id": int(i), "text": text, "hue": "blue", "note": "", "on": False}
            for i, text in zip(ids, tokens, strict=True)
        ]
        values = [{"value": float(value), "text": f"{value:.1f}"} for value in bits(ln_p)]
        bars = {"title": WORDS.label("axis.bits"), "most": most, "values": values}
        drawn.append({"name": name, "tokens": cards, "bars": bars, "cells": None})
    return {"lines": drawn}


def orders_figure(perplexities: Mapping[str, Sequence[float]], first: int, hidden: bool = False) -> Figure:
    """Return each sentence's perplexity by n from `first` on; where they are `hidden`, only at `first`."""
    figure = blank(420, WORDS.label("axis.n"), WORDS.label("axis.perplexity"))
    most = max(max(values) for values in perplexities.values())
    n = [first + i for i in range(len(next(iter(perplexities.values()))))]
    for at, (name, values) in enumerate(perplexities.items()):
        shown = list(values[:1] if hidden else values)
        figure.add_trace(
            scatter(
                x=n[: len(shown)],
                y=shown,
                mode="lines+markers+text",
                line={"color": COLOURS[at], "width": 5},
                marker={"size": 12, "color": COLOURS[at]},
                text=[f"<b>{value:.1f}</b>" for value in shown],
                textposition="top center" if at else "bottom center",
                textfont={"size": LARGE, "color": COLOURS[at]},
                cliponaxis=False,
                showlegend=True,
                name=WORDS.label(f"line.{name}"),
                hoverinfo="skip",
            )
        )
    figure.update_layout(legend={"font": {"size": 16}})
    figure.update_xaxes(range=[first - 0.3, n[-1] + 0.3], dtick=1)
    return figure.update_yaxes(range=[0, 1.2 * most])


# The lab.


def shared_factors(names: Sequence[str], log_probabilities: np.ndarray) -> dict:
    """Return a sentence's factors as the view "steps" draws them; what is impossible has no bits.

    >>> shared_factors(["a", "b"], np.array([-np.log(8), -np.inf]))
    {'tokens': ['a', 'b'], 'bits': [3.0, None], 'p': ['0.125', '0: impossible'], 'ticks': [0, 1, 2, 3]}
    """
    surprise, possible = bits(log_probabilities), np.isfinite(log_probabilities)
    top = max(1.0, float(surprise[possible].max(initial=1.0)))
    step = next(each for each in (1, 2, 5, 10) if top / each <= 5 or each == 10)
    pairs = list(zip(surprise, np.exp(log_probabilities), possible, strict=True))
    return {
        "tokens": list(names),
        "bits": [round(float(value), 3) if seen else None for value, _, seen in pairs],
        "p": [plain_number(float(p)) if seen else WORDS.label("impossible") for _, p, seen in pairs],
        "ticks": list(range(0, int(np.ceil(top / step)) * step + 1, step)),
    }


def factor_table(
    counted: CountedText, model: NgramModel, factors: Factors
) -> tuple[pd.DataFrame, Callable[[int, str], str | None]]:
    """Return the table of every factor with its counts, its logarithm and its bits, and the formula of its cells."""
    tokens = factors.tokens
    steps = [explain(model, tokens[:i], token) for i, token in enumerate(tokens)]
    columns = {
        "token": [counted.name(token) for token in tokens],
        "context": [counted.write(step.context) for step in steps],
        "run": [step.count for step in steps],
        "before": [step.context_count for step in steps],
        "p": np.exp(factors.log_probabilities),
        "ln_p": factors.log_probabilities,
        "bits": bits(factors.log_probabilities),
    }
    labels = {name: WORDS.label(f"column.{name}") for name in columns}
    plain_columns = (labels["token"], labels["context"])

    def formula(row: int, column: str) -> str | None:
        return None if column in plain_columns else worked(counted, model, tokens[:row], tokens[row])

    return pd.DataFrame({labels[name]: values for name, values in columns.items()}), formula
