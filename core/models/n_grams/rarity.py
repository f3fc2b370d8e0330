"""How many different runs a text has, how many it has once only, and which ones reach over a sentence's end."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from core.models.n_grams.ngram_counts import NgramCounts, count_ngrams
from core.models.n_grams.ngram_text import END, CountedNgram, CountedText, runs_of


@dataclass(frozen=True)
class Rarity:
    """For runs of 1, 2, ... tokens: how many different ones there are, and how many of them occur once only."""

    different: tuple[int, ...]
    once: tuple[int, ...]

    @property
    def shares(self) -> list[float]:
        """The share of the different runs that occur once only."""
        return [once / different for once, different in zip(self.once, self.different, strict=True)]


def rarity(counts: NgramCounts) -> Rarity:
    """Return how rare runs of each length are.

    >>> rarity(count_ngrams([0, 1, 0, 2, 0, 1], ("a", "b", "c"), order=2))
    Rarity(different=(3, 5), once=(1, 4))
    """
    seen = [level[level > 0] for level in counts.counts[1:]]
    return Rarity(tuple(map(len, seen)), tuple(int((level == 1).sum()) for level in seen))


def without_ends(counted: CountedText) -> CountedText:
    """Return a text counted as one endless sentence: windows run from each sentence into the next.

    >>> from core.models.n_grams.ngram_text import count_text
    >>> endless = without_ends(count_text("I am Sam. Sam I am.", order=2))
    >>> endless.counts.count(endless.read("sam sam")), endless.counts.count(endless.read("sam </s>"))
    (1, 0)
    """
    tokens = counted.training[counted.training != counted.vocabulary[END]]
    counts = count_ngrams(tokens, counted.vocabulary.types, counted.counts.order)
    return replace(counted, counts=counts, training=tokens)


def runs_over_ends(counted: CountedText, endless: CountedText, order: int) -> tuple[int, CountedNgram | None]:
    """Return how many different runs of the endless text stand in no sentence, and the most frequent of them.

    >>> from core.models.n_grams.ngram_text import count_text
    >>> counted = count_text("I am Sam. Sam I am.", order=2)
    >>> different, run = runs_over_ends(counted, without_ends(counted), 2)
    >>> different, counted.write(run.tokens), run.count
    (1, 'sam sam', 1)
    """
    inside, _ = counted.counts.locate(endless.training)[order - 1]
    runs, _ = endless.counts.locate(endless.training)[order - 1]
    across = np.unique(runs[inside < 0])
    frequent = runs_of(endless.counts, order, across, most=1)
    return len(across), frequent[0] if frequent else None
