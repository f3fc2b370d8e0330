"""Escape a learner's words where Streamlit takes Markdown, as in a widget's label."""

from __future__ import annotations

MARKS = str.maketrans({mark: f"\\{mark}" for mark in "\\`*_{}[]<>()#+-!|~$:"})


def plain(text: str) -> str:
    r"""Return the text with all Markdown syntax escaped.

    >>> plain("![a](b)")
    '\\!\\[a\\]\\(b\\)'
    """
    return text.translate(MARKS)
