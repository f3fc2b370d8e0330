"""A path through the tree of n-grams: typed or clicked, asked about, drawn, and worked out from its counts."""

from __future__ import annotations

import streamlit as st

from core.lesson.browser_view import browser_view
from core.lesson.predict_first import predict_first
from core.models.n_grams.ngram_text import CountedText
from pages.n_grams.parts.ngram_input import most_frequent_token, read_run, type_tokens
from pages.n_grams.parts.ngram_worked import worked_run


def type_path(lesson: str, counted: CountedText) -> str:
    """Draw the field for a path, in the address as `<lesson>_<unit>_path`; a click in the tree goes into it."""
    take_click(lesson, counted)
    return type_tokens(
        lesson,
        counted,
        "path",
        "Walk to",
        counted.write([most_frequent_token(counted)]),
        "A run of tokens; &lt;s> begins a sentence. Or click your way through the tree.",
    )


def take_click(lesson: str, counted: CountedText) -> None:
    """Write the path last clicked in the tree into the field, once: what is typed after that stays."""
    walk = getattr(st.session_state.get(f"{lesson}_tree"), "walk", None)
    if walk and walk != st.session_state.get(f"{lesson}_walked"):
        st.session_state[f"{lesson}_walked"] = walk
        known = [token for token in walk["path"] if token <= len(counted.vocabulary)]
        st.session_state[f"{lesson}_{counted.unit}_path"] = counted.write(known)


def read_path(counted: CountedText, typed: str, n: int) -> list[int]:
    """Return the ids of a typed path's first n tokens; if it is empty or unknown, the most frequent token."""
    example = [most_frequent_token(counted)]
    return read_run(counted, typed, example, counted.write(example))[:n]


def predict_next(lesson: str, tree: dict, about: str) -> bool:
    """Ask for the most frequent token after the path; return whether the tree may be shown."""
    likeliest = [child["token"] for child in tree["columns"][-1]["children"][:4]]
    question = (
        f"After {len(tree['columns']) - 1} tokens of your path: which token is the most frequent next one?"
    )
    return not likeliest or predict_first(lesson, question, sorted(likeliest), likeliest[0], about)


def show_tree(lesson: str, counted: CountedText, tree: dict, path: list[int]) -> None:
    """Show the tree along a path, and below it the path's last probability with its counts."""
    browser_view("ngram_tree", tree, f"{lesson}_tree", {"walk": None})
    last = tree["columns"][-1]
    if not last["total"]:
        st.text(
            f"Nothing follows “{last['context']}”: your text has it only at the end of a sentence, or not at all."
        )
    elif path[-1] < len(counted.vocabulary):  # the start of a sentence is never predicted
        st.latex(worked_run(counted, path))
