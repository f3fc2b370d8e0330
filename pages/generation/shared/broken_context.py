"""Break it: a language model that sees only its last few tokens."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from core.lesson.choices.language_model_choice import ChosenModel, tokens_read
from core.lesson.lesson import Lesson
from core.models.generation.short_memory import ShortMemory

MEMORY = 3  # tokens that it still sees
LONG = 1000  # tokens, more than enough to tell how far an n-gram looks back


def break_context(lesson: Lesson, chosen: ChosenModel, hint: str) -> ChosenModel:
    """Draw the switch; return the chosen model, or when it is broken one that sees its last MEMORY tokens."""
    label = f"Break it: the model sees only the last {MEMORY} tokens"
    if not lesson.break_it("forget", label, hint):
        return chosen
    reach = tokens_read(chosen.model, LONG)
    if reach <= MEMORY:
        st.caption(f"This model looks at the last {reach} tokens only: nothing is taken from it.")
    return forget_context(chosen)


def forget_context(chosen: ChosenModel) -> ChosenModel:
    """Return a model as it is where it sees its last MEMORY tokens only."""
    cell = (
        "from core.models.generation.short_memory import ShortMemory\n\n"
        f"whole, model = model, ShortMemory(model, {MEMORY})"
    )
    return replace(
        chosen,
        label=f"{chosen.label}, memory {MEMORY}",
        model=ShortMemory(chosen.model, MEMORY),
        cells=[*chosen.cells, cell],
    )
