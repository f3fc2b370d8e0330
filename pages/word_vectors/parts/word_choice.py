"""Which words stand on a map: those of the learner's text, the most frequent, or a list, also one picked by mouse."""

from __future__ import annotations

import streamlit as st

from core.lesson.text_source import reading
from core.models.word_vectors.word_vectors import WordVectors
from core.text.reading.documents import Document

TEXT, FREQUENT, LIST = "your text", "most frequent", "my list"
AT_MOST = 2000
LIST_AT_MOST = 300
LIST_DEFAULT = "king queen man woman prince princess boy girl paris france rome italy berlin germany"


def choose_words(lesson: str, document: Document, vectors: WordVectors) -> list[str]:
    """Draw the choice of words and return at least two of them that have vectors."""
    source = st.segmented_control(
        "Words on the map",
        [TEXT, FREQUENT, LIST],
        default=TEXT,
        required=True,
        key=f"{lesson}_source",
        bind="query-params",
        wrap=True,
    )
    if source == LIST:
        return _listed(lesson, vectors)
    count = st.slider("How many", 10, AT_MOST, 80, step=10, key=f"{lesson}_count", bind="query-params")
    skipped = st.slider(
        "Leave out the commonest",
        0,
        500,
        150,
        step=10,
        key=f"{lesson}_skipped",
        bind="query-params",
        help="Words such as “the” and “of” stand near everything. This leaves out the first so many words of the set.",
    )
    candidates = [word for word, _ in reading(document).types] if source == TEXT else vectors.words
    kept = [word for word in candidates if vectors.index.get(word, -1) >= skipped][:count]
    if source == TEXT:
        missing = sum(word not in vectors for word in candidates)
        st.caption(
            f"{len(candidates) - missing:,} of your text's {len(candidates):,} types have a vector in this set."
        )
    if len(kept) < 2:
        st.info(
            "Hardly any of these words has a vector here, so the map shows the set's own most frequent words."
        )
        kept = list(vectors.words[skipped : skipped + count] or vectors.words[:count])
    return kept


def _listed(lesson: str, vectors: WordVectors) -> list[str]:
    known = word_list(lesson, "list", "Words, separated by spaces or commas", LIST_DEFAULT, vectors)
    if len(known) < 2:
        st.info(
            "Write at least two words that have a vector. Until then the map shows the most frequent words."
        )
        return list(vectors.words[150:270] or vectors.words[:120])
    return known


def picked_words(lesson: str) -> list[str]:
    """Return the words that the learner has selected on the map, in the order of the map."""
    state = st.session_state.get(f"{lesson}_figure")
    points = state.selection.points if state else []
    return [point["customdata"][0] for point in points if point.get("customdata")]


def click_on_map(lesson: str):
    """Return the callback for a selection on the map: one word clicked becomes the word that is looked up."""

    def clicked() -> None:
        picked = picked_words(lesson)
        if len(picked) == 1:
            st.session_state[f"{lesson}_word"] = picked[0]

    return clicked


def project_afresh(lesson: str) -> None:
    """Offer to project the words picked with box or lasso on axes of their own."""
    picked = picked_words(lesson)
    if len(picked) < 3:
        st.caption(
            "Click a word for its neighbours. Pick a set with the box or lasso tool to project it afresh."
        )
        return

    def keep() -> None:
        chosen = " ".join(picked[:LIST_AT_MOST])
        if st.session_state[f"{lesson}_source"] != LIST:
            # The field for the list is not there yet, so nothing would write its words into the address.
            st.query_params[f"{lesson}_list"] = chosen
            st.session_state[f"{lesson}_source"] = LIST
        st.session_state[f"{lesson}_list"] = chosen

    st.button(f"Project these {len(picked)} words afresh", key=f"{lesson}_afresh", on_click=keep)


def word_list(lesson: str, name: str, label: str, default: str, vectors: WordVectors) -> list[str]:
    """Draw a field for a list of words, in the address as `<lesson>_<name>`; return those that have a vector.

    The others are named under the field.
    """
    typed = st.text_area(
        label, default, key=f"{lesson}_{name}", bind="query-params", max_chars=6000, height=68
    )
    asked = list(dict.fromkeys(typed.replace(",", " ").split()))[:LIST_AT_MOST]
    unknown = [word for word in asked if word not in vectors]
    if unknown:
        st.text(f"No vector in this set: {', '.join(unknown[:12])}")
    return [vectors.words[vectors.row(word)] for word in asked if word in vectors]
