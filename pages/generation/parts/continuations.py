"""Continuations of one prompt, side by side: five settings of one model, or every model at one setting."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import streamlit as st

from core.figures.generation.sampling import settings_figure
from core.lesson.choices.language_model_choice import (
    OWN,
    ChosenModel,
    Continuation,
    continuation,
    language_model,
    model_labels,
    next_logits,
)
from core.lesson.figure import show_figure
from core.models.generation.sampling import Settings, distribution
from core.models.stored_language_models import Prompt
from core.text.reading.documents import Document


def written(chosen: ChosenModel, document: Document, ids, length: int, settings: Settings, seed: int):
    """Return how a model goes on after the ids with these settings."""
    return continuation(chosen.label, document.digest, tuple(ids), length, settings, seed, chosen.model)


def show_text(chosen: ChosenModel, made: Continuation) -> None:
    """Write a continuation with the mean entropy of the distributions its tokens were drawn from."""
    st.code(chosen.decode(made.tokens), language=None, wrap_lines=True)
    st.caption(f"mean entropy {np.mean(made.entropies):.2f} bits a token")


def five_settings(
    lesson: str,
    chosen: ChosenModel,
    document: Document,
    prompt: Prompt,
    length: int,
    seed: int,
    settings: Mapping[str, Settings],
) -> None:
    """Draw the prompt's next-token distribution under several settings, and how the model goes on with each."""
    logits = next_logits(chosen.label, document.digest, prompt.ids, chosen.model)
    traces = {label: distribution(logits, each) for label, each in settings.items()}
    show_figure(
        settings_figure(traces, chosen.names),
        f"{lesson}_five",
        "The likeliest next tokens after the prompt, with each of the settings",
    )
    for column, (label, each) in zip(st.columns(len(settings)), settings.items(), strict=True):
        with column:
            st.markdown(f"**{label}**")
            show_text(chosen, written(chosen, document, prompt.ids, length, each, seed))


def every_model(
    lesson: str, document: Document, text: str, length: int, settings: Settings, seed: int
) -> None:
    """Let every model go on from the same prompt with the same settings and seed, if the learner asks for it."""
    if not st.toggle("Ask every model", key=f"{lesson}_every", bind="query-params"):
        return
    for label in (*model_labels(), *OWN):
        chosen = language_model(label, document)
        made = written(chosen, document, chosen.encode(text).ids, length, settings, seed)
        st.markdown(f"**{label}** · {len(chosen.names):,} tokens in its vocabulary")
        show_text(chosen, made)
