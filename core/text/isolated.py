"""Reading a file in a process of its own, with limits on time and memory.

Word and PDF files are programs of a kind: a hostile one can keep its reader busy for ever or fill the memory. In a
process of its own it can be ended, and other learners' pages go on meanwhile.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from core.text.decoding import TextError
from core.text.documents import Document, read_document

SECONDS_AT_MOST = 60
MEMORY_AT_MOST = 3 * 2**30
ROOT = Path(__file__).resolve().parents[2]


def read_isolated(
    name: str, data: bytes, column: str | None = None, seconds: float = SECONDS_AT_MOST
) -> Document:
    """Return `read_document(name, data, column)`, computed in a process of its own. Raises TextError.

    >>> read_isolated("note.txt", b"The cat sat on the mat.").encoding
    'utf-8'
    """
    command = [sys.executable, "-m", "core.text.isolated", name, *([] if column is None else [column])]
    try:
        run = subprocess.run(command, input=data, capture_output=True, timeout=seconds, cwd=ROOT, check=True)
    except subprocess.TimeoutExpired as error:
        raise TextError(
            f"Reading this file takes longer than {seconds:g} seconds. Save its text as .txt."
        ) from error
    except subprocess.CalledProcessError as error:
        raise TextError(
            "This file needs too much memory to be read. Save its text as .txt instead."
        ) from error
    answer = json.loads(run.stdout)
    if "error" in answer:
        raise TextError(answer["error"])
    return Document(**answer)


def main() -> None:
    """Read a file's bytes from standard input; write the document, or the sentence of the error, as JSON."""
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_AT_MOST, MEMORY_AT_MOST))
    except (ImportError, ValueError, OSError):
        pass  # not every system has such limits; the limit on time holds everywhere
    name, *column = sys.argv[1:]
    try:
        read = read_document(name, sys.stdin.buffer.read(), *column)
        answer = {"name": read.name, "text": read.text, "encoding": read.encoding}
    except TextError as error:
        answer = {"error": str(error)}
    sys.stdout.buffer.write(json.dumps(answer).encode())


if __name__ == "__main__":
    main()
