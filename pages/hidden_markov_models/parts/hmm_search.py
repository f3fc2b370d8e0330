"""Looking for a sentence on which a cheaper search loses to Viterbi, and how often that happens."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import streamlit as st

from core.models.hidden_markov_models.hmm import HiddenMarkovModel, find_disagreement, sampled_sentences
from core.models.hidden_markov_models.search_loss import shares_missed
from core.models.hidden_markov_models.what_if import without_neighbours
from core.text.samples.corpus_words import corpus_words
from core.text.tokenization.tokens import sentences
from pages.hidden_markov_models.parts.hmm_choice import model_of, set_sentence

MODEL_WORDS, OWN_TEXT = "the model's words", "your text"
WORDS_AT_MOST = 25  # a found sentence should fit the picture


def candidates(text: str) -> Iterator[list[str]]:
    """Yield the sentences of a text, of 2 to `WORDS_AT_MOST` words."""
    for sentence in sentences(text):
        words = corpus_words(sentence)
        if 2 <= len(words) <= WORDS_AT_MOST:
            yield words


def _find(lesson: str, name: str, width: int, text: str) -> None:
    search, source = st.session_state[f"{lesson}_loser"], st.session_state.get(f"{lesson}_where", MODEL_WORDS)
    seed = st.session_state[f"{lesson}_seed"] = st.session_state.get(f"{lesson}_seed", 0) + 1
    model = model_of(name)
    if source == OWN_TEXT:
        tried = candidates(text)
    else:
        length = 6 if len(model.states) < 5 else 9
        tried = (corpus_words(" ".join(words)) for words in sampled_sentences(model, length, seed))
    found = find_disagreement(model, tried, width, search)
    if found is None:
        note = f"No sentence tried makes the {search} search lose. " + (
            "A beam as wide as there are states never does."
            if search == "beam"
            else "Try other words or a longer text."
        )
    else:
        set_sentence(lesson, name, found.decoded.emissions.words)
        note = f"Found: sentence number {found.searched:,} of {source}."
    st.session_state[f"{lesson}_found"] = note


def find_button(lesson: str, name: str, width: int, text: str) -> None:
    """Draw the button that looks for a sentence on which greedy, or the beam, loses to Viterbi."""
    st.segmented_control(
        "Find a sentence on which this search loses",
        ["greedy", "beam"],
        default="greedy",
        required=True,
        key=f"{lesson}_loser",
        bind="query-params",
    )
    if name not in ("diary", "toy"):
        st.segmented_control(
            "Search in", [MODEL_WORDS, OWN_TEXT], default=MODEL_WORDS, required=True, key=f"{lesson}_where"
        )
    st.button("Find one", key=f"{lesson}_find", on_click=_find, args=(lesson, name, width, text))
    st.caption(
        st.session_state.pop(f"{lesson}_found", "") or "The sentence that is found goes into the field."
    )


@st.cache_data(max_entries=32, show_spinner=False)
def _missed(name: str, broken: bool, tables: bytes, _model: HiddenMarkovModel) -> np.ndarray:
    return shares_missed(without_neighbours(_model) if broken else _model)


def missed_by_width(name: str, model: HiddenMarkovModel, broken: bool) -> np.ndarray:
    """Return `shares_missed` of a model, or of the model without its neighbours, computed once."""
    tables = model.log_transition.tobytes() + model.log_emission.tobytes() if name == "yours" else b""
    return _missed(name, broken, tables, model)
