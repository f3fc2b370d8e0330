"""A learner's words where Streamlit only takes Markdown, as in a widget's label: every mark made harmless."""

from __future__ import annotations

MARKS = str.maketrans({mark: f"\\{mark}" for mark in "\\`*_{}[]<>()#+-!|~$:"})


def plain(text: str) -> str:
    r"""Return a text that Markdown shows as it stands.

    >>> plain("![a](b)")
    '\\!\\[a\\]\\(b\\)'
    """
    return text.translate(MARKS)
