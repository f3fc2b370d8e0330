"""Uploaded files into documents: plain text, Markdown, CSV, Word and PDF; whatever is wrong is one sentence."""

from __future__ import annotations

import csv
import hashlib
import io
import re
import zipfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath

from core.text.decoding import TextError, decode
from core.text.tokens import words

BYTES_AT_MOST = 10 * 2**20
UNPACKED_AT_MOST = 100 * 2**20
PAGES_AT_MOST = 1500
CHARACTERS_AT_MOST = 12_000_000
FEWEST_WORDS = 2
KINDS = (".txt", ".md", ".csv", ".docx", ".pdf")


@dataclass(frozen=True)
class Document:
    """A text that was read: its name, the text, and the encoding it was in ("" where that has no meaning)."""

    name: str
    text: str
    encoding: str = ""

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the text, which caches take for the text itself."""
        return hashlib.sha256(self.text.encode("utf-8", "replace")).hexdigest()


def read_document(name: str, data: bytes, column: str | None = None) -> Document:
    """Return the document in a file's bytes; the kind of file is read from its name.

    `column` names the column of a CSV that holds the text (default: the one with the most text). Raises TextError
    with a sentence that says what is wrong and what to do, whatever the bytes are.

    >>> read_document("note.txt", b"The cat sat on the mat.").text
    'The cat sat on the mat.'
    """
    kind = PurePath(name).suffix.lower()
    if kind not in KINDS:
        raise TextError(f"Files of this kind cannot be read here. Choose one of {', '.join(KINDS)}.")
    if len(data) > BYTES_AT_MOST:
        raise TextError(
            f"This file has {len(data) / 2**20:.1f} MB; at most {BYTES_AT_MOST // 2**20} MB can be read. "
            "Choose a shorter file or a part of it."
        )
    if not data:
        raise TextError("This file is empty. Choose a file with some text in it.")
    if kind == ".docx":
        return Document(name, checked(text_of_docx(data)))
    if kind == ".pdf":
        return Document(name, checked(text_of_pdf(data)))
    text, encoding = decode(data)
    if kind == ".csv":
        text = text_of_csv(text, column)
    return Document(name, checked(text), encoding)


def checked(text: str) -> str:
    """Return a text if it can be used: not blank, two words or more, not endless. Else raise TextError.

    >>> checked("   ")
    Traceback (most recent call last):
    core.text.decoding.TextError: There is no text here, only blanks. Write or choose a text with some words in it.
    """
    if not text.strip():
        raise TextError("There is no text here, only blanks. Write or choose a text with some words in it.")
    if len(text) > CHARACTERS_AT_MOST:
        raise TextError(
            f"This text has {len(text):,} characters; at most {CHARACTERS_AT_MOST:,} can be used. Choose a part of it."
        )
    if len(words(text[:200_000])) < FEWEST_WORDS:
        raise TextError(
            "This text has only one word. There is nothing to learn from it: add some more words."
        )
    return text


def text_of_docx(data: bytes) -> str:
    """Return the text of a Word document, a line a paragraph, tables included. Raises TextError."""
    import docx
    from docx.opc.exceptions import PackageNotFoundError

    refuse_zip_bomb(data)
    broken = "This Word file is broken or has a password. Open it in a word processor, save it as .docx or .txt again."
    try:
        parts = docx.Document(io.BytesIO(data)).element.body.iter()
        paragraphs = [part for part in parts if part.tag.endswith("}p")]
        return "\n".join(
            "".join(run.text or "" for run in p.iter() if run.tag.endswith("}t")) for p in paragraphs
        )
    except (
        PackageNotFoundError,
        KeyError,
        ValueError,
        AttributeError,
        SyntaxError,
        zipfile.BadZipFile,
        OSError,
    ) as error:
        raise TextError(broken) from error


def refuse_zip_bomb(data: bytes) -> None:
    """Raise TextError when a zip archive unpacks to more than UNPACKED_AT_MOST bytes, whatever it declares."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            left = UNPACKED_AT_MOST
            for entry in archive.infolist():
                with archive.open(entry) as unpacked:
                    while left >= 0 and (chunk := unpacked.read(1 << 20)):
                        left -= len(chunk)
                if left < 0:
                    raise TextError(
                        "This Word file unpacks to an enormous size and was not opened. Save its text as .txt instead."
                    )
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, ValueError) as error:
        if isinstance(error, TextError):
            raise
        raise TextError(
            "This is not a Word file, or it is broken or has a password. Save it as .docx or .txt again."
        ) from error
    except Exception as error:  # zlib.error and its kin have no common base
        raise TextError("This Word file is broken. Open it in a word processor and save it again.") from error


def text_of_pdf(data: bytes) -> str:
    """Return the text layer of a PDF, its pages separated by an empty line. Raises TextError."""
    from pypdf import PdfReader

    broken = "This PDF is broken and cannot be read. Export it again, or copy its text into the paste box."
    try:
        reader = PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise TextError(
                "This PDF is locked with a password. Save a copy without password, then choose that."
            )
        if len(reader.pages) > PAGES_AT_MOST:
            raise TextError(f"This PDF has more than {PAGES_AT_MOST} pages. Choose a part of it.")
        text = "\n\n".join(page.extract_text() for page in reader.pages)
    except TextError:
        raise
    except Exception as error:  # pypdf lets errors of every kind through on hostile files
        raise TextError(broken) from error
    if not text.strip():
        raise TextError(
            "This PDF has no text in it, only pictures of pages. Run text recognition on it first, or paste the text."
        )
    return text.encode("utf-8", "ignore").decode("utf-8")  # a PDF may yield half a surrogate pair


def text_of_csv(text: str, column: str | None) -> str:
    """Return the cells of one column, a line each. Raises TextError when there is none with text."""
    header, rows = csv_rows(text)
    names = text_columns(header, rows)
    if not names:
        raise TextError(
            "No column of this CSV holds text. It needs a header line and a column with words in it."
        )
    chosen = column if column in names else names[0]
    place = header.index(chosen)
    return "\n".join(row[place] for row in rows if len(row) > place and row[place].strip())


def csv_rows(text: str) -> tuple[list[str], list[list[str]]]:
    """Return the header and the rows of a CSV; comma, semicolon and tab are told apart. Raises TextError."""
    csv.field_size_limit(BYTES_AT_MOST)
    try:
        dialect = csv.Sniffer().sniff(text[:20_000], delimiters=",;\t|")
    except csv.Error:
        dialect = csv.excel
    try:
        rows = [row for row in csv.reader(io.StringIO(text, newline=""), dialect) if row]
    except csv.Error as error:
        raise TextError("This CSV cannot be read. Save it again as CSV with commas, in UTF-8.") from error
    if len(rows) < 2:
        raise TextError(
            "This CSV has no rows below its header. Choose one with a header line and rows of text."
        )
    return [cell.strip() or f"column {place}" for place, cell in enumerate(rows[0], 1)], rows[1:]


def text_columns(header: list[str], rows: list[list[str]]) -> list[str]:
    """Return the names of the columns that hold words, the one with the most letters first.

    >>> text_columns(["id", "review"], [["1", "a good film"], ["2", "dull"]])
    ['review']
    """
    letters = {
        name: sum(len(re.findall(r"[^\W\d_]", row[place])) for row in rows[:500] if len(row) > place)
        for place, name in enumerate(header)
    }
    return sorted((name for name in header if letters[name]), key=lambda name: -letters[name])


def columns_of_csv(data: bytes) -> list[str]:
    """Return the columns of an uploaded CSV that hold text, the fullest first; [] when it cannot be read."""
    try:
        return text_columns(*csv_rows(decode(data)[0]))
    except TextError:
        return []
