"""Text into characters, words and sentences, in any script, in time linear in the length of the text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from sys import intern

import regex

# Scripts written without spaces between words. Each Chinese character and kana is a token of its own, and so is each
# letter with its marks in Thai, Lao, Burmese and Khmer: where a word ends there only a dictionary could tell.
IDEOGRAPHS = (
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
)
UNSPACED = rf"[{IDEOGRAPHS}[\p{{Thai}}\p{{Lao}}\p{{Myanmar}}\p{{Khmer}}&&[\p{{L}}\p{{N}}]]]"
PICTURE = "[\u231a-\u23ff\u2600-\u27bf\u2b50\u2b55\U0001f000-\U0001faff]"
VARIANT = "[\ufe0f\u20e3\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]*"  # colour, keycap, skin tone, tags
EMOJI = f"[\U0001f1e6-\U0001f1ff]{{2}}|{PICTURE}{VARIANT}(?:\u200d{PICTURE}{VARIANT})*"

# Combining marks (accents, Arabic vowel points, Indic vowel signs) and the two joiners belong to the letter before
# them. Unicode's extended grapheme cluster, \X, is a character as a reader counts it, but for a few Burmese vowels.
LETTER = rf"[[\p{{L}}\p{{N}}]--{UNSPACED}]"
LETTERS = rf"{LETTER}+(?:[\p{{M}}\u200c\u200d]+{LETTER}*)*"
CLUSTER = rf"(?={UNSPACED})\X\p{{M}}*"
INSIDE = r"['’](?=\p{L})|(?<=\d)[.,](?=\d)"  # don't, l’homme; 3.14, 1,000
PLAIN = r"[a-zß-öø-ÿ]+(?=[\s,.;:!?])"  # most words of most texts: matched first, four times as fast
WORD = regex.compile(f"{PLAIN}|{LETTERS}(?:(?:{INSIDE}){LETTERS})*|{CLUSTER}|{EMOJI}", regex.V1)
CHARACTER = regex.compile(r"\r|\X\p{M}*", regex.V1)  # \X would take the two ends of a line for one
FIRST_MARK = "\u0300"

# A sentence ends at its full stop and the quotes that close there, at a Chinese full stop, at an empty line.
# Its first character is one of few, which Python's engine looks for sixteen times as fast as for three alternatives.
END = re.compile(
    r"[.!?…؟۔।။។。！？\n](?:(?<=[.!?…؟۔।။។])([\"'”’»)\]]*)\s+"
    r"|(?<=[。！？])(?![。！？])([”’」』）]*)\s*"
    r"|(?<=\n)[^\S\n]*\n\s*())"
)
EMPTY_LINE = 3  # the group of END that stands for one
ABBREVIATION = re.compile(r"(?:^|[\s(\"“'])(?:Mr|Mrs|Ms|Dr|Prof|St|Mt|Jr|Sr|vs|No|Mme|Mlle|[A-HJ-Z])\.$")
BETWEEN = rf"\s|{CLUSTER}"
PIECE = 1 << 16
LONGEST = 100  # characters of a token: a page sends a token many times, so what is longer is cut


def words(text: str, lower: bool = True) -> list[str]:
    """Return the words of a text in lower case, or as written: its tokens for the models of this course.

    A word is a run of letters, digits and their marks, with apostrophes inside words and points inside
    numbers. A Chinese character, a kana, a Thai or Khmer letter with its marks and an emoji are tokens by
    themselves; punctuation is left out. A word of more than LONGEST characters is cut into several. Equal
    words are one object, in all sentences and texts.

    >>> words("Don't panic: the café, το καφενείο and 咖啡 cost 1,000 € 👍🏽!")
    ["don't", 'panic', 'the', 'café', 'το', 'καφενείο', 'and', '咖', '啡', 'cost', '1,000', '👍🏽']
    >>> words("The iPhone", lower=False)
    ['The', 'iPhone']
    """
    found: list[str] = []
    for piece in pieces(normal(text)):
        cased = piece.lower() if lower else piece
        found += map(intern, cut_long(WORD.findall(cased.replace("’", "'"))))
    return found


def characters(text: str) -> list[str]:
    """Return the characters as a reader counts them: a letter with its marks is one, an emoji is one.

    >>> characters("né 👩‍🚀 กำ")
    ['n', 'é', ' ', '👩‍🚀', ' ', 'กำ']
    """
    found = []
    for piece in pieces(normal(text)):
        found += map(intern, piece if max(piece) < FIRST_MARK else cut_long(CHARACTER.findall(piece)))
    return found


def cut_long(tokens: list[str]) -> list[str]:
    """Return the tokens, those of more than LONGEST characters cut into several.

    >>> [len(token) for token in cut_long(["a", "b" * 250])]
    [1, 100, 100, 50]
    """
    if max(map(len, tokens), default=0) <= LONGEST:
        return tokens
    return [token[at : at + LONGEST] for token in tokens for at in range(0, len(token), LONGEST)]


def sentences(text: str) -> list[str]:
    """Return the sentences of a text, each on one line.

    The rule: a sentence ends where a full stop, question or exclamation mark is followed by space and no
    small letter, unless the stop belongs to a title or an initial; and at every empty line.

    >>> sentences("Mr. Holmes smiled. 'Why?' asked J. Watson.  Nobody knew…\\n\\nThe end")
    ['Mr. Holmes smiled.', "'Why?' asked J. Watson.", 'Nobody knew…', 'The end']
    """
    text, found, start = normal(text), [], 0
    for end in END.finditer(text):
        stop = end.start() if end.lastindex == EMPTY_LINE else end.end(end.lastindex)
        if end.lastindex == 1 and not ends_here(text, start, end):
            continue
        found.append(text[start:stop])
        start = end.end()
    found.append(text[start:])
    return [line for line in (" ".join(sentence.split()) for sentence in found) if line]


def ends_here(text: str, start: int, end: re.Match) -> bool:
    """Return whether a full stop followed by space ends its sentence."""
    if end[0].count("\n") > 1:
        return True
    if text[end.end() : end.end() + 1].islower():
        return False
    return end[1] != "" or not ABBREVIATION.search(text[max(start, end.start() - 5) : end.start() + 1])


def normal(text: str) -> str:
    """Return the text with one spelling for each accented letter (NFC) and without soft hyphens."""
    return unicodedata.normalize("NFC", text).replace("\u00ad", "")


def pieces(text: str, end: str = BETWEEN) -> Iterator[str]:
    """Yield the text in pieces that end between words: no single call holds the interpreter for long.

    A word that is longer than a piece is cut: one expression over ten megabytes of a'a'a' takes all memory.

    >>> [len(piece) for piece in pieces("a" * 3 * PIECE + " a")]
    [131072, 65537, 1]
    """
    border, start = regex.compile(end, regex.V1), 0
    while start < len(text):
        most = start + 2 * PIECE
        found = border.search(text, start + PIECE, most)
        stop = found.end() if found else min(most, len(text))
        yield text[start:stop]
        start = stop
