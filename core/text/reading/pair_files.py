"""A learner's own pairs: two columns, parted by tabs, commas or semicolons, read into words or characters.

Whatever is wrong is said in a sentence that names the line; what is left out is counted and said.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from core.text.grammar.pairs import MOST_WORDS, Pair, sentence_of, tokenise_sentence
from core.text.reading import WORDS
from core.text.reading.decoding import TextError, decode_bytes
from core.text.reading.documents import BYTES_AT_MOST, tidy

MOST_PAIRS = 20_000
SEPARATORS = {"\t": "tab", ",": "comma", ";": "semicolon"}
UNITS = ("words", "characters")


@dataclass(frozen=True)
class PairFile:
    """The pairs of a file and the sentences that say what was left out of it."""

    pairs: tuple[Pair, ...]
    notes: tuple[str, ...] = ()


def units_of(text: str, unit: str) -> tuple[str, ...]:
    """Return a sentence's words, or its characters in small letters, white space kept once.

    >>> units_of("The Cat", "words"), units_of(" A  b", "characters")
    (('the', 'cat'), ('a', ' ', 'b'))
    """
    return tuple(tokenise_sentence(text)) if unit == "words" else tuple(" ".join(text.lower().split()))


def read_pair_file(data: bytes, unit: str = "words") -> PairFile:
    r"""Return the pairs in the bytes of a file. Raises TextError, with a sentence for the learner.

    >>> read_pair_file(b"the cat\tle chat\nthe dog\tle chien").pairs[1].target
    ('le', 'chien')
    """
    if not data:
        raise TextError(WORDS.label("labelled.empty", wanted=WORDS.label("pairs.wanted")))
    if len(data) > BYTES_AT_MOST:
        raise TextError(WORDS.label("large", megabytes=len(data) / 2**20))
    return read_pairs(tidy(decode_bytes(data)[0]), unit)


def read_pairs(text: str, unit: str = "words") -> PairFile:
    r"""Return the pairs in a text of two columns. Raises TextError, with a sentence for the learner.

    >>> read_pairs("yes;oui\nno;non;(a note)\n").notes
    ('Columns after the second were not read.',)
    """
    rows = _filled(text)
    if not rows:
        raise TextError(WORDS.label("labelled.nothing", wanted=WORDS.label("pairs.wanted")))
    notes = [WORDS.label("pairs.third")] if any(any(row[2:]) for _, row in rows) else []
    if len(rows) > MOST_PAIRS:
        notes.append(WORDS.label("pairs.many", n=len(rows), most=MOST_PAIRS))
    pairs = [Pair(units_of(row[0], unit), units_of(row[1], unit)) for _, row in rows[:MOST_PAIRS]]
    short = tuple(pair for pair in pairs if max(len(pair.source), len(pair.target)) <= MOST_WORDS)
    if not short:
        raise TextError(WORDS.label("pairs.all_long", most=MOST_WORDS, unit=WORDS.label(f"unit.{unit}")))
    if len(short) < len(pairs):
        left_out = len(pairs) - len(short)
        notes.append(WORDS.label("pairs.long", most=MOST_WORDS, unit=WORDS.label(f"unit.{unit}"), n=left_out))
    return PairFile(short, tuple(notes))


def separator_of(text: str) -> str:
    """Return the sign that parts the columns: a tab if most lines have one, else the one that makes most pairs.

    >>> separator_of("Yes, I do;Oui, je le fais" + chr(10) + "no;non")
    ';'
    """
    lines = [line for line in text.splitlines(keepends=True)[:200] if line.strip()]
    if sum("\t" in line for line in lines) > len(lines) / 2:
        return "\t"
    return max([",", ";", "\t"], key=lambda sign: _readable(lines, sign))


def name_separator(sign: str) -> str:
    """Return what a reader calls the sign that parts the columns."""
    return WORDS.label(f"separator.{SEPARATORS[sign]}")


def _readable(lines: Sequence[str], sign: str) -> tuple[int, int]:
    """Return how many rows have two columns when a sign parts them, and how many have more; up to the first error."""
    columns: Counter[int] = Counter()
    try:
        for row in csv.reader(lines, delimiter=sign, strict=True, skipinitialspace=True):
            columns[min(3, len(row))] += 1
    except csv.Error:
        pass
    return columns[2], columns[3]


def _filled(text: str) -> list[tuple[int, list[str]]]:
    """Return each line's number and cells, blank lines left out. Raises TextError for a line without two columns."""
    separator = separator_of(text)
    rows = [(line, row) for line, row in _number_rows(text, separator) if any(row)]
    wrong = [line for line, row in rows if len(row) < 2 or not (row[0] and row[1])]
    if wrong:
        named = {"line": wrong[0], "separator": name_separator(separator), "others": len(wrong) - 1}
        raise TextError(WORDS.label("pairs.line", **named, wanted=WORDS.label("pairs.wanted")))
    return rows


def _number_rows(text: str, separator: str) -> Iterator[tuple[int, Sequence[str]]]:
    """Yield the number of each row's first line, and its cells without white space around them."""
    if separator == "\t":  # quotation marks are mostly the sentences' own there
        for number, line in enumerate(text.split("\n"), 1):
            yield number, [_unquoted(cell.strip()) for cell in line.split("\t")]
        return
    reader = csv.reader(
        text.splitlines(keepends=True), delimiter=separator, strict=True, skipinitialspace=True
    )
    first = 1
    try:
        for row in reader:
            yield first, [" ".join(cell.split()) for cell in row]
            first = reader.line_num + 1
    except csv.Error:
        raise TextError(
            WORDS.label("pairs.quotes", line=first, separator=name_separator(separator))
        ) from None


def _unquoted(cell: str) -> str:
    """Return a cell without the quotation marks that a spreadsheet puts around it."""
    quoted = len(cell) > 1 and cell[0] == cell[-1] == '"'
    return cell[1:-1].replace('""', '"') if quoted else cell


def written_pairs(pairs: Iterable[Pair], language: str = "fr") -> str:
    r"""Return English sentences and their translations as two columns parted by tabs.

    >>> written_pairs([Pair(("the", "man", "."), ("l'", "homme", "."))])
    "The man.\tL'homme.\n"
    """
    return "".join(f"{sentence_of(p.source)}\t{sentence_of(p.target, language)}\n" for p in pairs)
