"""One window as many examples: the triangle of prefixes with their targets, and the losses of two trainings."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

import pandas as pd
import plotly.graph_objects as go

from core.figures.blank import FONT_SIZE, blank
from core.figures.ngram import plain
from core.figures.palette import BLUE, GREY, VERMILLION, faded
from core.figures.worked import number, word
from core.models.fit_peeking import PeekProgress


def triangle(tokens: Sequence[str], losses: Sequence[float], chosen: int, height: int = 0) -> go.Figure:
    """Return the T examples of T + 1 tokens as rows: the prefix, then its target, then p and -ln p of it.

    The row `chosen` is framed. Rows and columns are positions; what a row may not see is not there.
    """
    T = len(losses)
    figure = blank(height or 60 + 38 * T)
    size = FONT_SIZE + (5 if T <= 8 else 2)
    seen = [(s, t) for t in range(T) for s in range(t + 1)]
    figure.add_trace(cells([(s, t, tokens[s]) for s, t in seen], "x: what the model sees", BLUE, size))
    targets = [(t + 1, t, tokens[t + 1]) for t in range(T)]
    figure.add_trace(cells(targets, "y: what it is to predict", VERMILLION, size))
    for t, loss in enumerate(losses):
        columns = ((T + 1.6, f"{exp(-loss):.3f}"), (T + 2.7, f"{loss:.2f}"))
        for x, text in columns:
            figure.add_annotation(x=x, y=t, text=text, showarrow=False, font={"size": size})
    for x, text in ((T + 1.6, "p(y)"), (T + 2.7, "−ln p")):
        figure.add_annotation(x=x, y=-1, text=f"<b>{text}</b>", showarrow=False, font={"size": size})
    figure.add_shape(
        type="rect", x0=-0.5, x1=T + 3.3, y0=chosen - 0.48, y1=chosen + 0.48, line={"color": GREY, "width": 3}
    )
    figure.update_xaxes(visible=False, range=[-0.55, T + 3.35])
    figure.update_yaxes(
        range=[T - 0.45, -1.5],
        tickvals=list(range(T)),
        ticktext=[f"t = {t}" for t in range(1, T + 1)],
        showgrid=False,
        zeroline=False,
    )
    for colour, places in ((BLUE, seen), (VERMILLION, [(s, t) for s, t, _ in targets])):
        for s, t in places:
            box = {"x0": s - 0.47, "x1": s + 0.47, "y0": t - 0.44, "y1": t + 0.44}
            figure.add_shape(
                type="rect", **box, fillcolor=faded(colour, 0.22), line={"width": 0}, layer="below"
            )
    return figure


def cells(places: Sequence[tuple[int, int, str]], name: str, colour: str, size: int) -> go.Scatter:
    """Return tokens written at their places; the legend says what they are."""
    return go.Scatter(
        x=[x for x, _, _ in places],
        y=[y for _, y, _ in places],
        text=[plain(token) for _, _, token in places],
        mode="text",
        name=name,
        textfont={"size": size},
        marker={"color": colour},
        hoverinfo="skip",
        showlegend=False,
    )


def examples_table(tokens: Sequence[str], one_pass: Sequence[float], passes: Sequence[float]) -> pd.DataFrame:
    """Return the T examples of T + 1 tokens with p(target) and the loss, computed in one pass and one by one."""
    T = len(one_pass)
    return pd.DataFrame(
        {
            "t": range(1, T + 1),
            "x: the prefix": [" ".join(tokens[: t + 1]) for t in range(T)],
            "y: the target": list(tokens[1:]),
            "p(y)": [exp(-loss) for loss in one_pass],
            "-ln p, one pass": list(one_pass),
            "-ln p, by itself": list(passes),
        }
    )


def worked_example(tokens: Sequence[str], loss: float, t: int) -> str:
    r"""Return LaTeX of one example's loss.

    >>> worked_example(["a", "b"], 0.0, 0)
    '-\\ln p(\\text{b} \\mid \\text{a}) = -\\ln 1 = 0'
    """
    prefix = tokens[max(0, t - 5) : t + 1]
    given = r"\ ".join([*([r"\dots"] if t > 5 else []), *map(word, prefix)])
    return rf"-\ln p({word(tokens[t + 1])} \mid {given}) = -\ln {number(exp(-loss))} = {number(loss) if loss else 0}"


def worked_mean(losses: Sequence[float], done: int) -> str:
    r"""Return LaTeX of the window's loss, the mean of the examples' losses, as far as it has been added up.

    >>> worked_mean([1.0, 3.0], 2)
    'L = \\frac{1}{2}\\left(1 + 3\\right) = 2'
    """
    T = len(losses)
    terms = " + ".join(f"{loss:.3g}" for loss in losses[:done])
    rest = "" if done == T else r" + \dots"
    mean = f" = {number(sum(losses) / T)}" if done == T else ""
    return rf"L = \frac{{1}}{{{T}}}\left({terms}{rest}\right){mean}"


def both_losses(reports: Sequence[PeekProgress], height: int = 360) -> go.Figure:
    """Return the losses of the model that may not peek and of the one that may: training (full), honest (dashed)."""
    figure = blank(height, "steps", "loss, nats a character")
    steps = [report.step for report in reports]
    lines = (
        ("right mask, training", [r.honest.training_loss for r in reports], BLUE, "solid"),
        ("right mask, honest", [r.honest.honest_loss for r in reports], BLUE, "dash"),
        ("peeking, training", [r.peeking.training_loss for r in reports], VERMILLION, "solid"),
        ("peeking, honest", [r.peeking.honest_loss for r in reports], VERMILLION, "dash"),
    )
    for name, losses, colour, dash in lines:
        figure.add_trace(
            go.Scatter(
                x=steps, y=losses, name=name, mode="lines", line={"color": colour, "width": 3, "dash": dash}
            )
        )
    figure.update_yaxes(rangemode="tozero")
    return figure
