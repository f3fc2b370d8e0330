"""Pictures of a text and its targets: the two rows with a loss in each column, the next character, what context gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from core.figures.figure import Figure
from core.figures.generation.characters import position_figure, worked_position
from core.figures.token_label import label_token
from core.models.generation.shifted_window import ContextWorth, ScoredWindow
from core.models.language_model import bits
from pages.generation.next_character import LESSON

WORDS = LESSON.words
SHOWN = 7  # characters with a bar of their own
REST = "rest"  # the key of the bar that all others share
COLUMNS = ("t", "context", "x", "y", "target", "p", "loss", "bits")


def format_share(p: float) -> str:
    """Return a probability in percent.

    >>> [format_share(p) for p in (0.514, 0.0132, 0.00012, 0.9993)]
    ['51%', '1.3%', '<0.1%', '>99%']
    """
    if p < 0.0005:
        return "<0.1%"
    return ">99%" if p >= 0.995 else f"{p:.0%}" if p >= 0.0995 else f"{p:.1%}"


def draw_window(
    scored: ScoredWindow,
    names: Sequence[str],
    at: int | None = None,
    known: int | None = None,
    losses: int | None = None,
    mean: bool = False,
    before: ScoredWindow | None = None,
    first: int = 0,
    arrows: bool = False,
) -> dict:
    """Return the data of the view "shifted_text".

    The first `known` targets are shown, all where it is None; the first `losses` have a bar, none where it is None.
    """
    T = len(scored.x)
    seen, bars = T if known is None else known, 0 if losses is None else losses
    columns = []
    for t in range(T):
        loss = float(-scored.log_probabilities[t])
        columns.append(
            {
                "x": label_token(names[scored.x[t]]) if t <= seen else None,
                "y": label_token(names[scored.y[t]]) if t < seen else None,
                "loss": loss if t < bars else None,
                "number": f"{loss:.1f}" if t < bars else "",
                "before": None if before is None else float(-before.log_probabilities[t]),
            }
        )
    return {
        "columns": columns,
        "at": at,
        "first": first,
        "mean": {"at": scored.loss, "text": WORDS.label("row.mean", loss=scored.loss)} if mean else None,
        "before": before is not None,
        "arrows": arrows,
        "labels": {key: WORDS.label(f"row.{key}") for key in ("x", "y", "loss", "before")},
    }


def draw_expected(ln_p: np.ndarray, names: Sequence[str], prompt: str, target: int | None = None) -> dict:
    """Return the data of the view "next_token": the most probable characters, the target in vermillion among them."""
    order = np.argsort(-ln_p, kind="stable")
    drawn = order[:SHOWN].tolist()
    if target is not None and target not in drawn:
        drawn.append(target)
    p = np.exp(ln_p)
    others = np.delete(p, drawn)
    rows = [
        draw_row(str(i), label_token(names[i]), float(p[i]), "vermillion" if i == target else "")
        for i in drawn
    ]
    rows.append(draw_row(REST, WORDS.label("row.others", n=len(others)), float(others.sum()), ""))
    panel = {"prompt": prompt, "note": "", "rows": rows, "line": None}
    return {"panels": [panel], "texts": [], "key": [], "stairs": False}


def draw_row(key: str, token: str, p: float, hue: str) -> dict:
    """Return one bar."""
    return {
        "key": key,
        "token": token,
        "p": p,
        "text": format_share(p),
        "before": None,
        "cut": False,
        "hue": hue,
        "share": 100,
    }


def draw_worth(worth: ContextWorth, at: int) -> Figure:
    """Return the mean loss by characters of context, with the position `at` (from 1) named in it."""
    figure = position_figure(worth.loss, worth.half_width)
    figure.update_xaxes(title=WORDS.label("axis.context"))
    figure.update_yaxes(title=WORDS.label("axis.loss"))
    for place in (1, at, len(worth.loss)):
        loss = float(worth.loss[place - 1])
        figure.add_annotation(
            x=place,
            y=loss,
            text=WORDS.label("worth.point", n=place, loss=loss),
            showarrow=True,
            ay=-46,
            ax=30 if place < len(worth.loss) else -30,
            font={"size": 16},
        )
    return figure


# The lab.


def window_table(
    scored: ScoredWindow, names: Sequence[str], forgetful: bool
) -> tuple[pd.DataFrame, Callable[[int, str], str | None]]:
    """Return every position's row: the context that was seen, target, their numbers, p, -ln p and bits."""
    read = [label_token(names[i]) for i in scored.x]
    labels = {column: WORDS.label(f"column.{column}") for column in COLUMNS}
    ids = {label: column for column, label in labels.items()}
    columns = {
        "t": range(1, len(read) + 1),
        "context": read if forgetful else ["".join(read[: t + 1]) for t in range(len(read))],
        "x": scored.x,
        "y": scored.y,
        "target": [label_token(names[i]) for i in scored.y],
        "p": np.exp(scored.log_probabilities),
        "loss": -scored.log_probabilities,
        "bits": bits(scored.log_probabilities),
    }

    def formula(row: int, column: str) -> str | None:
        return worked_position(scored, names, row, ids[column], forgetful)

    return pd.DataFrame({labels[name]: values for name, values in columns.items()}), formula
