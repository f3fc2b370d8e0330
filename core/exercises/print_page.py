"""A sheet, or its key, as one HTML page that the browser prints: A4 or Letter, a page break before every variant."""

from __future__ import annotations

from functools import cache
from html import escape
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from core.exercises.exercise import SHARED, Exercise
from core.exercises.maker import CELLS, CHOICE
from core.exercises.markup import cell_name, html_of, lattice_svg, table_html
from core.exercises.worksheet import Worksheet

PAPERS = ("A4", "Letter")
CELLS_SHOWN = 2  # of a mistake


@cache
def page_template():
    """Return the template of the page; what Python passes is escaped unless it is Markup."""
    made = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return made.get_template("print.html")


def print_sheet(sheet: Worksheet, paper: str = "A4", key: bool = False) -> str:
    """Return all variants to be printed, or with `key` what is right in each. Raises ValueError for another paper."""
    if paper not in PAPERS:
        raise ValueError(f"Paper is {' or '.join(PAPERS)}, not {paper}.")
    variants = [
        {
            "name": SHARED.label("variant", letter=variant.letter),
            "exercises": [
                {"title": each.title, "body": Markup(solved(each) if key else asked(each))}
                for each in variant.exercises
            ],
        }
        for variant in sheet.variants
    ]
    return page_template().render(
        title=SHARED.label("key" if key else "sheet"),
        made=SHARED.label("made", seed=sheet.seed, version=sheet.version, text=sheet.text),
        paper=paper,
        key=key,
        variants=variants,
        labels={name: SHARED.label(name) for name in ("name", "date", "source")},
    )


def asked(exercise: Exercise) -> str:
    """Return a question with room for its answer."""
    draw = exercise.draw
    parts = [html_of(exercise.question), picture_html(exercise), f"<p>{escape(exercise.form)}</p>"]
    if draw.kind == CELLS:
        parts.append(empty_table(exercise))
    elif draw.kind == CHOICE:
        options = "".join(f"<li>{escape(label)}</li>" for label in exercise.labels)
        parts.append(f'<ol class="options">{options}</ol>')
    else:
        parts.append(
            f'<div class="room"></div><div class="answer">{escape(SHARED.label("answer"))}<span></span></div>'
        )
    return "".join(parts)


def empty_table(exercise: Exercise) -> str:
    """Return the table or the lattice to be filled in."""
    table = exercise.table
    if table.is_lattice:
        return lattice_svg(table, lambda cell: "")
    return f'<div class="blank">{table_html(table, lambda cell: "")}</div>'


def picture_html(exercise: Exercise) -> str:
    """Return the picture of a question, as it is."""
    return f"<p>{exercise.draw.picture}</p>" if exercise.draw.picture else ""


def solved(exercise: Exercise) -> str:
    """Return the key of a question: the answer, the solution, and what each wrong answer shows."""
    parts = [
        answer_html(exercise),
        f"<h3>{escape(SHARED.label('solution'))}</h3>",
        html_of(exercise.solution),
    ]
    parts.append(f"<h3>{escape(SHARED.label('mistakes'))}</h3><dl>")
    for name in exercise.draw.mistakes:
        parts.append(
            f"<dt>{escape(show_mistake(exercise, name))}</dt><dd>{escape(exercise.mistake_name(name))}.</dd>"
        )
    return "".join([*parts, "</dl>"])


def show_mistake(exercise: Exercise, mistake: str) -> str:
    """Return by what a mistake is known: its value, or of a table its first wrong cells."""
    wrong = exercise.draw.mistakes[mistake]
    if not isinstance(wrong, tuple):
        return exercise.label(wrong)
    cells = [cell for cell, right in enumerate(exercise.right_cells(wrong)) if not right][:CELLS_SHOWN]
    return "; ".join(f"{cell_name(exercise.table, cell)}: {exercise.label(wrong[cell])}" for cell in cells)


def answer_html(exercise: Exercise) -> str:
    """Return the right answer."""
    draw = exercise.draw
    if draw.kind == CELLS:
        return table_html(exercise.table, lambda cell: escape(exercise.label(draw.answer[cell])))
    shown = exercise.label(draw.answer)
    if draw.tolerance:
        tolerance = f"{draw.tolerance:.{draw.digits}f}"
        shown = SHARED.label("within", value=shown, tolerance=tolerance)
    return f"<p><strong>{escape(shown)}</strong></p>"
