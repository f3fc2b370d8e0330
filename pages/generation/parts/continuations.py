"""How a model goes on after a prompt, kept for the session."""

from __future__ import annotations

from collections.abc import Sequence

from core.lesson.choices.language_model_choice import ChosenModel, Continuation, continuation
from core.models.generation.sampling import Settings
from core.text.reading.documents import Document


def written(
    chosen: ChosenModel, document: Document, ids: Sequence[int], length: int, settings: Settings, seed: int
) -> Continuation:
    """Return how a model goes on after the ids with these settings."""
    return continuation(chosen.label, document.digest, tuple(ids), length, settings, seed, chosen.model)
