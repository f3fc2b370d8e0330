"""A text and its shuffle as a model reads them, with positions and without, computed once a session."""

from __future__ import annotations

from functools import lru_cache

import streamlit as st
import torch

from core.models.ablation import mean_bits
from core.models.attentive_models import attentive_model
from core.models.gpt import GPT
from core.models.word_order import Shuffle, shuffle, shuffled, without_positions

STILL = 1e-3  # an output that moved by less than a thousandth of its length is as it was: rounding moves it by 1e-6


@lru_cache(maxsize=4)
def placeless(name: str) -> GPT:
    """Return a model's network with all positions nought; all sessions share it."""
    return without_positions(attentive_model(name).network)


@st.cache_data(scope="session", max_entries=12, show_spinner="The model reads, and reads the shuffle")
def readings(name: str, ids: tuple[int, ...], seed: int, layer: int, head: int) -> dict[str, Shuffle | float]:
    """Return a text's shuffle read `with` positions and `without`, and the `bits` a token, `bits without` too."""
    torch.set_num_threads(1)
    model, text = attentive_model(name), torch.tensor(ids)
    order = shuffled(len(ids), seed, len(model.before))
    return {
        "with": shuffle(model.network, text, order, layer, head),
        "without": shuffle(placeless(name), text, order, layer, head),
        "bits": mean_bits(model, [text]),
        "bits without": mean_bits(model, [text], placeless(name)),
    }
