"""What each part of a GPT adds to the stream: pictures and sentences of the vectors' lengths."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.figures.blank import blank
from core.figures.figure import Figure, bar, heatmap
from core.figures.palette import BLUE, OCHRE, SEQUENTIAL
from core.figures.worked import percent

KINDS = ("attention", "feed-forward")


def part_names(layers: int) -> list[str]:
    """Return what the parts that add to the stream are called, block after block.

    >>> part_names(1)
    ["block 1's attention", "block 1's feed-forward"]
    """
    return [f"block {block + 1}'s {kind}" for block in range(layers) for kind in KINDS]


def added_figure(lengths: np.ndarray, height: int = 260) -> Figure:
    """Return the lengths (L, 2) of what attention and the feed-forward networks add at one token, as pairs of bars."""
    figure = blank(height, y="length of what is added")
    blocks = [f"block {block + 1}" for block in range(len(lengths))]
    for kind, values, colour in zip(KINDS, lengths.T, (BLUE, OCHRE), strict=True):
        hover = "%{x}, " + kind + ": %{y:.2f}<extra></extra>"
        figure.add_trace(bar(x=blocks, y=values, name=kind, marker_color=colour, hovertemplate=hover))
    figure.update_layout(barmode="group", bargap=0.3)
    return figure


def grid_of_lengths(lengths: np.ndarray) -> Figure:
    """Return the lengths (L, 2, T) as one still heat map: a row a part, the first on top, a column a token."""
    figure = blank(300, "token", "part")
    rows = lengths.reshape(-1, lengths.shape[-1])
    figure.add_trace(
        heatmap(z=rows, colorscale=SEQUENTIAL, zmin=0, showscale=False, hoverinfo="skip", xgap=2, ygap=2)
    )
    figure.update_yaxes(autorange="reversed", showgrid=False, zeroline=False)
    figure.update_xaxes(showgrid=False, zeroline=False)
    return figure


def longest_said(lengths: np.ndarray, name: str, place: int) -> str:
    """Say which part adds the longest vector at a token, and which the shortest; `lengths` are (L, 2).

    >>> longest_said(np.array([[1.0, 4.0]]), "cat", 2)
    "At “cat” (token 3) block 1's feed-forward adds the longest vector (4.00), block 1's attention the shortest (1.00)."
    """
    flat, names = lengths.ravel(), part_names(len(lengths))
    most, least = int(flat.argmax()), int(flat.argmin())
    shortest = f"the shortest ({flat[least]:,.2f})" if flat[least] else "none"  # as what is left out does
    return (
        f"At “{name}” (token {place + 1}) {names[most]} adds the longest vector ({flat[most]:,.2f}), "
        f"{names[least]} {shortest}."
    )


def likeliest_said(p: np.ndarray, vocabulary: Sequence[str]) -> str:
    """Say which token is the likeliest to come next.

    >>> likeliest_said(np.array([0.75, 0.25]), ["a", "b"])
    'The likeliest next token of 2 is “a” (75.0%).'
    """
    top = int(p.argmax())
    return f"The likeliest next token of {len(p):,} is “{vocabulary[top]}” ({percent(float(p[top]))})."


def moved_said(before: np.ndarray, after: np.ndarray, vocabulary: Sequence[str], missing: str) -> str:
    """Say how much of the next token's probability has moved without a part, and what is the likeliest now.

    >>> moved_said(np.array([0.75, 0.25]), np.array([0.5, 0.5]), ["a", "b"], "it")
    'Without it 25.0% of the probability is elsewhere: “a” is still the likeliest (75.0%, now 50.0%).'
    """
    moved = float(np.abs(before - after).sum() / 2)
    was, now = int(before.argmax()), int(after.argmax())
    if moved < 1e-6:
        return f"Without {missing} nothing of the probability moves here."
    said = f"Without {missing} {percent(moved)} of the probability is elsewhere: "
    then, whole, broken = (percent(float(p)) for p in (before[was], after[was], after[now]))
    if was == now:
        return f"{said}“{vocabulary[now]}” is still the likeliest ({then}, now {broken})."
    return f"{said}not “{vocabulary[was]}” (was {then}, now {whole}) but “{vocabulary[now]}” is the likeliest ({broken})."
