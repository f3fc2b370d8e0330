"""Perplexity: how well n-gram models of several orders and smoothings foresee held-out sentences."""

import streamlit as st

from core.lesson.break_it import break_it
from core.lesson.choices.ngram_choice import choose_unit, counted_text, standard
from core.lesson.code_that_ran import code_that_ran
from core.lesson.lesson import Lesson
from core.lesson.take_away import take_away
from core.lesson.text_source import text_source
from core.lesson.try_this import try_this
from core.models.language_model import UniformModel
from core.models.n_grams.ngram import held_out, unseen_share
from pages.n_grams.parts.ngram_measures import EVERY, MEASURED_AT_MOST, ORDERS, by_alpha, by_model, by_order
from pages.n_grams.parts.ngram_perplexity import (
    choose_min_count,
    choose_smoothings,
    measure_table,
    predict_best,
    show_alphas,
    show_by_order,
    show_infinite,
    show_sparsity,
    show_uniform,
)
from pages.n_grams.parts.ngram_take_away import SOURCES, model_cells
from pages.n_grams.parts.pictures import ngram_perplexity as card_picture

LESSON = Lesson(
    __name__,
    title="Perplexity",
    question="How do we measure which model foresees new text better?",
    icon="📏",
)


def picture():
    """Return the picture of the lesson's card."""
    return card_picture()


def page() -> None:
    """Show the lesson."""
    LESSON.open(
        r"\text{perplexity} = \exp\Big(-\frac{1}{m}\sum_{i=1}^{m} \ln p(w_i \mid h_i)\Big) \qquad "
        r"\text{bits a token} = \log_2 \text{perplexity}",
        "$w_1 \\dots w_m$: the tokens of the held-out sentences, `</s>` among them; $h_i$: the $n-1$ tokens before $w_i$. "
        "A perplexity of 50 means: on average as unsure as with 50 tokens to choose from, all equally likely.",
    )
    document = text_source("hamlet")
    controls, picture = st.columns([1, 3], gap="medium")
    with controls:
        unit = choose_unit(LESSON)
        asked = choose_smoothings(LESSON)
        min_count = choose_min_count(LESSON)
        broken = break_it(
            LESSON, "raw", "Break it: no smoothing", "One unseen n-gram in the held-out text is enough."
        )
        counted = counted_text(document, unit, min_count, EVERY)
    if not len(counted.held_out):
        picture.info("Perplexity needs sentences to hold out: choose a text of at least two sentences.")
        st.stop()

    names = list(dict.fromkeys([*asked, *(["none"] if broken else [])])) or ["Kneser-Ney"]
    text = document.digest, unit, min_count, counted
    table = by_model(names, *text)
    with picture:
        revealed = predict_best(LESSON, table, f"{unit}_{min_count}_{names}_{len(counted.training)}")
        if revealed:
            show_by_order(LESSON, counted, table)
    show_uniform(counted)
    if broken:
        show_infinite(by_order("Kneser-Ney", *text), by_order("none", *text))
    if revealed:
        left, right = st.columns(2)
        with left:
            st.header("How many n-grams are new?", anchor=False)
            show_sparsity(LESSON, table["unseen n-grams"][: len(ORDERS)].tolist())
        with right:
            st.header("How much should α be?", anchor=False)
            show_alphas(LESSON, by_alpha(*text), len(counted.vocabulary))
        measure_table(LESSON, counted, table)
    code_that_ran(held_out, unseen_share, UniformModel)
    take_away(
        LESSON,
        [
            *model_cells(unit, standard(names[0]), 3, min_count=min_count, hold_out=EVERY),
            f"from core.models.n_grams.ngram import held_out\n\nheld_out(model, counted.held_out[:{MEASURED_AT_MOST}])",
        ],
    )
    try_this(
        LESSON,
        [
            ("Take the smoothing away: for which n is it still finite?", {"raw": True}),
            ("Characters: how far back is it worth looking?", {"unit": "characters"}),
            ("Keep every word, seen once or not: what happens to V and to the curves?", {"min_count": 1}),
        ],
        SOURCES,
    )
