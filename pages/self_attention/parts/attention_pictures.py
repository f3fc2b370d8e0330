"""The small pictures of the lessons on self-attention, each drawn by its lesson's own figure function."""

from __future__ import annotations

from math import inf, nan

import plotly.graph_objects as go
import torch

from core.figures.card import small
from core.figures.generation.sampling import shown
from core.figures.self_attention.attention_scaling import scores_and_weights
from core.figures.self_attention.causal_mask import matrix_figure
from core.figures.self_attention.heads import names_of
from core.figures.self_attention.parallel_training import triangle
from core.models.self_attention.attention import average_of_the_past
from core.models.self_attention.attention_scaling import random_scores
from core.models.self_attention.attentive_models import attentive_model
from core.models.self_attention.growing_attention import grow
from core.models.self_attention.parallel_training import in_one_pass
from core.models.stored_language_models import encode, stored_language_model


def attention_scaling() -> go.Figure:
    """The spread of random scores of 64 dimensions, and one query's weights, with and without the root."""
    figure = small(scores_and_weights(random_scores(64).numpy(), 64))
    figure.layout.annotations = ()
    return figure


def causal_mask() -> go.Figure:
    """Three characters and no scores: each row shares its weight among those it may see."""
    trace = average_of_the_past(torch.zeros(3, 1))
    weights = trace.weights.masked_fill(trace.masked == -inf, nan).double().numpy()
    return small(matrix_figure(weights, ["c", "a", "t"]))


def parallel_training() -> go.Figure:
    """One window of characters as its examples, with the real p of each target."""
    model = stored_language_model("char_gpt")
    ids = torch.tensor([model.start, *encode("char_gpt", "to be").ids])
    tokens = [shown(model.vocabulary[i]) for i in ids]
    return small(triangle(tokens, in_one_pass(model.network, ids).losses.tolist()))


def growing_attention() -> go.Figure:
    """A trained head's weights on four words, from its queries and keys."""
    model = attentive_model("word_masked")
    read = model.read("the king saw the queen")
    weights = grow(model.network, read.ids, layer=0, head=0).steps[-1].trace.weights
    return small(matrix_figure(weights.double().numpy(), names_of(read.tokens)))
