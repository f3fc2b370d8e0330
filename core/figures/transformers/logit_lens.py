"""The logit lens: a grid of what is read out after each layer, one place's answer growing, and a whole text's places."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from core.figures.blank import FONT_SIZE, blank
from core.figures.figure import Figure, bar, heatmap, scatter
from core.figures.frame import bars
from core.figures.heat_map import write_in_cells
from core.figures.n_grams.ngram import plain
from core.figures.palette import BLUE, OCHRE, SEQUENTIAL, VERMILLION
from core.figures.self_attention.panels import panels
from core.figures.worked import plain_number
from core.models.transformers.logit_lens import LensMeasures, LensReading, log_p_of, rank_of

ROWS = 12  # tokens in the grid: more could not be read from the back row
CANDIDATES = 8  # tokens with a bar


def window_at(place: int, T: int, most: int = ROWS) -> range:
    """Return the places that the grid shows: the last ones up to `place`, and those after it where there is room.

    >>> window_at(3, 30), window_at(20, 30)
    (range(0, 12), range(9, 21))
    """
    first = max(0, min(place - most + 1, T - most))
    return range(first, min(T, first + most))


def grid(
    found: LensReading,
    rows: Sequence[str],
    vocabulary: Sequence[str],
    place: int,
    layers: int,
    revealed: bool,
) -> dict:
    """Return what the pictures of the first `layers` readings share; bold is the model's answer, once it is `revealed`.

    `rows` are the names of all T tokens, of which the window around `place` is shown.
    """
    window = window_at(place, len(rows))
    p = found.log_p.amax(-1).exp()
    cells = [(t, layer) for t in window for layer in range(len(p))]
    settled = found.settled.tolist() if revealed else [len(p)] * len(rows)
    return {
        "title": "the likeliest next token, read out after layer",
        "rows": [rows[t] for t in window],
        "columns": [str(layer) for layer in range(len(p))],
        "words": [str(vocabulary[found.says[layer, t]]) if layer < layers else None for t, layer in cells],
        "values": [float(f"{p[layer, t]:.4g}") if layer < layers else 0.0 for t, layer in cells],
        "chosen": window.index(place),
        "settled": [[t - window[0], layer] for t, layer in cells if settled[t] <= layer],
    }


def candidates(found: LensReading, place: int, layers: int, following: int | None) -> list[int]:
    """Return the tokens whose bars are drawn: the likeliest after each of the first layers, and the one that comes.

    Once all layers are read the model's answer is among them: without the final norm the last may not name it. They stand
    in the order of the last of these readings, filled up with what is likeliest there.
    """
    log_p = found.log_p[:layers, place]
    chosen = dict.fromkeys(log_p.argmax(-1).tolist())
    if layers == len(found.log_p):
        chosen[int(found.answers[place])] = None
    if following is not None:
        chosen[following] = None
    for token in log_p[-1].argsort(descending=True).tolist():
        if len(chosen) >= CANDIDATES:
            break
        chosen[token] = None
    return sorted(chosen, key=lambda token: -float(log_p[-1, token]))


def lens_picture(
    found: LensReading,
    tokens: Sequence[int],
    vocabulary: Sequence[str],
    place: int,
    layer: int,
    marked: int | None,
) -> dict:
    """Return one step of the view: the grid up to a layer, and the bars of some tokens after it, one of them marked."""
    p = found.log_p[layer, place, list(tokens)].exp().tolist()
    names = [str(vocabulary[token]) for token in tokens]
    title = f"p of the next token after layer {layer}"
    chances = bars(
        names,
        [(title, p, [plain_number(each) for each in p])],
        tokens.index(marked) if marked in tokens else None,
    )
    chances["columns"][0]["reach"] = 1.0
    return {"kind": "lens", "layer": layer, "chances": chances}


def grid_figure(found: LensReading, rows: Sequence[str], vocabulary: Sequence[str], height: int) -> Figure:
    """Return the whole grid as a heat map: rows are tokens, columns the readings, words what they say."""
    says, p = found.says.T, found.log_p.amax(-1).exp().T
    figure = blank(height, "layer")
    figure.add_trace(
        heatmap(
            x=list(range(says.shape[1])),
            y=list(range(len(rows))),
            z=p.tolist(),
            text=[[plain(str(vocabulary[token])) for token in row] for row in says.tolist()],
            colorscale=SEQUENTIAL,
            zmin=0,
            zmax=1,
            showscale=False,
            xgap=1,
            ygap=1,
            hovertemplate="after layer %{x}: %{text}, p = %{z:.4f}<extra></extra>",
        )
    )
    write_in_cells(figure, min(FONT_SIZE, 12 if len(rows) > 5 else FONT_SIZE))
    figure.update_yaxes(
        tickvals=list(range(len(rows))),
        ticktext=[plain(row) for row in rows],
        range=[len(rows) - 0.5, -0.5],
        showgrid=False,
    )
    return figure.update_xaxes(dtick=1, showgrid=False)


def growth_figure(found: LensReading, place: int, following: int | None, names: Sequence[str]) -> Figure:
    """Return p and rank of the model's answer, and of the token that comes if it is known, and the entropy, by layer."""
    figure = panels(["p", "rank", "entropy, bits"], 320, 0.14)
    layers = list(range(len(found.log_p)))
    followed = {int(found.answers[place]): ("the model's answer", BLUE, "circle", "solid")}
    if following is not None and following not in followed:
        followed[following] = ("the token that comes", VERMILLION, "diamond", "dash")
    for token, (label, colour, symbol, dash) in followed.items():
        p, rank = at(found, place, token)
        label = f"{label}, {plain(names[token])}"
        for column, values in ((1, p), (2, rank)):
            figure.add_trace(
                line(layers, values, label, colour, symbol, dash) | {"showlegend": column == 1}, 1, column
            )
    entropies = found.bits[:, place].tolist()
    figure.add_trace(
        line(layers, entropies, "entropy", OCHRE, "square", "solid") | {"showlegend": False}, 1, 3
    )
    for column in (1, 3):
        figure.update_yaxes(1, column, rangemode="tozero")
    figure.update_yaxes(1, 2, type="log", autorange="reversed", dtick=1)
    return figure.update_xaxes(dtick=1, title="layer")


def line(x: list, y: list, label: str, colour: str, symbol: str, dash: str) -> dict:
    """Return a line with a mark at each layer."""
    return scatter(
        x=x,
        y=y,
        name=label,
        mode="lines+markers",
        line={"color": colour, "width": 3, "dash": dash},
        marker={"color": colour, "size": 9, "symbol": symbol},
        cliponaxis=False,
        hovertemplate="after layer %{x}: %{y:.4g}<extra>" + label + "</extra>",
    )


def at(found: LensReading, place: int, token: int) -> tuple[list[float], list[int]]:
    """Return p and the rank of one token at a place after each layer."""
    here, tokens = found.log_p[:, [place]], torch.tensor([token])
    return log_p_of(here, tokens)[:, 0].exp().tolist(), rank_of(here, tokens)[:, 0].tolist()


def places_figure(measured: LensMeasures) -> Figure:
    """Return by layer at what share of a text's places the answer is settled, and the token that comes is named."""
    figure = blank(320, "layer", "share of the places")
    for label, counts, colour in (
        ("the model's answer for good", measured.settled, BLUE),
        ("names the token that comes", measured.right, VERMILLION),
    ):
        figure.add_trace(
            bar(
                x=[str(layer) for layer in range(len(counts))],
                y=[count / measured.n for count in counts],
                name=label,
                marker_color=colour,
                text=[f"{count:,}" for count in counts],
                textposition="outside",
                cliponaxis=False,
                hovertemplate="after layer %{x}: %{text} of "
                + f"{measured.n:,}, %{{y:.1%}}<extra>{label}</extra>",
            )
        )
    figure.update_yaxes(range=[0, 1.16], tickvals=[0, 0.25, 0.5, 0.75, 1], tickformat=".0%")
    return figure.update_layout(barmode="group").update_xaxes(type="category")
