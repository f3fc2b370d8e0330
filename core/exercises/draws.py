"""Random draws that are the same on every machine and in every version of Python.

Only `random.Random.random` promises its sequence for ever, from a string as seed; everything else here is made from it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Draws:
    """A sequence of random draws, which its name determines.

    >>> draws = Draws("an example")
    >>> draws.integer(1, 6), draws.choose("abc"), draws.shuffle((1, 2, 3)), draws.distribution(3)
    (3, 'b', (1, 2, 3), (0.1, 0.6, 0.3))
    """

    def __init__(self, name: str):
        self._next = random.Random(name).random

    def integer(self, least: int, most: int) -> int:
        """Return a whole number from `least` to `most`, both included."""
        return least + int(self._next() * (most - least + 1))

    def decimal(self, least: float, most: float, digits: int = 1) -> float:
        """Return a number from `least` to `most` with so many digits after the point."""
        scale = 10**digits
        return self.integer(round(least * scale), round(most * scale)) / scale

    def signed(self, least: float = 0.1, most: float = 0.9) -> float:
        """Return a number from `least` to `most` with one digit after the point, or its negative."""
        return self.choose((-1, 1)) * self.decimal(least, most)

    def integers(self, least: int, most: int, rows: int, columns: int) -> list[list[int]]:
        """Return so many rows of whole numbers from `least` to `most`, both included."""
        return [[self.integer(least, most) for _ in range(columns)] for _ in range(rows)]

    def choose(self, options: Sequence[T]) -> T:
        """Return one of the options."""
        return options[self.integer(0, len(options) - 1)]

    def shuffle(self, items: Sequence[T]) -> tuple[T, ...]:
        """Return the items in a random order, every order equally likely."""
        left = list(items)
        return tuple(left.pop(self.integer(0, len(left) - 1)) for _ in range(len(left)))

    def sample(self, items: Sequence[T], count: int) -> tuple[T, ...]:
        """Return so many different items, in a random order."""
        return self.shuffle(items)[:count]

    def distribution(self, size: int, parts: int = 10) -> tuple[float, ...]:
        """Return probabilities above 0 that sum to 1, each a multiple of 1 / parts."""
        cuts = sorted(self.sample(range(1, parts), size - 1))
        return tuple(
            (after - before) / parts for before, after in zip((0, *cuts), (*cuts, parts), strict=True)
        )
