r"""GIFT, the text format of Moodle's: numbers with tolerance and choices, with feedback on every answer.

Outside a command each of ~ = # { } : is written with a backslash, and a backslash is doubled: \nabla would begin a
line. GIFT has no tables, so each blank is a question of its own.
"""

from __future__ import annotations

from html import escape

from core.exercises.exercise import SHARED, Exercise
from core.exercises.maker import CELLS, CHOICE, Value
from core.exercises.markup import (
    cell_name,
    data_address,
    decimal,
    feedback_html,
    html_of,
    question_html,
    right_html,
    table_html,
    title_of,
)
from core.exercises.worksheet import Worksheet

SPECIAL = str.maketrans({each: f"\\{each}" for each in "\\~=#{}:"})


def write_gift(sheet: Worksheet) -> str:
    """Return all variants of a sheet in GIFT."""
    parts = []
    for number, group in enumerate(sheet.groups, 1):
        name = f"{number:02} {group[0].title}".replace("/", "//")
        parts.append(f"$CATEGORY: $course$/top/Attend {sheet.version}.{sheet.seed}/{name}")
        for variant, exercise in zip(sheet.variants, group, strict=True):
            parts += questions(exercise, title_of(exercise, number, variant.letter, sheet.seed))
    return "\n\n".join(parts) + "\n"


def guard(text: str) -> str:
    r"""Return a text of one line in which nothing is a command.

    >>> print(guard("{a} = 1:\n\\nabla"))
    \{a\} \= 1\: \\nabla
    """
    return " ".join(text.translate(SPECIAL).split())


def guard_html(html: str) -> str:
    r"""Return HTML in which nothing is a command; braces and backslashes are entities, for readers that know no other way.

    >>> print(guard_html(r"<b>\nabla{}</b>"))
    <b>&\#92;nabla&\#123;&\#125;</b>
    """
    return guard(html.replace("\\", "&#92;").replace("{", "&#123;").replace("}", "&#125;"))


def questions(exercise: Exercise, title: str) -> list[str]:
    """Return an exercise as its questions: one, or one for each blank of a table."""
    shown = question_html(exercise, data_address(exercise.draw.picture))
    if exercise.draw.kind == CELLS:
        return [cell_question(exercise, title, shown, cell) for cell in range(len(exercise.draw.answer))]
    options = exercise.options if exercise.draw.kind == CHOICE else ("answer", *exercise.draw.mistakes)
    answers = {option: exercise.value_of(option) for option in options}
    return [question(exercise, title, shown, answers)]


def cell_question(exercise: Exercise, title: str, shown: str, cell: int) -> str:
    """Return the question about one blank; the table around it is empty."""
    name = cell_name(exercise.table, cell)
    asked = escape(SHARED.label("fill", cell=name))
    text = f"{shown}{table_html(exercise.table, lambda k: '?' if k == cell else '')}<p>{asked}</p>"
    answers = {"answer": exercise.draw.answer[cell], **exercise.wrong_cells(cell)}
    return question(exercise, SHARED.label("part", title=title, cell=name), text, answers)


def question(exercise: Exercise, title: str, shown: str, answers: dict[str, Value]) -> str:
    """Return one question with its answers and the solution."""
    numeric = not isinstance(answers["answer"], str)
    lines = [write_answer(exercise, option, value, numeric) for option, value in answers.items()]
    solution = guard_html(html_of(exercise.solution))
    return (
        f"::{guard(title)}::[html]{guard_html(shown)}{{{'#' if numeric else ''}\n"
        + "\n".join(lines)
        + f"\n####[html]{solution}}}"
    )


def write_answer(exercise: Exercise, option: str, value: Value, numeric: bool) -> str:
    """Return one answer: its sign or share, its value, and its feedback."""
    right = option == "answer"
    said = right_html() if right else feedback_html(exercise, option)
    if numeric:
        text = (
            f"{decimal(value, exercise.draw.digits)}:{decimal(exercise.draw.tolerance, exercise.draw.digits)}"
        )
        return f"={'' if right else '%0%'}{text}#{guard_html(said)}"
    in_menu = exercise.draw.kind == CHOICE
    text = guard_html(escape(exercise.label(value))) if in_menu else guard(value)
    sign = "=" if right else "~" if in_menu else "=%0%"
    return f"{sign}{text}#{guard_html(said)}"
