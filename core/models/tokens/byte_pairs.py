"""Byte pairs: a vocabulary grown by merging, again and again, the two neighbours that meet most often.

A text is bytes (UTF-8), so that nothing is ever unknown; merges never cross the pieces that it is first cut into
(a word with the space before it, punctuation, white space).

Sources: Gage (1994); Sennrich, Haddow and Birch (2016), Neural Machine Translation of Rare Words with Subword
Units; Radford et al. (2019) for starting from bytes.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

# No piece is longer than 64 characters: a text without spaces would be a single one, and slow to learn from.
PIECES = re.compile(r" ?\w{1,64}| ?[^\w\s]{1,64}|\s{1,64}(?!\S)|\s{1,64}")
HALVES = re.compile("[\ud800-\udfff]")  # of surrogate pairs

Pair = tuple[int, int]


@dataclass(frozen=True)
class BytePairs:
    """The merges in the order in which they were learned; token 256 + i is the i-th merge.

    `counts` has how often each pair met when it was merged. `cut` finds the pieces that no merge crosses.

    >>> pairs = learn_merges("aaabdaaabac", merges=3)
    >>> pairs.tokens[256:]
    ('aa', 'ab', 'aaab')
    >>> pairs.encode("aaab"), pairs.decode([258, 100])
    ([258], 'aaabd')
    """

    merges: tuple[Pair, ...]
    counts: tuple[int, ...] = ()
    cut: re.Pattern = PIECES

    @cached_property
    def pieces(self) -> tuple[bytes, ...]:
        """The bytes of every token, by id."""
        pieces = [bytes([byte]) for byte in range(256)]
        for left, right in self.merges:
            pieces.append(pieces[left] + pieces[right])
        return tuple(pieces)

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        """Every token as it is shown; bytes that are no character by themselves look like \\xe9."""
        return tuple(piece.decode(errors="backslashreplace") for piece in self.pieces)

    @cached_property
    def ranks(self) -> dict[Pair, int]:
        """The place of each merge: the earlier one goes first."""
        return {pair: rank for rank, pair in enumerate(self.merges)}

    def __len__(self) -> int:
        """Return the number of tokens, the 256 bytes among them."""
        return 256 + len(self.merges)

    def first(self, merges: int) -> BytePairs:
        """Return the first so many merges alone: what was learned by then.

        >>> learn_merges("aaabdaaabac", merges=3).first(1).tokens[256:]
        ('aa',)
        """
        return BytePairs(self.merges[:merges], self.counts[:merges], self.cut)

    def encode(self, text: str) -> list[int]:
        """Return the ids of a text; any text has them, and `decode` gives it back.

        Half a surrogate pair, which is no character and has no bytes in UTF-8, is read as U+FFFD.
        """
        pieces = self.cut.findall(text)
        encoded = {
            piece: self.steps(piece)[-1] for piece in set(pieces)
        }  # a word that comes again is merged once
        return [token for piece in pieces for token in encoded[piece]]

    def steps(self, piece: str) -> list[list[int]]:
        """Return a piece's ids after each merge, from its bytes to its tokens.

        >>> [len(ids) for ids in learn_merges("low lower lowest", merges=3).steps("low")]
        [3, 2, 1]
        """
        steps = [list(bytes_of(piece))]
        while True:
            ids = steps[-1]
            possible = [pair for pair in pairwise(ids) if pair in self.ranks]
            if not possible:
                return steps
            pair = min(possible, key=self.ranks.__getitem__)
            steps.append(merged(ids, pair, 256 + self.ranks[pair]))

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of the ids; half a character becomes U+FFFD."""
        return b"".join(self.pieces[i] for i in ids).decode(errors="replace")

    def names(self, ids: Sequence[int]) -> list[str]:
        """Return a text's tokens as they are shown: bytes of a character are named by it and counted.

        >>> BytePairs(()).names(BytePairs(()).encode("aü"))
        ['a', 'ü·1/2', 'ü·2/2']
        """
        parts = [
            (character, place, length)
            for character, length in decode_characters(b"".join(self.pieces[i] for i in ids))
            for place in range(1, length + 1)
        ]
        found, start = [], 0
        for i in ids:
            found.append(name_byte_token(parts[start : start + len(self.pieces[i])]))
            start += len(self.pieces[i])
        return found


def decode_characters(content: bytes) -> list[tuple[str, int]]:
    r"""Return the characters of bytes and how many bytes each has; a byte that is in none stands by itself.

    >>> decode_characters("ü".encode() + b"\xc3")
    [('ü', 2), ('\\xc3', 1)]
    """
    found, start = [], 0
    while start < len(content):
        for length in range(1, 5):
            try:
                found.append((content[start : start + length].decode(), length))
                break
            except UnicodeDecodeError:
                continue
        else:
            found.append((content[start : start + 1].decode(errors="backslashreplace"), 1))
        start += found[-1][1]
    return found


def name_byte_token(parts: Sequence[tuple[str, int, int]]) -> str:
    """Return the name of a token of some bytes, each (its character, its place in it, how many there are).

    >>> name_byte_token([("’", 1, 3), ("’", 2, 3)]), name_byte_token([("ü", 1, 2), ("ü", 2, 2)])
    ('’·1–2/3', 'ü')
    """
    name, i = "", 0
    while i < len(parts):
        character, first, length = parts[i]
        last = min(length, first + len(parts) - i - 1)
        whole = (first, last) == (1, length)
        places = f"{first}" if first == last else f"{first}–{last}"
        name += character if whole else f"{character}·{places}/{length}"
        i += last - first + 1
    return name


def bytes_of(piece: str) -> bytes:
    r"""Return a piece in UTF-8; for half a surrogate pair, which has no bytes there, those of U+FFFD.

    >>> bytes_of("\ud800") == "\ufffd".encode()
    True
    """
    return HALVES.sub("\ufffd", piece).encode()


def merged(ids: Sequence[int], pair: Pair, token: int) -> list[int]:
    """Return the ids with every occurrence of a pair, from left to right, replaced by its token.

    >>> merged([1, 1, 1, 2], (1, 1), 9)
    [9, 1, 2]
    """
    found, i = [], 0
    while i < len(ids):
        here = i + 1 < len(ids) and (ids[i], ids[i + 1]) == pair
        found.append(token if here else ids[i])
        i += 2 if here else 1
    return found


def learn_merges(text: str, merges: int) -> BytePairs:
    """Return at most that many merges, learned from a text; it ends early when no pair occurs twice.

    Of pairs that meet equally often the one with the smaller ids is merged. A piece is counted once and weighed by
    its frequency, and a merge corrects only the counts of the pairs beside it.

    >>> pairs = learn_merges("low low low lower newest newest", merges=3)
    >>> pairs.tokens[256:], pairs.counts
    (('lo', 'low', ' low'), (4, 4, 3))
    """
    frequency = Counter(PIECES.findall(text))
    words, weights = [list(bytes_of(piece)) for piece in frequency], list(frequency.values())
    count: Counter[Pair] = Counter()
    where: defaultdict[Pair, set[int]] = defaultdict(set)  # the words that have, or once had, a pair
    for number, ids in enumerate(words):
        for pair in pairwise(ids):
            count[pair] += weights[number]
            where[pair].add(number)
    learned, counts = [], []
    while len(learned) < merges and (most := max(count.values(), default=0)) > 1:
        pair = min(pair for pair, times in count.items() if times == most)
        learned.append(pair)
        counts.append(most)
        for number in where.pop(pair):
            for beside, change in merge_in(words[number], pair, 255 + len(learned)):
                count[beside] += change * weights[number]
                if change > 0:
                    where[beside].add(number)
        del count[pair]
    return BytePairs(tuple(learned), tuple(counts))


def merge_in(ids: list[int], pair: Pair, token: int) -> Iterator[tuple[Pair, int]]:
    """Merge a pair in a word, in place, from left to right; yield the pairs beside it that go (-1) and come (1).

    >>> word = [3, 1, 2]
    >>> list(merge_in(word, (1, 2), 9)), word
    ([((3, 1), -1), ((3, 9), 1)], [3, 9])
    """
    i = 0
    while i + 1 < len(ids):
        if ids[i] == pair[0] and ids[i + 1] == pair[1]:
            ids[i : i + 2] = [token]
            if i > 0:
                yield (ids[i - 1], pair[0]), -1
                yield (ids[i - 1], token), 1
            if i + 1 < len(ids):
                yield (pair[1], ids[i + 1]), -1
                yield (token, ids[i + 1]), 1
        i += 1
