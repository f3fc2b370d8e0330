"""The causal mask: scores on their way through the softmax, stage by stage, edited cell by cell."""

import streamlit as st
import torch

from core.figures.self_attention.causal_mask import causal_mask_payload, stages_table, worked_weight
from core.lesson.break_it import break_it
from core.lesson.browser_view import browser_view
from core.lesson.code_that_ran import code_that_ran
from core.lesson.every_number import every_number
from core.lesson.lesson import Lesson
from core.lesson.predict_first import predict_first
from core.lesson.take_away import take_away
from core.lesson.text_source import text_source
from core.lesson.try_this import try_this
from core.models.self_attention.attention import (
    attend,
    causal_mask,
    from_masked,
    influence,
    padding_mask,
    sliding_window_mask,
)
from core.models.self_attention.fit_peeking import PeekConfig
from core.models.self_attention.peeking import SPOILED, ZERO
from core.models.self_attention.score_matrix import attend_by_scores, with_edits
from pages.self_attention.parts.attention_pictures import causal_mask as card_picture
from pages.self_attention.parts.mask_leak import show_leak
from pages.self_attention.parts.peeking_bench import peeking_bench
from pages.self_attention.parts.score_matrix import (
    choose_mask,
    choose_scores,
    exact_edits,
    mask_for,
    score_cells,
    take_from_view,
)

LESSON = Lesson(
    __name__,
    title="The causal mask",
    question="How does a model that is given a whole text keep from seeing the future?",
    icon="🎭",
)


def picture():
    """Return the picture of the lesson's card."""
    return card_picture()


def page() -> None:
    """Show the lesson."""
    torch.set_num_threads(1)  # small matrices: more threads would only wait for one another
    LESSON.open(
        r"\text{weight}_{ts} = \frac{e^{x_{ts}}}{\sum_{s'} e^{x_{ts'}}}, \qquad "
        r"x_{ts} = \frac{q_t \cdot k_s}{\sqrt{d_k}} + m_{ts}, \qquad "
        r"m_{ts} = \begin{cases} 0 & s \le t \\ -\infty & s > t \end{cases}",
        "Row $t$ asks (its query $q_t$), column $s$ answers (its key $k_s$): `scores` are their dot products. $d_k$: how "
        "many numbers a query has. $m$: the `mask`. $e^{-\\infty} = 0$, so what is masked gets no weight at all: those "
        "cells are blank.",
    )
    document = text_source()
    take_from_view(LESSON, f"{LESSON}_view")
    controls, picture = st.columns([1, 3], gap="medium")
    with controls:
        above = st.container()
        kind, padding, window = choose_mask(LESSON)
        broken = break_it(LESSON, "broken", "Break it: spoil the mask", "See what leaks from the future.")
        way = st.radio("How", list(SPOILED), key=f"{LESSON}_way", bind="query-params") if broken else None
        with above:
            chosen = choose_scores(LESSON, document, padding)
        edits = exact_edits(LESSON)
    mask = mask_for(chosen, kind, window)
    scores = with_edits(chosen.scores, edits)
    trace = attend_by_scores(scores, chosen.d_k, mask, way)
    tokens = chosen.tokens

    with picture:
        answer = f"{trace.weights[-1, 0]:.2f}"
        choices = sorted(
            {answer, "0.00", "1.00", f"{1 / len(tokens):.2f}", f"{1 / max(1, len(tokens) - 1):.2f}"}
        )
        question = (
            f"How much weight does the last row, “{tokens[-1]}”, give to the first column, “{tokens[0]}”?"
        )
        about = str(hash((tokens, kind, window, way, chosen.name, chosen.place)))
        if predict_first(LESSON, question, choices, answer, about):
            payload = causal_mask_payload(
                tokens, chosen.scores, edits, chosen.d_k, mask, way, chosen.network is not None
            )
            browser_view("causal_mask", payload, f"{LESSON}_view", {"edits": None})
            st.caption(
                "Point at a cell, or move with the arrow keys. In the scores, click or type a number, then Enter. "
                "Page Down and Page Up go from stage to stage."
            )

    if way:
        st.header("Why −∞, and why before the softmax?", anchor=False)
        show_leak(LESSON, chosen, scores, mask, way)
        st.markdown(
            "**Trained** with the leak, weights learn to use it, and seem to predict better and better:"
        )
        peeking_bench(LESSON, document, PeekConfig(way))

    every_number(
        LESSON,
        "the stages",
        stages_table(trace, tokens, chosen.d_k, way),
        lambda cell, column: worked_weight(trace, chosen.d_k, *divmod(cell, len(tokens)), column),
    )
    code_that_ran(
        attend,
        from_masked,
        causal_mask,
        padding_mask,
        sliding_window_mask,
        *([SPOILED[way], influence] if way else []),
    )
    take_away(LESSON, score_cells(chosen, edits, kind, window, way))
    try_this(
        LESSON,
        [
            (
                "A score of 2 for the first character: how much weight do the others lose?",
                {"word": "cat", "edits": "3 1 2"},
            ),
            (
                "A real head of the character model: whom does each character look at?",
                {"source": "trained head", "model": "GPT, characters", "layer": 1, "head": 5},
            ),
            ("0 instead of −∞: how much weight do the hidden cells get?", {"broken": True, "way": ZERO}),
        ],
        [
            "Ashish Vaswani et al. (2017), Attention is all you need, section 3.2.3: illegal connections are set to −∞.",
            "Jacob Devlin et al. (2019), BERT: pre-training of deep bidirectional transformers.",
            "Iz Beltagy, Matthew Peters and Arman Cohan (2020), Longformer: the long-document transformer.",
            "Albert Jiang et al. (2023), Mistral 7B: sliding-window attention.",
        ],
    )
