"""A learner's own pairs: two columns, parted by tabs, commas or semicolons, read into words or characters.

Whatever is wrong is said in a sentence that names the line; what is left out is counted and said.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from core.text.grammar.pairs import MOST_WORDS, Pair, sentence_of, tokenise_sentence
from core.text.reading.decoding import TextError, decode_bytes
from core.text.reading.documents import BYTES_AT_MOST, tidy

MOST_PAIRS = 20_000
SEPARATORS = {"\t": "a tab", ",": "a comma", ";": "a semicolon"}
UNITS = ("words", "characters")
WANTED = "Give each pair a line: a sentence, a tab or a comma, its translation."


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
        raise TextError(f"This file is empty. {WANTED}")
    if len(data) > BYTES_AT_MOST:
        raise TextError(
            f"This file has {len(data) / 2**20:.1f} MB; at most 10 MB can be read. Choose a part of it."
        )
    return read_pairs(tidy(decode_bytes(data)[0]), unit)


def read_pairs(text: str, unit: str = "words") -> PairFile:
    r"""Return the pairs in a text of two columns. Raises TextError, with a sentence for the learner.

    >>> read_pairs("yes;oui\nno;non;(a note)\n").notes
    ('Columns after the second were not read.',)
    """
    rows = _filled(text)
    if not rows:
        raise TextError(f"There is nothing to read. {WANTED}")
    notes = ["Columns after the second were not read."] if any(any(row[2:]) for _, row in rows) else []
    if len(rows) > MOST_PAIRS:
        notes.append(f"These are {len(rows):,} pairs; the first {MOST_PAIRS:,} were read.")
    pairs = [Pair(units_of(row[0], unit), units_of(row[1], unit)) for _, row in rows[:MOST_PAIRS]]
    short = tuple(pair for pair in pairs if max(len(pair.source), len(pair.target)) <= MOST_WORDS)
    if not short:
        raise TextError(f"Every pair is longer than {MOST_WORDS} {unit}. Give shorter ones.")
    if len(short) < len(pairs):
        notes.append(
            f"Left out as longer than {MOST_WORDS} {unit}: {len(pairs) - len(short):,} of the pairs."
        )
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
        others = f" Nor has any of {len(wrong) - 1:,} other lines." if len(wrong) > 1 else ""
        raise TextError(
            f"Line {wrong[0]:,} has no second column, as {SEPARATORS[separator]} would begin it, or one of its two "
            f"columns is empty.{others} {WANTED}"
        )
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
            f"The quotation marks of line {first:,} do not match. Put a cell that holds {SEPARATORS[separator]} or a "
            'quotation mark between quotation marks, and write those inside it twice: "He said ""no"", and left".'
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
