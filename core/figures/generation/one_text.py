"""One text, every model: bits a character as bars in the course's order, and against what each model cost."""

from __future__ import annotations

from collections.abc import Sequence
from math import log

from core.figures.blank import FONT_SIZE, blank
from core.figures.figure import Figure, bar, scatter
from core.figures.palette import BLUE, GREEN, GREY, OCHRE, PINK, SKY, VERMILLION
from core.figures.worked import number
from core.models.generation.one_text import NETWORKS, ORDERS, BoardScore

NAMES = (*(f"{n}-gram" for n in ORDERS), *NETWORKS)  # in the order of the course
COLOURS = dict(zip(NETWORKS, (PINK, SKY, GREEN, BLUE, VERMILLION), strict=True))
LN_2 = log(2)
TIME, SIZE = "training time", "numbers kept"
COSTS = {TIME: ("seconds of one core", "seconds"), SIZE: ("numbers kept", "size")}  # title and field


def board_figure(scores: Sequence[BoardScore], trained_on: bool = False, height: int = 360) -> Figure:
    """Return bits a character on the held-out part, a row for each model of the course; `trained_on` adds its other part.

    A model that is not there yet has its row.
    """
    figure = blank(height + 100 * trained_on, "bits a character: fewer is better")
    groups = [("on the held-out part", [COLOURS.get(each.name, OCHRE) for each in scores], "held_out_bits")]
    if trained_on:
        groups.append(("grey: on its training part", GREY, "training_bits"))
    for label, colour, measure in groups:
        values = [getattr(each, measure) for each in scores]
        figure.add_trace(
            bar(
                y=[each.name for each in scores],
                x=values,
                name=label,
                orientation="h",
                marker={"color": colour},
                text=[f"{value:.2f}" for value in values],
                textposition="outside",
                textfont={"size": 13 if trained_on else FONT_SIZE},
                constraintext="none",
                cliponaxis=False,
                showlegend=measure == "training_bits",
                hovertemplate="%{y}: %{x:.3f} bits<extra>" + label + "</extra>",
            )
        )
    figure.update_layout(barmode="group", bargap=0.15)
    figure.update_yaxes(categoryorder="array", categoryarray=list(NAMES), range=[len(NAMES) - 0.5, -0.5])
    most = max(max(each.held_out_bits, each.training_bits * trained_on) for each in scores)
    return figure.update_xaxes(range=[0, 1.12 * most])


def cost_figure(scores: Sequence[BoardScore], cost: str, height: int = 380) -> Figure:
    """Return bits a character on the held-out part against one of COSTS; each network has its colour on the board."""
    title, field = COSTS[cost]
    figure = blank(height, title, "bits a character, held out")
    ngrams = [each for each in scores if each.name not in NETWORKS]
    best = min(ngrams, key=lambda each: each.held_out_bits)
    groups = [("n-grams", OCHRE, ngrams)]
    groups += [(each.name, COLOURS[each.name], [each]) for each in scores if each.name in NETWORKS]
    for name, colour, some in groups:
        figure.add_trace(
            scatter(
                x=[getattr(each, field) for each in some],
                y=[each.held_out_bits for each in some],
                name=name,
                mode="lines+markers+text" if some is ngrams else "markers",
                text=[each.name if each in (ngrams[0], best) and some is ngrams else "" for each in some],
                textposition="top right",
                cliponaxis=False,
                marker={"color": colour, "size": 14},
                line={"color": colour, "width": 2},
                customdata=[each.name for each in some],
                hovertemplate="%{customdata}: %{y:.3f} bits, %{x:,.3~g}<extra></extra>",
            )
        )
    figure.update_xaxes(type="log", dtick=1, exponentformat="none", tickformat=",~g")
    return figure.update_yaxes(range=[0, 1.15 * max(each.held_out_bits for each in scores)])


def worked_score(score: BoardScore, column: str) -> str | None:
    r"""Return the formula of one number of a model's row, filled in; None for what was counted or measured as it is.

    >>> worked_score(BoardScore("coin", 1.0, 2.0, 0.5, 1, 10), "bits, held out")
    '\\frac{2\\text{ nats}}{\\ln 2} = 2.885\\text{ bits}'
    """
    losses = {"bits, held out": score.held_out_loss, "bits, trained on": score.training_loss}
    if column in losses:
        loss = losses[column]
        return rf"\frac{{{number(loss)}\text{{ nats}}}}{{\ln 2}} = {number(loss / LN_2)}\text{{ bits}}"
    if column == "too good by":
        return rf"{score.held_out_bits:.2f} - {score.training_bits:.2f} = {score.too_good:.2f}\text{{ bits}}"
    return None
