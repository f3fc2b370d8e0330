"""Exercises whose words hold what each format takes for a command."""

from dataclasses import dataclass

from core.exercises.exercise import Exercise
from core.exercises.maker import Draw, Maker, Table
from core.exercises.worksheet import Variant, Worksheet
from core.words.texts import Words, parse_texts

NASTY = r"{a} ~ b = c # d : e % 1 & <i> $\frac{1}{2}$ \n \\ */"
WORDS = Words(
    parse_texts(
        """# Traps

Which?

## A title / with :: and # and = {#exercise.trap}

Is {{ text }} in $x_{ {{ n }} } = \\sqrt{2}$?

### Solution {#exercise.trap.solution}

It is {{ text }}.

### You read = and ~ and {} {#exercise.trap.first}

You had {{ wrong }} where # is.

### Another {#exercise.trap.second}

You had {{ wrong }}.

## Labels

- exercise.trap.alt: A "square" & <more>
"""
    )
)
PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9"/></svg>'


@dataclass(frozen=True)
class Trap(Maker):
    @property
    def words(self):
        return WORDS


def draw_trap(draws, difficulty):
    """Never called: the draws are below."""


CHOICE = Draw(
    {"text": NASTY, "n": 1}, "= {right} ~ #1", {"first": "~ {wrong} = 50%", "second": "a:b"}, picture=PICTURE
)
NUMBER = Draw({"text": NASTY, "n": 1}, -0.25, {"first": 0.25, "second": -1.5}, picture=PICTURE)
TABLE = Table(("r {1}", "r ~2"), ("c = 1", "c # 2"), ((None, "x"), (None, None)))
CELLS = Draw(
    {"text": NASTY, "n": 1},
    (0.5, "right } # ~", 3.0),
    {"first": (0.75, "= wrong {", 3.0), "second": (0.9, "50% : * wrong", 4.0)},
    table=TABLE,
)
TITLE = "A title / with :: and # and ="


def sheet_of(*draws):
    """Return a sheet of one variant with these draws."""
    made = tuple(Exercise(Trap(draw_trap), 1, f"9.A.{i}", draw, 1) for i, draw in enumerate(draws))
    return Worksheet("9", (Variant("A", made),))
