"""Byte pairs step by step: what each merge was chosen from, what it saves in any text, and how a word is encoded.

N_k is the number of tokens of a text after the first k merges: N_0 its bytes, N_k = N_(k-1) minus the places at which
the k-th merge is made. Sennrich, Haddow and Birch (2016), algorithm 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from heapq import nsmallest
from itertools import pairwise

import numpy as np

from core.models.tokens.byte_pairs import PIECES, BytePairs, Pair, bytes_of, merged

BETWEEN = -1  # stands after each piece; no pair has it


@dataclass(frozen=True)
class MergeStep:
    """One merge as it was learned: the pair, its count, and what it was chosen from, most frequent first."""

    pair: Pair
    count: int
    rivals: tuple[tuple[Pair, int], ...]


@dataclass(frozen=True)
class EncodeStep:
    """One merge in a word: its ids before, the merges that were possible, and the one that was made.

    `possible` has (the place of the pair's left token, the merge's number from 0); `made` is such a number, None at the
    end, when nothing is possible any more.
    """

    ids: tuple[int, ...]
    possible: tuple[tuple[int, int], ...]
    made: int | None


def pair_counts(frequencies: Mapping[tuple[int, ...], int]) -> Counter[Pair]:
    """Return how often each pair of neighbours occurs in words (as tuples of ids) that occur so often.

    >>> sorted(pair_counts({(1, 2, 1): 3, (2, 1): 4}).items())
    [((1, 2), 3), ((2, 1), 7)]
    """
    counts: Counter[Pair] = Counter()
    for ids, times in frequencies.items():
        for pair in pairwise(ids):
            counts[pair] += times
    return counts


@dataclass(frozen=True)
class InARow:
    """The different pieces of a text merged, and what that took.

    `ids` has their tokens one piece after the other, BETWEEN after each; `times` how often each of these stands in the
    text; `made` at how many places of the text each merge was made, (merges,).
    """

    ids: np.ndarray
    times: np.ndarray
    made: np.ndarray

    @property
    def tokens(self) -> int:
        """How many tokens the text has."""
        return int(self.times[self.ids != BETWEEN].sum())

    @property
    def words(self) -> Counter[tuple[int, ...]]:
        """How often each piece, as a tuple of its ids, stands in the text."""
        words: Counter[tuple[int, ...]] = Counter()
        ends, ids = np.flatnonzero(self.ids == BETWEEN).tolist(), self.ids.tolist()
        for begin, end, times in zip([-1, *ends], ends, self.times[ends].tolist(), strict=False):
            words[tuple(ids[begin + 1 : end])] += (
                times  # halves of surrogate pairs are all read as one character
            )
        return words


def merge_all(pairs: BytePairs, pieces: Mapping[str, int]) -> InARow:
    """Return pieces that occur so often with all merges made in them, one merge after the other in all at once.

    No pair crosses pieces: BETWEEN is in no pair. In each piece the earliest merge that is possible is so made first,
    as in `BytePairs.steps`: a merge makes a token that only later ones have in their pairs.

    >>> from core.models.tokens.byte_pairs import learn_merges
    >>> row = merge_all(learn_merges("aaabdaaabac", merges=3), {"aaab": 2, "ba": 1})
    >>> row.ids.tolist(), row.times.tolist(), row.made.tolist()
    ([258, -1, 98, 97, -1], [2, 2, 1, 1, 1], [2, 2, 2])
    """
    coded = [bytes_of(piece) for piece in pieces]
    lengths = np.array([len(each) for each in coded], dtype=np.int32)
    ids = np.insert(np.frombuffer(b"".join(coded), np.uint8).astype(np.int32), lengths.cumsum(), BETWEEN)
    times = np.repeat(np.array(list(pieces.values()), dtype=np.int64), lengths + 1)
    made = np.zeros(len(pairs.merges), dtype=np.int64)
    for number, (left, right) in enumerate(pairs.merges):
        at = np.flatnonzero((ids[:-1] == left) & (ids[1:] == right))
        if left == right:
            at = select_merges(at)
        if len(at):
            ids[at] = 256 + number
            made[number] = times[at].sum()
            stays = np.ones(len(ids), dtype=bool)
            stays[at + 1] = False
            ids, times = ids[stays], times[stays]
    return InARow(ids, times, made)


def select_merges(places: np.ndarray) -> np.ndarray:
    """Return the places at which a pair of two equal tokens is merged: not where the one before took its left token.

    >>> select_merges(np.array([0, 1, 2, 5, 6])).tolist()
    [0, 2, 5]
    """
    taken: list[int] = []
    for place in places.tolist():
        if not taken or place > taken[-1] + 1:
            taken.append(place)
    return np.array(taken, dtype=int)


def merge_steps(text: str, pairs: BytePairs, first: int, steps: int, rivals: int) -> list[MergeStep]:
    """Return the merges numbered first, first + 1, ... (from 0) as they are chosen, most frequent first.

    After each merge the pairs of the words that it changed are counted anew. `text` is the one that the merges were
    learned from.

    >>> from core.models.tokens.byte_pairs import learn_merges
    >>> pairs = learn_merges("low low low lower newest newest", merges=3)
    >>> step = merge_steps("low low low lower newest newest", pairs, 2, 1, rivals=2)[0]
    >>> step.count, [(pairs.tokens[left] + "+" + pairs.tokens[right], times) for (left, right), times in step.rivals]
    (3, [(' +low', 3), (' +n', 2)])
    """
    words = merge_all(pairs.first(first), Counter(PIECES.findall(text))).words
    counts, found = pair_counts(words), []
    for number in range(first, min(first + steps, len(pairs.merges))):
        best = nsmallest(rivals, counts.items(), key=lambda item: (-item[1], item[0]))
        found.append(MergeStep(*best[0], tuple((pair, times) for pair, times in best if times)))
        left, right = pair = best[0][0]
        before = {ids: times for ids, times in words.items() if left in ids and right in ids}
        after = {ids: tuple(merged(ids, pair, 256 + number)) for ids in before}
        for ids, times in before.items():
            del words[ids]
            words[after[ids]] = times
        counts.subtract(pair_counts(before))
        counts.update(pair_counts({after[ids]: times for ids, times in before.items()}))
    return found


def merges_made(pairs: BytePairs, text: str) -> np.ndarray:
    """Return at how many places of a text each merge is made, (merges,); the text need not be the one learned from.

    >>> from core.models.tokens.byte_pairs import learn_merges
    >>> pairs = learn_merges("aaabdaaabac", merges=3)
    >>> merges_made(pairs, "aaabaa").tolist()
    [2, 1, 1]
    """
    return merge_all(pairs, Counter(PIECES.findall(text))).made


def tokens_by_merges(pairs: BytePairs, text: str) -> np.ndarray:
    """Return N_k, the tokens of a text after the first k merges, for k = 0 ... all: (merges + 1,).

    >>> from core.models.tokens.byte_pairs import learn_merges
    >>> tokens_by_merges(learn_merges("aaabdaaabac", merges=3), "aaabaa").tolist()
    [6, 4, 3, 2]
    """
    in_bytes = len(bytes_of(text))
    return np.concatenate([[in_bytes], in_bytes - merges_made(pairs, text).cumsum()])


def encode_steps(pairs: BytePairs, piece: str) -> list[EncodeStep]:
    """Return how a piece is encoded: in each step the merge that was learned earliest, of those that are possible.

    >>> from core.models.tokens.byte_pairs import learn_merges
    >>> pairs = learn_merges("low low low lower newest newest", merges=3)
    >>> [(step.possible, step.made) for step in encode_steps(pairs, " slow")]
    [(((2, 0),), 0), (((2, 1),), 1), ((), None)]
    """
    found = []
    for ids in pairs.steps(piece):
        neighbours = enumerate(pairwise(ids))
        possible = tuple((place, pairs.ranks[pair]) for place, pair in neighbours if pair in pairs.ranks)
        made = min((number for _, number in possible), default=None)
        found.append(EncodeStep(tuple(ids), possible, made))
    return found


def tokens_per_word(pairs: BytePairs, text: str) -> float:
    """Return the mean number of tokens in a text's words, each with the space before it; 0 for a text without words.

    A word is a piece that has a letter or a digit.

    >>> from core.models.tokens.byte_pairs import learn_merges
    >>> tokens_per_word(learn_merges("aaabdaaabac", merges=3), "aaab, aab!")
    2.0
    """
    words = count_spaced_words(text)
    return merge_all(pairs, words).tokens / max(1, words.total())


def count_spaced_words(text: str) -> Counter[str]:
    """Return a text's words, each with the space before it, and how often it occurs.

    >>> count_spaced_words("a cat, a dog.")
    Counter({'a': 1, ' cat': 1, ' a': 1, ' dog': 1})
    """
    pieces = Counter(PIECES.findall(text))
    return Counter({piece: times for piece, times in pieces.items() if any(map(str.isalnum, piece))})


def shared_length(one: BytePairs, other: BytePairs) -> tuple[BytePairs, BytePairs]:
    """Return both cut to as many merges as the shorter has: vocabularies of one size, so that they can be compared."""
    merges = min(len(one.merges), len(other.merges))
    return one.first(merges), other.first(merges)
