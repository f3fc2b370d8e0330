"""Every score and weight of all decoder steps as a table, each with its formula filled in."""

from __future__ import annotations

import pandas as pd

from core.figures.translation.decoder_step import decoder_step, worked_score, worked_weight
from core.lesson.every_number import Formula
from core.lesson.lesson import Lesson
from core.models.translation.translate import Translated
from pages.translation.shared import WORDS


def step_table(lesson: Lesson, made: Translated, steps: int | None = None) -> None:
    """Show every score and weight of all steps, or of the first so many, under "Every number", with its formula."""
    lesson.every_number(WORDS.label("table.attention"), _steps, made, steps)


def _steps(made: Translated, steps: int | None) -> tuple[pd.DataFrame, Formula]:
    """Return the table of the first so many steps, and the formula of its cells."""
    scores, weights = made.translation.steps.scores[0].numpy()[:steps], made.weights[:steps]
    outputs, inputs = made.outputs[:steps], made.input_names
    cells = [(t, s) for t in range(len(outputs)) for s in range(len(inputs))]
    step, from_, to, score, weight = (
        WORDS.label(f"column.{key}") for key in ("step", "from", "to", "score", "weight")
    )
    table = pd.DataFrame(
        {
            step: [t + 1 for t, _ in cells],
            from_: [outputs[t] for t, _ in cells],
            to: [inputs[s] for _, s in cells],
            score: scores.flatten().astype(float),
            weight: weights.flatten().astype(float),
        }
    )

    def formula(row: int, column: str) -> str | None:
        """Fill in a score or a weight."""
        t, s = cells[row]
        numbers = decoder_step(made.translation, t)
        if column == score:
            return worked_score(made.translator.model, numbers, s, t)
        return worked_weight(numbers, s, t) if column == weight else None

    return table, formula
