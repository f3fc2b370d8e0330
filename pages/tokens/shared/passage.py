"""What the lessons on tokens share: byte pairs learned from the learner's text, and a passage to look at."""

from __future__ import annotations

from core.lesson.cached import cached, is_sample
from core.lesson.chosen_text import FROM_TEXT, TYPED, choose_sentence, choose_source, type_line
from core.lesson.lesson import Lesson
from core.models.tokens.byte_pairs import PIECES, BytePairs, learn_merges
from core.text.reading.documents import Document
from core.text.tokenization.tokens import normal
from pages.tokens.shared import WORDS

MERGES = 1000
READ_AT_MOST = 1_000_000  # characters of a text
DIFFERENT_AT_MOST = 300_000  # characters in its different pieces: what learning takes its time for
PASSAGE, PASSAGE_AT_MOST = 50, 160  # characters of a passage: from the text at least, and at most
EXAMPLE = "Naïve readers reread it."


def read_part(text: str) -> str:
    """Return the beginning of a text that the lessons read: all of it, unless it would take long.

    >>> read_part("a cat, a hat")
    'a cat, a hat'
    """
    text, seen, length = normal(text[:READ_AT_MOST]), set(), 0
    for found in PIECES.finditer(text):
        if found[0] not in seen:
            seen.add(found[0])
            length += len(found[0])
            if length > DIFFERENT_AT_MOST:
                return text[: found.start()]
    return text


@cached(16, 4, shared=is_sample)
def learned_pairs(document: Document) -> BytePairs:
    """Return the byte pairs of a text."""
    return learn_merges(read_part(document.text), MERGES)


def choose_passage(lesson: Lesson, document: Document) -> str:
    """Draw the choice of a passage, sentences of the learner's text or typed, and return it; it may be empty."""
    if choose_source(lesson, WORDS.label("passage"), first=FROM_TEXT) == TYPED:
        return normal(type_line(lesson, WORDS.label("sentence"), EXAMPLE, PASSAGE_AT_MOST))
    passage = ""
    for sentence in choose_sentence(lesson, document, PASSAGE):
        passage = f"{passage} {sentence}".strip()
        if len(passage) >= PASSAGE:
            break
    return normal(passage)[:PASSAGE_AT_MOST]
