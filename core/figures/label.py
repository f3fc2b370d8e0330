"""A word as an axis writes it."""

from __future__ import annotations

from html import escape

LABEL_AT_MOST = 14  # characters of a word on an axis; the hover label has all of it


def label(text: str, unknown: bool = False) -> str:
    """Return a word as an axis writes it: short, its signs not read as mark-up, a star when it was never seen.

    >>> label("<b>"), label("counterrevolutionary", unknown=True)
    ('&lt;b&gt;', 'counterrevolu…*')
    """
    short = text if len(text) <= LABEL_AT_MOST else text[: LABEL_AT_MOST - 1] + "…"
    return escape(short, quote=False) + ("*" if unknown else "")
