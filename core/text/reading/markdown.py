"""The words of a Markdown text without its marks."""

from __future__ import annotations

import re

from core.text.tokenization.tokens import pieces

# Each pattern is bounded or looks at one character, so that the time is linear in the text whatever it holds.
MARKS = (
    (r"^[ \t]*(?:```|~~~).*$", ""),  # fences of code
    (r"^[ \t]{0,3}#{1,6}[ \t]+", ""),  # headings
    (r"^[ \t]{0,3}(?:=|-|\*|_){3,80}[ \t]*$", ""),  # rules and underlined headings
    (r"^[ \t]{0,20}(?:>[ \t]?){1,9}", ""),  # quotations
    (r"^[ \t]{0,40}[-*+][ \t]+", ""),  # lists
    (r"!?\[([^\[\]\n]{0,300})\]\([^()\n]{0,1000}\)", r"\1"),  # links and pictures
    (r"</?[A-Za-z][^<>\n]{0,300}>", ""),  # HTML
    (r"\*(?:(?!\s)|(?<!\s\*))", ""),  # emphasis, but not 2 * 3
    (r"_(?:(?![^\W_])|(?<![^\W_]_))", ""),  # emphasis, but not snake_case
    (r"~~", ""),  # deletions
    (r"`", ""),  # code
    (r" {2,3}$", ""),  # forced line ends
    (r"\\$", ""),
    (r"\\([\\`*_{}\[\]()#+.!-])", r"\1"),  # escaped marks
)
MARKS = tuple((re.compile(pattern, re.MULTILINE), words) for pattern, words in MARKS)


def without_marks(markdown: str) -> str:
    """Return the text of a Markdown document: headings, emphasis, lists and links leave their words.

    >>> without_marks("# Act I\\n\\n**Ann**  \\n_Enter_ my [dear](http://x.org) `friend`, snake_case, 2 * 3")
    'Act I\\n\\nAnn\\nEnter my dear friend, snake_case, 2 * 3'
    """
    cleaned = []
    for piece in pieces(markdown, r"\n"):
        for pattern, words in MARKS:
            piece = pattern.sub(words, piece)
        cleaned.append(piece)
    return "".join(cleaned)
