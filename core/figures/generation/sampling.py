"""The next-token distribution under settings: the browser view's payload, bars for several settings, formulas."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from core.figures.blank import blank
from core.figures.figure import Figure, bar
from core.figures.n_grams.ngram import plain
from core.figures.packed import packed
from core.figures.palette import BLUE, GREY, faded
from core.figures.worked import number, word
from core.models.generation.sampling import SamplingTrace, Settings, sample

DRAWS = 500
# Where the view's slider stops: close together where the distribution changes most.
TEMPERATURES = (0, *(round(0.1 * i, 1) for i in range(1, 21)), 2.5, 3, 4, 5, 7, 10, 20, 50, 100, 1000)


def shown(token: str) -> str:
    """Return a token as it is shown: a space and the end of a line are marks.

    >>> shown("a b"), shown(chr(10))
    ('a␣b', '↵')
    """
    return token.replace(" ", "␣").replace("\n", "↵").replace("\t", "⇥") or "∅"


def sampling_payload(
    logits: np.ndarray,
    said: Sequence[str],
    names: Sequence[str],
    settings: Settings,
    seed: int,
    total: int,
    renormalise: bool = True,
) -> dict:
    """Return what the view `sampling` needs: logits (places, V), a sentence for each place, and the seed's numbers u.

    The first `DRAWS` uniform numbers of the seed are those of `sample` in core/models/generation/sampling.py; the i-th is
    that of the i-th new token. `total` counts the places that are still to be guessed too. Without `renormalise` what is
    cut is lost. Logits that are float32 are sent as such.

    >>> payload = sampling_payload(np.array([[1.0, -np.inf]]), ["One."], ["a", "b"], Settings(0.5), seed=1, total=1)
    >>> payload["exact"], payload["settings"]
    (False, {'temperature': 0.5, 'top_k': 0, 'top_p': 1.0})
    """
    exact = bool((logits.astype("<f4") != logits).any())
    return {
        "tokens": [shown(name) for name in names],
        "logits": packed(logits, "<f8" if exact else "<f4"),
        "exact": exact,
        "said": list(said),
        "total": total,
        "uniforms": np.random.default_rng(seed).random(DRAWS).tolist(),
        "settings": {
            "temperature": settings.temperature,
            "top_k": settings.top_k,
            "top_p": settings.top_p,
        },
        "temperatures": list(TEMPERATURES),
        "renormalise": renormalise,
    }


def next_token_figure(
    trace: SamplingTrace, model: np.ndarray, names: Sequence[str], most: int = 16, height: int = 250
) -> Figure:
    """Return the likeliest tokens' probabilities as large bars, before the model's own (V,) where settings changed them."""
    figure = blank(height, y="probability")
    order, p = trace.order[:most], trace.probabilities
    tokens = [plain(shown(names[token])) for token in order]
    hover = {"customdata": tokens, "hovertemplate": "%{customdata}: %{y:.4f}<extra>%{fullData.name}</extra>"}
    places = list(range(len(order)))
    if not np.allclose(p, model):
        grey = {"color": faded(GREY, 0.45)}
        figure.add_trace(
            bar(
                x=places,
                y=model[order],
                width=0.95,
                marker=grey,
                name="the model's: T = 1, nothing cut",
                **hover,
            )
        )
    figure.add_trace(
        bar(
            x=places,
            y=p[order],
            width=0.6,
            marker={"color": BLUE},
            name="with these settings",
            text=[f"{value:#.2g}" for value in p[order]],
            textposition="outside",
            textfont={"size": 13},
            constraintext="none",
            textangle=0,
            cliponaxis=False,
            **hover,
        )
    )
    figure.update_layout(barmode="overlay")
    figure.update_xaxes(tickvals=places, ticktext=tokens, tickangle=0)
    figure.update_yaxes(range=[0, 1.15 * float(max(p[order].max(), model[order].max()))])
    return figure


def settings_figure(
    traces: dict[str, SamplingTrace], names: Sequence[str], most: int = 8, height: int = 300
) -> Figure:
    """Return the likeliest tokens' probabilities as bars, one colour for each of the named settings."""
    figure = blank(height, y="probability")
    order = next(iter(traces.values())).order[:most]
    for label, trace in traces.items():
        figure.add_trace(
            bar(
                x=list(range(len(order))),
                y=trace.probabilities[order],
                name=label,
                hovertemplate="%{customdata}: %{y:.3f}<extra>" + label + "</extra>",
                customdata=[plain(shown(names[token])) for token in order],
            )
        )
    ticks = [plain(shown(names[token])) for token in order]
    figure.update_xaxes(tickvals=list(range(len(order))), ticktext=ticks, tickangle=0)
    figure.update_layout(barmode="group")
    return figure


def sampling_table(
    traces: Sequence[SamplingTrace], settings: Settings, names: Sequence[str], seed: int
) -> tuple[pd.DataFrame, Callable[[int, str], str | None]]:
    """Return every token's row for each new token, the likeliest first, with how often it came out of the seed's draws.

    With it comes the formula of a cell, by its row and column.
    """
    tables = []
    for place, trace in enumerate(traces, start=1):
        order = trace.order
        columns = {
            "new token": place,
            "rank": trace.rank[order],
            "token": [shown(names[i]) for i in order],
            "z": trace.logits[order],
            "z / T": trace.scaled[order],
            "softmax": trace.softmax[order],
            "cut by": trace.cut_by[order],
            "p": trace.probabilities[order],
            "cumulative": trace.cumulative[order],
            f"drawn of {DRAWS}": sample(trace, DRAWS, seed)[order],
        }
        tables.append(pd.DataFrame(columns))

    def formula(row: int, column: str) -> str | None:
        place, rank = divmod(row, len(names))
        token = int(traces[place].order[rank])
        return worked_sampling(traces[place], settings, token, names[token], column)

    return pd.concat(tables, ignore_index=True), formula


def worked_sampling(
    trace: SamplingTrace, settings: Settings, token: int, name: str, column: str
) -> str | None:
    """Return the formula of one number of a token's row, filled in; None for a column that has none.

    Exponents are less the largest, which changes no quotient and overflows nowhere.
    """
    z, scaled, T = trace.logits[token], trace.scaled[token], settings.temperature
    largest = float(trace.scaled.max())
    if T == 0 and column in ("z / T", "softmax"):
        return r"T = 0:\quad \text{the likeliest token has all the probability}"
    if column == "z / T":
        return rf"\frac{{z}}{{T}} = \frac{{{number(z)}}}{{{number(T)}}} = {number(scaled)}"
    if column == "softmax":
        total = float(np.exp(trace.scaled - largest).sum())
        return (
            r"\frac{e^{z_i/T - m}}{\sum_j e^{z_j/T - m}} = "
            rf"\frac{{e^{{{number(scaled)} - ({number(largest)})}}}}{{{number(total)}}} "
            rf"= {number(trace.softmax[token])},\qquad m = \max_j z_j/T"
        )
    if column == "p" and trace.cut_by[token]:
        return rf"p({word(shown(name))}) = 0:\quad \text{{cut by {trace.cut_by[token]}}}"
    if column == "p" and not np.isclose(trace.probabilities.sum(), 1):
        value = number(trace.probabilities[token])
        return rf"p({word(shown(name))}) = {value}:\quad \text{{its softmax, not divided by the mass that is kept}}"
    if column == "p":
        kept = float(trace.softmax[trace.kept].sum())
        return (
            rf"p({word(shown(name))}) = \frac{{{number(trace.softmax[token])}}}{{{number(kept)}}} = "
            rf"{number(trace.probabilities[token])},\qquad {number(kept)}\text{{: the mass that is kept}}"
        )
    if column == "cumulative":
        before = trace.cumulative[token] - trace.probabilities[token]
        return rf"{number(before)} + {number(trace.probabilities[token])} = {number(trace.cumulative[token])}"
    return None
