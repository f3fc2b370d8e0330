"""The text a lesson reads: typed, or a sentence of the learner's own text. The address keeps every choice.

`<lesson>_source` is where the text comes from, `<lesson>_typed` what was typed, `<lesson>_sentence` the number of
the sentence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.text.reading.documents import Document
from core.text.tokenization.tokens import sentences

if TYPE_CHECKING:
    from core.lesson.lesson import Lesson

TYPED, FROM_TEXT = "typed", "from your text"
SEARCHED = 100_000  # characters of the learner's text in which sentences are counted


def choose_source(lesson: Lesson, label: str, first: str = TYPED) -> str:
    """Draw the choice between typing and the learner's text, `first` at first, and return it."""
    other = FROM_TEXT if first == TYPED else TYPED
    return lesson.choose("source", label, [first, other])


def type_text(lesson: Lesson, label: str, default: str, most: int) -> str:
    """Draw the field for a text of at most so many characters and return what was typed."""
    return lesson.text_area("typed", label, default, max_chars=most, height=90)


def choose_sentence(lesson: Lesson, document: Document) -> list[str]:
    """Draw the choice of a sentence of the learner's text; return the sentences from there on, at least one."""
    found = sentences(document.text[:SEARCHED]) or [""]
    number = lesson.number("sentence", f"Sentence, 1 to {len(found):,}", 1, len(found), 1)
    return found[number - 1 :]
