"""The text that a lesson reads: typed, or a sentence of the text in use.

Query parameters: `<lesson>_source` (typed or from the text), `<lesson>_typed`, and `<lesson>_sentence`, a number from 1.
When the learner pastes or uploads a text, each lesson switches to it once, the next time it is shown.
"""

from __future__ import annotations

import streamlit as st

from core.lesson.cached import cached, is_sample
from core.lesson.controls import Controls
from core.lesson.lab_words import LAB_WORDS
from core.lesson.live_values import note_words_field
from core.lesson.settings import Choice
from core.lesson.text_source import OWN
from core.text.reading.documents import Document
from core.text.samples.corpus_words import corpus_words
from core.text.tokenization.tokens import sentences

TYPED, FROM_TEXT = "typed", "from your text"  # as the address holds them
SEARCHED = 100_000  # characters at the start of the text in use, where sentences are counted
SENTENCE_AT_MOST = 300  # characters of a typed sentence
TAKEN_AT_MOST = (
    20  # a field takes this many times the characters read, so that we can say how many are left out
)


def choose_source(lesson: Controls, label: str, first: str = TYPED) -> str:
    """Draw the choice between TYPED and FROM_TEXT, with `first` as default; return the choice.

    If the learner has given a text since the lesson was last shown, the choice becomes FROM_TEXT.
    """
    other = FROM_TEXT if first == TYPED else TYPED
    if text_is_new(lesson, "source", "typed"):
        lesson.set_state("source", FROM_TEXT)
    note_words_field(lesson.key("source"))
    names = {TYPED: LAB_WORDS.label("source.typed"), FROM_TEXT: LAB_WORDS.label("source.text")}
    return lesson.choose_id(Choice("source", first, (first, other)), label, names)


def text_is_new(lesson: Controls, *controls: str) -> bool:
    """Return whether the learner gave an own text since the lesson was last shown. True only once per text.

    False on the first visit by a link that sets one of `controls`: the link was made with that choice.
    """
    own, last = st.session_state.get(OWN), lesson.get_state("text_shown")
    digest = own.digest if own else ""
    lesson.set_state("text_shown", digest)
    named = last is None and any(lesson.get_query(each, None) is not None for each in controls)
    return bool(digest) and digest != last and not named


def type_line(lesson: Controls, label: str, default: str, most: int) -> str:
    """Draw a one-line field and return the first `most` characters typed."""
    return lesson.text("typed", label, default, max_chars=most)[:most]


def type_text(lesson: Controls, label: str, default: str, most: int) -> str:
    """Draw a text area and return the first `most` characters typed; say how many are left out."""
    typed = lesson.text_area("typed", label, default, max_chars=TAKEN_AT_MOST * most, height=90)
    if len(typed) > most:
        st.caption(LAB_WORDS.label("field.cut", most=most, n=len(typed)))
    return typed[:most]


def type_words(lesson: Controls, name: str, example: str, most: int, width: int) -> list[str]:
    """Draw a field for a sentence and return its first `most` tokens; the example's if it has no token."""
    label = LAB_WORDS.label("field.sentence")
    words = corpus_words(lesson.text(name, label, example, max_chars=SENTENCE_AT_MOST, width=width))
    if not words:
        st.info(LAB_WORDS.label("field.no_word"))
        words = corpus_words(example)
    if len(words) > most:
        st.caption(LAB_WORDS.label("field.words_cut", most=most, n=len(words)))
    return words[:most]


@cached(16, 4, shared=is_sample)
def found_sentences(document: Document) -> list[str]:
    """Return the sentences in the first SEARCHED characters of a text, [""] if there are none."""
    return sentences(document.text[:SEARCHED]) or [""]


def choose_sentence(lesson: Controls, document: Document, length: int = 0) -> list[str]:
    """Draw the choice of a sentence of a text; return that sentence and those after it, at least one.

    The default is the first sentence of at least `length` characters, because a play begins with its title.
    """
    found = found_sentences(document)
    first = next((number for number, each in enumerate(found, 1) if len(each) >= length), 1)
    label = LAB_WORDS.label("sentence.number", n=len(found))
    number = lesson.number("sentence", label, 1, len(found), first)
    if len(document.text) > SEARCHED:
        st.caption(LAB_WORDS.label("sentence.searched", most=SEARCHED, n=len(document.text)))
    return found[number - 1 :]
