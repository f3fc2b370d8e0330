"""Break it: a language model that sees only its last few tokens."""

from __future__ import annotations

from dataclasses import replace

from core.lesson.choices.language_model_choice import ChosenModel
from core.models.generation.short_memory import ShortMemory

MEMORY = 3  # tokens that it still sees
LONG = 1000  # tokens, more than enough to tell how far an n-gram looks back


def forget_context(chosen: ChosenModel) -> ChosenModel:
    """Return a model as it is where it sees its last MEMORY tokens only."""
    return replace(
        chosen,
        label=f"{chosen.label}, memory {MEMORY}",
        model=ShortMemory(chosen.model, MEMORY),
    )
