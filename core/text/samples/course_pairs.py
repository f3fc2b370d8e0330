"""Pairs of the course's own to train on: dates, or English sentences with their French or Dutch translations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from core.text.grammar.english_dutch import english_dutch
from core.text.grammar.english_french import english_french
from core.text.grammar.grammar import SHORTEST
from core.text.grammar.pairs import Pair, is_held_out, sentence_of
from core.text.samples.dates import dates

GENERATORS = {"dates": dates, "English–French": english_french, "English–Dutch": english_dutch}
HELD_OUT_EVERY = 8


@dataclass(frozen=True)
class CoursePairs:
    """`count` generated pairs, made anew each time they are gone through: so that a process far off makes its own.

    One in eight is of those that `core.text.grammar.pairs.is_held_out` keeps from training. `longest` is the number of
    words, marks counted, that an English sentence has at most; dates have no such limit.

    >>> few = CoursePairs("dates", 3, longest=10, seed=1)
    >>> len(few), ["".join(pair.target) for pair in few]
    (3, ['2077-10-16', '1922-08-25', '2036-03-24'])
    """

    kind: str
    count: int
    longest: int
    seed: int

    def __len__(self) -> int:
        """Return how many pairs there are."""
        return self.count

    def __iter__(self) -> Iterator[Pair]:
        """Yield the pairs, the same each time."""
        training, held_out = (self._generated(kept) for kept in (False, True))
        return (next(training if i % HELD_OUT_EVERY else held_out) for i in range(self.count))

    def held_out(self, count: int) -> list[Pair]:
        """Return the first so many of those that are kept from training."""
        return list(islice(self._generated(True), count))

    def _generated(self, held_out: bool) -> Iterator[Pair]:
        make: Callable[..., Iterator[Pair]] = GENERATORS[self.kind]
        limit = {} if self.kind == "dates" else {"lengths": range(SHORTEST, self.longest + 1)}
        return make(self.seed, held_out, **limit)


@lru_cache(maxsize=4)
def written_in(kind: str, language: str, count: int) -> str:
    """Return the first so many translations of a kind of pairs as a text, a sentence a line; the same each time.

    >>> written_in("English–French", "fr", 2)
    'La souris avait soif.\\nTu as mangé un œuf.\\n'
    """
    pairs = CoursePairs(kind, count, longest=14, seed=1)
    return "".join(f"{sentence_of(pair.target, language)}\n" for pair in pairs)


_first = lru_cache(maxsize=16)(lambda pairs, count: list(islice(pairs, count)))
_held_out = lru_cache(maxsize=16)(CoursePairs.held_out)


def first_pairs(pairs: Sequence[Pair] | CoursePairs, count: int) -> list[Pair]:
    """Return the first pairs of the course's, which are made once, or of a learner's, of which nothing is kept.

    >>> ["".join(pair.target) for pair in first_pairs(CoursePairs("dates", 3, longest=10, seed=1), 1)]
    ['2077-10-16']
    """
    return _first(pairs, count) if isinstance(pairs, CoursePairs) else list(pairs[:count])


def held_out_of(pairs: Sequence[Pair] | CoursePairs, count: int) -> list[Pair]:
    """Return the first so many of those pairs that are kept from training."""
    if isinstance(pairs, CoursePairs):
        return _held_out(pairs, count)
    return list(islice((pair for pair in pairs if is_held_out(pair.source)), count))
