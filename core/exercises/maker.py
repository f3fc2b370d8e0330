"""What a lesson writes to set exercises: a maker draws the numbers of a question, its answer, and what mistakes give.

A wrong answer is computed: the same algorithm with one named thing wrong. So it can be recognised and explained.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from core.words.numbers import format_number
from core.words.texts import FILE, Markdown, Words, read_words

NUMBER, CHOICE, CELLS = "number", "choice", "cells"
Value = int | float | str
Answer = Value | tuple[Value, ...]


@dataclass(frozen=True)
class Table:
    """A table of a question, or a lattice: an entry that is None is to be filled in.

    >>> print(Table(("hot", "cold"), ("day 1", "day 2"), ((0.5, None), (0.25, -1)), "state").markdown)
    | state | day 1 | day 2 |
    |:--|--:|--:|
    | hot | 0.5 |  |
    | cold | 0.25 | −1 |
    """

    rows: Sequence[str]
    columns: Sequence[str]
    entries: Sequence[Sequence[Value | None]]
    corner: str = "·"  # above the rows' names; a heading without text is none for who hears the page
    is_lattice: bool = False  # printed as nodes with lines from every column to the next

    @property
    def blanks(self) -> list[tuple[int, int]]:
        """The places to be filled in, row by row."""
        places = [(i, j) for i in range(len(self.rows)) for j in range(len(self.columns))]
        return [(i, j) for i, j in places if self.entries[i][j] is None]

    def fill(self, values: Sequence[Value]) -> Table:
        """Return the table with its blanks filled in."""
        found = dict(zip(self.blanks, values, strict=True))
        rows = [
            [found.get((i, j), entry) for j, entry in enumerate(row)] for i, row in enumerate(self.entries)
        ]
        return Table(self.rows, self.columns, rows, self.corner, self.is_lattice)

    @property
    def markdown(self) -> Markdown:
        """The table as Markdown, its blanks empty."""
        lines = [(self.corner, *self.columns), (":--", *["--:"] * len(self.columns))]
        lines += [(name, *map(write, row)) for name, row in zip(self.rows, self.entries, strict=True)]
        ruled = "|".join(lines[1])
        return Markdown("\n".join([row_of(lines[0]), f"|{ruled}|", *map(row_of, lines[2:])]))


def row_of(cells: Sequence[str]) -> str:
    """Return a row of a Markdown table."""
    return f"| {' | '.join(each.replace('|', chr(92) + '|') for each in cells)} |"


def write(entry: Value | None, digits: int | None = None) -> str:
    """Return an entry or an answer as a reader sees it: a float with so many digits, or with as many as it needs.

    >>> write(0.125), write(0.125, 1), write(-2), write("hot"), write(None)
    ('0.125', '0.1', '−2', 'hot', '')
    """
    if isinstance(entry, float):
        return format_number(entry, digits) if digits is not None else f"{entry:.6g}".replace("-", "−")
    return "" if entry is None else entry if isinstance(entry, str) else format_number(entry, 0)


class ShownFloat(float):
    """A float that a template shows with as many digits as it needs, and a true minus sign."""

    def __str__(self) -> str:
        return write(float(self))


class ShownInt(int):
    """A whole number that a template shows with a true minus sign."""

    def __str__(self) -> str:
        return f"{int(self)}".replace("-", "−")


def shown(value: object, named: Callable[[Table], Table] = lambda table: table) -> object:
    """Return a value for a template: numbers that are shown well, a table in lines of its own, its heads by `named`.

    >>> f"{shown(0.1 + 0.2)}, {shown(-1)}, {shown([0.5, 'hot'])[0]}"
    '0.3, −1, 0.5'
    """
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return type(value)(shown(each, named) for each in value)
    if isinstance(value, dict):
        return {name: shown(each, named) for name, each in value.items()}
    if isinstance(value, Table):
        return Markdown(f"\n\n{named(value).markdown}\n\n")
    if isinstance(value, bool):
        return value
    return (
        ShownFloat(value)
        if isinstance(value, float)
        else ShownInt(value)
        if isinstance(value, int)
        else value
    )


@dataclass(frozen=True)
class Draw:
    """The numbers of one question.

    `given` is what the words of the question may hold, a Table among them; `steps` is what the solution and the feedback may
    hold besides. `mistakes` {name: wrong answer}. An answer is of one of these types:

    - an int: a count, asked for exactly;
    - a float: rounded to `digits` after the point; right within one unit of the last digit;
    - a string: one of the choices, which are the answer and the mistakes; a choice of words is an id that has a label;
    - a tuple: what stands in the blanks of `table`, row by row.
    """

    given: Mapping[str, object]
    answer: Answer
    mistakes: Mapping[str, Answer]
    steps: Mapping[str, object] = field(default_factory=dict)
    digits: int = 3
    table: Table | None = None
    picture: str = ""  # SVG; its alternative text is among the words

    def __post_init__(self) -> None:
        object.__setattr__(self, "answer", plain_value(self.answer))
        wrong = {name: plain_value(each) for name, each in self.mistakes.items()}
        object.__setattr__(self, "mistakes", wrong)

    @property
    def kind(self) -> str:
        """Whether a number, a choice, or the cells of a table are asked for."""
        if isinstance(self.answer, tuple):
            return CELLS
        return CHOICE if isinstance(self.answer, str) else NUMBER

    @property
    def tolerance(self) -> float:
        """How far a number may be from the right one: one unit of the last digit asked for; 0 for counts."""
        values = self.answer if isinstance(self.answer, tuple) else (self.answer,)
        return 10.0**-self.digits if any(isinstance(each, float) for each in values) else 0.0


def plain_value(value: object) -> Answer:
    """Return a value of numpy or torch as Python's own, a sequence as a tuple.

    >>> import numpy as np
    >>> plain_value(np.array([[1.5, 2.0]])[0]), plain_value(np.int64(3))
    ((1.5, 2.0), 3)
    """
    if hasattr(value, "tolist"):
        value = value.tolist()
    return tuple(map(plain_value, value)) if isinstance(value, (list, tuple)) else value


def agree(one: Answer, other: Answer, tolerance: float) -> bool:
    """Return whether two answers are the same within a tolerance, each cell of a table's.

    >>> agree(0.5, 0.501, 0.001), agree((0.5, "hot"), (0.5, "cold"), 0.001), agree(3, 4, 0.0)
    (True, False, False)
    """
    if isinstance(one, tuple) and isinstance(other, tuple):
        pairs = zip(one, other, strict=True)
        return len(one) == len(other) and all(agree(*pair, tolerance) for pair in pairs)
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return abs(one - other) <= tolerance * (1 + 1e-9)
    return one == other


@dataclass(frozen=True)
class Maker:
    """Makes a kind of question: `draw(draws, difficulty)` returns a Draw, or None where the numbers make no good one.

    The function is called draw_<name>. Its words are exercise.<name> in words.md beside it. `on_text` says that it also
    takes a text of the lecturer's own: `draw(draws, difficulty, text)`.
    """

    draw: Callable[..., Draw | None]
    on_text: bool = False

    @property
    def name(self) -> str:
        """The maker's name among its lesson's."""
        return self.draw.__name__.removeprefix("draw_")

    @property
    def lesson(self) -> str:
        """The name of the lesson in whose folder the maker stands."""
        return self.draw.__module__.split(".")[-2]

    @property
    def words(self) -> Words:
        """The words of the lesson."""
        return read_words(Path(sys.modules[self.draw.__module__].__file__).with_name(FILE))
