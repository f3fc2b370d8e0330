"""Two translations step by step beside each other, as a table, and the formula of a word's probability in it."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from core.figures.translation.decoder_step import decoder_step, worked_output
from core.models.translation.translate import Translated
from core.models.translation.what_if import aligned_places

SIDES = ("before", "after")


def compared_steps(before: Translated, after: Translated) -> pd.DataFrame:
    """Return a row for each place: both words, their probabilities, and where each step looks most.

    A row holds what stands in the same place: a word that one of them has more moves nothing else.
    """
    rows = aligned_places(before.outputs, after.outputs)
    columns = {}
    for side, (name, made) in enumerate(zip(SIDES, (before, after), strict=True)):
        columns |= _columns(made, name, [row[side] for row in rows])
    return pd.DataFrame(columns)


def _columns(made: Translated, name: str, steps: Sequence[int | None]) -> dict[str, list]:
    """Return the columns of one translation, a row for each of `steps`; None is an empty row."""
    p = made.translation.steps.probabilities[0].numpy()
    heaviest = made.weights.argmax(1)

    def column(value) -> list:
        return [None if t is None else value(t) for t in steps]

    return {
        f"step {name}": column(lambda t: t + 1),
        name: column(lambda t: made.outputs[t]),
        f"p {name}": column(lambda t: float(p[t, made.translation.words[t]])),
        f"looks at {name}": column(lambda t: made.input_names[heaviest[t]]),
        f"weight {name}": column(lambda t: float(made.weights[t, heaviest[t]])),
    }


def worked_probability(before: Translated, after: Translated, row: int, column: str) -> str | None:
    """Return the formula of the probability in a cell of `compared_steps`; None for a cell that has none."""
    name = column.removeprefix("p ")
    if name == column or name not in SIDES:
        return None
    side = SIDES.index(name)
    made, step = (before, after)[side], aligned_places(before.outputs, after.outputs)[row][side]
    if step is None:
        return None
    return worked_output(
        decoder_step(made.translation, step), made.translation.words[step], made.outputs[step]
    )
