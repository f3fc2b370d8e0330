"""Pictures of perplexity: as so many equal words, against n, against alpha, and what the model never saw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.figures.blank import FONT_SIZE, blank
from core.figures.figure import Figure, bar, heatmap, scatter
from core.figures.palette import BLUE, CATEGORIES, GREY, OCHRE, VERMILLION, faded
from core.figures.worked import number
from pages.n_grams.ngram_perplexity import LESSON

WORDS = LESSON.words
COLUMNS = 51  # of the squares
TICKS = (2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000)
LOOKS = tuple(zip(("solid", "dash", "dot", "dashdot"), ("circle", "square", "diamond", "x"), strict=True))
STORY = {"add-alpha": VERMILLION, "Kneser-Ney": BLUE}


def squares_figure(types: int, filled: int, height: int = 420) -> Figure:
    """Return a square for each word of a vocabulary, so many of them filled from a corner on."""
    rows = -(-types // COLUMNS)
    down, right = np.divmod(np.arange(rows * COLUMNS), COLUMNS)
    nearest = np.argsort(np.maximum(down, right), kind="stable")  # a square that grows from the corner
    z = np.where(np.arange(rows * COLUMNS) < types, 0.0, np.nan)
    z[nearest[:filled]] = 1
    figure = blank(height, WORDS.label("axis.squares", filled=filled, types=types))
    colours = [[0, faded(GREY, 0.35)], [1, BLUE]]
    grid = z.reshape(rows, COLUMNS)
    look = {"colorscale": colours, "zmin": 0, "zmax": 1, "showscale": False, "hoverinfo": "skip"}
    figure.add_trace(heatmap(z=grid, xgap=2, ygap=2, **look))
    figure.update_xaxes(showticklabels=False, ticks="", showgrid=False, zeroline=False)
    figure.update_xaxes(title={"font": {"size": 19}})
    return figure.update_yaxes(visible=False, autorange="reversed")


def perplexity_by_order(
    orders: Sequence[int], lines: Mapping[str, Sequence[float]], types: int, height: int = 430
) -> Figure:
    """Return perplexity against n, a line a model, and the uniform model's; infinite ones stand on top as ∞.

    The best line is drawn last, thick and solid, so that no other covers it.
    """
    figure = blank(height, WORDS.label("axis.n"), WORDS.label("axis.perplexity"))
    finite = [types, *(value for line in lines.values() for value in line if np.isfinite(value))]
    top = 2 * max(finite)
    places = {name: i for i, name in enumerate(lines)}
    *others, best = sorted(lines, key=lambda each: min(lines[each]), reverse=True)
    for name in (*others, best):
        line, colour = lines[name], CATEGORIES[places[name] % len(CATEGORIES)]
        endless = ~np.isfinite(np.asarray(line))
        dash, symbol = LOOKS[places[name] % len(LOOKS)]
        dash, width = ("solid", 5) if name == best else (dash, 3)
        figure.add_trace(
            scatter(
                x=list(orders),
                y=np.where(endless, top, line),
                mode="lines+markers+text",
                name=name,
                line={"color": colour, "width": width, "dash": dash},
                marker={"size": 11, "symbol": symbol},
                text=["∞" if each else "" for each in endless],
                textposition="top center",
                textfont={"color": colour, "size": FONT_SIZE + 7},
                customdata=[
                    "∞" if each else f"{value:,.2f}" for value, each in zip(line, endless, strict=True)
                ],
                hovertemplate="%{x}:%{customdata}<extra>%{fullData.name}</extra>",
            )
        )
    uniform_line(figure, types)
    figure.update_xaxes(dtick=1)
    return with_ticks(figure, 0.8 * min(finite), 2.2 * top)


def with_ticks(figure: Figure, least: float, most: float) -> Figure:
    """Return the figure with a logarithmic axis from `least` to `most`, at whose ticks numbers stand."""
    span = np.log10([least, most]).tolist()
    return figure.update_yaxes(
        type="log", range=span, tickvals=list(TICKS), ticktext=[f"{t:,}" for t in TICKS]
    )


def methods_figure(orders: Sequence[int], lines: Mapping[str, Sequence[float]], types: int) -> Figure:
    """Return the story's lines of perplexity against n, each with its name and its last number at its end."""
    figure = blank(430, WORDS.label("axis.n"), WORDS.label("axis.perplexity"))
    for name, line in lines.items():
        colour = STORY[name]
        look = {"mode": "lines+markers", "line": {"color": colour, "width": 5}, "marker": {"size": 13}}
        figure.add_trace(scatter(x=list(orders), y=list(line), showlegend=False, **look))
        label = {
            "text": WORDS.label(f"line.{name.replace('-', '_')}", p=line[-1]),
            "font": {"size": 18, "color": colour},
        }
        up = 20 if line[-1] > 150 else -20
        figure.add_annotation(
            x=orders[-1], y=np.log10(line[-1]), xanchor="right", yshift=up, showarrow=False, **label
        )
    endless = {"text": WORDS.label("line.none"), "font": {"size": 18}, "showarrow": False}
    figure.add_annotation(x=(orders[0] + orders[-1]) / 2, y=np.log10(3100), **endless)
    figure.update_xaxes(dtick=1, range=[0.8, orders[-1] + 0.3])
    return with_ticks(figure, 75, 4200)


def uniform_line(figure: Figure, types: int) -> None:
    """Draw the uniform model's perplexity, V, on a figure."""
    figure.add_hline(y=types, line={"color": GREY, "dash": "dash"})
    figure.add_annotation(  # on a logarithmic axis an annotation stands at its logarithm
        x=1,
        xref="paper",
        xanchor="right",
        y=np.log10(types),
        yanchor="bottom",
        text=WORDS.label("line.uniform", V=types),
        showarrow=False,
    )


def unseen_figure(shares: Sequence[float], height: int = 300) -> Figure:
    """Return the share of held-out n-grams that the training text does not have, for n = 1, 2, ..."""
    figure = blank(height, WORDS.label("axis.n"), WORDS.label("axis.unseen"))
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
    return figure.update_yaxes(range=[0, 1.12], tickformat=".0%")


def perplexity_by_alpha(
    alphas: Sequence[float], perplexities: Mapping[int, Sequence[float]], types: int, height: int = 380
) -> Figure:
    """Return perplexity against alpha on two logarithmic scales, one line an order; the best alpha is a star."""
    figure = blank(height, WORDS.label("axis.alpha"), WORDS.label("axis.perplexity"))
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
    every = [types, *(value for line in perplexities.values() for value in line)]
    return with_ticks(figure, 0.8 * min(every), 1.6 * max(every))


def worked_measure(
    column: str, bits: float, tokens: int, characters: int | None, unseen: float
) -> str | None:
    r"""Return a held-out measure in LaTeX, from the bits per token, the tokens and characters, the unseen share.

    >>> worked_measure("perplexity", 3.0, 100, 400, 0.2)
    '2^{3} = 8'
    """
    if column == "unseen":
        return rf"\frac{{{round(unseen * tokens)}}}{{{tokens}}} = {number(unseen)}"
    if bits == float("inf"):
        return r"p(w_i\mid{h_i})=0,\quad\log_2{0}=-\infty"
    return {
        "perplexity": rf"2^{{{number(bits, 5)}}} = {number(2**bits, 5)}",
        "bits": rf"-\frac{{1}}{{{tokens}}}\sum_{{i=1}}^{{{tokens}}} \log_2 p(w_i\mid h_i) = {number(bits, 5)}",
        "characters": characters
        and rf"\frac{{{number(bits, 5)} \cdot {tokens}}}{{{characters}}} = "
        rf"{number(bits * tokens / characters, 5)}",
    }.get(column)
