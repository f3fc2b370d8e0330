"""Logistic regression in pictures: scores and weights as bars, the sigmoid, the loss step by step; the lab's figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import numpy as np
import pandas as pd
from scipy.special import expit

from core.figures.blank import STORY_MARGIN, blank, enlarge
from core.figures.figure import Figure, bar, scatter
from core.figures.frame import frame, packed
from core.figures.layer_bars import join_panels, make_panel, make_row
from core.figures.palette import BLUE, GREY, VERMILLION
from core.figures.worked import number, word
from core.models.documents.logistic_regression import WorkedDocument
from core.models.documents.two_weights import GRID, UNMOVED, TwoWeights, measured_surface
from core.words.numbers import plain_number, signed
from pages.documents.logistic_regression import LESSON

WORDS = LESSON.words
TERMS_COLUMNS = ("word", "count", "weight", "term", "gradient")
WEIGHTS_COLUMNS = ("word", "weight", "documents")
FOR, AGAINST = "blue", "vermillion"

BANDS = 14
LETTERS = 16  # of a word beside a bar
TERMS = 4  # written out in a sum


# The story.


def hue_of(value: float) -> str:
    """Return the colour of the class that a number speaks for."""
    return FOR if value > 0 else AGAINST


def draw_values(
    title: str, values: Mapping[str, float], most: float, digits: int = 2, told: bool = True, sum_: str = ""
) -> dict:
    """Return a bar from 0 for each name; not `told`, the names stand without their bars."""
    rows = [
        make_row(
            name[:LETTERS],
            f"row.{name}",
            float(value) if told else 0,
            signed(value, digits, "+") if told else "?",
            hue=hue_of(value) if told else FOR,
        )
        for name, value in values.items()
    ]
    return join_panels(make_panel(title, most, rows, least=-most), sum_=sum_)


def draw_score(worked: WorkedDocument, title: str, reach: float, sum_: str) -> dict:
    """Return b and each term as bars that begin where the one before ended, and their sum z."""
    at, rows = 0.0, []
    terms = [(WORDS.label("row.b"), "b", worked.b)]
    terms += [(token, token, float(each)) for token, each in zip(worked.tokens, worked.terms, strict=True)]
    ends = [0.0]
    for name, key, value in terms:
        text = signed(value, 2, "+")
        rows.append(make_row(name[:LETTERS], f"row.{key}", at + value, text, start=at, hue=hue_of(value)))
        at += value
        ends.append(at)
    text = signed(at, 2, "+")
    rows.append(make_row(WORDS.label("row.z"), "row.z", at, text, kind="total", hue=hue_of(at)))
    most = max(reach, *map(abs, ends))
    return join_panels(make_panel(title, most, rows, least=-most), sum_=sum_)


def large_sigmoid(worked: WorkedDocument) -> Figure:
    """Return the sigmoid with a document's z and p on it, large."""
    figure = sigmoid_figure(worked, WORDS.label("class.positive"))
    text = WORDS.label("point.sigmoid", z=worked.z, p=worked.p)
    figure.add_trace(
        scatter(x=[worked.z], y=[worked.p], mode="text", text=[text], textposition="bottom right")
    )
    return enlarge(figure, showlegend=False, height=520, margin=STORY_MARGIN)


def losses_figure(losses: Mapping[str, np.ndarray]) -> Figure:
    """Return J after each step for some learning rates, on a logarithmic axis; an empty one is not told yet."""
    figure = blank(520, WORDS.label("axis.steps"), WORDS.label("axis.loss"))
    for (name, J), colour in zip(losses.items(), (GREY, BLUE, VERMILLION), strict=True):
        shown = len(J) > 0
        figure.add_trace(
            scatter(
                x=list(range(len(J))) if shown else [None],
                y=J if shown else [None],
                mode="lines+text",
                text=["" for _ in J[:-1]] + [f" {name}"] if shown else [""],
                textposition="middle right",
                line={"color": colour, "width": 4},
            )
        )
    most = max(map(len, losses.values()))
    figure.update_xaxes(range=[-0.5, 1.4 * most])
    figure.update_yaxes(
        type="log", range=[2.4, 4.2], tickvals=[300, 1000, 3000, 10_000], tickformat=",", minor={"dtick": 1}
    )
    return enlarge(figure, showlegend=False, height=520, margin=STORY_MARGIN)


# The lab.


def reach_of(least: np.ndarray | None, path: np.ndarray) -> np.ndarray:
    """Return the box (2, 2) that is drawn: from and to of either weight, around the start and the lowest place.

    >>> reach_of(np.array([2.0, -1.0]), np.zeros((1, 2)))
    array([[-1.4,  3.4],
           [-2.4,  1.4]])
    """
    end = path[-1] if least is None else least
    room = 0.7 * max(float(np.abs(end - path[0]).max()), 0.2)
    ends = np.vstack([path[0], end])
    return np.column_stack([ends.min(axis=0) - room, ends.max(axis=0) + room])


def shared_surface(
    surface: TwoWeights, least: np.ndarray | None, path: np.ndarray, names: Sequence[str]
) -> dict:
    """Return what all steps share: the heights, the levels of their bands, the box, the path and the lowest place."""
    reach = reach_of(least, path)
    heights = measured_surface(surface, reach)
    low, high = float(heights.min()), float(heights.max())
    levels = low + (high - low) * (np.arange(1, BANDS) / BANDS) ** 2
    return {
        "values": packed(heights),
        "side": GRID,
        "levels": levels.round(6).tolist(),
        "reach": reach.round(6).tolist(),
        "names": [f"“{name}”" for name in names],
        "path": packed(path),
        "losses": surface.loss(path).round(6).tolist(),
        "lowest": None if least is None else round(float(surface.loss(least)), 6),
        "least": None if least is None else least.round(6).tolist(),
    }


def descent_frames(surface: TwoWeights, path: np.ndarray, rate: float, names: Sequence[str]) -> list[dict]:
    """Return a frame for the start and one for each step: where it leads, by which gradient, and whether J fell."""
    losses, frames = surface.loss(path), []
    for i, w in enumerate(path):
        where = ", ".join(f"“{name}” {signed(weight)}" for name, weight in zip(names, w, strict=True))
        change = losses[i] - losses[i - 1] if i else 0.0
        values = {
            "where": where,
            "J": float(losses[i]),
            "i": i,
            "change": plain_number(abs(change)) if abs(change) > UNMOVED else "",
            "up": bool(change > UNMOVED),
        }
        formulas = [worked_update(path[i - 1], surface.gradient(path[i - 1]), rate, w)] if i else []
        notes = [WORDS.label("says.overshot")] if values["up"] else []
        frames.append(
            frame(
                WORDS.label("name.step", **values),
                {"kind": "surface", "at": i},
                WORDS.label("surface.alt", **values),
                WORDS.label("says.step", **values),
                notes,
                formulas,
            )
        )
    return frames


def worked_update(before: np.ndarray, gradient: np.ndarray, rate: float, after: np.ndarray) -> str:
    r"""Return LaTeX of one step of gradient descent.

    >>> worked_update(np.array([0.0, 1.0]), np.array([2.0, -4.0]), 0.5, np.array([-1.0, 3.0]))
    'w - \\eta \\partial J = (0,\\ 1) - 0.5 \\cdot (2,\\ -4) = (-1,\\ 3)'
    """
    pairs = [rf"({number(a)},\ {number(b)})" for a, b in (before, gradient, after)]
    return rf"w - \eta \partial J = {pairs[0]} - {number(rate)} \cdot {pairs[1]} = {pairs[2]}"


def sigmoid_figure(worked: WorkedDocument, name: str) -> Figure:
    """Return the sigmoid with the document's z and p on it."""
    figure = blank(230, "z", f"p({escape(name[:LETTERS], quote=False)})")
    far = max(6.0, 1.2 * abs(worked.z))
    z = np.linspace(-far, far, 161)
    curve = expit(z)
    figure.add_trace(scatter(x=z, y=curve, mode="lines", line={"color": GREY, "width": 3}, showlegend=False))
    figure.add_trace(
        scatter(
            x=[worked.z, worked.z],
            y=[0, worked.p],
            mode="lines+markers",
            line={"color": BLUE, "width": 3},
            marker={"size": [1, 13]},
            showlegend=False,
        )
    )
    return figure.update_yaxes(range=[-0.05, 1.08], tickvals=[0, 0.5, 1])


def weights_figure(words: Sequence[str], w: np.ndarray, each: int = 8) -> Figure:
    """Return the largest weights above and below 0, at most so many of each."""
    order = np.argsort(w, kind="stable")
    down = [v for v in order[:each] if w[v] < 0]
    up = [v for v in order[::-1][:each] if w[v] > 0][::-1]
    shown = [*down, *up]
    figure = blank(60 + 22 * max(1, len(shown)), WORDS.label("axis.weight"))
    figure.add_trace(
        bar(
            x=w[shown],
            y=list(range(len(shown))),
            orientation="h",
            marker={"color": [BLUE if w[v] > 0 else VERMILLION for v in shown]},
            customdata=[escape(words[v][:80], quote=False) for v in shown],
            hovertemplate="%{customdata}:%{x:.3f}<extra></extra>",
            showlegend=False,
        )
    )
    names = [escape(words[v][:LETTERS], quote=False) for v in shown]
    return figure.update_yaxes(tickvals=list(range(len(shown))), ticktext=names, showgrid=False)


def growth_figure(whole: np.ndarray, broken: np.ndarray, l2: float) -> Figure:
    """Return how long all weights are after each step of learning, with the penalty and without."""
    figure = blank(300, WORDS.label("axis.learning"), WORDS.label("axis.length"))
    free = WORDS.label("curve.free")
    for lengths, name, colour in ((broken, free, VERMILLION), (whole, f"λ = {l2:g}", BLUE)):
        steps = np.arange(1, len(lengths) + 1)
        figure.add_trace(
            scatter(x=steps, y=lengths, mode="lines", name=name, line={"color": colour, "width": 3})
        )
    return figure


def terms_table(worked: WorkedDocument) -> tuple:
    """Return a document's words with count, weight, term and share of the gradient, and the formula of the cells."""
    columns = [WORDS.label(f"terms.{each}") for each in TERMS_COLUMNS]
    cells = (
        ["(b)", *worked.tokens],
        [None, *worked.x.astype(int).tolist()],
        [worked.b, *worked.w],
        [worked.b, *worked.terms],
        [worked.p - worked.y, *worked.gradient],
    )
    table = pd.DataFrame(dict(zip(columns, cells, strict=True)))

    def formula(row: int, column: str) -> str | None:
        if row and column == columns[3]:
            v = row - 1
            return rf"w x = {number(worked.w[v])} \cdot {number(worked.x[v])} = {number(worked.terms[v])}"
        if column == columns[4]:
            x = worked.x[row - 1] if row else 1.0
            return rf"(p - y) x = ({number(worked.p)} - {worked.y}) \cdot {number(x)} = {number(table[column][row])}"
        return None

    return table, formula


def worked_document(worked: WorkedDocument) -> list[str]:
    """Return LaTeX of z, p and the loss of a document."""
    order = np.argsort(-np.abs(worked.terms), kind="stable")[:TERMS]
    terms = "".join(
        rf" {'-' if worked.terms[v] < 0 else '+'} {number(abs(worked.terms[v]))}_{{{word(worked.tokens[v][:LETTERS])}}}"
        for v in order
    )
    left = worked.z - worked.b - float(worked.terms[order].sum())
    n = len(worked.terms) - len(order)
    rest = (
        rf" {'-' if left < 0 else '+'} {number(abs(left))}_{{\text{{{WORDS.label('others', n=n)}}}}}"
        if n
        else ""
    )
    p, truth = worked.p, worked.p if worked.y else 1 - worked.p
    return [
        rf"z = b + \sum_v w_v x_v = {number(worked.b)}{terms}{rest} = {number(worked.z)}",
        rf"p = \frac{{1}}{{1 + e^{{-z}}}} = \frac{{1}}{{1 + e^{{{number(-worked.z)}}}}} = {number(p)}",
        rf"-\ln p(y) = -\ln {number(truth)} = {number(worked.loss)}",
        rf"p - y = {number(p)} - {worked.y} = {number(p - worked.y)}",
    ]


def weights_table(
    words: Sequence[str], w: np.ndarray, documents: np.ndarray, most: int = 2_000
) -> pd.DataFrame:
    """Return the words by the size of their weight, with how many documents they stand in."""
    order = np.argsort(-np.abs(w), kind="stable")[:most]
    cells = [words[v] for v in order], w[order], documents[order].astype(int)
    columns = [WORDS.label(f"weights.{each}") for each in WEIGHTS_COLUMNS]
    return pd.DataFrame(dict(zip(columns, cells, strict=True)))
