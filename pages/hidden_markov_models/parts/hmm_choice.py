"""Which hidden Markov model a lesson looks at, and on which sentence: both go along from lesson to lesson."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import streamlit as st

from core.models.hidden_markov_models.hmm import HiddenMarkovModel
from core.models.hidden_markov_models.hmm_tables import TaggedCounts, ice_cream_diary, noun_verb_toy
from core.models.hidden_markov_models.tagger import load_counts, tagger
from core.text.samples.corpus_words import corpus_words

MODELS = {  # name: (what it says beside its name, an example)
    "diary": ("ice creams a day, 1 to 3, tell hot from cold", "3 1 3 2 1"),
    "toy": ("they we fish can swim boats watch sink", "they watch can fish"),
    "tagger": ("any English; counted in the Brown corpus", "I saw her duck behind the light green plants ."),
    "yours": ("the model that you made", ""),
}
OWN_MODEL, KEPT, PLACED = "hmm_own_model", "hmm_sentences", "hmm_placed"
CHARACTERS_AT_MOST = 20_000
WINDOW = 60  # words drawn side by side


@cache
def shared_counts() -> TaggedCounts:
    """Return the stored tagger's counts; every session shares them and nothing changes them."""
    return load_counts()


@cache
def shared_model(name: str) -> HiddenMarkovModel:
    """Return the model of a name; every session shares it and nothing changes it."""
    if name == "tagger":
        return tagger(shared_counts())
    return {"diary": ice_cream_diary, "toy": noun_verb_toy}[name]()


def keep_own_model(model: HiddenMarkovModel) -> None:
    """Offer a model of the learner's to the other lessons, for as long as the tab is open."""
    st.session_state[OWN_MODEL] = model


def choose_model(lesson: str, default: str = "diary", without: tuple[str, ...] = ()) -> str:
    """Draw the choice of a model, in the address as `<lesson>_model`, and return its name."""
    options = [
        name for name in MODELS if name not in without and (name != "yours" or OWN_MODEL in st.session_state)
    ]
    return st.radio(
        "Model",
        options,
        options.index(default),
        captions=[MODELS[name][0] for name in options],
        key=f"{lesson}_model",
        bind="query-params",
    )


def model_of(name: str) -> HiddenMarkovModel:
    """Return the model of a name that was chosen."""
    return st.session_state[OWN_MODEL] if name == "yours" else shared_model(name)


def choose_sentence(lesson: str, name: str) -> list[str]:
    """Draw the field for a sentence, in the address as `<lesson>_<model>_sentence`; return its words.

    Each model has its own sentence, which stays what the learner made it, in every lesson. An empty field gives
    the model's example and says so.
    """
    kept = st.session_state.setdefault(KEPT, {})
    key = f"{lesson}_{name}_sentence"
    example = MODELS[name][1] or " ".join(model_of(name).vocabulary[:5])
    placed = st.session_state.pop(PLACED, None) == key
    if name in kept and key not in st.session_state and key not in st.query_params:
        st.session_state[key] = st.query_params[key] = kept[name]
        placed = True
    typed = st.text_area(
        "Sentence" if name != "diary" else "Diary: ice creams a day",
        "" if placed else example,  # Streamlit complains of a value that is placed where there is a default
        key=key,
        bind="query-params",
        max_chars=CHARACTERS_AT_MOST,
        height=80,
    )
    if typed != example:
        kept[name] = typed
    words = corpus_words(typed)
    if not words:
        st.info(f"There is no word in the field, so this is the example: {example}")
        words = corpus_words(example)
    return words


def set_sentence(lesson: str, name: str, words: Sequence[str]) -> None:
    """Put a sentence into a lesson's field; only from a callback."""
    key = f"{lesson}_{name}_sentence"
    st.session_state[key], st.session_state[PLACED] = " ".join(words), key
    keep_sentence(name, words)


def keep_sentence(name: str, words: Sequence[str]) -> None:
    """Let the other lessons begin with this sentence when a model of this name is chosen."""
    st.session_state.setdefault(KEPT, {})[name] = " ".join(words)


def window_of(lesson: str, n: int) -> slice:
    """Draw the choice of which words are drawn when a sentence is longer than a picture; return their places."""
    if n <= WINDOW:
        return slice(0, n)
    start = st.slider(
        f"First word drawn (of {n:,}; {WINDOW} at a time)",
        1,
        n - WINDOW + 1,
        key=f"{lesson}_from",
        bind="query-params",
    )
    return slice(start - 1, start - 1 + WINDOW)


def no_such_path(decoded) -> bool:
    """Say so when the model cannot produce the sentence at all; return whether that is so."""
    impossible = decoded.viterbi.log_probability == float("-inf")
    if impossible:
        st.warning(
            "This model gives every path through this sentence a probability of 0, so no path is better than another. "
            "Change the sentence, or a 0 in the tables."
        )
    return impossible
