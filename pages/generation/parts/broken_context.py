"""Break it: a language model that sees only its last few tokens."""

from __future__ import annotations

from dataclasses import replace

from core.lesson.break_it import break_it
from core.lesson.choices.language_model_choice import ChosenModel
from core.models.generation.short_memory import ShortMemory

MEMORY = 3  # tokens that it still sees


def break_context(lesson: str, chosen: ChosenModel, hint: str) -> ChosenModel:
    """Draw the switch; return the chosen model, or when it is broken one that sees its last MEMORY tokens."""
    label = f"Break it: the model sees only the last {MEMORY} tokens"
    if not break_it(lesson, "forget", label, hint):
        return chosen
    return replace(chosen, label=f"{chosen.label}, memory {MEMORY}", model=ShortMemory(chosen.model, MEMORY))
