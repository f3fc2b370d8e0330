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

from core.models.tokens.byte_pairs import PIECES, BytePairs, Pair, merged


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


def merge_steps(text: str, pairs: BytePairs, first: int, steps: int, rivals: int) -> list[MergeStep]:
    """Return the merges numbered first, first + 1, ... (from 0) as they are chosen: counted anew before each.

    This is the algorithm as it is defined; `learn_merges` gets the same merges without counting everything again.
    `text` is the one that the merges were learned from.

    >>> from core.models.tokens.byte_pairs import learn_merges
    >>> pairs = learn_merges("low low low lower newest newest", merges=3)
    >>> step = merge_steps("low low low lower newest newest", pairs, 2, 1, rivals=2)[0]
    >>> step.count, [(pairs.tokens[left] + "+" + pairs.tokens[right], times) for (left, right), times in step.rivals]
    (3, [(' +low', 3), (' +n', 2)])
    """
    known = pairs.first(first)
    words: Counter[tuple[int, ...]] = Counter()
    for piece, times in Counter(PIECES.findall(text)).items():
        words[tuple(known.steps(piece)[-1])] += times
    found = []
    for number in range(first, min(first + steps, len(pairs.merges))):
        counts = pair_counts(words)
        best = nsmallest(rivals, counts.items(), key=lambda item: (-item[1], item[0]))
        found.append(MergeStep(*best[0], tuple(best)))
        left, right = best[0][0]
        words = Counter(
            {
                tuple(merged(ids, (left, right), 256 + number))
                if left in ids and right in ids
                else ids: times
                for ids, times in words.items()
            }
        )
    return found


def merges_made(pairs: BytePairs, text: str) -> np.ndarray:
    """Return at how many places of a text each merge is made, (merges,); the text need not be the one learned from.

    >>> from core.models.tokens.byte_pairs import learn_merges
    >>> pairs = learn_merges("aaabdaaabac", merges=3)
    >>> merges_made(pairs, "aaabaa").tolist()
    [2, 1, 1]
    """
    made = np.zeros(len(pairs.merges), dtype=np.int64)
    for piece, times in Counter(PIECES.findall(text)).items():
        for step in encode_steps(pairs, piece)[:-1]:
            after = merged(step.ids, pairs.merges[step.made], 256 + step.made)
            made[step.made] += times * (len(step.ids) - len(after))
    return made


def tokens_by_merges(pairs: BytePairs, text: str) -> np.ndarray:
    """Return N_k, the tokens of a text after the first k merges, for k = 0 ... all: (merges + 1,).

    >>> from core.models.tokens.byte_pairs import learn_merges
    >>> tokens_by_merges(learn_merges("aaabdaaabac", merges=3), "aaabaa").tolist()
    [6, 4, 3, 2]
    """
    in_bytes = len(BytePairs(()).encode(text))
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
    words = word_pieces(text)
    lengths = {piece: len(pairs.steps(piece)[-1]) for piece in words}
    return sum(lengths[piece] * times for piece, times in words.items()) / max(1, words.total())


def word_pieces(text: str) -> Counter[str]:
    """Return a text's words, each with the space before it, and how often it occurs.

    >>> word_pieces("a cat, a dog.")
    Counter({'a': 1, ' cat': 1, ' a': 1, ' dog': 1})
    """
    return Counter(piece for piece in PIECES.findall(text) if any(map(str.isalnum, piece)))


def shared_length(one: BytePairs, other: BytePairs) -> tuple[BytePairs, BytePairs]:
    """Return both cut to as many merges as the shorter has: vocabularies of one size, so that they can be compared."""
    merges = min(len(one.merges), len(other.merges))
    return one.first(merges), other.first(merges)
