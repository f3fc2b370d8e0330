"""The HTML that all exports share: texts with formulas as MathML, tables with something in each blank, lattices."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable
from functools import lru_cache
from html import escape, unescape

from core.exercises.exercise import SHARED, Exercise
from core.exercises.maker import Table, write
from core.words.markdown import render_html

NODE_WIDTH, NODE_HEIGHT, COLUMN, ROW, LEFT, TOP = 84, 34, 150, 64, 70, 30
SPACE = re.compile(r"\s+")
ENTITY = re.compile(r"&#x0*[0-9A-Fa-f]+;")


def shown_entity(found: re.Match) -> str:
    """Return the character of an entity, unless HTML has to escape it."""
    character = unescape(found[0])
    return found[0] if character in "<>&" else character


@lru_cache(10_000)
def html_of(markdown: str) -> str:
    """Return a text as HTML in one line; a formula is MathML, which browsers draw and no editor has to know.

    >>> html_of("A *sum* of $n + 1$ terms")[:30]
    '<p>A <em>sum</em> of <span cla'
    """
    html = ENTITY.sub(shown_entity, render_html(markdown))
    return SPACE.sub(" ", html).replace("> <", "><").strip()


def table_html(table: Table, blank: Callable[[int], str]) -> str:
    """Return a table as HTML; `blank(k)` is what stands in the k-th place to be filled in."""
    places = {place: k for k, place in enumerate(table.blanks)}
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in table.columns)
    rows = []
    for i, name in enumerate(table.rows):
        cells = [
            blank(places[i, j]) if entry is None else escape(write(entry))
            for j, entry in enumerate(table.entries[i])
        ]
        rows.append(
            f'<tr><th scope="row">{escape(name)}</th>{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>'
        )
    top = f"<thead><tr><th>{escape(table.corner)}</th>{head}</tr></thead>"
    return f'<table border="1">{top}<tbody>{"".join(rows)}</tbody></table>'


def lattice_svg(table: Table, texts: Callable[[int], str]) -> str:
    """Return a lattice as SVG: nodes to write in, and lines from every node to the next column's."""
    places = {place: k for k, place in enumerate(table.blanks)}
    width = LEFT + COLUMN * (len(table.columns) - 1) + NODE_WIDTH + 4
    height = TOP + ROW * len(table.rows)

    def middle(i: int, j: int) -> tuple[int, int]:
        return LEFT + COLUMN * j + NODE_WIDTH // 2, TOP + ROW * i + ROW // 2

    parts = []
    for j in range(len(table.columns) - 1):
        for i in range(len(table.rows)):
            for k in range(len(table.rows)):
                (x, y), (u, v) = middle(i, j), middle(k, j + 1)
                parts.append(
                    f'<path d="M{x + NODE_WIDTH // 2} {y}L{u - NODE_WIDTH // 2} {v}" stroke="#999"/>'
                )
    for j, name in enumerate(table.columns):
        parts.append(f'<text x="{middle(0, j)[0]}" y="18" text-anchor="middle">{escape(name)}</text>')
    for i, name in enumerate(table.rows):
        parts.append(f'<text x="0" y="{middle(i, 0)[1] + 5}">{escape(name)}</text>')
        for j, entry in enumerate(table.entries[i]):
            x, y = middle(i, j)
            text = texts(places[i, j]) if entry is None else escape(write(entry))
            box = f'x="{x - NODE_WIDTH // 2}" y="{y - NODE_HEIGHT // 2}" width="{NODE_WIDTH}" height="{NODE_HEIGHT}" rx="8"'
            parts.append(
                f'<rect {box} fill="#fff" stroke="#333"/><text x="{x}" y="{y + 5}" text-anchor="middle">{text}</text>'
            )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="sans-serif" font-size="14" role="img" '
        f'aria-label="{escape(lattice_alt(table))}">{"".join(parts)}</svg>'
    )


def lattice_alt(table: Table) -> str:
    """Return what a lattice shows, in words."""
    return SHARED.label("lattice", rows=table.rows, columns=table.columns)


def data_address(svg: str) -> str:
    """Return a picture as an address that holds it."""
    return f"data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}"


def picture_tag(svg: str, alt: str) -> str:
    """Return a picture as HTML, with what it shows in words."""
    return f'<img src="{data_address(svg)}" alt="{escape(alt)}" style="max-width: 100%">'


def cell_name(table: Table, k: int) -> str:
    """Return the name of the k-th blank, row and column.

    >>> cell_name(Table(("hot", "cold"), ("day 1",), ((None,), (None,))), 1)
    'cold, day 1'
    """
    i, j = table.blanks[k]
    return f"{table.rows[i]}, {table.columns[j]}"


def decimal(value: float, digits: int) -> str:
    """Return a number for a machine: enough digits for the tolerance, never a power of ten.

    >>> decimal(0.1 + 0.2, 3), decimal(-2.0, 3), decimal(12, 3), decimal(-0.00000001, 3)
    ('0.3', '-2', '12', '0')
    """
    if isinstance(value, int):
        return str(value)
    text = f"{value:.{digits + 3}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def feedback_html(exercise: Exercise, mistake: str) -> str:
    """Return what is said to a mistake, its name first."""
    return f"<p><strong>{escape(exercise.mistake_name(mistake))}</strong></p>{html_of(exercise.feedback(mistake))}"


def right_html() -> str:
    """Return what is said to a right answer."""
    return f"<p>{escape(SHARED.label('right'))}</p>"


def question_html(exercise: Exercise, picture: str = "") -> str:
    """Return a question with how to write its answer; `picture` is the address of its picture."""
    shown = f'<p><img src="{picture}" alt="{escape(exercise.alt)}"></p>' if exercise.draw.picture else ""
    return f"{html_of(exercise.question)}{shown}<p>{escape(exercise.form)}</p>"


def title_of(exercise: Exercise, number: int, letter: str, seed: str) -> str:
    """Return what a question is called in a question bank.

    The number comes first, so that a bank sorts by it.
    """
    return f"{number:02} {exercise.title} ({seed}{letter})"
