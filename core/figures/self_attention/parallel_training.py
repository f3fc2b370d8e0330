"""One window as many examples: the triangle of prefixes with their targets, and the losses of two trainings."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

from core.figures.blank import FONT_SIZE, blank
from core.figures.figure import Figure, scatter
from core.figures.n_grams.ngram import escape_label
from core.figures.palette import BLUE, VERMILLION, faded
from core.figures.self_attention import WORDS
from core.models.self_attention.fit_peeking import PeekProgress
from core.words.numbers import plain_number


def triangle(tokens: Sequence[str], losses: Sequence[float]) -> Figure:
    """Return the T examples of T + 1 tokens as rows: the prefix, its target one further, then p and -ln p of it."""
    T = len(losses)
    size = FONT_SIZE + (5 if T <= 8 else 2)
    figure = blank(50 + 36 * T)
    seen = [(s, t) for t in range(T) for s in range(t + 1)]
    targets = [(t + 1, t) for t in range(T)]
    places = [(s, t, tokens[s]) for s, t in (*seen, *targets)]
    columns = (
        (T + 1.9, ["<b>p(y)</b>", *(format_cell_probability(exp(-loss)) for loss in losses)]),
        (T + 3.2, ["<b>−ln p</b>", *(f"{loss:.2f}" for loss in losses)]),
    )
    numbers = [(x, t, text) for x, texts in columns for t, text in enumerate(texts, -1)]
    figure.add_trace(
        scatter(
            x=[x for x, _, _ in (*places, *numbers)],
            y=[y for _, y, _ in (*places, *numbers)],
            text=[*(escape_label(token) for _, _, token in places), *(text for _, _, text in numbers)],
            mode="text",
            textfont={"size": size},
            hoverinfo="skip",
            showlegend=False,
        )
    )
    boxes = [mark_cell(s, t, BLUE) for s, t in seen] + [mark_cell(s, t, VERMILLION) for s, t in targets]
    figure.update_layout(shapes=boxes)
    figure.update_xaxes(visible=False, range=[-0.55, T + 3.9])
    rows = {"tickvals": list(range(T)), "ticktext": [f"t = {t}" for t in range(1, T + 1)]}
    figure.update_yaxes(range=[T - 0.45, -1.5], showgrid=False, zeroline=False, **rows)
    return figure


def format_cell_probability(p: float) -> str:
    """Return a probability with three decimals, one below a hundredth with its first two digits.

    >>> format_cell_probability(0.25), format_cell_probability(0.00055), format_cell_probability(0.000031)
    ('0.250', '0.00055', '3.1·10⁻⁵')
    """
    return f"{p:.3f}" if p >= 0.01 else plain_number(p, 2)


def mark_cell(s: int, t: int, colour: str) -> dict:
    """Return the coloured cell behind token s of row t, as plotly's shape."""
    edges = {"x0": s - 0.47, "x1": s + 0.47, "y0": t - 0.44, "y1": t + 0.44}
    return {"type": "rect", **edges, "fillcolor": faded(colour, 0.25), "line": {"width": 0}, "layer": "below"}


def both_losses(reports: Sequence[PeekProgress], height: int = 360) -> Figure:
    """Return the losses of the model that may not peek and of the one that may: training (full), honest (dashed)."""
    figure = blank(height, *(WORDS.label(f"parallel_training.{key}") for key in ("steps", "loss")))
    steps = [report.step for report in reports]
    lines = (
        ("honest.training", [r.honest.training_loss for r in reports], BLUE, "solid"),
        ("honest.honest", [r.honest.honest_loss for r in reports], BLUE, "dash"),
        ("peeking.training", [r.peeking.training_loss for r in reports], VERMILLION, "solid"),
        ("peeking.honest", [r.peeking.honest_loss for r in reports], VERMILLION, "dash"),
    )
    for key, losses, colour, dash in lines:
        name = WORDS.label(f"parallel_training.{key}")
        figure.add_trace(
            scatter(
                x=steps, y=losses, name=name, mode="lines", line={"color": colour, "width": 3, "dash": dash}
            )
        )
    figure.update_yaxes(rangemode="tozero")
    return figure
