"""A spoiled mask's consequence, measured: how much the future weighs in what must be predicted without it."""

from __future__ import annotations

import streamlit as st
from torch import Tensor

from core.figures.self_attention.causal_mask import leak_figure
from core.lesson.break_it import consequence
from core.lesson.figure import show_figure
from core.models.self_attention.parallel_training import in_one_pass
from core.models.self_attention.peeking import TOO_LATE, ZERO, leak, peeking, prediction_influence
from core.models.self_attention.score_matrix import weights_influence
from pages.self_attention.parts.score_matrix import Scores

WHY = {
    ZERO: "A score of 0 is not nothing: $e^0 = 1$, as much as any other score of 0. Only $e^{-\\infty}$ is 0.",
    TOO_LATE: "Weights that are cut after the softmax were divided by a $\\Sigma$ with the future in it: the future no "
    "longer has a weight, but it still decides how large the others are, and the rows no longer sum to 1.",
}


def show_leak(lesson: str, chosen: Scores, scores: Tensor, mask: Tensor, way: str) -> None:
    """Show the influence of every token on every output under the right mask and under the spoiled one."""
    st.markdown(WHY[way])
    if chosen.network is None:
        st.markdown(
            "Each token's key and value is a vector of its own, and the picture shows how much each row's output "
            "changes with each token's vector (the norm of the derivative). A framed cell is a leak: what the mask "
            "should have hidden still changes the output."
        )
        whole, broken = (weights_influence(scores, chosen.d_k, mask, each) for each in (None, way))
        show_both(lesson, chosen.tokens, whole, broken, mask < 0)
        return
    st.markdown(
        f"Now the same mistake in **every** head of the {chosen.network.config.layers} layers, with a causal mask. "
        "Row t is the model's prediction of the token after t; the picture shows how much ln p of that token "
        "changes with the embedding of each token (the norm of the derivative)."
    )
    ids = chosen.ids[: len(chosen.ids) - chosen.padding]
    if len(ids) < 3:
        st.info("Write a longer sentence: there is no future to leak from.")
        return
    spoiled = peeking(chosen.network, way).requires_grad_(False)
    whole, broken = (prediction_influence(each, ids) for each in (chosen.network, spoiled))
    show_both(lesson, chosen.tokens[: len(ids) - 1], whole, broken, broken.new_ones(broken.shape).triu(1) > 0)
    losses = (in_one_pass(each, ids).mean for each in (chosen.network, spoiled))
    consequence("Mean −ln p of the next token", *losses, more_is_better=False)
    st.markdown(
        "These weights were trained under a right mask: they never learned to use what leaks. It disturbs them."
    )


def show_both(lesson: str, tokens: tuple[str, ...], whole: Tensor, broken: Tensor, hidden: Tensor) -> None:
    """Draw both matrices of influence side by side, and the largest leak of each."""
    for column, (title, depends) in zip(
        st.columns(2), {"the right mask": whole, "the spoiled mask": broken}.items(), strict=True
    ):
        with column:
            st.markdown(f"**Influence, {title}**")
            show_figure(
                leak_figure(depends, hidden, tokens),
                f"{lesson}_influence_{title.split()[1]}",
                f"How much each output depends on each token, {title}; largest leak {leak(depends, hidden):.3g}",
            )
    consequence(
        "Largest influence from behind the mask", leak(whole, hidden), leak(broken, hidden), ".3g", False
    )
