"""What tokens and heads are worth, measured by taking them out: deletion against attention, heads switched off."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st
import torch

from core.figures.self_attention.head_effects import ranking_figure, removal_figure
from core.lesson.break_it import consequence
from core.lesson.every_number import every_number
from core.lesson.figure import show_figure
from core.lesson.predict_first import predict_first
from core.models.self_attention.ablation import (
    HeadRanking,
    mean_bits,
    rank_correlation,
    rank_heads,
    removal_changes,
    windows,
    without_heads,
)
from core.models.self_attention.attentive_models import AttentiveModel, attentive_model
from core.text.reading.documents import Document

TOKENS_MEASURED = 256  # of the learner's text
THIS, ALL = "this head", "mean of all heads"


@st.cache_data(scope="session", max_entries=20, show_spinner="Deleting each token in turn")
def deletions(name: str, ids: tuple[int, ...], place: int) -> np.ndarray:
    """Return how much the prediction at `place` changes when each token is deleted, (T,)."""
    torch.set_num_threads(1)
    return removal_changes(attentive_model(name), torch.tensor(ids), place)


def show_deletions(
    lesson: str,
    model: AttentiveModel,
    ids: tuple[int, ...],
    names: Sequence[str],
    t: int,
    weights: np.ndarray,
    head: tuple[int, int],
) -> None:
    """Draw each token's weight against what deleting it changes; `weights` (L, H, T) are those of query t."""
    st.header("Is attention an explanation?", anchor=False)
    st.markdown(
        "If a weight told how much a token matters, deleting the heaviest token would change the prediction most. "
        "Here each other token that the model may see is deleted in turn, and the text read again."
    )
    changes = deletions(model.name, ids, t)
    if np.isfinite(changes).sum() < 3:
        st.info("At least three other tokens are needed. Step to a later token.")
        return
    if not _foreseen(lesson, changes, weights, names, f"{model.name}_{hash(ids)}_{t}"):
        return
    of = st.segmented_control(
        "Weights of", [THIS, ALL], default=THIS, required=True, key=f"{lesson}_weights", bind="query-params"
    )
    own, mean = weights[head], weights.mean((0, 1))
    shown = own if of == THIS else mean
    show_figure(
        removal_figure(shown, changes, names, f"weight of {of}"),
        f"{lesson}_removal",
        f"The attention weight of each token against the change of the prediction when it is deleted, {of}",
    )
    st.markdown(_agreement(shown, changes, weights))
    places = range(1, len(names) + 1)
    table = pd.DataFrame({"place": places, "token": names, THIS: own, ALL: mean, "change": changes})
    every_number(lesson, "deleted tokens", table[np.isfinite(changes)].reset_index(drop=True))


def _foreseen(
    lesson: str, changes: np.ndarray, weights: np.ndarray, names: Sequence[str], about: str
) -> bool:
    """Ask which deletion changes most, among those that do and the heaviest; return whether all may be shown."""
    order = np.argsort(-np.nan_to_num(changes, nan=-1), kind="stable")
    heaviest = np.argsort(-np.where(np.isfinite(changes), weights.mean((0, 1)), -1))
    label = [f"{s + 1} {name}" for s, name in enumerate(names)]
    choices = [label[s] for s in sorted({*order[:2].tolist(), *heaviest[:3].tolist()})]
    question = "Deleting which token changes the prediction most?"
    return predict_first(lesson, question, choices, label[order[0]], about)


def _agreement(shown: np.ndarray, changes: np.ndarray, weights: np.ndarray) -> str:
    """Say how the order of the weights shown agrees with that of the changes, and in what range the heads do."""
    rank = rank_correlation(shown, changes)
    said = "cannot be computed: all weights are alike" if np.isnan(rank) else f"is **{rank:.2f}**"
    each = np.array([[rank_correlation(row, changes) for row in layer] for layer in weights])
    known = each[np.isfinite(each)]
    spread = f" Over the {each.size} heads it goes from {known.min():.2f} to {known.max():.2f}."
    return (
        f"Spearman's rank correlation of weight and change {said}; 1 would mean the same order, 0 no relation."
        f"{spread if len(known) else ''} "
        "A weight says where a head took from. It does not say what that was good for: other heads, other layers and "
        "the token's own stream carry the text as well."
    )


@st.cache_data(scope="session", max_entries=8, show_spinner="Switching off each head in turn")
def ranking(name: str, digest: str, _text: str) -> tuple[HeadRanking, int]:
    """Return what each head saves on the first tokens of a text, and how many tokens those are, marks left out."""
    model, texts = attentive_model(name), measured_texts(name, _text)
    marks = len(model.before) + len(model.after)
    return rank_heads(model, texts), sum(len(ids) - marks for ids in texts)


@st.cache_data(scope="session", max_entries=20, show_spinner="The model reads your text")
def bits_without(name: str, digest: str, off: tuple[tuple[int, int], ...], _text: str) -> float:
    """Return the bits a token on a text with some heads switched off together."""
    model = attentive_model(name)
    return mean_bits(model, measured_texts(name, _text), without_heads(model.network, off))


def measured_texts(name: str, text: str) -> list[torch.Tensor]:
    """Return the runs of a text that are measured, of no more tokens together than `TOKENS_MEASURED`."""
    torch.set_num_threads(1)
    model = attentive_model(name)
    runs = windows(model, text, max(1, TOKENS_MEASURED // model.context))
    return [ids[:TOKENS_MEASURED] for ids in runs]


def head_names(model: AttentiveModel) -> dict[str, tuple[int, int]]:
    """Return every head by its name, as in 2.1 for layer 2, head 1."""
    config = model.network.config
    return {f"{L + 1}.{H + 1}": (L, H) for L in range(config.layers) for H in range(config.heads)}


def show_ranking(lesson: str, model: AttentiveModel, document: Document, off: list[tuple[int, int]]) -> None:
    """Draw what each head is worth on the learner's text, and what the heads that are off cost together."""
    st.header("Which heads does the model need?", anchor=False)
    ranked, n = ranking(model.name, document.digest, document.text)
    if not n:
        st.info("Your text has no token to measure on. Choose another text.")
        return
    st.markdown(
        f"Each head is switched off by itself while the model reads the first {n:,} tokens of your text. A bar is "
        "what that costs in bits a token. Below nought, the model does better on this text without the head."
    )
    names = {head: name for name, head in head_names(model).items()}
    costs = {name: float(ranked.cost[head]) for head, name in names.items()}
    show_figure(
        ranking_figure(costs, [names[head] for head in off]),
        f"{lesson}_ranking",
        "What switching off each head costs in bits a token, the dearest head first",
    )
    if off:
        broken = bits_without(model.name, document.digest, tuple(sorted(off)), document.text)
        consequence("Bits per token of your text", ranked.whole, broken, ".3f", more_is_better=False)
        if len(off) > 1:
            alone = sum(costs[names[head]] for head in off)
            at_once = broken - ranked.whole
            st.caption(
                f"Switched off one by one, these heads cost {alone:+.3f} bits in all; at once, {at_once:+.3f}."
            )
    table = pd.DataFrame(
        {
            "head": costs.keys(),
            "bits without it": ranked.without.flatten(),
            "bits, all heads": ranked.whole,
            "cost": costs.values(),
        }
    )
    every_number(lesson, "heads switched off", table)
