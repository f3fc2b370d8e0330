"""The text a lesson reads: typed, or a sentence of the learner's own text. The address keeps every choice.

`<lesson>_source` is where the text comes from, `<lesson>_typed` what was typed, `<lesson>_sentence` the number of
the sentence. Pasting or uploading a text turns every lesson to it, once, when the lesson is next shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from core.lesson.kept_with_text import kept_with_text
from core.lesson.live_values import holds_words
from core.lesson.text_source import OWN
from core.text.reading.documents import Document
from core.text.samples.corpus_words import corpus_words
from core.text.tokenization.tokens import sentences

if TYPE_CHECKING:
    from core.lesson.lesson import Lesson

TYPED, FROM_TEXT = "typed", "from your text"
SEARCHED = 100_000  # characters of the learner's text in which sentences are counted
SENTENCE_AT_MOST = 300  # characters of a sentence that is typed to be read word by word
TAKEN_AT_MOST = 20  # times as many typed characters as are read: enough to say how many were left out


def choose_source(lesson: Lesson, label: str, first: str = TYPED) -> str:
    """Draw the choice between typing and the learner's text, `first` at first, and return it.

    A text of the learner's own that is new to the lesson is chosen by itself.
    """
    other = FROM_TEXT if first == TYPED else TYPED
    if text_is_new(lesson, "source", "typed"):
        lesson.put("source", FROM_TEXT)
    holds_words(lesson.key("source"))
    return lesson.choose("source", label, [first, other])


def text_is_new(lesson: Lesson, *controls: str) -> bool:
    """Return whether the learner gave a text of their own since the lesson was last shown; true once.

    A link that names one of the `controls` is right the first time: it was made with what they choose.
    """
    own, last = st.session_state.get(OWN), lesson.value("text_shown")
    digest = own.digest if own else ""
    lesson.put("text_shown", digest)
    named = last is None and any(lesson.linked(each, None) is not None for each in controls)
    return bool(digest) and digest != last and not named


def type_line(lesson: Lesson, label: str, default: str, most: int) -> str:
    """Draw the field for a text of one line and return what was typed, at most so many characters."""
    return lesson.text("typed", label, default, max_chars=most)[:most]


def type_text(lesson: Lesson, label: str, default: str, most: int) -> str:
    """Draw the field for a text and return what was typed, at most so many characters; say how many are left out."""
    typed = lesson.text_area("typed", label, default, max_chars=TAKEN_AT_MOST * most, height=90)
    if len(typed) > most:
        st.caption(f"The first {most:,} of {len(typed):,} characters are read.")
    return typed[:most]


def type_words(lesson: Lesson, name: str, example: str, most: int, width: int) -> list[str]:
    """Draw the field for a sentence and return its first words and signs, the example's where there are none."""
    words = corpus_words(lesson.text(name, "A sentence", example, max_chars=SENTENCE_AT_MOST, width=width))
    if not words:
        st.info("There is no word in the field, so the example is read.")
        words = corpus_words(example)
    if len(words) > most:
        st.caption(f"The first {most} of {len(words)} words and signs are read.")
    return words[:most]


@kept_with_text(16, 4, "Finding the sentences")
def found_sentences(document: Document) -> list[str]:
    """Return the sentences of the beginning of a text, at least one."""
    return sentences(document.text[:SEARCHED]) or [""]


def choose_sentence(lesson: Lesson, document: Document, length: int = 0) -> list[str]:
    """Draw the choice of a sentence of the learner's text; return the sentences from there on, at least one.

    At first it is the first one that has so many characters: a play begins with its title.
    """
    found = found_sentences(document)
    first = next((number for number, each in enumerate(found, 1) if len(each) >= length), 1)
    number = lesson.number("sentence", f"Sentence, 1 to {len(found):,}", 1, len(found), first)
    if len(document.text) > SEARCHED:
        st.caption(
            f"Sentences are counted in the first {SEARCHED:,} of its {len(document.text):,} characters."
        )
    return found[number - 1 :]
