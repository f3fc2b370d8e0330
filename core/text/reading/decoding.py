"""Bytes into text: which encoding a file was written in, and what to say when it is no text at all."""

from __future__ import annotations

import codecs
import re

from charset_normalizer import from_bytes

from core.text.reading import WORDS

MARKED = (  # byte order marks; the longer ones first, for they begin like the shorter ones
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
SIGNATURES = {
    b"%PDF-": "pdf",
    b"\x89PNG": "png",
    b"\xff\xd8\xff": "jpeg",
    b"GIF8": "gif",
    b"PK\x03\x04": "zip",
    b"\xd0\xcf\x11\xe0": "office",
    b"\x1f\x8b": "archive",
    b"7z\xbc\xaf": "archive",
    b"Rar!": "archive",
    b"\x7fELF": "program",
    b"MZ\x90": "program",
    b"ID3": "sound",
    b"OggS": "sound",
    b"{\\rtf": "rtf",
}
# The encodings in use, the likelier first. Without this list rare ones that differ in a letter or two win.
IN_USE = ["cp1252", "cp1251", "cp1250", "cp1253", "cp1256", "cp1255", "cp1254", "gb18030", "big5", "cp932"]
IN_USE += ["euc_jp", "cp949", "koi8_r", "mac_roman", "iso8859_5"]
CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
SAMPLE = 20_000


class TextError(Exception):
    """A sentence for the learner: why this cannot be read as text, and what to do."""


def decode_bytes(data: bytes) -> tuple[str, str]:
    """Return the text of a file's bytes and the name of its encoding. Raises TextError for what is not text.

    A byte order mark decides; then UTF-8, which other encodings hardly ever resemble; then UTF-16 without
    mark, known by zero bytes in every other place; then whichever encoding in use makes the text look most
    like a language (charset-normalizer).

    >>> decode_bytes("Élan".encode("utf-16"))
    ('Élan', 'utf-16')
    """
    for signature, kind in SIGNATURES.items():
        if data.startswith(signature):
            raise TextError(WORDS.label("not_plain", kind=WORDS.label(f"kind.{kind}")))
    for mark, encoding in MARKED:
        if data.startswith(mark):
            return strictly(data, encoding), encoding.removesuffix("-sig")
    for encoding in filter(None, ("utf-8", zero_bytes(data))):
        try:
            return check_readable(data.decode(encoding)), encoding
        except (UnicodeDecodeError, TextError):
            continue
    if CONTROLS.search(data[:SAMPLE].decode("latin-1")) and b"\x00" in data:
        raise TextError(WORDS.label("binary"))
    return guess(data)


def strictly(data: bytes, encoding: str) -> str:
    """Return the text of bytes that a byte order mark declares to be in this encoding."""
    try:
        return check_readable(data.decode(encoding))
    except UnicodeDecodeError:
        raise TextError(WORDS.label("damaged_text", encoding=encoding.removesuffix("-sig").upper())) from None


def zero_bytes(data: bytes) -> str | None:
    """Return the UTF-16 encoding whose pattern of zero bytes is there, if any."""
    even, odd = data[:SAMPLE:2].count(0), data[1:SAMPLE:2].count(0)
    if len(data) % 2 or max(even, odd) < len(data[:SAMPLE]) / 50 or max(even, odd) < 8 * min(even, odd):
        return None
    return "utf-16-le" if odd > even else "utf-16-be"


def check_readable(text: str) -> str:
    """Return the text if it reads like text: hardly any control characters. Raises TextError if not."""
    controls = sum(1 for _ in CONTROLS.finditer(text[:SAMPLE]))
    if controls > len(text[:SAMPLE]) // 100:
        raise TextError(WORDS.label("binary"))
    return text


def guess(data: bytes) -> tuple[str, str]:
    """Return the text in the encoding that makes the most likely text of the bytes, and its name."""
    first = re.search(rb"[\x80-\xff]", data)
    start = max(0, (first.start() if first else 0) - SAMPLE // 4)
    matches = from_bytes(data[start : start + SAMPLE], threshold=0.3, cp_isolation=IN_USE)
    likely = {name: match for match in matches for name in match.could_be_from_charset}
    known = [name for name in IN_USE if name in likely]
    if not known:
        raise TextError(WORDS.label("encoding"))
    best = max(known, key=lambda name: round(likely[name].coherence - likely[name].chaos, 1))
    return check_readable(data.decode(best, errors="replace")), best
