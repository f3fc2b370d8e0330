"""A vocabulary: the types of a text with their counts, and the way from token to id and back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np


@dataclass(frozen=True)
class Vocabulary:
    """Types in order of frequency; the id of a type is its place in that order.

    With `unknown` set, that type has id 0, stands for every token that is not in the vocabulary, and its
    count is how many tokens those were. Without it, `encode` leaves such tokens out.

    >>> vocabulary = Vocabulary.of("the cat saw the cat and the dog".split(), min_count=2, unknown="<unk>")
    >>> vocabulary.types, vocabulary.counts
    (('<unk>', 'the', 'cat'), (3, 3, 2))
    >>> vocabulary.encode(["the", "old", "cat"]).tolist()
    [1, 0, 2]
    >>> vocabulary.decode([1, 0, 2])
    ['the', '<unk>', 'cat']
    """

    types: tuple[str, ...]
    counts: tuple[int, ...]
    unknown: str | None = None

    @classmethod
    def of(
        cls,
        tokens: Iterable[str],
        min_count: int = 1,
        max_size: int | None = None,
        unknown: str | None = None,
    ) -> Vocabulary:
        """Return the vocabulary of the types seen at least `min_count` times, at most `max_size` of them.

        Types of equal frequency keep the order in which they first appear.
        """
        seen = Counter(tokens)
        rare = seen.pop(unknown, 0) if unknown else 0
        kept = [(token, count) for token, count in seen.most_common(max_size) if count >= min_count]
        if unknown:
            kept.insert(0, (unknown, rare + seen.total() - sum(count for _, count in kept)))
        return cls(tuple(token for token, _ in kept), tuple(count for _, count in kept), unknown)

    @cached_property
    def ids(self) -> dict[str, int]:
        """Return the id of each type."""
        return {token: number for number, token in enumerate(self.types)}

    def __len__(self) -> int:
        """Return the number of types, the unknown one among them."""
        return len(self.types)

    def __contains__(self, token: str) -> bool:
        """Return whether the token has an id of its own."""
        return token in self.ids

    def __getitem__(self, token: str) -> int:
        """Return the id of a token, of the unknown type if need be. Raises KeyError when there is none."""
        return self.ids[token] if self.unknown is None else self.ids.get(token, 0)

    def encode(self, tokens: Iterable[str]) -> np.ndarray:
        """Return the ids of the tokens, int64 (N,); without `unknown`, N counts the known tokens alone."""
        ids = self.ids
        if self.unknown is None:
            return np.array([ids[token] for token in tokens if token in ids], dtype=np.int64)
        return np.array([ids.get(token, 0) for token in tokens], dtype=np.int64)

    def decode(self, ids: Iterable[int]) -> list[str]:
        """Return the types of the ids."""
        return [self.types[number] for number in ids]
