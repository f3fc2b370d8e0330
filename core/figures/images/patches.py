"""Pictures of a picture's patches: the boards of the view "patches", a patch's rows of numbers, positions on a grid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.figures.blank import blank, write_axes
from core.figures.figure import Figure, bar, heatmap, scatter, subplots
from core.figures.images import WORDS, name_columns
from core.figures.packed import packed
from core.figures.palette import BLUE, DIVERGING, GREY, OCHRE, VERMILLION
from core.figures.worked import dot_product, made_by, number
from core.models.images.vision_transformer import VisionTrace, VisionTransformer
from core.words.numbers import signed

CLASSES_DRAWN = 6
WRITTEN_AT_MOST = 4  # numbers that a title on a phone has room for


@dataclass(frozen=True)
class PatchBoard:
    """A picture (c, S, S) from 0 to 1 in across x across patches, with the places of those that are out of sight."""

    picture: np.ndarray
    across: int
    hidden: tuple[int, ...] = ()

    @property
    def seen(self) -> list[int]:
        """The places in sight."""
        return [place for place in range(self.across**2) if place not in self.hidden]

    def name(self, place: int) -> str:
        """Return what a place is called.

        >>> PatchBoard(np.zeros((1, 4, 4)), 2).name(2)
        'patch 3 in row 2, column 1'
        """
        row, column = divmod(place, self.across)
        return WORDS.label("patches.place", i=place + 1, row=row + 1, column=column + 1)

    def over_places(self, values: np.ndarray) -> list[float | None]:
        """Return values (n,) of the patches in sight, one a place, None where a patch is hidden."""
        known = dict(zip(self.seen, values, strict=True))
        return [round(float(known[place]), 6) if place in known else None for place in range(self.across**2)]


def patch_board(title: str, values: list[float | None] | None = None, press: bool = False) -> dict:
    """Return one board of the view: its title, a number a place, and whether its patches can be hidden."""
    sizes = [abs(value) for value in values or [] if value is not None]
    return {"title": title, "values": values, "most": max(sizes, default=0.0), "press": press}


def boards(
    board: PatchBoard, panels: Sequence[dict], columns: int, note: str = "", chosen: int | None = None
) -> dict:
    """Return what the view `patches` needs.

    >>> sent = boards(PatchBoard(np.ones((1, 2, 2)), 2, (3,)), [patch_board("picture")], 1)
    >>> sent["pixels"], sent["hidden"], sent["panels"][0]["title"]
    ('////////////////', [3], 'picture')
    """
    colours = np.broadcast_to(board.picture, (3, *board.picture.shape[1:])).transpose(1, 2, 0)
    return {
        "side": board.picture.shape[-1],
        "across": board.across,
        "pixels": packed(np.rint(255 * np.clip(colours, 0, 1)), "u1"),
        "hidden": list(board.hidden),
        "chosen": -1 if chosen is None else chosen,
        "columns": columns,
        "note": note,
        "panels": list(panels),
    }


def class_bars(p: np.ndarray, names: Sequence[str], height: int = 330, of: str | None = None) -> Figure:
    """Return the likeliest classes with their probabilities, the likeliest on top; `of` is what a class is called."""
    top = np.argsort(-p, kind="stable")[:CLASSES_DRAWN][::-1]
    figure = blank(height, "p")
    figure.add_trace(
        bar(
            x=p[top],
            y=[names[c] for c in top],
            orientation="h",
            marker_color=[BLUE if c == p.argmax() else GREY for c in top],
            hovertemplate="%{y}: %{x:.4f}<extra></extra>",
        )
    )
    figure.update_xaxes(range=[0, 1], tickformat=".0%")
    return figure.update_yaxes(type="category", title=of)


def strips(rows: dict[str, np.ndarray], height: int = 300) -> Figure:
    """Return rows of numbers one below the other, each in the shades of its own range, under what it is."""
    titles = tuple(f"{name}: {write_vector(vector)}" for name, vector in rows.items())
    figure = subplots(len(rows), 1, titles, vertical_spacing=0.16)
    figure.update_layout(blank(height).layout, margin={"t": 34})
    figure.update_annotations(font_size=16, x=0, xanchor="left")
    for row, vector in enumerate(rows.values(), start=1):
        widest = float(np.abs(vector).max()) or 1.0
        figure.add_trace(
            heatmap(
                z=vector[None],
                x=np.arange(1, len(vector) + 1),
                y=[""],
                colorscale=DIVERGING,
                zmin=-widest,
                zmax=widest,
                showscale=False,
                hovertemplate=WORDS.label("patches.number.hover") + "<extra></extra>",
            ),
            row,
            1,
        )
    write_axes(figure)
    return figure.update_yaxes(showticklabels=False, showgrid=False).update_xaxes(
        showgrid=False, showticklabels=False
    )


def write_vector(vector: np.ndarray) -> str:
    """Return a few numbers written out, and how many there are where there is no room for them.

    >>> write_vector(np.array([0.5, 1.0])), write_vector(np.zeros(48))
    ('0.50, 1.00', '48 numbers')
    """
    return (
        ", ".join(signed(value) for value in vector)
        if len(vector) <= WRITTEN_AT_MOST
        else WORDS.label("patches.numbers", n=len(vector))
    )


def positions_figure(similarity: np.ndarray, chosen: int | None = None, height: int = 420) -> Figure:
    """Return a small grid for each place, in its place: the cosine of its position with every other's."""
    N = len(similarity)
    across = round(N**0.5)
    cells = similarity.reshape(across, across, across, across)  # row, column of one; row, column of the other
    spaced = np.pad(cells, ((0, 0), (0, 0), (0, 1), (0, 1)), constant_values=np.nan)
    mosaic = spaced.transpose(0, 2, 1, 3).reshape(across * (across + 1), across * (across + 1))[:-1, :-1]
    furthest = float(
        np.abs(similarity - np.diag(np.diag(similarity))).max()
    )  # each with itself has 1, off this scale
    figure = blank(height)
    figure.add_trace(
        heatmap(
            z=[[None if np.isnan(value) else round(float(value), 4) for value in row] for row in mosaic],
            colorscale=DIVERGING,
            zmin=-furthest,
            zmax=furthest,
            colorbar={"title": {"text": WORDS.label("patches.cosine")}, "thickness": 12},
            hovertemplate=WORDS.label("patches.cosine.hover") + "<extra></extra>",
        )
    )
    if chosen is not None:
        r, c = (each * (across + 1) for each in divmod(chosen, across))
        ends = {"x0": c - 0.7, "x1": c + across - 0.3, "y0": r - 0.7, "y1": r + across - 0.3}
        figure.add_shape(type="rect", line={"color": VERMILLION, "width": 3}, **ends)
    hidden = {"showticklabels": False, "showgrid": False, "zeroline": False}
    figure.update_xaxes(**hidden, constrain="domain")
    return figure.update_yaxes(**hidden, autorange="reversed", scaleanchor="x", constrain="domain")


def drops_figure(board: PatchBoard, weights: np.ndarray, drops: np.ndarray, x: str) -> Figure:
    """Return each patch's attention against what hiding it takes from the probability; both (n,), in sight."""
    figure = blank(360, x, WORDS.label("patches.drop"))
    figure.add_trace(
        scatter(
            x=weights,
            y=drops,
            mode="markers",
            marker={"size": 11, "color": OCHRE},
            customdata=[board.name(place) for place in board.seen],
            hovertemplate="%{customdata}<br>" + WORDS.label("patches.drop.hover") + "<extra></extra>",
        )
    )
    return figure.update_xaxes(rangemode="tozero")


# Tables, with the formula of each cell.


def class_table(read: VisionTrace, names: Sequence[str]) -> tuple[pd.DataFrame, object]:
    """Return every class with its logit and probability, the likeliest first."""
    order = np.argsort(-read.logits.numpy(), kind="stable")
    logits, p = read.logits.double().numpy(), read.probabilities.numpy()
    heads = name_columns("class", "logit", "p")
    table = pd.DataFrame(dict(zip(heads, ([names[c] for c in order], logits[order], p[order]), strict=True)))
    total = float(np.exp(logits).sum())

    def formula(row: int, column: str) -> str | None:
        if column != heads[-1]:
            return None
        z = number(logits[order[row]])
        return rf"\frac{{e^{{z_i}}}}{{\sum_j e^{{z_j}}}} = \frac{{e^{{{z}}}}}{{{number(total)}}} = {number(p[order[row]])}"

    return table, formula


def patch_table(model: VisionTransformer, patch: np.ndarray, place: int, positions: bool):
    """Return the C numbers of one patch's token: W patch + b, its position, and their sum."""
    W, b = (each.numpy() for each in (model.patch_embedding.weight, model.patch_embedding.bias))
    projected = W @ patch + b
    position = model.position_embedding[place + 1].numpy() * positions
    names = name_columns("number", "projected", "position", "token")
    cells = (np.arange(1, len(b) + 1), projected, position, projected + position)
    table = pd.DataFrame(dict(zip(names, cells, strict=True)))

    def formula(row: int, column: str) -> str | None:
        if column == names[1]:
            product = dot_product(W[row], patch).rsplit(" = ", 1)[0]
            sign = "+" if b[row] >= 0 else "-"
            return rf"{made_by(type(model).tokens)}{product} {sign} {number(abs(b[row]))} = {number(projected[row])}"
        if column == names[-1]:
            sign = "+" if position[row] >= 0 else "-"
            total = number(projected[row] + position[row])
            return rf"{number(projected[row])} {sign} {number(abs(position[row]))} = {total}"
        return None

    return table, formula


def seen_table(board: PatchBoard, weights: np.ndarray, drops: np.ndarray) -> pd.DataFrame:
    """Return each patch in sight with its attention and what hiding it takes from the probability."""
    rows, columns = zip(*(divmod(place, board.across) for place in board.seen), strict=True)
    places = ([1 + each for each in part] for part in (board.seen, rows, columns))
    names = name_columns("patch", "row", "column", "attention", "drop")
    return pd.DataFrame(dict(zip(names, (*places, weights, drops), strict=True)))
