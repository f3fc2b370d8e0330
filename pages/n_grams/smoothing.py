"""Smoothing: probability that moves from the tokens seen after a context to those that were not."""

import streamlit as st

from core.lesson.break_it import break_it
from core.lesson.choices.ngram_choice import (
    NO_SMOOTHING,
    SMOOTHINGS,
    choose_counts,
    choose_order,
    choose_smoothing,
    counted_text,
)
from core.lesson.code_that_ran import code_that_ran
from core.lesson.lesson import Lesson
from core.lesson.take_away import take_away
from core.lesson.text_source import text_source
from core.lesson.try_this import try_this
from core.models.n_grams.ngram import moved_mass
from pages.n_grams.parts.ngram_moved_mass import (
    choose_context,
    predict_unseen,
    seen_table,
    show_every_smoothing,
    show_impossible,
    show_moved,
    show_unseen,
)
from pages.n_grams.parts.ngram_take_away import SOURCES, model_cells
from pages.n_grams.parts.pictures import smoothing as card_picture

LESSON = Lesson(
    __name__,
    title="Smoothing",
    question="What is the chance of something that was never seen?",
    icon="⚖️",
)


def picture():
    """Return the picture of the lesson's card."""
    return card_picture()


def page() -> None:
    """Show the lesson."""
    LESSON.open(
        r"\text{add-}\alpha:\; \frac{c(hw)+\alpha}{c(h)+\alpha V} \qquad \text{discounting:}\; "
        r"\frac{c(hw)-d}{c(h)} + \lambda(h)\,p(w\mid h') \qquad "
        r"\text{back-off:}\; \alpha(h)\,p(w\mid h')\ \text{if}\ c(hw)=0",
        "$h$: the context; $h'$: the same without its oldest token; $c$: counts; $V$: size of the vocabulary; $d$: what is "
        "taken off each count; $\\lambda(h)$, $\\alpha(h)$: what that leaves for the shorter context. Kneser-Ney asks the "
        "shorter context how many different tokens came before $w$, not how often $w$ came.",
    )
    document = text_source("hamlet")
    controls, picture = st.columns([1, 3], gap="medium")
    with controls:
        counted = choose_counts(LESSON, document)
        order = choose_order(LESSON)
        context = choose_context(LESSON, counted, order)
        chosen = choose_smoothing(LESSON, "add-alpha", without_none=True)
        broken = break_it(
            LESSON, "raw", "Break it: no smoothing", "Then nothing is left for what was not seen."
        )

    smoothing = NO_SMOOTHING if broken else chosen
    model = smoothing.fit(counted.counts, order)
    moved = moved_mass(model, context)
    h = counted.counts.look_back(context, order - 1)
    with picture:
        about = f"{h}_{chosen.name}_{chosen.arguments}_{broken}_{len(counted.training)}"
        revealed = predict_unseen(LESSON, moved, about)
        if revealed:
            show_moved(LESSON, counted, h, moved, smoothing.name)
    if not len(moved.tokens):
        st.info(
            "This context was never seen in your text: without smoothing it has no probabilities at all (0 / 0)."
        )
    if broken:
        show_impossible(counted_text(document, counted.unit, hold_out=10), order, chosen)
    if revealed and moved.unseen:
        st.header("Which unseen tokens get it?", anchor=False)
        show_unseen(LESSON, counted, model, context, moved)
        st.header("All ways, side by side", anchor=False)
        show_every_smoothing(counted, order, context)
    if revealed:
        seen_table(LESSON, counted, model, context, moved)
    code_that_ran(SMOOTHINGS[smoothing.name].fit, moved_mass)
    take_away(
        LESSON,
        [
            *model_cells(counted.unit, smoothing, order),
            f"from core.models.n_grams.ngram import moved_mass\n\nmoved_mass(model, {list(map(int, context))})",
        ],
    )
    try_this(
        LESSON,
        [
            (
                "Add 10 to every count: how little is left to what was really seen?",
                {"smoothing": "add-alpha", "alpha": 10.0},
            ),
            ("Kneser-Ney: who gets the unseen words' share now?", {"smoothing": "Kneser-Ney", "n": 3}),
            ("Take it away: how many tokens of new sentences are impossible?", {"raw": True, "n": 3}),
        ],
        SOURCES,
    )
