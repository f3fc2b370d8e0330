"""The small pictures of the lessons on recurrent models, each drawn by its lesson's own figure function."""

from __future__ import annotations

from functools import cache

import plotly.graph_objects as go
import torch

from core.figures.card import small
from core.figures.recurrent_models.gradient import band, flow_figure, unrolled_figure
from core.figures.recurrent_models.recurrent import memory_figure
from core.figures.recurrent_models.weight_tying import size_figure
from core.models.parameter_counts import counts_by_window
from core.models.recurrent_language_model import RecurrentConfig
from core.models.recurrent_models.broken_memory import bits
from core.models.recurrent_models.gradient_flow import gradient_flow
from core.models.recurrent_models.unrolled_word import unrolled_word
from core.models.recurrent_models.weight_tying import recurrent_parameters
from core.models.stored_language_models import encode, stored_language_model

LINE = "The king and the queen of France walk in the garden, and all the people follow them.\n"


@cache
def rnn_ids() -> torch.Tensor:
    """A line as the stored RNN reads it."""
    model = stored_language_model("char_rnn")
    return torch.tensor((model.start, *encode("char_rnn", LINE).ids))


def hidden_state() -> go.Figure:
    """Bits per character when the stored RNN's memory is wiped every so many characters."""
    network, lengths = stored_language_model("char_rnn").network, (1, 2, 4, 8, 16, 32)
    wiped = [bits(network, rnn_ids(), k).mean().item() for k in lengths]
    return small(memory_figure(lengths, wiped, bits(network, rnn_ids()).mean().item()))


def gradient_microscope() -> go.Figure:
    """What reaches 30 steps back in a random RNN and in an LSTM."""
    rnn, lstm = (gradient_flow(cell, 0.8, 30, width=16) for cell in ("rnn", "lstm"))
    norms = {"RNN, h": rnn.hidden_norms, "LSTM, c": lstm.cell_norms}
    return small(flow_figure({name: band([each.flip(0).numpy()]) for name, each in norms.items()}))


def backpropagation_through_time() -> go.Figure:
    """The way back through a word, three states of it."""
    read = unrolled_word("the", 2, 0.9, seed=1)
    return small(unrolled_figure(read.characters, read.target, read.norms, read.factor_norms, 2))


def weight_tying() -> go.Figure:
    """The sizes of a feed-forward model and an LSTM against the window."""
    windows = [1, 16, 32]
    lstm = sum(recurrent_parameters(RecurrentConfig(63, "lstm", 160)).values())
    growing = counts_by_window("feed-forward", {"vocabulary_size": 63}, windows)
    return small(size_figure(windows, {"feed-forward": growing, "LSTM": [lstm] * len(windows)}))
