"""The data of the view "shifted_text": the characters of a line, what each is predicted from, and their surprisal."""

from __future__ import annotations

import numpy as np

from core.figures.token_label import label_token
from pages.generation.shared import WORDS


def draw_line(line: str, surprisals: np.ndarray, name: str, at: int, sees: int | None = None) -> dict:
    """Return each character of a line that follows a line end, its bits, and their mean.

    At one position the context is lit that the model `name` sees there: `sees` characters, all of them without it.
    """
    read = "\n" + line
    columns = [
        {
            "x": label_token(read[t]),
            "y": label_token(line[t]),
            "loss": float(surprisals[t]),
            "number": f"{surprisals[t]:.1f}",
            "before": None,
        }
        for t in range(len(line))
    ]
    mean = float(surprisals.mean())
    return {
        "columns": columns,
        "at": at,
        "first": 0 if sees is None else max(0, at + 1 - sees),
        "mean": {"at": mean, "text": WORDS.label("line.mean", bits=mean)},
        "before": False,
        "arrows": True,
        "labels": {
            "x": WORDS.label("line.x", name=name),
            "y": WORDS.label("line.y"),
            "loss": WORDS.label("line.loss"),
            "before": "",
        },
    }
