"""A model's heads on one text, computed once a session for each choice: all of them small, one of them whole."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd
import streamlit as st
import torch

from core.figures.alignment import attention_view
from core.figures.self_attention.heads import head_grid, masked_weights
from core.lesson.browser_view import browser_view
from core.models.self_attention.ablation import mean_bits, without_queries
from core.models.self_attention.attention import AttentionTrace
from core.models.self_attention.attentive_models import AttentiveModel, attentive_model
from core.models.self_attention.head_habits import habits

SENTENCE = "In the beginning God made the heaven and the earth."
LAYER_AT_MOST = 128  # tokens; of a longer text one head's weights are enough to send


@dataclass(frozen=True)
class OpenedHeads:
    """The payload of the grid, one head's trace, its layer's weights by name, every head's habits.

    `bits` is the model's mean bits a token on the text, None where it predicts nothing; `vector` the mean of the
    last stream, (C,), which is how an encoder sums a text up.
    """

    grid: dict
    head: AttentionTrace
    layer: dict[str, np.ndarray]
    habits: pd.DataFrame
    bits: float | None
    vector: np.ndarray


def alike(name: str, layer: int, head: int) -> AttentiveModel:
    """Return the model with one head that looks everywhere alike."""
    model = attentive_model(name)
    return AttentiveModel(**{**vars(model), "network": without_queries(model.network, [(layer, head)])})


@st.cache_data(scope="session", max_entries=12, show_spinner="The model reads")
def opened_heads(name: str, ids: tuple[int, ...], layer: int, head: int, broken: bool = False) -> OpenedHeads:
    """Return a model's heads on a text of ids, with (layer, head) whole; `broken`: it looks everywhere alike."""
    torch.set_num_threads(1)
    model = alike(name, layer, head) if broken else attentive_model(name)
    text = torch.tensor(ids)
    trace = model.trace(text)
    layers = [each.attention for each in trace.layers]
    names = [f"head {h + 1}" for h in range(len(layers[layer].weights))]
    whole = masked_weights(layers[layer]) if len(ids) <= LAYER_AT_MOST else []
    bits = mean_bits(model, [text]) if model.predicts else None
    return OpenedHeads(
        head_grid(layers, (layer, head)),
        AttentionTrace(**{part: tensor[head].clone() for part, tensor in vars(layers[layer]).items()}),
        dict(zip(names, whole, strict=False)),
        habits_table(layers),
        bits,
        trace.final.mean(0).numpy(),
    )


def habits_table(layers: list[AttentionTrace]) -> pd.DataFrame:
    """Return one row a head: its mean weight on the first token, the one before and itself, and its entropy."""
    rows = []
    for number, layer in enumerate(layers, start=1):
        found = habits(layer.weights)
        columns = (found.first, found.previous, found.itself, found.entropy)
        rows += [(number, h + 1, *(float(part[h]) for part in columns)) for h in range(len(layer.weights))]
    columns = ["layer", "head", "on the first token", "on the token before", "on itself", "entropy, bits"]
    return pd.DataFrame(rows, columns=columns)


@cache
def head_that_most(name: str, habit: str) -> tuple[int, int]:
    """Return the (layer, head) of a model with the largest mean of a habit, a column of `habits_table`, on SENTENCE."""
    torch.set_num_threads(1)
    model = attentive_model(name)
    table = habits_table([layer.attention for layer in model.trace(model.read(SENTENCE).ids).layers])
    row = table.loc[table[habit].idxmax()]
    return int(row["layer"]) - 1, int(row["head"]) - 1


def show_heads(
    view: str,
    model: str,
    opened: OpenedHeads,
    place: tuple[int, int],
    tokens: Sequence[str],
    cell: tuple[int, int],
    whole_layer: bool,
    on_cell: Callable,
) -> None:
    """Draw one head, or its whole layer where the text is short enough, as a heatmap linked to lines."""
    layer, head = place[0] + 1, place[1] + 1
    whole_layer = whole_layer and bool(opened.layer)
    heads = opened.layer if whole_layer else {f"layer {layer}, head {head}": masked_weights(opened.head)}
    file = f"{model}_layer{layer}" + ("" if whole_layer else f"_head{head}")
    data = attention_view(heads, tokens, tokens, (), "query", "key", cell, file=file)
    browser_view("attention", data, view, {"cell": on_cell})
    if not opened.layer:
        st.caption(f"A text of more than {LAYER_AT_MOST} tokens is drawn one head at a time.")


def show_grid(view: str, opened: OpenedHeads) -> None:
    """Draw all heads at once; a click opens one."""
    st.header("All heads at once", anchor=False)
    st.markdown(
        "A row is a layer, a column a head. Some look at the token before, some at the first token, some nearly "
        "everywhere. Nobody told them to: it made the training loss small. Click a head to open it above."
    )
    browser_view("head_grid", opened.grid, view, {"head": None})
