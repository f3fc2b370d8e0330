"""What a lesson's classifiers have learnt from: labelled documents, or counts and weights that are stored without any."""

from __future__ import annotations

from functools import cache, partial

import streamlit as st

from core.lesson.footer import Content
from core.lesson.lesson import Lesson
from core.lesson.settings import Choice
from core.models.documents.bag_of_words import Bags
from core.models.documents.stored_classifiers import StoredClassifiers, stored_classifiers
from core.models.stored import load_card
from core.text.reading.labelled import LabelledDocuments
from pages.documents.shared import WORDS
from pages.documents.shared.labelled_source import (
    FIELD,
    as_lines,
    first_words,
    labelled_source,
    load_cell,
    shares,
    split_of,
    type_document,
)

Learnt = LabelledDocuments | StoredClassifiers
STORED = {"film reviews": "classify_movies", "text messages": "classify_sms", "news": "classify_news"}
EXAMPLES = {
    "classify_movies": "Never dull, but a film with a weak ending",
    "classify_sms": "Call me, I have a free prize for you",
    "classify_news": "The minister praised the software of the club",
}

DOCUMENTS = "labelled documents"
LEARNED = Choice("learnt", DOCUMENTS, (DOCUMENTS, *STORED))

stored = cache(stored_classifiers)  # every session shares them; nothing changes them


def learnt_source(lesson: Lesson) -> Learnt:
    """Draw the choice of what the classifiers have learnt from, and return it."""
    names = {name: WORDS.label(f"learned.{STORED.get(name, 'documents')}") for name in LEARNED.ids}
    chosen = lesson.choose_id(LEARNED, WORDS.label("learned"), names)
    if chosen == DOCUMENTS:
        return labelled_source(lesson)
    found = stored(STORED[chosen])
    counts = dict(zip(found.classes, found.documents.tolist(), strict=True))
    st.text(WORDS.label("learned.said", shares=shares(counts)))
    return found


def words_of(source: Learnt) -> Bags | StoredClassifiers:
    """Return what knows the words and classes learnt: `vocabulary`, `index` and `classes`."""
    return source if isinstance(source, StoredClassifiers) else split_of(source)[0]


def type_words(lesson: Lesson, source: Learnt) -> list[str]:
    """Draw the field for a document to read and return its first words, the example's where there are none."""
    if isinstance(source, LabelledDocuments):
        return type_document(lesson, source)[1]
    example = EXAMPLES[source.name]
    field = f"{source.name}_sentence"
    typed = lesson.text(field, WORDS.label("document"), example, max_chars=2000, width=FIELD)
    return first_words(typed, example)[1]


def held_out_texts(source: Learnt) -> list[str] | None:
    """Return the held-out documents in their order, None where none are stored."""
    return None if isinstance(source, StoredClassifiers) else [source.texts[i] for i in split_of(source)[2]]


def files_of(source: Learnt) -> dict[str, tuple[str, Content]]:
    """Return the documents as a file to take away, nothing where none are stored."""
    if not isinstance(source, LabelledDocuments):
        return {}
    return {WORDS.label("file"): ("documents.tsv", partial(as_lines, source))}  # made when it is asked for


def first_cell(source: Learnt) -> str:
    """Return the notebook cell that reads what the classifiers learn from, as `learnt`."""
    if isinstance(source, LabelledDocuments):
        return load_cell(source)
    return (
        "from core.models.documents.stored_classifiers import stored_classifiers\n\n"
        f'learnt = stored_classifiers("{source.name}")'
    )


def credits_of(source: Learnt) -> list[str]:
    """Return where stored counts and weights come from."""
    return load_card(source.name).credits if isinstance(source, StoredClassifiers) else []
