"""Files and pasted text into documents: what a learner brings, checked, or a sentence that says what is wrong."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

from core.text.reading import WORDS
from core.text.reading.decoding import CONTROLS, TextError, decode_bytes
from core.text.reading.extraction import extract
from core.text.reading.markdown import without_marks
from core.text.tokenization.tokens import WORD, pieces

__all__ = ["BYTES_AT_MOST", "ENDINGS", "Document", "TextError", "read_document", "read_pasted"]

BYTES_AT_MOST = 10 << 20
COLUMNS_AT_MOST = 200
ENDINGS = ("txt", "md", "csv", "docx", "pdf")
LINE_ENDS = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")
csv.field_size_limit(BYTES_AT_MOST)  # an unclosed quotation mark makes one cell of the rest of the file


@dataclass(frozen=True)
class Document:
    """A text and where it comes from.

    `encoding` is that of the file; `columns` are the columns of a CSV file that hold text and `column` the one
    that was read; `note` says what was left out; `source` and `licence` are set for the samples of the shelf.
    `own` is False for samples only: a document is a learner's, and no other session may see it, unless it says so.
    """

    name: str
    text: str
    encoding: str = ""
    columns: tuple[str, ...] = ()
    column: str | None = None
    note: str = ""
    source: str = ""
    licence: str = ""
    own: bool = True

    @cached_property
    def digest(self) -> str:
        """Return the SHA-256 of the text, by which caches know it without reading all of it at every run."""
        return sha256(self.text.encode()).hexdigest()


def read_document(name: str, data: bytes, column: str | None = None) -> Document:
    """Return the document in a file's bytes; the ending of its name says which kind it is.

    `column` picks the column of a CSV file; without it the one with the most text is read.
    Raises TextError, with a sentence for the learner, for anything that cannot be read.

    >>> read_document("notes.md", b"# One *bright* day")
    Document(name='notes.md', text='One bright day', encoding='utf-8', ...)
    """
    ending = name.rpartition(".")[2].lower() if "." in name else ""
    if ending not in ENDINGS:
        raise TextError(WORDS.label("ending"))
    if not data:
        raise TextError(WORDS.label("empty"))
    if len(data) > BYTES_AT_MOST:
        raise TextError(WORDS.label("large", megabytes=len(data) / 2**20))
    if ending in ("pdf", "docx"):
        check_signature(ending, data)
        text, note = extract(ending, data)
        return Document(name, check_document(text), note=note)
    text, encoding = decode_bytes(data)
    if ending == "md":
        return Document(name, check_document(without_marks(tidy(text))), encoding)
    if ending == "csv":
        return read_csv(name, tidy(text), encoding, column)
    return Document(name, check_document(text), encoding)


def read_pasted(text: str) -> Document:
    """Return the document of a text typed or pasted. Raises TextError like `read_document`."""
    if len(text.encode("utf-8", "replace")) > BYTES_AT_MOST:
        raise TextError(WORDS.label("long_paste"))
    return Document(WORDS.label("pasted"), check_document(text))


def check_signature(ending: str, data: bytes) -> None:
    """Raise TextError when the first bytes are not those of a PDF or a Word document."""
    if ending == "pdf" and b"%PDF-" not in data[:1024]:
        raise TextError(WORDS.label("not_pdf"))
    if ending == "docx" and data.startswith(b"\xd0\xcf\x11\xe0"):
        raise TextError(WORDS.label("old_word"))
    if ending == "docx" and not data.startswith(b"PK"):
        raise TextError(WORDS.label("not_word"))


def tidy(text: str) -> str:
    """Return the text with plain line ends and without control characters and lone surrogates."""
    text = CONTROLS.sub("", LINE_ENDS.sub("\n", text).removeprefix("\ufeff"))
    return text.encode("utf-8", "ignore").decode("utf-8")


def check_document(text: str) -> str:
    """Return the tidy text. Raises TextError when it is blank, has no two words, or is too long."""
    text = tidy(text)
    if len(text) > BYTES_AT_MOST:
        raise TextError(WORDS.label("long"))
    if not text.strip():
        raise TextError(WORDS.label("blank"))
    found = find_word_starts(text)
    if next(found, None) is None:
        raise TextError(WORDS.label("signs"))
    if next(found, None) is None:
        raise TextError(WORDS.label("one_word"))
    return text


def find_word_starts(text: str) -> Iterator[int]:
    """Yield where each word begins; one that is longer than a piece, and so is cut, begins once.

    >>> list(find_word_starts("a bee")), list(find_word_starts("a" * 1_000_000))
    ([0, 2], [0])
    """
    at = end = 0
    for piece in pieces(text):
        for word in WORD.finditer(piece):
            if not at or word.start() or end != at:
                yield at + word.start()
            end = at + word.end()
        at += len(piece)


def read_csv(name: str, text: str, encoding: str, column: str | None) -> Document:
    """Return the document of one column of a CSV text, each cell a paragraph; its first row names the columns."""
    try:
        read = csv.reader(text.splitlines(keepends=True), delimiter=delimiter_of(text))
        texts = columns_of(row for row in read if any(cell.strip() for cell in row))
    except csv.Error as error:
        raise TextError(WORDS.label("csv")) from error
    if not texts:
        raise TextError(WORDS.label("no_column"))
    if column is not None and column not in texts:
        raise TextError(WORDS.label("other_column"))
    column = column if column is not None else max(texts, key=lambda name: len(texts[name]))
    return Document(name, check_document(texts[column]), encoding, tuple(texts), column)


def delimiter_of(text: str) -> str:
    """Return the sign that most evenly cuts the first lines into columns: comma, semicolon, tab or bar."""
    lines = [line for line in text[:20_000].splitlines() if line.strip()][:20]
    return max(",;\t|", key=lambda sign: min((line.count(sign) for line in lines), default=0))


def columns_of(rows: Iterable[list[str]]) -> dict[str, str]:
    """Return the text of every column that holds any, by name; columns without a name are called by number.

    The rows are taken one by one: other learners have their turns between them, and none is kept.
    """
    rows = iter(rows)
    headings = next(rows, [])[:COLUMNS_AT_MOST]
    cells: list[list[str]] = [[] for _ in headings]
    for row in rows:
        for column, cell in zip(cells, row, strict=False):
            column.append(cell.strip())
    texts: dict[str, str] = {}
    for place, (heading, column) in enumerate(zip(headings, cells, strict=True)):
        text = "\n\n".join(filter(None, column))
        if re.search(r"[^\W\d_]", text):
            heading = " ".join(heading.split())[:60] or WORDS.label("column", n=place + 1)
            texts[heading if heading not in texts else f"{heading} ({place + 1})"] = text
    return texts
