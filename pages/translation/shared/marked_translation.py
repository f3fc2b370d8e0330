"""A translation with what differs from the reference marked, in words as well as in colour."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from core.text.tokenization.word_differences import EXTRA, MISSING, compare_words, mistakes
from core.words.plain import plain
from pages.translation.shared import WORDS


def marked(written: Sequence[str], wanted: Sequence[str]) -> str:
    """Return a translation as Markdown: its own words coloured where they differ, missing ones struck out.

    >>> marked(["le", "chien"], ["le", "chat"])
    'le :gray[~~chat~~] :orange-background[**chien**]'
    """
    forms = {EXTRA: ":orange-background[**{}**]", MISSING: ":gray[~~{}~~]"}
    return " ".join(forms.get(d.mark, "{}").format(plain(d.word)) for d in compare_words(written, wanted))


def show_marked(written: Sequence[str], wanted: Sequence[str], more: str, same: str) -> None:
    """Write a translation with its differences marked, or `same` where there are none, and `more` about it."""
    st.markdown(marked(written, wanted) or WORDS.label("nothing"))
    wrong = mistakes(written, wanted)
    verdict = WORDS.label("wrong", n=wrong) if wrong else same
    st.caption(" · ".join(filter(None, [verdict, more])))


def show_side_by_side(
    written: Mapping[str, tuple[Sequence[str], str]], wanted: Sequence[str], same: str
) -> None:
    """Write translations beside each other, {whose: (words, what is said about it)}, each as `show_marked` does."""
    for column, (name, (words, more)) in zip(st.columns(len(written)), written.items(), strict=True):
        with column:
            st.markdown(f"**{name}**")
            show_marked(words, wanted, more, same)
