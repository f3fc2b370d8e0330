"""An exercise: a question with its numbers and words, its solution, and the mistake behind a wrong answer.

Lesson, maker, difficulty and seed determine it: the same exercise comes out on every machine.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from itertools import combinations
from pathlib import Path

from core.exercises.draws import Draws
from core.exercises.maker import CELLS, CHOICE, Answer, Draw, Maker, Table, Value, agree, shown, write
from core.words.texts import FILE, Markdown, read_words

VERSION = 1  # raised when any maker would draw other numbers from the same seed
ATTEMPTS = 200
DIFFICULTIES = (1, 2, 3)
SHARED = read_words(Path(__file__).with_name(FILE))
NUMBERED = re.compile(r"(.*?)(?: (\d+))?")


@dataclass(frozen=True)
class Exercise:
    """One question, as its maker drew it."""

    maker: Maker
    difficulty: int
    seed: str
    draw: Draw
    attempts: int  # draws until one was good

    @property
    def name(self) -> str:
        """What identifies the exercise: lesson, maker, difficulty and seed."""
        return f"{self.maker.lesson}.{self.maker.name}.{self.difficulty}.{self.seed}"

    def key(self, *parts: str) -> str:
        """Return the key of one of its texts."""
        return ".".join(("exercise", self.maker.name, *parts))

    @cached_property
    def values(self) -> dict[str, object]:
        """What its words may hold: what is given, the steps, and the answer; a table stands in lines of its own."""
        values = {
            **self.draw.given,
            **self.draw.steps,
            "answer": self.draw.answer,
            "digits": self.draw.digits,
        }
        if self.draw.table is not None and isinstance(self.draw.answer, tuple):
            values["filled"] = self.draw.table.fill(
                [write(each, self.draw.digits) for each in self.draw.answer]
            )
        return {name: shown(value, self.named) for name, value in values.items()}

    @cached_property
    def table(self) -> Table | None:
        """The table whose blanks are asked for, its heads as a reader sees them."""
        return None if self.draw.table is None else self.named(self.draw.table)

    def named(self, table: Table) -> Table:
        """Return a table whose heads are words where the lesson has words for them."""
        rows = [self.head("row", name) for name in table.rows]
        columns = [self.head("column", name) for name in table.columns]
        return replace(table, rows=rows, columns=columns, corner=self.head("column", table.corner))

    def head(self, kind: str, name: str) -> str:
        """Return the head of a row or a column as a reader sees it: "patch 1" is `patch` of the number 1 in the words."""
        written, number = NUMBERED.fullmatch(name).groups()
        key = self.key(kind, id_of(written))
        return self.maker.words.label(key, number=number) if self.maker.words.has(key) else name

    @property
    def title(self) -> str:
        """The exercise's title."""
        return self.maker.words.heading(self.key(), **self.values)

    @property
    def question(self) -> Markdown:
        """The question, without what form the answer should have."""
        return self.maker.words.markdown(self.key(), **self.values)

    @property
    def form(self) -> str:
        """The sentence that says how to write the answer."""
        digits = self.draw.digits if self.draw.tolerance else 0
        return SHARED.label(f"form.{self.draw.kind}", digits=digits)

    @property
    def solution(self) -> Markdown:
        """The worked solution with these numbers."""
        return self.maker.words.markdown(self.key("solution"), **self.values)

    def mistake_name(self, mistake: str) -> str:
        """Return the name of a mistake."""
        return self.maker.words.heading(self.key(mistake), **self.values)

    def feedback(self, mistake: str) -> Markdown:
        """Return what is said to who made this mistake; `wrong` is what it gives."""
        return self.maker.words.markdown(
            self.key(mistake), **self.values, wrong=shown(self.draw.mistakes[mistake])
        )

    @property
    def alt(self) -> str:
        """What its picture shows, in words."""
        return self.maker.words.label(self.key("alt"), **self.values) if self.draw.picture else ""

    def label(self, value: Value) -> str:
        """Return an answer as a reader sees it: a number with its digits, a choice with its label where it has one."""
        key = self.key("choice", id_of(str(value)))
        if self.draw.kind == CHOICE and self.maker.words.has(key):
            return self.maker.words.label(key, **self.values)
        return write(value, self.draw.digits)

    @cached_property
    def options(self) -> tuple[str, ...]:
        """The names of the answers in the order shown: "answer" and the mistakes, every order equally likely."""
        return Draws(f"{VERSION}:{self.name}:options").shuffle(("answer", *self.draw.mistakes))

    @property
    def labels(self) -> list[str]:
        """The answers in the order shown, as a reader sees them."""
        return [self.label(self.value_of(option)) for option in self.options]

    def value_of(self, option: str) -> Answer:
        """Return the answer of an option."""
        return self.draw.answer if option == "answer" else self.draw.mistakes[option]

    def is_right(self, given: Answer) -> bool:
        """Return whether an answer is right, within the tolerance."""
        return agree(given, self.draw.answer, self.draw.tolerance)

    def right_cells(self, given: Sequence[Value | None]) -> list[bool]:
        """Return which of the cells that a learner filled in are right."""
        pairs = zip(given, self.draw.answer, strict=True)
        return [agree(one, right, self.draw.tolerance) for one, right in pairs]

    def mistake_of(self, given: Answer) -> str | None:
        """Return the mistake that gives this wrong answer, None if it is none of ours.

        Of a table it is the mistake that explains most of its wrong cells, and of those the most cells.
        """
        if self.draw.kind != CELLS:
            found = (name for name in self.draw.mistakes if self.is_mistake(name, given))
            return next(found, None)
        right = self.right_cells(given)
        agreed = {name: self.agreed_cells(name, given) for name in self.draw.mistakes}
        ranked = {
            name: (sum(same[i] for i, good in enumerate(right) if not good), sum(same))
            for name, same in agreed.items()
        }
        best = max(ranked, key=ranked.get)
        return best if ranked[best][0] else None

    def is_mistake(self, mistake: str, given: Answer) -> bool:
        """Return whether an answer is what a mistake gives, within the tolerance."""
        return agree(given, self.draw.mistakes[mistake], self.draw.tolerance)

    def agreed_cells(self, mistake: str, given: Sequence[Value | None]) -> list[bool]:
        """Return which of the cells that a learner filled in are what a mistake gives."""
        pairs = zip(given, self.draw.mistakes[mistake], strict=True)
        return [agree(one, wrong, self.draw.tolerance) for one, wrong in pairs]

    def wrong_cells(self, cell: int) -> dict[str, Value]:
        """Return what each mistake puts into a cell, {mistake: value}: wrong values only, each once."""
        found = {}
        for name, values in self.draw.mistakes.items():
            known = (self.draw.answer[cell], *found.values())
            if not any(agree(values[cell], each, 2 * self.draw.tolerance) for each in known):
                found[name] = values[cell]
        return found


def id_of(text: str) -> str:
    """Return a head or a choice as a key of words.md holds it.

    >>> id_of("n-gram"), id_of("p(positive)"), id_of("left_right")
    ('n_gram', 'p_positive', 'left_right')
    """
    return re.sub(r"[^\w.]+", "_", text).strip("_")


def make_exercise(maker: Maker, difficulty: int = 1, seed: object = 1, text: str = "") -> Exercise:
    """Return the exercise of a maker at a difficulty, 1 to 3, and a seed, on a text of one's own where the maker takes one.

    A draw in which a mistake leads to the right answer, or two mistakes to the same, is drawn again. Raises ValueError,
    which names the maker, when no draw of ATTEMPTS is good.
    """
    own = (text,) if text and maker.on_text else ()
    seed = ".".join([str(seed), *map(mark_of, own)])
    name = f"{VERSION}:{maker.lesson}:{maker.name}:{difficulty}:{seed}"
    for attempt in range(1, ATTEMPTS + 1):
        draw = maker.draw(Draws(f"{name}:{attempt}"), difficulty, *own)
        if draw is not None and is_clear(draw.answer, draw.mistakes, draw.tolerance):
            return Exercise(maker, difficulty, seed, draw, attempt)
    raise ValueError(
        f"{maker.lesson}.{maker.name} found no clear question in {ATTEMPTS} draws at difficulty {difficulty}: "
        "its mistakes agree with the answer or with each other too often."
    )


def mark_of(text: str) -> str:
    """Return a short mark of a text, which tells it from others and says nothing of it.

    >>> mark_of("To be, or not to be")
    '80ed7fc2'
    """
    return sha256(text.encode()).hexdigest()[:8]


def is_clear(answer: Answer, mistakes: Mapping[str, Answer], tolerance: float) -> bool:
    """Return whether the answer and the mistakes all differ by more than twice the tolerance.

    >>> is_clear(0.5, {"sum": 0.7, "first": 0.6}, 0.01), is_clear(0.5, {"sum": 0.7, "first": 0.71}, 0.01)
    (True, False)
    """
    return not any(agree(*pair, 2 * tolerance) for pair in combinations((answer, *mistakes.values()), 2))
