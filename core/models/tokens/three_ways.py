"""A text cut three ways, into characters, byte pairs and words: its tokens, their ids, and what has none.

A vocabulary of characters or words gives id 0 to <unk>, which stands for all that it does not hold, and the next ids by
frequency. Byte pairs begin with the 256 bytes, so that any text has ids.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from core.models.tokens.byte_pairs import BytePairs, bytes_of
from core.text.tokenization.tokens import characters, words
from core.text.tokenization.vocabulary import Vocabulary

UNKNOWN = "<unk>"
CHARACTERS, BYTE_PAIRS, WORDS = WAYS = ("characters", "byte pairs", "words")
CUT: dict[str, Callable[[str], list[str]]] = {CHARACTERS: characters, WORDS: words}


@dataclass(frozen=True)
class Token:
    """A token of a passage: what is shown of it, its id, its bytes in UTF-8, and whether the vocabulary lacks it."""

    text: str
    id: int
    bytes: bytes
    unknown: bool = False


@dataclass(frozen=True)
class Way:
    """One way to cut a text: the vocabulary learned from it, and how many tokens and types it has so."""

    name: str
    vocabulary: Vocabulary | BytePairs
    tokens: int
    types: int

    def cut(self, passage: str) -> list[Token]:
        """Return the tokens of a passage, which need not be of the text that was learned from."""
        if isinstance(self.vocabulary, BytePairs):
            ids = self.vocabulary.encode(passage)
            names = self.vocabulary.names(ids)
            return [Token(name, i, self.vocabulary.pieces[i]) for name, i in zip(names, ids, strict=True)]
        return [
            Token(text, self.vocabulary[text], bytes_of(text), text not in self.vocabulary)
            for text in CUT[self.name](passage)
        ]

    def name_of(self, i: int) -> str:
        """Return the token of an id."""
        if isinstance(self.vocabulary, BytePairs):
            return self.vocabulary.names([i])[0]
        return self.vocabulary.types[i]

    def most_frequent(self, k: int) -> Way:
        """Return the same with the k most frequent types alone; the others have become <unk>."""
        return replace(self, vocabulary=limit_vocabulary(self.vocabulary, k))


def three_ways(text: str, pairs: BytePairs) -> dict[str, Way]:
    """Return a text cut into characters, byte pairs and words.

    >>> ways = three_ways("a cat, a hat", BytePairs(((97, 116),)))
    >>> [(way.name, way.tokens, way.types) for way in ways.values()]
    [('characters', 12, 6), ('byte pairs', 10, 6), ('words', 4, 3)]
    >>> [(token.text, token.id) for token in ways["words"].cut("a hot cat")]
    [('a', 1), ('hot', 0), ('cat', 2)]
    """
    found = {}
    for name in WAYS:
        if name == BYTE_PAIRS:
            ids = pairs.encode(text)
            found[name] = Way(name, pairs, len(ids), len(set(ids)))
        else:
            tokens = CUT[name](text)
            vocabulary = Vocabulary.of(tokens, unknown=UNKNOWN)
            found[name] = Way(name, vocabulary, len(tokens), len(vocabulary) - 1)
    return found


def limit_vocabulary(vocabulary: Vocabulary, k: int) -> Vocabulary:
    """Return a vocabulary with <unk> and its k most frequent types; the others' counts go to <unk>.

    >>> few = limit_vocabulary(Vocabulary.of("to be or not to be to".split(), unknown=UNKNOWN), 2)
    >>> few.types, few.counts
    (('<unk>', 'to', 'be'), (2, 3, 2))
    """
    lost = sum(vocabulary.counts[k + 1 :])
    counts = (vocabulary.counts[0] + lost, *vocabulary.counts[1 : k + 1])
    return Vocabulary(vocabulary.types[: k + 1], counts, vocabulary.unknown)
