"""Word pieces, as BERT reads: words cut into the longest pieces that a vocabulary has.

Sources: Wu et al. (2016), Google's Neural Machine Translation System; Devlin et al. (2019), BERT.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

LONGEST_WORD = 100  # characters; a longer word is [UNK], as in BERT


@dataclass(frozen=True)
class WordPiece:
    """Words cut into the longest pieces that a vocabulary has; a piece that goes on a word begins with ##.

    >>> pieces = WordPiece(("[UNK]", "un", "##lock", "##ed", "!"))
    >>> [pieces.vocabulary[i] for i in pieces.encode("Unlocked! XY")]
    ['un', '##lock', '##ed', '!', '[UNK]']
    """

    vocabulary: tuple[str, ...]

    def encode(self, text: str) -> list[int]:
        """Return the ids of a text's pieces, lower-cased and without accents."""
        place = _places(self.vocabulary)
        return [place[piece] for word in bert_words(text) for piece in split_into_pieces(word, place)]


@cache
def _places(vocabulary: tuple[str, ...]) -> dict[str, int]:
    return {piece: i for i, piece in enumerate(vocabulary)}


def split_into_pieces(word: str, known: Mapping[str, int]) -> list[str]:
    """Return a word's pieces, each the longest that is known, from left to right; [UNK] where none fits."""
    found, start = [], 0
    while start < len(word):
        ends = range(len(word), start, -1) if len(word) <= LONGEST_WORD else ()
        tried = (("##" if start else "") + word[start:end] for end in ends)
        piece = next((piece for piece in tried if piece in known), None)
        if piece is None:
            return ["[UNK]"]
        found.append(piece)
        start += len(piece) - 2 * bool(start)
    return found


def bert_words(text: str) -> list[str]:
    """Return a text's words as BERT cuts them: at spaces, and around each sign and each Chinese character.

    >>> bert_words("Déjà vu, 你好")
    ['deja', 'vu', ',', '你', '好']
    """
    letters = unicodedata.normalize("NFD", unicodedata.normalize("NFC", text).lower())
    return "".join(_spaced(letters)).split()


def _spaced(letters: str) -> Iterator[str]:
    for letter in letters:
        category = unicodedata.category(letter)
        if letter in "\t\n\r" or category == "Zs":
            yield " "
        elif category[0] == "C" or category == "Mn" or letter == "\ufffd":
            continue
        elif category[0] == "P" or (letter.isascii() and not letter.isalnum()) or _is_chinese(letter):
            yield f" {letter} "
        else:
            yield letter


def _is_chinese(letter: str) -> bool:
    code = ord(letter)
    return 0x4E00 <= code <= 0x9FFF or 0x3400 <= code <= 0x4DBF or 0xF900 <= code <= 0xFAFF or code >= 0x20000
