"""Counting n-grams: a window slides over the text, and its counts make a tree that can be walked."""

import streamlit as st

from core.figures.n_grams.ngram_tree import tree_columns
from core.lesson.break_it import break_it
from core.lesson.choices.ngram_choice import NO_SMOOTHING, choose_counts, choose_order
from core.lesson.code_that_ran import code_that_ran
from core.lesson.lesson import Lesson
from core.lesson.take_away import take_away
from core.lesson.text_source import text_source
from core.lesson.try_this import try_this
from core.models.n_grams.ngram_counts import NgramCounts, count_ngrams
from core.models.n_grams.ngram_text import most_frequent
from pages.n_grams.parts.ngram_counting import (
    CROSSING_CELL,
    frequent_table,
    show_crossing,
    show_rarity,
    show_window,
    without_ends,
)
from pages.n_grams.parts.ngram_path import predict_next, read_path, show_tree, type_path
from pages.n_grams.parts.ngram_take_away import SOURCES, model_cells
from pages.n_grams.parts.pictures import ngram_counts as card_picture

LESSON = Lesson(
    __name__,
    title="Counting n-grams",
    question="What can a text's own counts say about the next word?",
    icon="🔢",
)


def picture():
    """Return the picture of the lesson's card."""
    return card_picture()


def page() -> None:
    """Show the lesson."""
    LESSON.open(
        r"p(w \mid h) = \frac{c(hw)}{c(h)}",
        "$h$: the context, a run of tokens; $w$: the token after it; $c(hw)$: how often your text has the run $hw$; "
        "$c(h)$: how often something follows $h$. A run of two tokens is a **bigram**, of $n$ an **n-gram**.",
    )
    document = text_source("hamlet")
    controls, picture = st.columns([1, 3], gap="medium")
    with controls:
        whole = choose_counts(LESSON, document)
        n = choose_order(LESSON, 3, least=2)
        typed = type_path(LESSON, whole)
        crossing = break_it(
            LESSON,
            "crossing",
            "Break it: one endless sentence",
            "Windows then reach over the end of a sentence.",
        )
        path = read_path(whole, typed, n)

    counted = without_ends(whole) if crossing else whole
    tree = tree_columns(counted, path, n)
    with picture:
        if predict_next(LESSON, tree, f"{path}_{counted.unit}_{crossing}_{len(counted.training)}"):
            show_tree(LESSON, counted, tree, path)
    if crossing:
        show_crossing(n, whole, counted)

    st.header("How the counting goes", anchor=False)
    show_window(LESSON, whole, n)
    st.header("The longer, the rarer", anchor=False)
    show_rarity(LESSON, counted, n)
    frequent_table(LESSON, counted, n)
    code_that_ran(count_ngrams, NgramCounts.continuations, most_frequent)
    take_away(
        LESSON,
        [
            *model_cells(whole.unit, NO_SMOOTHING, n),
            *([CROSSING_CELL] if crossing else []),
            f"counted.counts.continuations(counted.read({counted.write(path)!r}))",
        ],
    )
    try_this(
        LESSON,
        [
            ("Walk from the beginning of a sentence: how do most of them begin?", {"words_path": "<s>"}),
            ("Characters: what follows “th”?", {"unit": "characters", "characters_path": "th"}),
            ("Let windows cross the ends of sentences: how many runs that nobody wrote?", {"crossing": True}),
        ],
        SOURCES,
    )
