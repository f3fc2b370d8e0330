"""An encoder-decoder with attention as stories draw it (view "machine").

The input words are at the left, the output words at the right, a row each, and lines of attention between their states.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from core.figures.machine import arrow, machine, node

Say = Callable[..., str]  # a label by its key
Link = tuple[int, int, float, str]  # input, output, thickness from 0 to 1, hue
LOOKED, WRITTEN = "blue", "ochre"  # the input word with the largest weight, and the word that is written
TOP, FILLED, LEAST_ROWS = 7, 0.72, 7  # per cent above the rows; a box's share of its row
WIDE = {"in": (0, 17), "enc": (19, 10), "dec": (61, 9), "out": (74, 19)}  # x and width in per cent
NARROW = {"in": (0, 25), "enc": (27, 14), "dec": (60, 9), "out": (72, 28)}
WIDE_TWO = WIDE | {"dec": (52, 8), "out": (62, 18), "was": (82, 18)}  # with a second column of output words
NARROW_TWO = {"in": (0, 24), "enc": (25, 13), "dec": (49, 7), "out": (57, 22), "was": (80, 20)}
HEADS = {"encoder": ("in", "enc"), "decoder": ("dec", "out"), "was": ("was", "was")}
BETWEEN = (31, 0, 28, 5.5)  # where "attention" stands in a wide room


def weight_said(weight: float) -> str:
    """Return a weight as it stands in a box; one that is almost 0 is left out, and none that is below 1 is said to be 1.

    >>> weight_said(0.9996), weight_said(0.786), weight_said(0.004), weight_said(1.0)
    ('>0.99', '0.79', '', '1.00')
    """
    return "" if weight < 0.005 else ">0.99" if 0.995 <= weight < 1 - 1e-9 else f"{weight:.2f}"


def draw_columns(
    say: Say,
    inputs: Sequence[str],
    outputs: Sequence[str | None],
    links: Sequence[Link],
    weights: Sequence[float] | None = None,
    hues: Mapping[str, str] | None = None,
    first: int = 0,
    was: Sequence[str | None] | None = None,
) -> dict:
    """Return both columns with the states between them; `hues` are by key, such as in.3 or out.0.

    `weights` stand in the encoder's boxes, the number of its step in each of the decoder's, from `first`; `was` is a
    second column of output words. None leaves a row empty.
    """
    hues, n = hues or {}, max(len(inputs), len(outputs), len(was or ()), LEAST_ROWS)
    wide, narrow = (WIDE, NARROW) if was is None else (WIDE_TWO, NARROW_TWO)

    def placed(key: str, kind: str, i: int, title: str, **more: str) -> dict:
        """Return what stands in row i of a column."""
        pitch = (100 - TOP) / n
        y, height = TOP + pitch * (i + (1 - FILLED) / 2), pitch * FILLED
        at = ((x, y, width, height) for x, width in (wide[key], narrow[key]))
        return node(f"{key}.{i}", kind, *at, title=title, hue=hues.get(f"{key}.{i}", ""), **more)

    heads = {name: columns for name, columns in HEADS.items() if columns[0] in wide}
    nodes = [
        node(
            f"head.{name}",
            "text",
            *(headed(each, columns) for each in (wide, narrow)),
            title=say(f"head.{name}"),
        )
        for name, columns in heads.items()
    ]
    if was is None:
        nodes.append(node("head.attention", "text", BETWEEN, None, title=say("head.attention")))
    for s, word in enumerate(inputs):
        nodes.append(placed("in", "token", s, word))
        nodes.append(placed("enc", "box", s, weight_said(float(weights[s])) if weights is not None else ""))
    steps = [t for t, word in enumerate(outputs) if word is not None]
    for i, t in enumerate(steps):
        nodes.append(placed("dec", "box", t, f"{first + i + 1}"))
        nodes.append(placed("out", "token", t, outputs[t], state="" if outputs[t] != "?" else "open"))
    nodes += [placed("was", "token", t, word) for t, word in enumerate(was or ()) if word is not None]
    arrows = [arrow(f"in.{s}", f"enc.{s}") for s in range(len(inputs))]
    arrows += [arrow(f"enc.{s}", f"enc.{s + 1}", "away") for s in range(len(inputs) - 1)]
    arrows += [arrow(f"dec.{t}", f"out.{t}") for t in steps]
    arrows += [arrow(f"dec.{t}", f"dec.{u}") for t, u in pairwise(steps)]
    arrows += [arrow(f"enc.{s}", f"dec.{t}", hue=hue, weight=weight) for s, t, weight, hue in links]
    return machine(nodes, arrows)


def headed(room: Mapping[str, tuple[float, float]], columns: tuple[str, str]) -> tuple[float, ...]:
    """Return the place of a heading over columns."""
    (x, _), (last, width) = (room[column] for column in columns)
    return (x, 0, last + width - x, 5.5)
