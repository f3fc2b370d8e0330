"""The small pictures of the lessons on self-attention, each drawn by its lesson's own figure function."""

from __future__ import annotations

import plotly.graph_objects as go

from core.figures.card import small
from core.figures.self_attention.head_effects import before_after, likeliest
from core.figures.self_attention.heads import grid_figure
from core.figures.self_attention.word_order import moved_tokens, position_heatmap
from core.models.self_attention.attention_edits import Edit, effect
from core.models.self_attention.attentive_models import attentive_model
from core.models.self_attention.positions import sinusoidal_positions
from core.models.self_attention.word_order import shuffle, shuffled


def self_attention() -> go.Figure:
    """All heads of the GPT of byte pairs on one sentence."""
    model = attentive_model("word_gpt")
    trace = model.trace(model.read("In the beginning God made the heaven and the earth.").ids)
    return small(grid_figure([layer.attention for layer in trace.layers]))


def word_order() -> go.Figure:
    """How far each token's output moves when the GPT reads a sentence's words in another order."""
    model = attentive_model("word_gpt")
    read = model.read("The dog saw the man.")
    moved = shuffle(model.network, read.ids, shuffled(len(read.ids), 1, len(model.before))).moved
    return small(moved_tokens(moved.numpy(), read.tokens))


def positions() -> go.Figure:
    """Sinusoids of 64 positions."""
    return small(position_heatmap(sinusoidal_positions(64, 64).numpy(), 20))


def edit_attention() -> go.Figure:
    """The next token's likeliest answers, before and after a head may look at the first token only."""
    model = attentive_model("word_gpt")
    ids = model.read("The people of Israel went out of the land of").ids
    query = len(ids) - 1
    found = effect(model, ids, query, [Edit(layer, 0, query, 0, 1.0) for layer in range(4)])
    top = likeliest(found.before, found.after, most=6)
    return small(before_after(found.before[top], found.after[top], [model.vocabulary[i] for i in top], "p"))
