"""Your text: chosen once, it stays with the learner across lessons and is theirs alone."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache

import streamlit as st

from core.text.decoding import TextError
from core.text.documents import BYTES_AT_MOST, KINDS, Document, checked, columns_of_csv, read_document
from core.text.isolated import read_isolated
from core.text.shelf import Sample, shelf
from core.text.tokens import words

SAMPLE = "text_source_sample"  # the widget; bound to the address, so a link brings its sample along
OWN = "text_source_own"  # the learner's own Document; never in the address
ERROR = "text_source_error"
HEAVY = (".docx", ".pdf")
FIRST_LINES = 6


@dataclass(frozen=True)
class Reading:
    """What was read in a text: its tokens, its types with their counts (most frequent first), its first lines."""

    tokens: list[str]
    types: list[tuple[str, int]]
    first_lines: str


@cache
def samples() -> dict[str, Sample]:
    """Return the samples on the shelf by name."""
    return {sample.name: sample for sample in shelf()}


@cache
def sample_document(name: str) -> Document:
    """Return a sample's document; all sessions share it."""
    return samples()[name].read()


@st.cache_resource(scope="session", max_entries=2, show_spinner="Reading the text")
def _reading(fingerprint: str, _document: Document) -> Reading:
    tokens = words(_document.text)
    lines = [line.strip()[:160] for line in _document.text[:20_000].splitlines() if line.strip()]
    return Reading(tokens, Counter(tokens).most_common(), "\n".join(lines[:FIRST_LINES]))


def reading(document: Document) -> Reading:
    """Return what is read in a document, computed once a session."""
    return _reading(document.fingerprint, document)


def current_text() -> Document:
    """Return the learner's own text if they gave one, else the sample they chose (at first, the micro-world)."""
    name = st.session_state.get(SAMPLE, next(iter(samples())))
    return st.session_state.get(OWN) or sample_document(name)


def text_source() -> Document:
    """Draw the line that says which text is in use, with the popover to change it, and return the text."""
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.popover("Change the text", icon=":material/description:"):
            _choose()
        document = current_text()
        read = reading(document)
        st.text(
            f"{document.name}: {len(document.text):,} characters, {len(read.tokens):,} tokens, "
            f"{len(read.types):,} types"
        )
    if st.session_state.get(ERROR):
        st.warning(f"{_plain(st.session_state[ERROR])} The text chosen before is still in use.")
    return document


def _choose() -> None:
    kind = st.segmented_control(
        "Where from",
        ["a sample", "paste", "upload"],
        default="a sample",
        required=True,
        key="text_source_kind",
        persist_state="session",
    )
    if kind == "paste":
        st.text_area("Paste a text", key="text_source_paste", height=180, persist_state="session")
        st.button("Use this text", key="text_source_use", on_click=_use_paste, type="primary")
    elif kind == "upload":
        _upload()
    _shelf(visible=kind == "a sample")
    st.caption("What was read, its first lines:")
    st.code(reading(current_text()).first_lines or " ", language=None, wrap_lines=True)


def _shelf(visible: bool) -> None:
    titles = {name: f"{sample.title} ({sample.group})" for name, sample in samples().items()}
    if visible:
        st.selectbox(
            "Sample",
            list(titles),
            format_func=titles.get,
            key=SAMPLE,
            bind="query-params",
            on_change=_use_sample,
        )
        st.caption(f"Source: {samples()[st.session_state[SAMPLE]].source}.")


def _upload() -> None:
    file = st.file_uploader(
        "Choose a file",
        type=[kind.removeprefix(".") for kind in KINDS],
        max_upload_size=BYTES_AT_MOST // 2**20,
        key="text_source_upload",
    )
    if file is None:
        return
    column = None
    if file.name.lower().endswith(".csv"):
        columns = columns_of_csv(file.getvalue())
        column = st.selectbox("Column with the text", columns, key="text_source_column") if columns else None
    seen = (file.file_id, column)
    if st.session_state.get("text_source_seen") != seen:
        st.session_state["text_source_seen"] = seen
        reader = read_isolated if file.name.lower().endswith(HEAVY) else read_document
        with st.spinner("Reading the file"):
            _keep(lambda: reader(file.name, file.getvalue(), column))


def _keep(read) -> None:
    """Keep what `read` returns as the learner's own text; keep the sentence when it cannot be read."""
    try:
        st.session_state[OWN] = read()
        st.session_state[ERROR] = ""
    except TextError as error:
        st.session_state[ERROR] = str(error)


def _use_sample() -> None:
    st.session_state[OWN], st.session_state[ERROR] = None, ""


def _use_paste() -> None:
    pasted = st.session_state["text_source_paste"]
    if len(pasted.encode()) > BYTES_AT_MOST:
        st.session_state[ERROR] = f"This is more than {BYTES_AT_MOST // 2**20} MB. Paste a part of it."
        return
    _keep(lambda: Document("Your pasted text", checked(pasted)))


def _plain(sentence: str) -> str:
    """Return a sentence with the characters that Markdown reads as marks made harmless."""
    return "".join(f"\\{c}" if c in "\\`*_{}[]<>()#+!|~$:" else c for c in sentence)
