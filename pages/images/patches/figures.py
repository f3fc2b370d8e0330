"""What the story of the vision transformer draws: a picture in patches, a token's numbers, shares and classes as bars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.figures.blank import enlarge
from core.figures.figure import Figure, heatmap
from core.figures.images.patches import (
    CLASSES_DRAWN,
    PatchBoard,
    boards,
    patch_board,
    positions_figure,
    strips,
)
from core.figures.layer_bars import join_panels, make_panel, make_row
from core.figures.palette import VERMILLION
from core.words.numbers import percent
from pages.images.patches import LESSON

WORDS = LESSON.words
FREE = 0.34  # of a figure's width, for the picture at the left of its rows


def draw_boards(
    board: PatchBoard, *panels: tuple[str, np.ndarray | None], order: Sequence[int] | None = None
) -> dict:
    """Return the picture once for each panel: its title, and a number for each patch in sight or none.

    `order` says which patch stands at each place, where it is not its own.
    """
    drawn = [
        patch_board(title, None if values is None else board.over_places(values)) for title, values in panels
    ]
    stands = list(range(board.across**2)) if order is None else list(order)
    return boards(board, drawn, len(drawn)) | {"bare": True, "order": stands}


def draw_token(rows: Mapping[str, np.ndarray], patches: np.ndarray, place: int) -> Figure:
    """Return the numbers of one patch on their way to a token, row below row, large; at the left the patch is framed.

    The first row, of pixels, has a scale of its own; what is added has one with its sum. `patches` are (N, P).
    """
    figure = strips({WORDS.label(f"row.{key}"): row for key, row in rows.items()}, 520)
    widest = max(float(np.abs(row).max()) for row in list(rows.values())[1:])
    for trace in figure.data[1:]:
        trace.update(zmin=-widest, zmax=widest)
    figure.update_xaxes(domain=[FREE, 1]).update_annotations(x=FREE)
    N = len(patches)
    across = round(N**0.5)
    colours = np.rint(255 * np.clip(patches.reshape(N, 3, -1).mean(2), 0, 1)).astype(int)
    figure.add_trace(
        heatmap(
            z=np.arange(N).reshape(across, across),
            colorscale=[[i / (N - 1), f"rgb({r},{g},{b})"] for i, (r, g, b) in enumerate(colours.tolist())],
            zmin=0,
            zmax=N - 1,
            xgap=1,
            ygap=1,
            showscale=False,
            xaxis="x5",
            yaxis="y5",
        )
    )
    hidden = {"showticklabels": False, "showgrid": False, "zeroline": False, "constrain": "domain"}
    ends = [-0.5, across - 0.5]
    figure.update_layout(
        xaxis5={**hidden, "domain": [0, FREE - 0.04], "range": ends, "anchor": "y5"},
        yaxis5={**hidden, "domain": [0, 1], "range": ends[::-1], "anchor": "x5", "scaleanchor": "x5"},
    )
    row, column = divmod(place, across)
    box = {"x0": column - 0.5, "x1": column + 0.5, "y0": row - 0.5, "y1": row + 0.5}
    figure.add_shape(type="rect", xref="x5", yref="y5", line={"color": VERMILLION, "width": 4}, **box)
    return enlarge(figure)


def draw_positions(similarity: np.ndarray, framed: int) -> Figure:
    """Return for each place a small grid: the cosine of its position with every other's, large, one of them framed."""
    return enlarge(positions_figure(similarity, framed, 520).update_traces(showscale=False))


def draw_shares(title: str, shares: Mapping[str, float]) -> dict:
    """Return a bar for each way of reading the held-out pictures."""
    rows = [
        make_row(WORDS.label(f"row.{key}"), f"row.{key}", share, percent(share, 0), hue=hue)
        for (key, share), hue in zip(shares.items(), ("blue", "vermillion", "grey", "grey"), strict=True)
    ]
    return join_panels(make_panel(title, 1.25, rows))


def name_class(name: str) -> str:
    """Return what a class is called: a coloured shape by its words, a digit and no class as they stand.

    >>> name_class("purple diamond"), name_class("7"), name_class("")
    ('purple diamond', '7', '')
    """
    colour, _, shape = name.partition(" ")
    return WORDS.label("title.class", colour=colour, shape=shape) if shape else name


def draw_classes(title: str, p: np.ndarray, names: Sequence[str]) -> dict:
    """Return a bar for each of the likeliest classes."""
    top = np.argsort(-p, kind="stable")[:CLASSES_DRAWN]
    rows = [
        make_row(
            name_class(names[c]),
            f"class.{c}",
            float(p[c]),
            percent(float(p[c]), 0),
            kind="plain" if i else "best",
        )
        for i, c in enumerate(top)
    ]
    return join_panels(make_panel(title, 1.25, rows))
