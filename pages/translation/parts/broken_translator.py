"""Break it: what is left of a translator when its attention is the same everywhere, or looks in the wrong place."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import streamlit as st

from core.lesson.break_it import break_it, consequence
from core.models.translation.broken_attention import with_late_attention, with_uniform_attention
from core.models.translation.fit_translation import outcomes, quality
from core.models.translation.seq2seq import Seq2Seq
from pages.translation.parts.translator_choice import Task, held_out_pairs, translator_of

MEASURED = 200  # held-out sentences on which a broken model is measured
Break = Callable[[Seq2Seq], Seq2Seq]


def choose_break(lesson: str) -> Break | None:
    """Draw two switches; return what breaks a model, or None when both are off."""
    uniform = break_it(
        lesson,
        "uniform",
        "Break it: the same weight for every input",
        "Every weight is 1/S: the context is the mean of all the encoder's states, at every step the same.",
    )
    late = break_it(
        lesson,
        "late",
        "Break it: look one place too far right",
        "Every input gets the score of the one before it.",
    )
    return with_uniform_attention if uniform else with_late_attention if late else None


@lru_cache(maxsize=64)
def exact_match(label: str, name: str, broken: Break | None = None) -> float:
    """Return the share of held-out pairs that a stored model translates right, as it is or `broken`."""
    translator = translator_of(name)
    model = translator.model if broken is None else broken(translator.model)
    pairs = held_out_pairs(label, seed=3, count=MEASURED)
    return quality(outcomes(model, pairs, translator.source, translator.target))["exact_match"]


def show_consequence(task: Task, name: str, broken: Break, whole: str, now: str) -> None:
    """Show what the break did to this sentence, and to held-out ones."""
    st.text(f"Before: {whole}")
    st.text(f"Now: {now}")
    st.caption(f"Measured on {MEASURED} held-out inputs:")
    consequence("Exact match", exact_match(task.label, name), exact_match(task.label, name, broken), ".1%")
