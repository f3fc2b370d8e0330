"""A worksheet: the same kinds of question for everybody, with other numbers in every variant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, cycle, islice, zip_longest
from string import ascii_uppercase

from core.exercises.draws import Draws
from core.exercises.exercise import DIFFICULTIES, SHARED, VERSION, Exercise, make_exercise, mark_of
from core.exercises.maker import Maker

MIXED = 0  # as a difficulty: easy questions first


@dataclass(frozen=True)
class Variant:
    """One learner's sheet."""

    letter: str
    exercises: tuple[Exercise, ...]


@dataclass(frozen=True)
class Worksheet:
    """The variants of a sheet; seed and version say how to make it again."""

    seed: str
    variants: tuple[Variant, ...]
    version: int = VERSION
    text: str = ""  # a mark of the text of one's own

    @property
    def groups(self) -> list[tuple[Exercise, ...]]:
        """The exercises by question: of each its variants."""
        return list(zip(*(variant.exercises for variant in self.variants), strict=True))


def letter_of(index: int) -> str:
    """Return the name of a variant, from 0.

    >>> [letter_of(i) for i in (0, 25, 26, 29)]
    ['A', 'Z', 'AA', 'AD']
    """
    before, last = divmod(index, len(ascii_uppercase))
    return (letter_of(before - 1) if before else "") + ascii_uppercase[last]


def choose_makers(makers_by_lesson: Sequence[Sequence[Maker]], number: int, seed: object) -> list[Maker]:
    """Return so many makers, the lessons in turn, of each lesson in an order that the seed determines.

    With 0 they are all makers once; with more than there are, some come again. Raises ValueError where there are none.
    """
    orders = [
        Draws(f"{VERSION}:worksheet:{makers[0].lesson}:{seed}").shuffle(makers)
        for makers in makers_by_lesson
        if makers
    ]
    found = [maker for maker in chain.from_iterable(zip_longest(*orders)) if maker]
    if not found:
        raise ValueError(SHARED.label("no_exercises"))
    chosen = list(islice(cycle(found), number or len(found)))
    return sorted(chosen, key=lambda maker: [each.lesson for each in found].index(maker.lesson))


def difficulty_of(difficulty: int, place: int, number: int) -> int:
    """Return the difficulty of the question at a place, from 0: a mixed sheet begins with easy ones.

    >>> [difficulty_of(MIXED, place, 5) for place in range(5)], difficulty_of(2, 0, 5)
    ([1, 1, 2, 2, 3], 2)
    """
    return difficulty or DIFFICULTIES[place * len(DIFFICULTIES) // number]


def make_worksheet(
    makers: Sequence[Maker], difficulty: int, seed: object, variants: int = 1, text: str = ""
) -> Worksheet:
    """Return a worksheet with a question of each maker, on a text of one's own where a maker takes one.

    Raises ValueError where a maker finds no clear question.
    """
    made = tuple(make_variant(makers, difficulty, seed, letter_of(i), text) for i in range(variants))
    used = bool(text) and any(maker.on_text for maker in makers)
    return Worksheet(str(seed), made, text=mark_of(text) if used else "")


def make_variant(
    makers: Sequence[Maker], difficulty: int, seed: object, letter: str, text: str = ""
) -> Variant:
    """Return one variant; a maker that comes again draws other numbers."""
    times, exercises = Counter(), []
    for place, maker in enumerate(makers):
        level = difficulty_of(difficulty, place, len(makers))
        exercises.append(make_exercise(maker, level, f"{seed}.{letter}.{times[maker]}", text))
        times[maker] += 1
    return Variant(letter, tuple(exercises))
