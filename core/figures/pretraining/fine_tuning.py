"""Fine-tuned, frozen, from scratch: how often each is right, step by step and by labels, its map, what it forgets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from core.figures.blank import blank
from core.figures.figure import Figure, scatter
from core.figures.palette import BLUE, GREEN, GREY, OCHRE, VERMILLION, faded
from core.figures.pretraining import WORDS, heads, name
from core.figures.word_vectors.map_view import map_view, numbers
from core.models.pretraining.fine_tuning import FINE_TUNED, FROZEN, SCRATCH
from core.models.pretraining.fine_tuning_measured import Ends, Measured, mean_interval
from core.models.pretraining.fine_tuning_runs import MEASURED_AT
from core.models.word_vectors.projection import Projection, project

COUNTING = "naive Bayes"
LOOKS = {
    FINE_TUNED: (BLUE, "circle", "solid"),
    FROZEN: (OCHRE, "square", "dash"),
    SCRATCH: (VERMILLION, "diamond", "dot"),
    COUNTING: (GREY, "cross", "dashdot"),
}
HEIGHT = 300
NAMED = 2  # words of a text on the map


def points_with_intervals(ends: Sequence[Ends]) -> tuple[np.ndarray, dict]:
    """Return means, and error bars that reach to the ends of their intervals."""
    mean, low, high = np.array(ends).T
    return mean, {"type": "data", "symmetric": False, "array": high - mean, "arrayminus": mean - low}


def curves_figure(found: Mapping[str, Measured], counted: Ends) -> Figure:
    """Return the share of held-out texts that is right by step, with a band over the seeds; `counted` is naive Bayes'."""
    figure = blank(HEIGHT, WORDS.label("fine_tuning.step"), WORDS.label("fine_tuning.axis.right"))
    for way, each in found.items():
        colour, symbol, dash = LOOKS[way]
        steps = MEASURED_AT[: each.right.shape[1]]
        mean, low, high = np.array([mean_interval(at) for at in each.accuracy.T]).T
        if len(each.right) > 1:
            figure.add_trace(
                scatter(
                    x=[*steps, *reversed(steps)],
                    y=np.clip([*high, *low[::-1]], 0, 1),
                    mode="lines",
                    fill="toself",
                    fillcolor=faded(colour, 0.15),
                    line={"width": 0},
                    hoverinfo="skip",
                    showlegend=False,
                )
            )
        figure.add_trace(
            scatter(
                x=list(steps),
                y=mean,
                name=name(way),
                mode="lines+markers",
                line={"color": colour, "width": 3, "dash": dash},
                marker={"symbol": symbol, "size": 9},
                hovertemplate=f"{WORDS.label('fine_tuning.curves.hover')}<extra>{name(way)}</extra>",
            )
        )
    figure.add_trace(
        scatter(
            x=[0, MEASURED_AT[-1]],
            y=[counted[0]] * 2,
            name=name(COUNTING),
            mode="lines",
            line={"color": GREY, "width": 2, "dash": "dashdot"},
            hovertemplate="%{y:.1%}<extra>" + name(COUNTING) + "</extra>",
        )
    )
    return figure.update_yaxes(tickformat=".0%", range=[0, 1.02])


def ends_by_size(
    by_n: Mapping[int, Mapping[str, Measured]], counts: Mapping[int, np.ndarray]
) -> dict[str, dict[int, Ends]]:
    """Return each way's share at the end by n, mean and interval over the seeds; `counts` is naive Bayes', (R, N)."""
    ways = next(iter(by_n.values()))
    ends = {way: {n: mean_interval(found[way].accuracy[:, -1]) for n, found in by_n.items()} for way in ways}
    return {**ends, COUNTING: {n: mean_interval(right.mean(axis=1)) for n, right in counts.items()}}


def sizes_figure(ends: Mapping[str, Mapping[int, Ends]]) -> Figure:
    """Return the share of held-out texts that is right at the end by n labelled ones, {way: {n: mean and interval}}."""
    figure = blank(320, WORDS.label("fine_tuning.axis.n"), WORDS.label("fine_tuning.axis.right"))
    for place, (way, by_n) in enumerate(ends.items()):
        colour, symbol, dash = LOOKS[way]
        mean, reach = points_with_intervals(list(by_n.values()))
        figure.add_trace(
            scatter(
                x=[n * 1.03**place for n in by_n],  # so that intervals do not lie on each other
                y=mean,
                name=name(way),
                mode="lines+markers",
                line={"color": colour, "width": 3, "dash": dash},
                marker={"symbol": symbol, "size": 9},
                error_y={**reach, "color": colour, "thickness": 1.5},
                hovertemplate="%{y:.1%}<extra>" + name(way) + "</extra>",
            )
        )
    sizes = sorted({n for by_n in ends.values() for n in by_n})
    figure.update_yaxes(tickformat=".0%", range=[0, 1.02])
    return figure.update_xaxes(type="log", tickvals=sizes, ticktext=[str(n) for n in sizes])


def forgetting_figure(rates: Mapping[float, Measured]) -> Figure:
    """Return the masked loss by step, mean over seeds and passages, for each multiple of the body's rate."""
    figure = blank(HEIGHT, WORDS.label("fine_tuning.step"), WORDS.label("fine_tuning.axis.loss"))
    for (rate, each), colour in zip(rates.items(), (GREEN, BLUE, VERMILLION), strict=False):
        loss = each.masked.mean(axis=2)  # (R, S)
        mean, reach = points_with_intervals([mean_interval(at) for at in loss.T])
        times = name_rate(rate)
        figure.add_trace(
            scatter(
                x=list(MEASURED_AT[: len(mean)]),
                y=mean,
                name=times,
                mode="lines+markers",
                line={"color": colour, "width": 3},
                error_y={**reach, "color": colour, "thickness": 1.5},
                hovertemplate=f"{WORDS.label('fine_tuning.loss.hover')}<extra>{times}</extra>",
            )
        )
    return figure.update_yaxes(rangemode="tozero")


def name_rate(rate: float) -> str:
    """Return a multiple of the body's learning rate in words.

    >>> name_rate(0.1)
    'rate × 0.1'
    """
    return WORDS.label("fine_tuning.rate", rate=rate)


def map_all_steps(vectors: np.ndarray) -> tuple[Projection, np.ndarray]:
    """Return the map of all steps' vectors (S, N, C) together, and where each step's lie on it, (S, N, 2).

    Fitted once, it lets the points move and not the axes.
    """
    projection = project(vectors.reshape(-1, vectors.shape[-1]))
    return projection, projection.place(vectors)


def parting_map(way: str, vectors: np.ndarray, texts: Sequence[str], labels: Sequence[str]) -> dict:
    """Return the map of held-out texts' vectors by step for the view "map", a mark and hue for each label."""
    projection, places = map_all_steps(vectors.astype(np.float64))
    names = [f"{i} {' '.join(text.split()[:NAMED])}" for i, text in enumerate(texts, 1)]
    label_of = dict(zip(names, labels, strict=True))
    data = map_view(
        names,
        projection,
        WORDS.label("fine_tuning.map", n=len(texts), way=name(way)),
        theme_of=label_of.get,
        height=HEIGHT - 110,
        noun="sentence",
        file="fine_tuning",
        moment=WORDS.label("fine_tuning.moment"),
        told=[WORDS.label("fine_tuning.told", i=i, text=text) for i, text in enumerate(texts, 1)],
    )
    steps = MEASURED_AT[: len(places)] if len(places) > 1 else ()
    frames = [WORDS.label("fine_tuning.frame", step=step) for step in steps]
    return {**data, "places": numbers(*places), "frames": frames}


def small_map(vectors: np.ndarray, labels: Sequence[str]) -> Figure:
    """Return texts' vectors (N, C) on their map, a colour a label."""
    places, figure = project(vectors).coordinates, blank(HEIGHT)
    for label, colour in zip(sorted(set(labels)), (BLUE, OCHRE, GREEN, VERMILLION), strict=False):
        rows = [i for i, each in enumerate(labels) if each == label]
        figure.add_trace(
            scatter(
                x=places[rows, 0], y=places[rows, 1], name=label, mode="markers", marker={"color": colour}
            )
        )
    return figure


def runs_table(found: Mapping[str, Measured]) -> pd.DataFrame:
    """Return how often every run of every way is right at every step at which it was measured."""
    rows = [
        (name(way), seed, MEASURED_AT[step], int(right.sum()), len(right), right.mean())
        for way, each in found.items()
        for seed, run in enumerate(each.right, 1)
        for step, right in enumerate(run)
    ]
    columns = [*own_heads("way", "run"), WORDS.label("fine_tuning.step"), *heads("right", "of", "share")]
    return pd.DataFrame(rows, columns=columns)


def own_heads(*keys: str) -> list[str]:
    """Return the heads of columns that only these tables have."""
    return [WORDS.label(f"fine_tuning.column.{key}") for key in keys]


def forgetting_table(rates: Mapping[float, Measured]) -> pd.DataFrame:
    """Return each passage's masked loss before and after, mean over the runs, by multiples of the body's rate."""
    rows = [
        (f"× {rate:g}", passage, before, after, after - before)
        for rate, each in rates.items()
        for passage, (before, after) in enumerate(
            zip(each.masked[:, 0].mean(axis=0), each.masked[:, -1].mean(axis=0), strict=True), 1
        )
    ]
    return pd.DataFrame(rows, columns=own_heads("rate", "passage", "before", "after", "forgotten"))
