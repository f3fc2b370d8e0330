"""The small pictures of the lessons on generation, each drawn by its lesson's own figure function."""

from __future__ import annotations

import plotly.graph_objects as go

from core.figures.characters import shifted_figure
from core.figures.sampling import settings_figure
from core.lesson.pictures import few_sentences, small
from core.models.ngram import kneser_ney
from core.models.sampling import Settings, distribution
from core.models.shifted_window import score_window
from core.models.stored_language_models import encode, stored_language_model


def next_character() -> go.Figure:
    """A short window above its target, and the surprise of a network at each character."""
    model = stored_language_model("char_feedforward")
    scored = score_window(model, encode("char_feedforward", "to be or n").ids, 0, 9)
    return small(shifted_figure(scored, model.vocabulary, 3)).update_yaxes(showticklabels=True, row=1)


def sampling() -> go.Figure:
    """What may follow "the", at three temperatures."""
    counted = few_sentences()
    logits = kneser_ney(counted.counts, 2).log_probabilities(counted.encode("the", end=False))
    traces = {f"T = {T}": distribution(logits, Settings(T)) for T in (0.3, 1.0, 3.0)}
    return small(settings_figure(traces, [counted.name(token) for token in range(len(logits))], most=6))
