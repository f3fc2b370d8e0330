"""Which hidden Markov model a lesson looks at, and on which sentence: both go along from lesson to lesson."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.lesson.cached import cached, no_typed_words
from core.lesson.lesson import Lesson
from core.lesson.settings import Choice
from core.models.hidden_markov_models.decoding import DecodedSentence, decode
from core.models.hidden_markov_models.hmm import HiddenMarkovModel
from core.models.hidden_markov_models.hmm_tables import TaggedCounts, ice_cream_diary, noun_verb_toy
from core.models.hidden_markov_models.tagger import load_counts, tagger
from core.text.samples.corpus_words import corpus_words
from core.words.plain import plain
from pages.hidden_markov_models.shared import WORDS

MODEL = Choice("model", "diary", lambda _: available_models())
MODELS = {  # id: an example
    "diary": "3 1 3 2 1",
    "toy": "they watch can fish",
    "tagger": "I saw her duck behind the light green plants .",
    "yours": "",
}
# What the session keeps: the learner's model; {model: sentence}; {model: the sentence that the address still holds}
# of the sentences from an own text; the field that has just been filled.
OWN_MODEL, KEPT, PRIVATE = "hmm_own_model", "hmm_sentences", "hmm_private"
PRIVATE_MODELS = ("yours",)  # made of the learner's own words
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


def available_models() -> tuple[str, ...]:
    """Return the ids of the models that can be chosen: the course's own, and the learner's where there is one."""
    own = get_script_run_ctx() is not None and OWN_MODEL in st.session_state
    return tuple(name for name in MODELS if name != "yours" or own)


def choose_model(lesson: Lesson, default: str = "diary", without: tuple[str, ...] = ()) -> str:
    """Draw the choice of a model, in the address as `<lesson>_model`, and return its name."""
    options = [
        name for name in MODELS if name not in without and (name != "yours" or OWN_MODEL in st.session_state)
    ]
    about = "  \n".join(f"**{name}**: {WORDS.label(f'about.{name}')}" for name in options)
    return lesson.choose("model", WORDS.label("model"), options, default, help=about)


def model_of(name: str) -> HiddenMarkovModel:
    """Return the model of a name that was chosen."""
    return st.session_state[OWN_MODEL] if name == "yours" else shared_model(name)


def decoded_by(name: str, words: Sequence[str], width: int = 2) -> DecodedSentence:
    """Return a sentence as the model of a name decodes it; the learner's own may be another by now."""
    compute = _decoded.__wrapped__ if name == "yours" else _decoded
    return compute(name, tuple(words), width)


@cached(40, 10, shared=no_typed_words)
def _decoded(name: str, words: tuple[str, ...], width: int) -> DecodedSentence:
    return decode(model_of(name), words, width)


def choose_sentence(lesson: Lesson, name: str) -> list[str]:
    """Draw the field for a sentence, in the address as `<lesson>_<model>_sentence`; return its words.

    Each model has its own sentence, which stays what the learner made it, in every lesson. One that comes from the
    learner's own text, or is written for a model of it, is not in the address. An empty field gives the model's
    example and says so.
    """
    example = MODELS[name] or " ".join(model_of(name).vocabulary[:5])
    label = WORDS.label("sentence" if name != "diary" else "sentence.diary")
    options = {"max_chars": CHARACTERS_AT_MOST}
    stale = st.session_state.get(PRIVATE, {}).get(name)  # what the address said when a private one was kept
    linked = lesson.get_query(f"{name}_sentence")
    if name in PRIVATE_MODELS or (stale is not None and linked in ("", stale)):
        typed = _private_sentence(lesson, name, label, options)
    else:
        typed = _linked_sentence(lesson, name, label, example, options)
    words = corpus_words(typed)
    if not words:
        st.info(WORDS.label("sentence.empty", example=plain(example)))
        words = corpus_words(example)
    return words


def _linked_sentence(lesson: Lesson, name: str, label: str, example: str, options: dict) -> str:
    field, kept = f"{name}_sentence", _kept()
    if name in kept and lesson.get_state(field) is None and not lesson.get_query(field):
        lesson.set_state(field, kept[name])
        lesson.set_query(field, kept[name])
    typed = lesson.text(field, label, example, **options)
    if typed != example:
        keep_sentence(name, typed.split(), private=False, text=typed)
    return typed


def _private_sentence(lesson: Lesson, name: str, label: str, options: dict) -> str:
    field, kept = f"{name}_own_sentence", _kept()
    if lesson.get_state(field) is None:
        lesson.set_state(field, kept.get(name, " ".join(model_of(name).vocabulary[:5])))
    kept[name] = typed = lesson.private_text(field, label, **options)
    if name in PRIVATE_MODELS:
        return typed
    st.caption(WORDS.label("sentence.private"))
    lesson.button("publish", WORDS.label("sentence.publish"), publish, lesson, name, typed)
    return typed


def publish(lesson: Lesson, name: str, sentence: str) -> None:
    """Let the address hold a sentence of the learner's own text: they asked for it."""
    set_sentence(lesson, name, sentence.split(), private=False)
    lesson.set_query(
        f"{name}_sentence", " ".join(sentence.split())
    )  # the field is not drawn yet: it is not bound


def _kept() -> dict[str, str]:
    return st.session_state.setdefault(KEPT, {})


def keep_sentence(name: str, words: Sequence[str], private: bool, text: str = "", stale: str = "") -> None:
    """Let the other lessons begin with this sentence when a model of this name is chosen.

    A `private` one, from the learner's own text, never goes into the address; `stale` is the one that stands there.
    `text` is the sentence as it was typed.
    """
    _kept()[name] = text or " ".join(words)
    addresses = st.session_state.setdefault(PRIVATE, {})
    addresses.pop(name, None)
    if private:
        addresses[name] = stale


def set_sentence(lesson: Lesson, name: str, words: Sequence[str], private: bool) -> None:
    """Put a sentence into a lesson's field; only from a callback. A `private` one stays out of the address."""
    private = private or name in PRIVATE_MODELS
    field = f"{name}_own_sentence" if private else f"{name}_sentence"
    keep_sentence(name, words, private, stale=lesson.get_query(f"{name}_sentence"))
    lesson.set_state(field, " ".join(words))


def window_of(lesson: Lesson, n: int) -> slice:
    """Draw the choice of which words are drawn when a sentence is longer than a picture; return their places."""
    if n <= WINDOW:
        return slice(0, n)
    start = lesson.slider("from", WORDS.label("window", n=n, width=WINDOW), 1, n - WINDOW + 1)
    return slice(start - 1, start - 1 + WINDOW)


def no_such_path(decoded: DecodedSentence) -> bool:
    """Say so when the model cannot produce the sentence at all; return whether that is so."""
    impossible = decoded.viterbi.log_probability == float("-inf")
    if impossible:
        st.warning(WORDS.label("impossible"))
    return impossible
