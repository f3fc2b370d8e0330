"""What the square root does in the trained models: how soft their heads are with it, and what they lose without."""

from __future__ import annotations

import pandas as pd
import streamlit as st
import torch

from core.lesson.break_it import consequence
from core.models.self_attention.ablation import CHARACTERS, mean_bits, windows, without_scaling
from core.models.self_attention.attention_scaling import head_softness
from core.models.self_attention.attentive_models import BACK, AttentiveModel, attentive_model
from core.text.reading.documents import Document

WINDOWS = 2  # runs of the learner's text that are measured


def gpt() -> AttentiveModel:
    """Return the GPT of byte pairs, whose loss on a text can be measured."""
    return attentive_model(BACK[0])


@st.cache_data(scope="session", max_entries=8, show_spinner="The model reads your text twice")
def bits_with_and_without(digest: str, _text: str) -> tuple[float, float, int]:
    """Return the GPT's bits a token on a text with the root and without it, and on how many tokens."""
    torch.set_num_threads(1)
    model = gpt()
    texts = windows(model, _text, WINDOWS)
    whole, broken = mean_bits(model, texts), mean_bits(model, texts, without_scaling(model.network))
    return whole, broken, sum(len(ids) - 1 for ids in texts)


def show_broken(document: Document) -> None:
    """Show what leaving the root out of the trained GPT costs on the learner's text."""
    whole, broken, n = bits_with_and_without(document.digest, document.text)
    d = gpt().network.config.width // gpt().network.config.heads
    st.markdown(
        f"The course's own GPT was trained with the root (d = {d} in each head). Leave it out of all heads, and all "
        f"scores are {d**0.5:.2f} times as large. This is what it then makes of the first {n:,} tokens of your text:"
    )
    consequence("Bits per token", whole, broken, more_is_better=False)


@st.cache_data(scope="session", max_entries=8, show_spinner="The model reads your text")
def trained_heads(digest: str, _text: str) -> pd.DataFrame:
    """Return how soft every trained head is on the first tokens of a text, from the last of them."""
    torch.set_num_threads(1)
    model = gpt()
    heads = head_softness(model.network, model.read(_text[: 64 * CHARACTERS], most=64).ids)
    return pd.DataFrame(
        [
            {
                "layer": each.layer + 1,
                "head": each.head + 1,
                "spread of q · k": each.unscaled.spread,
                "spread of q · k / √d": each.scaled.spread,
                "entropy without the root": each.unscaled.entropy,
                "entropy with it": each.scaled.entropy,
                "gradient without the root": each.unscaled.gradient,
                "gradient with it": each.scaled.gradient,
            }
            for each in heads
        ]
    )


def gradients_compared(heads: pd.DataFrame) -> str:
    """Return the sentence that says in how many trained heads the softmax lets less through without the root."""
    change = heads["gradient without the root"] - heads["gradient with it"]
    return (
        f"Without the root the softmax lets less of the gradient through in **{(change < 0).sum()}** of these "
        f"{len(heads)} heads, and more in **{(change > 0).sum()}**: it lets little through where one key has all the "
        "weight, and also where many keys have equal weights."
    )
