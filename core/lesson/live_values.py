"""Live values: what a page's run found, by name, for the sentences of tours and lectures to hold; and the learner's words.

A tour goes on with the learner's own words: the fields that hold them are noted while they are drawn.
"""

from __future__ import annotations

import streamlit as st

from core.lesson.plain import plain

KEPT = "live_values"  # {name: Markdown}, of the run that goes on
OPEN = "open_guess"  # whether what the run found waits for a guess
READ = "read_of_address"  # fields, and beginnings of a view's fields, that are read without a control, of this run
WORDS = "learners_words"  # the keys of the fields that hold the learner's words, of the run that goes on
TYPED = "learners_words_typed"  # {key: whether the field holds other words than the lesson's own}, of the run


def forget_values() -> None:
    """Begin a page: what the run before found is not true any more."""
    state = st.session_state
    state[KEPT], state[WORDS], state[TYPED], state[READ], state[OPEN] = {}, [], {}, set(), False


def tell(**values: object) -> None:
    """Keep values by name; a text of the learner's among them is shown as it stands."""
    told().update({name: plain(str(value)) for name, value in values.items()})


def tell_sentence(sentence: str) -> None:
    """Keep the page's sentences, which are Markdown already, in their order: says, says_2, says_3."""
    number = 1 + sum(name.startswith("says") for name in told())
    told()["says" if number == 1 else f"says_{number}"] = sentence


def wait_for_a_guess() -> None:
    """Note that the page asks before it shows: values that it did not find yet are not missing."""
    st.session_state[OPEN] = True


def said_instead() -> str:
    """Return what stands in a beat where the run found no value; {name} is its name."""
    return "…" if st.session_state.get(OPEN) else "(no value “{name}” here)"


def told() -> dict[str, str]:
    """Return what the run has found so far."""
    return st.session_state.setdefault(KEPT, {})


def reads(key: str) -> None:
    """Note that the page, or a view by itself, reads a field of the address which no control is bound to."""
    st.session_state.setdefault(READ, set()).add(key)


def is_read(key: str) -> bool:
    """Return whether the run has read such a field; a view adds its own words to its name."""
    return any(key.startswith(each) for each in st.session_state.get(READ, ()))


def holds_words(key: str) -> None:
    """Note that a field holds the learner's words, or chooses whose words are read."""
    st.session_state.setdefault(WORDS, []).append(key)


def holds_typed(key: str, typed: bool) -> None:
    """Note whether a field holds words that the learner typed, and not those that the lesson puts there for all."""
    st.session_state.setdefault(TYPED, {})[key] = typed


def words_typed() -> bool:
    """Return whether any field that was drawn so far holds words that the learner typed."""
    return any(st.session_state.get(TYPED, {}).values())


def words_held() -> list[str]:
    """Return the keys of those fields."""
    return list(st.session_state.get(WORDS, ()))
