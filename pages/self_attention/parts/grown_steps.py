"""The steps from an average to a layer's attention, computed once a session: pictures, and one pair through all."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import pandas as pd
import streamlit as st
import torch

from core.figures.self_attention.causal_mask import matrix_figure
from core.figures.self_attention.growing_attention import concatenated_and_projected, worked_pair
from core.figures.self_attention.heads import names_of
from core.figures.self_attention.weight_panels import weight_panels
from core.lesson.break_it import consequence
from core.lesson.code_that_ran import source_of
from core.lesson.figure import show_figure
from core.models.self_attention.ablation import mean_bits, windows
from core.models.self_attention.attention import multi_head, multi_head_attention
from core.models.self_attention.attention_scaling import entropy
from core.models.self_attention.attentive_models import BOTH, AttentiveModel, attentive_model
from core.models.self_attention.growing_attention import Grown, grow, with_one_matrix
from core.text.reading.documents import Document

WAYS = {
    "a plain average": "Every token gets the same: the mean of all. Nothing depends on what stands there.",
    "dot products": "Tokens whose vectors point the same way look at each other, at themselves most of all. Nothing is "
    "learned.",
    "one learned matrix": "A matrix decides what “alike” means. But a looks at b exactly as b looks at a.",
    "query, key and value": "Asking and offering part: a may look at b while b does not look back. A third matrix says "
    "what is handed on.",
    "scaled": "Divided by the root of d the scores are smaller, and the softmax softer. This is the trained head.",
    "several heads": "The layer does this several times side by side, each time with other matrices.",
    "concatenated and projected": "The heads' contexts stand side by side, and one more matrix mixes them. These are "
    "the numbers that the layer adds to its stream.",
}
STEPS = list(WAYS)
WINDOWS = 4


@st.cache_data(scope="session", max_entries=8, show_spinner="The model reads")
def grown(ids: tuple[int, ...], layer: int, head: int) -> Grown:
    """Return the steps of one head of the masked model."""
    torch.set_num_threads(1)
    return grow(attentive_model(BOTH).network, torch.tensor(ids), layer, head)


def show_step(lesson: str, found: Grown, place: int, head: int, tokens: Sequence[str]) -> None:
    """Draw the picture of one step, and the function that computed it."""
    st.markdown(WAYS[STEPS[place]])
    if place < len(found.steps):
        step = found.steps[place]
        figure = matrix_figure(step.trace.weights.double().numpy(), names_of(tokens), height=385)
        show_figure(figure, f"{lesson}_weights", f"The weights of the step: {step.name}")
        source_of(step.function)
        return
    heads = found.together.heads
    if place == len(found.steps):
        alt = f"All heads of the layer; the one that was grown is head {head + 1}"
        each = {f"head {h + 1}": weights for h, weights in enumerate(heads.weights.numpy())}
        show_figure(weight_panels(each, tokens, height=370), f"{lesson}_heads", alt)
        source_of(multi_head)
        return
    made, output = found.together.concatenated.numpy(), found.together.output.numpy()
    figure = concatenated_and_projected(made, output, len(heads.weights), tokens)
    show_figure(figure, f"{lesson}_output", "The heads' contexts side by side, and the layer's output")
    difference = (found.together.output - found.gathered).abs().max().item()
    st.markdown(f"Largest difference from what the network itself computed here: **{difference:.1g}**.")
    source_of(multi_head_attention)


def pair_formula(found: Grown, place: int, a: int, b: int, tokens: Sequence[str]) -> str:
    """Return one pair's numbers in a step, filled in; the steps of all heads show those of the head that was grown."""
    step = found.steps[min(place, len(found.steps) - 1)]
    return worked_pair(step.name, step.trace, a, b, names_of(tokens))


def pair_through_steps(found: Grown, a: int, b: int) -> pd.DataFrame:
    """Return one row a step: the scores and weights of a pair both ways, and the entropy of a's row in bits."""
    return pd.DataFrame(
        [
            {
                "step": step.name,
                "score a to b": float(step.trace.scaled[a, b]),
                "score b to a": float(step.trace.scaled[b, a]),
                "weight a to b": float(step.trace.weights[a, b]),
                "weight b to a": float(step.trace.weights[b, a]),
                "entropy of row a": float(entropy(step.trace.weights[a])),
            }
            for step in found.steps
        ]
    )


@lru_cache(maxsize=1)
def symmetric() -> AttentiveModel:
    """Return the masked model with one matrix for queries and keys in every head."""
    model = attentive_model(BOTH)
    return AttentiveModel(**{**vars(model), "network": with_one_matrix(model.network)})


@st.cache_data(scope="session", max_entries=8, show_spinner="The model reads your text twice")
def bits_with_one_matrix(digest: str, _text: str) -> tuple[float, float, int]:
    """Return the masked model's bits a hidden token on a text, whole and with one matrix, and on how many tokens."""
    torch.set_num_threads(1)
    model = attentive_model(BOTH)
    texts = windows(model, _text, WINDOWS)
    return mean_bits(model, texts), mean_bits(symmetric(), texts), sum(map(len, texts))


def show_symmetric(document: Document) -> None:
    """Show what the masked model loses on the learner's text when every head has one matrix for both."""
    whole, broken, n = bits_with_one_matrix(document.digest, document.text)
    st.markdown(
        f"In every head the keys are now made with $W_q$ too. Each of the first {n:,} tokens of your text is hidden "
        "once and guessed from the others:"
    )
    consequence("Bits per hidden token", whole, broken, more_is_better=False)
