"""Values computed by the current run, substituted for {{name}} in the words; and which fields hold the learner's words.

Everything here is in the session and is cleared when a run begins. A tour keeps the learner's words when it goes to the
next beat, so each field for words registers itself while it is drawn.
"""

from __future__ import annotations

import streamlit as st

from core.words.plain import plain

VALUES = "live_values"  # {name: Markdown}
GUESS_OPEN = "open_guess"  # whether some values are hidden until the learner has guessed
READ = (
    "read_of_address"  # fields of the address, or prefixes of a view's fields, read without a bound control
)
WORDS = "learners_words"  # the keys of the fields for the learner's words
TYPED = "learners_words_typed"  # {key: whether the field differs from the lesson's default}
OWN_TEXT = "text_source_own"  # the learner's own Document, which stays from run to run


def clear_values() -> None:
    """Begin a run: drop the values and notes of the run before."""
    state = st.session_state
    state[VALUES], state[WORDS], state[TYPED], state[READ], state[GUESS_OPEN] = {}, [], {}, set(), False


def set_values(**values: object) -> None:
    """Set values by name. Markdown in them is escaped, because they may hold the learner's words."""
    st.session_state.setdefault(VALUES, {}).update(
        {name: plain(str(value)) for name, value in values.items()}
    )


def values() -> dict[str, str]:
    """Return a copy of the values set so far in this run, {name: Markdown}."""
    return dict(st.session_state.get(VALUES, {}))


def add_caption(sentence: str) -> None:
    """Add the page's next caption, in Markdown. Beats know them as {{says}}, {{says_2}}, {{says_3}}."""
    captions = st.session_state.setdefault(VALUES, {})
    number = 1 + sum(name.startswith("says") for name in captions)
    captions["says" if number == 1 else f"says_{number}"] = sentence


def wait_for_guess() -> None:
    """Note that the page hides values until the learner has guessed, so that they do not count as missing."""
    st.session_state[GUESS_OPEN] = True


def placeholder() -> str:
    """Return what a beat shows where the run set no value; it may hold the field {name}."""
    return "…" if st.session_state.get(GUESS_OPEN) else "(no value “{name}” here)"


def note_read(key: str) -> None:
    """Note that the page, or a view, reads a field of the address that no control is bound to."""
    st.session_state.setdefault(READ, set()).add(key)


def is_read(key: str) -> bool:
    """Return whether `note_read` was called in this run with this field or a prefix of it."""
    return any(key.startswith(each) for each in st.session_state.get(READ, ()))


def note_words_field(key: str) -> None:
    """Note that a field holds the learner's words, or chooses whose words are read."""
    st.session_state.setdefault(WORDS, []).append(key)


def words_fields() -> list[str]:
    """Return the keys of the fields that `note_words_field` has noted in this run."""
    return list(st.session_state.get(WORDS, ()))


def note_typed(key: str, typed: bool) -> None:
    """Note whether a field holds words that the learner typed, rather than the lesson's default."""
    st.session_state.setdefault(TYPED, {})[key] = typed


def words_typed() -> bool:
    """Return whether any field drawn so far in this run holds words that the learner typed."""
    return any(st.session_state.get(TYPED, {}).values())
