"""The payload of the browser view "attention": weights of one or more heads as a heatmap linked to lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from core.figures import WORDS
from core.figures.packed import packed
from core.figures.palette import CATEGORIES


def attention_view(
    weights: np.ndarray | Mapping[str, np.ndarray],
    outputs: Sequence[str],
    inputs: Sequence[str],
    gold: Iterable[tuple[int, int]] = (),
    from_label: str = "",
    to_label: str = "",
    pinned: tuple[int, int] | None = None,
    file: str = "attention",
    colours: Sequence[str] = CATEGORIES,
    marked: Iterable[tuple[int, int]] = (),
) -> dict:
    """Return the data of the view "attention": rows are outputs, columns are inputs.

    `weights` is (T, S), or several such by the name of their head; nan is masked and stays blank. `gold`
    holds links (output, input), drawn as outlines on request; `marked` cells are always outlined; `file` names
    what is saved. Raises ValueError when a shape does not fit the words.

    >>> import base64
    >>> data = attention_view(np.array([[0.9, 0.1]]), ["chat"], ["cat", "."], gold={(0, 0)})
    >>> np.frombuffer(base64.b64decode(data["heads"][0]["weights"]), np.float32).round(2).tolist()
    [0.8999..., 0.1000...]
    >>> data["gold"]
    [[0, 0]]
    """
    by_head = weights if isinstance(weights, Mapping) else {WORDS.label("alignment.attention"): weights}
    for name, matrix in by_head.items():
        if np.shape(matrix) != (len(outputs), len(inputs)):
            raise ValueError(
                f"The weights of {name} are {np.shape(matrix)}, not {len(outputs)} outputs by {len(inputs)} inputs."
            )
    heads = [
        {"name": name, "colour": colours[i % len(colours)], "weights": packed(matrix)}
        for i, (name, matrix) in enumerate(by_head.items())
    ]
    return {
        "heads": heads,
        "outputs": list(outputs),
        "inputs": list(inputs),
        "gold": sorted([int(t), int(s)] for t, s in gold),
        "from": from_label or WORDS.label("alignment.from"),
        "to": to_label or WORDS.label("alignment.to"),
        "marked": [[int(t), int(s)] for t, s in marked],
        "pinned": None if pinned is None else [int(i) for i in pinned],
        "file": file,
    }
