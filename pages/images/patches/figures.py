"""What the story of the vision transformer draws: a picture in patches, a token's numbers, shares and classes as bars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.figures.blank import enlarge
from core.figures.figure import Figure
from core.figures.images.patches import CLASSES_DRAWN, Board, boards, panel, positions_figure, strips
from core.figures.layer_bars import join_panels, make_panel, make_row
from core.figures.worked import percent
from pages.images.patches import LESSON

WORDS = LESSON.words


def draw_boards(
    board: Board, *panels: tuple[str, np.ndarray | None], order: Sequence[int] | None = None
) -> dict:
    """Return the picture once for each panel: its title, and a number for each patch in sight or none.

    `order` says which patch stands at each place, where it is not its own.
    """
    drawn = [panel(title, None if values is None else board.over_places(values)) for title, values in panels]
    stands = list(range(board.across**2)) if order is None else list(order)
    return boards(board, drawn, len(drawn)) | {"bare": True, "order": stands}


def draw_token(rows: Mapping[str, np.ndarray]) -> Figure:
    """Return the numbers of one patch on their way to a token, row below row, large."""
    return enlarge(strips({WORDS.label(f"row.{key}"): row for key, row in rows.items()}, 520))


def draw_positions(similarity: np.ndarray) -> Figure:
    """Return for each place a small grid: the cosine of its position with every other's, large."""
    return enlarge(positions_figure(similarity, height=520).update_traces(showscale=False))


def draw_shares(title: str, shares: Mapping[str, float]) -> dict:
    """Return a bar for each way of reading the held-out pictures."""
    rows = [
        make_row(WORDS.label(f"row.{key}"), f"row.{key}", share, percent(share, 0), hue=hue)
        for (key, share), hue in zip(shares.items(), ("blue", "vermillion", "grey", "grey"), strict=True)
    ]
    return join_panels(make_panel(title, 1.25, rows))


def draw_classes(title: str, p: np.ndarray, names: Sequence[str]) -> dict:
    """Return a bar for each of the likeliest classes."""
    top = np.argsort(-p, kind="stable")[:CLASSES_DRAWN]
    rows = [
        make_row(names[c], f"class.{c}", float(p[c]), percent(float(p[c]), 0), kind="plain" if i else "best")
        for i, c in enumerate(top)
    ]
    return join_panels(make_panel(title, 1.25, rows))
