"""Escape a learner's words: where Streamlit takes Markdown, as in a widget's label, and in a spreadsheet's cell."""

from __future__ import annotations

MARKS = str.maketrans({mark: f"\\{mark}" for mark in "\\`*_{}[]<>()#+-!|~$:"})


def plain(text: str) -> str:
    r"""Return the text with all Markdown syntax escaped.

    >>> plain("![a](b)")
    '\\!\\[a\\]\\(b\\)'
    """
    return text.translate(MARKS)


def disarm_cell(cell: object) -> object:
    """Return a table's cell with an apostrophe before it where a spreadsheet would run it as a formula.

    >>> disarm_cell("=1+1"), disarm_cell("-"), disarm_cell("a=b"), disarm_cell(-1)
    ("'=1+1", '-', 'a=b', -1)
    """
    begins = isinstance(cell, str) and len(cell) > 1 and cell.startswith(("=", "+", "-", "@", "\t", "\r"))
    return f"'{cell}" if begins else cell
