"""What calibration draws: the reliability diagram, the sum of its gaps, and what is left where a model may refuse."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from core.figures.blank import STORY_MARGIN, blank, enlarge
from core.figures.figure import Figure, bar, scatter
from core.figures.layer_bars import join_panels, make_panel, make_row
from core.figures.palette import BLUE, GREEN, GREY, VERMILLION
from core.models.documents.calibration import Refusal, Reliability
from core.words.numbers import percent
from pages.documents.calibration import LESSON

WORDS = LESSON.words
SEEN = 0.0005  # a smaller part of the error is left out of the sum


def reliability_figure(
    found: Reliability, only: Sequence[int] = (), told: bool = True, written: bool = True, least: float = 0.5
) -> Figure:
    """Return the share that is right in each bin as a bar, and its gap to the mean confidence on top of it.

    `only` are the bins that are drawn, all by default; not `told`, the diagonal stands alone. The axis begins at `least`.
    """
    shown = [b for b in only or range(len(found.counts)) if found.counts[b] and told]
    centres = (found.edges[:-1] + found.edges[1:]) / 2
    right, sure = found.accuracy[shown], found.confidence[shown]
    figure = blank(420, WORDS.label("axis.confidence"), WORDS.label("axis.right"))
    width = 0.9 * (found.edges[1] - found.edges[0])
    if shown:
        figure.add_trace(
            bar(
                x=centres[shown],
                y=np.minimum(right, sure),
                width=width,
                marker_color=BLUE,
                showlegend=False,
                name=WORDS.label("axis.right"),
                customdata=right,  # what the bar and the gap on top of it tell
            )
        )
    for name, colour, part in (("over", VERMILLION, sure > right), ("under", GREEN, sure < right)):
        if part.any():
            figure.add_trace(
                bar(
                    x=centres[shown][part],
                    y=np.abs(sure - right)[part],
                    base=np.minimum(right, sure)[part],
                    width=width,
                    marker_color=colour,
                    name=WORDS.label(f"key.{name}"),
                )
            )
    bins = [found.edges[:-1][shown], found.edges[1:][shown], sure]
    figure.layout.meta = {"kind": "reliability", "bins": np.column_stack(bins).round(4).tolist()}
    line = scatter(
        x=[0, 1], y=[0, 1], mode="lines", line_color=GREY, line_dash="dash", name=WORDS.label("key.diagonal")
    )
    figure.add_trace(line)
    if shown and written and least > 0:  # ten bins have no room for it on a phone
        figure.add_trace(
            scatter(
                x=centres[shown],
                y=np.minimum(right, sure) / 2 + least / 2,
                text=[percent(each, 0) for each in right],
                mode="text",
                textfont_color="#FFFFFF",
                showlegend=False,
            )
        )
    figure.update_xaxes(range=[least, 1], tickformat=".0%")
    figure.update_yaxes(range=[least if least > 0 else 0, 1.02], tickformat=".0%")
    return figure.update_layout(barmode="overlay", showlegend=True)


def draw_reliability(found: Reliability, **how: object) -> Figure:
    """Return the diagram as a story shows it."""
    return enlarge(reliability_figure(found, **how), margin={**STORY_MARGIN, "t": 40})


def draw_error(found: Reliability) -> dict:
    """Return each bin's part of the calibration error as a bar, and their sum."""
    parts = found.shares * np.abs(found.gaps)
    rows = [
        make_row(
            WORDS.label("bin.range", low=percent(found.edges[b], 0), high=percent(found.edges[b + 1], 0)),
            f"bin.{b}",
            float(parts[b]),
            WORDS.label("part", share=percent(found.shares[b], 0), gap=percent(abs(found.gaps[b]), 1)),
            hue="vermillion" if found.gaps[b] > 0 else "green",
        )
        for b in range(len(parts))
        if found.counts[b]
    ]
    terms = " + ".join(percent(part, 1) for part in parts if part > SEEN)
    return join_panels(
        make_panel(WORDS.label("panel.error"), 1.6 * float(parts.max()), rows),
        sum_=WORDS.label("sum", terms=terms, total=percent(found.error, 1)),
    )


def draw_refusals(curve: Sequence[Refusal], now: Refusal) -> Figure:
    """Return the share right against the share answered, over all thresholds, with the present one marked."""
    known = [each for each in curve if each.coverage > 0]
    figure = blank(420, WORDS.label("axis.coverage"), WORDS.label("axis.accuracy"))
    figure.add_trace(
        scatter(
            x=[each.coverage for each in known],
            y=[each.accuracy for each in known],
            mode="lines",
            line_color=BLUE,
            line_width=3,
            showlegend=False,
        )
    )
    if now.coverage > 0:
        said = WORDS.label("answered", right=percent(now.accuracy, 0), share=percent(now.coverage, 0))
        figure.add_trace(
            scatter(
                x=[now.coverage],
                y=[now.accuracy],
                mode="markers+text",
                marker_color=VERMILLION,
                marker_size=16,
                text=[said],
                textposition="middle right" if now.coverage < 0.5 else "middle left",
                textfont_color=VERMILLION,
                showlegend=False,
            )
        )
    least = min(each.accuracy for each in known)
    figure.update_xaxes(range=[0, 1.03], tickformat=".0%")
    return figure.update_yaxes(range=[max(0, least - 0.05), 1.02], tickformat=".0%")


def draw_sureness(before: float, after: float, temperature: float) -> dict:
    """Return two bars: how sure naive Bayes is of its answer, and how sure it is after temperature scaling."""
    rows = [
        make_row(WORDS.label(f"row.{name}", T=temperature), f"row.{name}", value, percent(value, 1), hue=hue)
        for name, value, hue in (("before", before, "vermillion"), ("after", after, "blue"))
    ]
    return join_panels(make_panel(WORDS.label("panel.own"), 1.0, rows))


def bins_table(found: Reliability) -> pd.DataFrame:
    """Return every bin with its answers, their mean confidence, the share right, and its part of the error."""
    names = [WORDS.label(f"column.{name}") for name in ("bin", "answers", "confidence", "right", "part")]
    rows = [
        (
            WORDS.label("bin.range", low=percent(found.edges[b], 0), high=percent(found.edges[b + 1], 0)),
            int(found.counts[b]),
            float(found.confidence[b]),
            float(found.accuracy[b]),
            float(found.shares[b] * abs(found.gaps[b])),
        )
        for b in range(len(found.counts))
        if found.counts[b]
    ]
    return pd.DataFrame(rows, columns=names)
