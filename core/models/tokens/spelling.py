r"""Spelling correction by the nearest word: the word of a vocabulary with the smallest edit distance to what was typed.

    correct(x) = argmin_v D(x, v), of equally near words the most frequent one

The whole vocabulary is compared at once: the table of edit_distance.py is filled cell by cell, each cell a vector over V
words. So a correction takes O(m L) steps of length V, where L is the longest word.

M. D. Kernighan, K. W. Church and W. A. Gale (1990), A spelling correction program based on a noisy channel model.
F. J. Damerau (1964), A technique for computer detection and correction of spelling errors, on the four kinds of typos.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

LETTERS = "abcdefghijklmnopqrstuvwxyz"
PAD = -1  # no letter: after the end of a word


@dataclass(frozen=True)
class Typo:
    """A word with one error, and the word that was meant."""

    typed: str
    meant: str
    kind: str  # insert, delete, substitute, or swap: two neighbours in each other's place


@dataclass(frozen=True)
class Vocabulary:
    """V words in the order of their frequency, as rows of letters: `codes` (V, L), `lengths` (V,)."""

    words: tuple[str, ...]
    codes: np.ndarray
    lengths: np.ndarray


def read_vocabulary(words: Sequence[str]) -> Vocabulary:
    """Return words, the most frequent first, as a vocabulary.

    >>> read_vocabulary(["to", "be"]).codes.tolist()
    [[116, 111], [98, 101]]
    """
    lengths = np.array([len(word) for word in words])
    codes = np.full((len(words), int(lengths.max(initial=1))), PAD)  # (V, L)
    for v, word in enumerate(words):
        codes[v, : len(word)] = [ord(letter) for letter in word]
    return Vocabulary(tuple(words), codes, lengths)


def distances_to(typed: str, vocabulary: Vocabulary) -> np.ndarray:
    """Return the edit distance from what was typed to each word, (V,); every edit costs 1.

    >>> distances_to("graffe", read_vocabulary(["giraffe", "traffic"])).tolist()
    [1, 3]
    """
    V, L = vocabulary.codes.shape
    row = np.tile(np.arange(L + 1)[:, None], V)  # (L + 1, V): from no letter to the first j of each word
    for i, letter in enumerate(typed, 1):
        following = np.empty_like(row)
        following[0] = i
        differs = vocabulary.codes != ord(letter)  # (V, L)
        for j in range(1, L + 1):
            ways = np.minimum(row[j], following[j - 1]) + 1
            following[j] = np.minimum(ways, row[j - 1] + differs[:, j - 1])
        row = following
    return row[vocabulary.lengths, np.arange(V)]


def differing_positions(typed: str, vocabulary: Vocabulary) -> np.ndarray:
    """Return in how many positions what was typed and each word differ, (V,): no letter is inserted or deleted.

    >>> differing_positions("graffe", read_vocabulary(["giraffe", "traffic"])).tolist()
    [5, 3]
    """
    L = vocabulary.codes.shape[1]
    width = max(L, len(typed))
    codes = np.pad(vocabulary.codes, ((0, 0), (0, width - L)), constant_values=PAD)
    own = np.full(width, PAD)
    own[: len(typed)] = [ord(letter) for letter in typed]
    return (codes != own).sum(axis=1)


def rank_words(distances: np.ndarray, most: int) -> list[int]:
    """Return the indices of the nearest words; of equally near ones the most frequent comes first.

    >>> rank_words(np.array([2, 1, 1]), 2)
    [1, 2]
    """
    return np.argsort(distances, kind="stable")[:most].tolist()


def draw_typos(words: Sequence[str], n: int, seed: int = 1) -> list[Typo]:
    """Return n words, each with one random error: a letter inserted, deleted or substituted, or two neighbours swapped.

    Only what differs from the word is an error. Each kind is drawn equally often.

    >>> [typo.typed for typo in draw_typos(["horse"], 2)]
    ['hodrse', 'hores']
    """
    draw = random.Random(seed)
    typos = []
    while len(typos) < n:
        meant, kind = draw.choice(words), draw.choice(("insert", "delete", "substitute", "swap"))
        at, letter = draw.randrange(len(meant)), draw.choice(LETTERS)
        typed = {
            "insert": meant[:at] + letter + meant[at:],
            "delete": meant[:at] + meant[at + 1 :],
            "substitute": meant[:at] + letter + meant[at + 1 :],
            "swap": meant[:at] + meant[at + 1 : at + 2] + meant[at] + meant[at + 2 :],
        }[kind]
        if typed and typed != meant:
            typos.append(Typo(typed, meant, kind))
    return typos


def count_corrected(
    typos: Sequence[Typo],
    vocabulary: Vocabulary,
    distance: Callable[[str, Vocabulary], np.ndarray] = distances_to,
) -> int:
    """Return for how many typos the nearest word is the one that was meant.

    >>> count_corrected([Typo("hose", "horse", "delete")], read_vocabulary(["house", "horse"]))
    0
    """
    return sum(
        vocabulary.words[rank_words(distance(typo.typed, vocabulary), 1)[0]] == typo.meant for typo in typos
    )
