"""Pictures of what n-gram models are worth on held-out text: against n, against alpha, and what they never saw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.figures.blank import FONT_SIZE, blank
from core.figures.figure import Figure, bar, scatter
from core.figures.palette import CATEGORIES, GREY, OCHRE


def perplexity_by_order(
    orders: Sequence[int], lines: Mapping[str, Sequence[float]], types: int, height: int = 430
) -> Figure:
    """Return perplexity against n, a line a model, and the uniform model's; infinite ones stand on top as ∞."""
    figure = blank(height, "n", "perplexity (logarithmic)")
    finite = [types, *(value for line in lines.values() for value in line if np.isfinite(value))]
    top = 2 * max(finite)
    for colour, (name, line) in zip(CATEGORIES, lines.items(), strict=False):
        endless = ~np.isfinite(np.asarray(line))
        figure.add_trace(
            scatter(
                x=list(orders),
                y=np.where(endless, top, line),
                mode="lines+markers+text",
                name=name,
                line={"color": colour, "width": 3, "dash": "dot" if endless.any() else "solid"},
                marker={"size": 9},
                text=["∞" if each else "" for each in endless],
                textposition="top center",
                textfont={"color": colour, "size": FONT_SIZE + 7},
                customdata=[
                    "infinite" if each else f"{value:,.2f}" for value, each in zip(line, endless, strict=True)
                ],
                hovertemplate="n = %{x}: %{customdata}<extra>%{fullData.name}</extra>",
            )
        )
    uniform_line(figure, types)
    figure.update_xaxes(dtick=1)
    figure.update_yaxes(type="log", dtick=1, range=np.log10([0.8 * min(finite), 2.2 * top]).tolist())
    return figure


def uniform_line(figure: Figure, types: int) -> None:
    """Draw the uniform model's perplexity, V, on a figure."""
    figure.add_hline(y=types, line={"color": GREY, "dash": "dash"})
    figure.add_annotation(  # on a logarithmic axis an annotation stands at its logarithm
        x=1,
        xref="paper",
        xanchor="right",
        y=np.log10(types),
        yanchor="bottom",
        text=f"uniform: V = {types:,}",
        showarrow=False,
    )


def unseen_figure(shares: Sequence[float], height: int = 300) -> Figure:
    """Return the share of held-out n-grams that the training text does not have, for n = 1, 2, ..."""
    figure = blank(height, "n", "unseen in training")
    figure.add_trace(
        bar(
            x=list(range(1, len(shares) + 1)),
            y=list(shares),
            marker={"color": OCHRE},
            text=[f"{share:.1%}" for share in shares],
            textposition="outside",
            cliponaxis=False,
            hovertemplate="n = %{x}: %{y:.2%}<extra></extra>",
        )
    )
    figure.update_xaxes(dtick=1)
    figure.update_yaxes(range=[0, 1.12], tickformat=".0%")
    return figure


def perplexity_by_alpha(
    alphas: Sequence[float], perplexities: Mapping[int, Sequence[float]], types: int, height: int = 380
) -> Figure:
    """Return perplexity against alpha on two logarithmic scales, one line an order; the best alpha is a star."""
    figure = blank(height, "α (logarithmic)", "perplexity (logarithmic)")
    for colour, (order, values) in zip(CATEGORIES, perplexities.items(), strict=False):
        best = int(np.argmin(values))
        figure.add_trace(
            scatter(
                x=list(alphas),
                y=list(values),
                mode="lines+markers",
                name=f"n = {order}",
                line={"color": colour, "width": 3},
                marker={
                    "size": [16 if i == best else 7 for i in range(len(values))],
                    "symbol": ["star" if i == best else "circle" for i in range(len(values))],
                },
                hovertemplate=f"n = {order}, α = %{{x:g}}: %{{y:,.2f}}<extra></extra>",
            )
        )
    uniform_line(figure, types)
    figure.update_xaxes(type="log", dtick=1)
    figure.update_yaxes(type="log", dtick=1)
    return figure
