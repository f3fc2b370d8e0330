"""Labelled documents: the course's reviews, or a learner's own, which every lesson of the subject then learns from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache

import streamlit as st

from core.lesson.cached import cached, is_sample
from core.lesson.lab_words import LAB_WORDS
from core.lesson.lesson import Lesson
from core.models.documents.bag_of_words import Bags, learnt_and_held_out
from core.text.reading.decoding import TextError
from core.text.reading.labelled import ENDINGS, LabelledDocuments, read_labelled_file, read_lines
from core.text.samples.reviews import reviews
from core.text.tokenization.tokens import words
from pages.documents.shared import WORDS

OWN, ERROR = "labelled_own", "labelled_error"  # the learner's documents; what was wrong with those given last
SEEN = "labelled_seen"  # (file, column of labels, column of texts) of the upload read last
TEXT_COLUMN, LABEL_COLUMN = "text_column", "label_column"
SHOWN, CHARACTERS_SHOWN = 5, 90
CLASSES_NAMED = 4
WORDS_AT_MOST = 20
FIELD = 330  # pixels
EXAMPLE = "Flimsy and dull, but I love the handle"


@cache
def sample_reviews() -> LabelledDocuments:
    """Return the course's reviews; all sessions share them."""
    return reviews()


def current_documents(ours: Callable[[], LabelledDocuments] = sample_reviews) -> LabelledDocuments:
    """Return the learner's own documents if they gave any, else those of the course."""
    return st.session_state.get(OWN) or ours()


@cached(2, 2, shared=is_sample)
def split_of(documents: LabelledDocuments) -> tuple:
    """Return the bags to learn from, the bags held out, and the places of the held-out documents."""
    learnt, rest, held = learnt_and_held_out(documents.texts, documents.labels)
    return learnt, rest, tuple(held.nonzero()[0].tolist())


def labelled_source(
    lesson: Lesson, ours: Callable[[], LabelledDocuments] = sample_reviews, about: str = ""
) -> LabelledDocuments:
    """Draw the line that says which documents are in use, with the popover to change them, and return them.

    `ours` are the course's, `about` says in a sentence what they are, nothing of the reviews.
    """
    with st.container(horizontal=True, vertical_alignment="center", width="content"):
        change = st.popover(
            WORDS.label("change"), icon=":material/rule:", key=lesson.key("documents"), on_change="rerun"
        )
        with change:
            if change.open:
                _choose(lesson, ours, about)
        documents = current_documents(ours)
        st.text(WORDS.label("in_use", name=documents.name[:40], shares=shares(Counter(documents.labels))))
    return documents


def shares(numbers: Mapping[str, int]) -> str:
    """Return the classes with their numbers of documents, the largest first.

    >>> shares({"ham": 3, "spam": 1200})
    '1,200 spam, 3 ham'
    """
    counts = Counter(numbers).most_common()
    listed = [WORDS.label("share", n=n, name=label) for label, n in counts[:CLASSES_NAMED]]
    return WORDS.label("shares", listed=listed, more=max(0, len(counts) - CLASSES_NAMED))


def _choose(lesson: Lesson, ours: Callable[[], LabelledDocuments], about: str) -> None:
    ways = (WORDS.label("tab.ours"), LAB_WORDS.label("text.paste"), LAB_WORDS.label("text.upload"))
    sample, paste, upload = st.tabs(ways)
    with sample:
        st.markdown(about or WORDS.label("about"))
        if st.session_state.get(OWN):
            lesson.button("ours", WORDS.label("use_ours", name=ours().name), _use_ours)
    with paste:
        lesson.private_text("pasted", WORDS.label("paste"), persist_state="session", height=180)
        lesson.button("use", WORDS.label("use"), _use_pasted, lesson)
    with upload:
        _upload(lesson)
    if st.session_state.get(ERROR):  # below the tabs: above them it would turn the learner back to the first
        st.warning(WORDS.markdown("error", error=st.session_state[ERROR]))
    documents = current_documents(ours)
    for note in documents.notes:
        st.text(note)
    st.caption(WORDS.label("read"))
    first = zip(documents.labels[:SHOWN], documents.texts[:SHOWN], strict=True)
    st.code("\n".join(f"{label}\t{text[:CHARACTERS_SHOWN]}" for label, text in first), language=None)


def _upload(lesson: Lesson) -> None:
    file = lesson.upload("file", WORDS.label("upload"), type=list(ENDINGS), max_upload_size=10)
    if file is None:
        if st.session_state.pop(SEEN, None) and st.session_state.pop(ERROR, None):
            st.rerun()  # the sentence goes with the file it was about
        return
    documents, seen = st.session_state.get(OWN), st.session_state.get(SEEN)
    label, text = seen[1:] if seen and seen[0] == file.file_id else ("", "")
    if label and documents and documents.columns:
        columns = list(documents.columns)
        label = lesson.answer(LABEL_COLUMN, WORDS.label("column.labels"), columns, columns.index(label))
        text = lesson.answer(TEXT_COLUMN, WORDS.label("column.texts"), columns, columns.index(text))
    if seen != (file.file_id, label, text):
        with st.spinner(LAB_WORDS.label("text.reading")):
            read = _keep(lambda: read_labelled_file(file.name, file.getvalue(), label, text))
        found = (read.label_column, read.text_column) if read and not label else (label, text)
        st.session_state[SEEN] = (file.file_id, *found)
        st.rerun()


def _keep(read: Callable[[], LabelledDocuments]) -> LabelledDocuments | None:
    """Keep what `read` returns as the learner's documents; when they cannot be read, keep the sentence instead."""
    try:
        documents = read()
    except TextError as error:
        st.session_state[ERROR] = str(error)
        return None
    st.session_state[OWN], st.session_state[ERROR] = documents, ""
    return documents


def _use_pasted(lesson: Lesson) -> None:
    if _keep(lambda: read_lines(lesson.get_state("pasted", ""))):
        st.session_state[lesson.key("documents")] = False  # the learner wants to see the picture


def _use_ours() -> None:
    st.session_state[OWN], st.session_state[ERROR] = None, ""


def type_document(lesson: Lesson, documents: LabelledDocuments) -> tuple[str, list[str]]:
    """Draw the field for a document to read; return it and its first words, the example's where there are none.

    The field of a learner's own documents begins with one that was held out, and is not in the address.
    """
    example, label = EXAMPLE, WORDS.label("document")
    if documents.own:
        learnt, _, held = split_of(documents)
        found = next(
            (documents.texts[i] for i in held if _known(learnt, documents.texts[i])), documents.texts[0]
        )
        example = " ".join(found.split()[:WORDS_AT_MOST])
        typed = lesson.private_text("own_sentence", label, example, max_chars=2000, width=FIELD)
    else:
        typed = lesson.text("sentence", label, example, max_chars=2000, width=FIELD)
    return first_words(typed, example)


def first_words(typed: str, example: str) -> tuple[str, list[str]]:
    """Return what was typed and its first words, the example's where there are none."""
    read = words(typed)
    if not read:
        st.info(LAB_WORDS.label("field.no_word"))
        typed, read = example, words(example)
    if len(read) > WORDS_AT_MOST:
        st.caption(WORDS.label("cut", most=WORDS_AT_MOST, n=len(read)))
    return typed, read[:WORDS_AT_MOST]


def _known(learnt: Bags, text: str) -> bool:
    return any(word in learnt.index for word in words(text))


def load_cell(documents: LabelledDocuments) -> str:
    """Return the notebook cell that reads the documents in use and holds some of them out."""
    read = (
        'from core.text.reading.labelled import read_lines\n\ndocuments = read_lines(open("documents.tsv", '
        'encoding="utf-8").read())  # the file beside this button'
        if documents.own
        else "from core.text.samples.reviews import reviews\n\ndocuments = reviews()"
    )
    return (
        f"{read}\n\nfrom core.models.documents.bag_of_words import learnt_and_held_out\n\n"
        "learnt, rest, held = learnt_and_held_out(documents.texts, documents.labels)"
    )


def as_lines(documents: LabelledDocuments) -> bytes:
    """Return documents as lines of label, tab and text, as they can be pasted."""
    pairs = zip(documents.labels, documents.texts, strict=True)
    return "".join(f"{label}\t{' '.join(text.split())}\n" for label, text in pairs).encode()


def choose_class(lesson: Lesson, documents: LabelledDocuments) -> int:
    """Return the class that is told from the rest: of two the second; of more the learner chooses.

    The labels of a learner's own documents are not for the address.
    """
    classes = documents.classes
    if len(classes) == 2:
        return 1
    return classes.index(lesson.answer("class", WORDS.label("class"), list(classes), 0))


def both_names(documents: LabelledDocuments, c: int) -> tuple[str, str]:
    """Return what a document is called that is not of class c, and one that is."""
    others = [label for place, label in enumerate(documents.classes) if place != c]
    return (
        others[0] if len(others) == 1 else WORDS.label("not", name=documents.classes[c])
    ), documents.classes[c]
