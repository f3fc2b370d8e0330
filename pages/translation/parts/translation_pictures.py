"""The cards' pictures of the lessons on translation, from the stored translators."""

from __future__ import annotations

import plotly.graph_objects as go

from core.figures.card import HEIGHT, small
from core.figures.translation.beam_tree import beam_tree_figure
from core.figures.translation.bottleneck import by_range, length_figure
from core.figures.translation.decoder_step import attention_heatmap
from core.figures.translation.translation_race import loss_curves
from core.models.stored import load_card, load_json
from core.models.translation.translate import Translation, beam, greedy
from pages.translation.parts.translator_choice import DATES, FRENCH, SCORES, TASKS, translator_of

SENTENCE = "the white cars arrive ."


def card(figure: go.Figure) -> go.Figure:
    """Return a heat map at the size of a card; its words stay."""
    figure.update_layout(height=HEIGHT, showlegend=False, margin={"l": 4, "r": 4, "t": 4, "b": 4})
    figure.update_xaxes(title="", tickfont={"size": 13})
    return figure.update_yaxes(title="", tickfont={"size": 13})


def short_translation(score: str = SCORES[0]) -> tuple[Translation, list[str], list[str]]:
    """Return the French translation of a short sentence with its output and input words."""
    translator = translator_of(TASKS[FRENCH].models[score])
    inputs = SENTENCE.split()
    made = greedy(translator.model, translator.source.encode(inputs))
    return made, translator.target.decode(made.words), inputs


def translation_beam() -> go.Figure:
    """The tree that a beam of two leaves when the translator without attention reads the sentence."""
    translator = translator_of(TASKS[FRENCH].models["none"])
    history = beam(translator.model, translator.source.encode(SENTENCE.split()), 2)
    return card(beam_tree_figure(history, translator.target.words))


def translation_race() -> go.Figure:
    """The training losses of the four French translators: one stays high."""
    losses = {
        score.replace("none", "no attention"): load_json(name, "losses")
        for score, name in TASKS[FRENCH].models.items()
    }
    return small(loss_curves(losses))


def bottleneck() -> go.Figure:
    """Exact match against length from two cards: with attention it stays, without it falls."""
    models = TASKS[FRENCH].models
    shares = {score: by_range(load_card(models[score]).quality) for score in (SCORES[0], "none")}
    return small(length_figure({}, {score: (score != "none", each) for score, each in shares.items()}))


def translation_training() -> go.Figure:
    """What training finds out by itself: which letters of a French date say the year, the month and the day."""
    translator, inputs = translator_of(TASKS[DATES].models[SCORES[0]]), list("4 mars 1987")
    made = greedy(translator.model, translator.source.encode(inputs))
    outputs = translator.target.decode(made.words)
    return card(attention_heatmap(made.steps.weights[0, : len(outputs)].numpy(), outputs, inputs))
