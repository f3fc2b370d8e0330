"""The small pictures of the lessons on generation, each drawn by its lesson's own figure function."""

from __future__ import annotations

import plotly.graph_objects as go

from core.figures.card import small
from core.figures.generation.character_training import baseline_figure
from core.figures.generation.characters import shifted_figure
from core.figures.generation.model_comparison import comparison_figure
from core.figures.generation.sampling import settings_figure
from core.models.generation.fit_characters import ngram_losses
from core.models.generation.sampling import Settings, distribution
from core.models.generation.shifted_window import score_window
from core.models.n_grams.few_sentences import few_sentences
from core.models.n_grams.ngram import kneser_ney
from core.models.stored_language_models import BITS, character_models, encode, stored_language_model
from core.text.samples.microworld import microworld
from pages.generation.parts.character_text import character_labels


def next_character() -> go.Figure:
    """A short window above its target, and the surprise of a network at each character."""
    model = stored_language_model("char_feedforward")
    scored = score_window(model, encode("char_feedforward", "to be or n").ids, 0, 9)
    return small(shifted_figure(scored, model.vocabulary, 3)).update_yaxes(showticklabels=True, row=1)


def language_models() -> go.Figure:
    """Bits a character of the stored models on the held-out plays."""
    labels = {name: label.removesuffix(", characters") for label, name in character_labels().items()}
    bits = {labels[card.model]: card.quality[BITS] for card in character_models()}
    return small(comparison_figure(bits, {})).update_yaxes(showticklabels=True)


def sampling() -> go.Figure:
    """What may follow "the", at three temperatures."""
    counted = few_sentences()
    logits = kneser_ney(counted.counts, 2).log_probabilities(counted.encode("the", end=False))
    traces = {f"T = {T}": distribution(logits, Settings(T)) for T in (0.3, 1.0, 3.0)}
    return small(settings_figure(traces, [counted.name(token) for token in range(len(logits))], most=6))


def character_training() -> go.Figure:
    """What counting reaches on a few sentences, for n = 1 to 5: what a network has to beat."""
    text = "\n".join(microworld(300, seed=1))
    return small(baseline_figure(ngram_losses(text, range(1, 6)), {}))
