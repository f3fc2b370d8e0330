"""A text and its shuffle as a model reads them, with positions and without, computed once a session."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import pandas as pd
import streamlit as st
import torch

from core.figures.generation.sampling import shown
from core.figures.self_attention.weight_panels import weight_panels
from core.figures.self_attention.word_order import moved_tokens
from core.figures.worked import number
from core.lesson.every_number import every_number
from core.lesson.figure import show_figure
from core.models.self_attention.ablation import mean_bits
from core.models.self_attention.attentive_models import attentive_model
from core.models.self_attention.gpt import GPT
from core.models.self_attention.word_order import Shuffle, shuffle, shuffled, without_positions

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


def show_shuffle(lesson: str, used: Shuffle, tokens: Sequence[str], head: str) -> None:
    """Draw a head's weights on a text and on its shuffle, and how far each output moved."""
    panels = {
        "as it stands": used.weights.numpy(),
        "shuffled, then put back in order": used.shuffled_weights.numpy(),
    }
    show_figure(
        weight_panels(panels, tokens, height=430),
        f"{lesson}_heads",
        f"The weights of {head} on the text and on its shuffle",
    )
    moved = used.moved.numpy()
    st.markdown(
        f"**{(moved < STILL).sum()} of {len(moved)} outputs are as they were**; the one that moved most moved by "
        f"{moved.max():.1%} of its length."
    )
    show_figure(moved_tokens(moved, tokens), f"{lesson}_moved", "How far each token's output moved")


def output_table(lesson: str, used: Shuffle, tokens: Sequence[str], order: torch.Tensor) -> None:
    """Show every token's output before and after the shuffle, under "Every number"."""
    moved = used.moved.numpy()
    table = pd.DataFrame(
        {
            "token": [shown(token) for token in tokens],
            "place": range(1, len(moved) + 1),
            "place when shuffled": order.argsort().numpy() + 1,
            "|f(w)|": used.outputs.norm(dim=1).numpy(),
            "|f(w) - f(shuffled)|": (used.outputs - used.shuffled_outputs).norm(dim=1).numpy(),
            "moved": moved,
        }
    )

    def worked(row: int, column: str) -> str | None:
        """Return the share by which one output moved, filled in."""
        if column != "moved":
            return None
        length, distance = table["|f(w)|"][row], table["|f(w) - f(shuffled)|"][row]
        return rf"\frac{{{number(distance)}}}{{{number(length)}}} = {number(moved[row])}"

    every_number(lesson, "outputs", table, worked)
