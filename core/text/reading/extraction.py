"""The text inside PDF and Word files: `python -m core.text.reading.extraction pdf < file`, which prints JSON.

Such files are programs of a kind: one of a few kilobytes can ask for hours of work or gigabytes of memory. So they
are opened in a process of their own, with limits on its memory and time, which also leaves the interpreter that
serves the other learners alone. `extract` starts that process; the functions above it run inside.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import zipfile
from io import BytesIO
from pathlib import Path
from threading import BoundedSemaphore

from core.text.reading import WORDS
from core.text.reading.decoding import TextError
from core.words.language import ENGLISH, language, set_language

ROOT = Path(__file__).resolve().parents[3]
SECONDS = 20  # of reading pages; the process itself is ended a little later
CHARACTERS = 10_000_000
MEMORY = 2 << 30
UNPACKED = 100_000_000
PARTS = 5_000
AT_ONCE = BoundedSemaphore(2)


def pdf_text(data: bytes) -> tuple[str, str]:
    """Return the text layer of a PDF, its pages separated by empty lines, and a note on what was left out."""
    from pypdf import PdfReader

    reader = PdfReader(BytesIO(data))
    if reader.is_encrypted and not reader.decrypt(""):
        raise TextError(WORDS.label("pdf_locked"))
    count, pages, length = len(reader.pages), [], 0
    began = time.monotonic()
    for number, page in enumerate(reader.pages):
        if time.monotonic() - began > SECONDS or length > CHARACTERS:
            return "\n\n".join(pages), WORDS.label("pdf_pages", n=number, count=count)
        pages.append(page.extract_text())
        length += len(pages[-1])
    if not "".join(pages).strip():
        raise TextError(WORDS.label("pdf_pictures"))
    return "\n\n".join(pages), ""


def docx_text(data: bytes) -> tuple[str, str]:
    """Return the paragraphs of a Word document, those in tables among them, and an empty note."""
    from docx import Document
    from docx.oxml.ns import qn
    from docx.text.paragraph import Paragraph

    body = Document(BytesIO(data)).element.body
    return "\n\n".join(Paragraph(element, None).text for element in body.iter(qn("w:p"))), ""


def check_archive(data: bytes) -> None:
    """Raise TextError unless the file is a Word document of sensible size, going by what its archive declares.

    What is declared holds: zipfile never unpacks more of a part than its declared size.
    """
    try:
        parts = zipfile.ZipFile(BytesIO(data)).infolist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, RecursionError) as error:
        raise TextError(damaged("docx")) from error
    if len(parts) > PARTS or sum(part.file_size for part in parts) > UNPACKED:
        raise TextError(WORDS.label("word_large"))
    if not any(part.filename == "word/document.xml" for part in parts):
        raise TextError(WORDS.label("word_archive"))


def damaged(kind: str) -> str:
    """Return the sentence for a file that cannot be opened."""
    return WORDS.label("damaged", kind=WORDS.label(f"document.{kind}"))


READERS = {"pdf": pdf_text, "docx": docx_text}


def extract(kind: str, data: bytes) -> tuple[str, str]:
    """Return the text of a "pdf" or "docx" and a note on what was left out. Raises TextError with a sentence."""
    if kind == "docx":
        check_archive(data)
    if not AT_ONCE.acquire(timeout=2 * SECONDS):
        raise TextError(WORDS.label("busy"))
    try:
        done = subprocess.run(
            [sys.executable, "-m", "core.text.reading.extraction", kind, language()],
            input=data,
            capture_output=True,
            cwd=ROOT,
            timeout=SECONDS + 10,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise TextError(WORDS.label("slow", kind=WORDS.label(f"document.{kind}"))) from None
    finally:
        AT_ONCE.release()
    if done.returncode:
        raise TextError(damaged(kind))
    answer = json.loads(done.stdout)
    if "error" in answer:
        raise TextError(answer["error"])
    return answer["text"], answer["note"]


def be_modest() -> None:
    """Let this process come after those that serve pages, with no more than MEMORY bytes, where systems know that."""
    try:
        import resource
    except ImportError:  # Windows
        return
    os.nice(10)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def main(kind: str, spoken: str = ENGLISH) -> None:
    """Read a file from standard input and print its text, or the sentence that says why there is none, as JSON."""
    be_modest()
    set_language(spoken)
    try:
        text, note = READERS[kind](sys.stdin.buffer.read())
        answer = {"text": text[: CHARACTERS + 1], "note": note}
    except TextError as error:
        answer = {"error": str(error)}
    sys.stdout.write(json.dumps(answer))


if __name__ == "__main__":
    main(*sys.argv[1:])
