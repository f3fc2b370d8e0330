"""CSV: a line for each question of each variant, or for each blank of a table."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping

from core.exercises.exercise import Exercise
from core.exercises.maker import CELLS, CHOICE
from core.exercises.markup import cell_name, decimal
from core.exercises.worksheet import Worksheet
from core.words.plain import disarm_cell

MISTAKES_AT_MOST = 4
FIELDS = (
    "version",
    "seed",
    "variant",
    "number",
    "lesson",
    "maker",
    "difficulty",
    "kind",
    "title",
    "question",
    "cell",
)
ANSWERS = ("answer", "tolerance", "options", "solution")


def write_csv(sheet: Worksheet) -> str:
    """Return all variants of a sheet as CSV, with a line of names."""
    text = io.StringIO()
    wrong = [
        f"{name}_{at}" for at in range(1, MISTAKES_AT_MOST + 1) for name in ("mistake", "value", "feedback")
    ]
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow((*FIELDS, *ANSWERS, *wrong))
    for variant in sheet.variants:
        for number, exercise in enumerate(variant.exercises, 1):
            for line in lines_of(exercise):
                writer.writerow((sheet.version, guard(sheet.seed), variant.letter, number, *line))
    return text.getvalue()


def guard(text: object) -> object:
    """Return a text that no spreadsheet takes for a formula; a number stays as it is.

    >>> guard("=1+1"), guard("-0.5"), guard("cold")
    ("'=1+1", '-0.5', 'cold')
    """
    try:
        float(text)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return disarm_cell(text)
    return text


def lines_of(exercise: Exercise) -> Iterator[list[object]]:
    """Yield what the lines of an exercise hold, from the lesson on."""
    draw = exercise.draw
    if draw.kind != CELLS:
        yield line_of(exercise, "", draw.answer, draw.mistakes)
        return
    for cell, answer in enumerate(draw.answer):
        yield line_of(exercise, cell_name(exercise.table, cell), answer, exercise.wrong_cells(cell))


def line_of(exercise: Exercise, cell: str, answer: object, wrong: Mapping[str, object]) -> list[object]:
    """Return what one line holds, from the lesson on."""
    draw, maker = exercise.draw, exercise.maker
    question = f"{exercise.question}\n\n{exercise.form}"
    options = " | ".join(exercise.labels) if draw.kind == CHOICE else ""
    line = [maker.lesson, maker.name, exercise.difficulty, draw.kind, exercise.title, question, cell]
    line += [write_value(exercise, answer), decimal(draw.tolerance, draw.digits), options, exercise.solution]
    for name, value in wrong.items():
        line += [exercise.mistake_name(name), write_value(exercise, value), exercise.feedback(name)]
    return [guard(each) for each in line]


def write_value(exercise: Exercise, value: object) -> str:
    """Return an answer as a machine reads it: a number with a point and a hyphen as its sign."""
    return exercise.label(value) if isinstance(value, str) else decimal(value, exercise.draw.digits)
