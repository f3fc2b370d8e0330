"""Self-attention: where every head of a trained model looks on the learner's sentence, down to one weight's numbers."""

from functools import partial

import numpy as np
import streamlit as st

from core.figures.generation.sampling import shown
from core.figures.self_attention.heads import names_of
from core.lesson.break_it import break_it
from core.lesson.choices.attention_cell import choose_place, pin
from core.lesson.code_that_ran import code_that_ran
from core.lesson.every_number import every_number
from core.lesson.lesson import Lesson
from core.lesson.plain import plain
from core.lesson.stepper import stepper
from core.lesson.take_away import take_away
from core.lesson.text_source import text_source
from core.lesson.try_this import try_this
from core.models.self_attention.ablation import without_queries
from core.models.self_attention.attention import attend, causal_mask, from_masked
from core.models.self_attention.attentive_models import BACK
from core.models.self_attention.gpt import trace_block
from pages.self_attention.parts.attention_pictures import self_attention as card_picture
from pages.self_attention.parts.head_choice import (
    LABELS,
    choose_attentive_model,
    choose_head,
    choose_read_text,
    take_from_grid,
)
from pages.self_attention.parts.head_numbers import (
    cells,
    row_numbers,
    show_consequence,
    show_pair,
    show_values,
    where_it_looks,
)
from pages.self_attention.parts.opened_heads import (
    SENTENCE,
    head_that_most,
    opened_heads,
    show_grid,
    show_heads,
)

LESSON = Lesson(
    __name__,
    title="Inside the heads",
    question="Where does each token of your sentence look, and why there?",
    icon="👀",
)


def picture():
    """Return the picture of the lesson's card."""
    return card_picture()


def page() -> None:
    """Show the lesson."""
    VIEW, GRID = f"{LESSON}_view", f"{LESSON}_grid"
    LESSON.open(
        r"q_t = W_q x_t \quad k_s = W_k x_s \quad v_s = W_v x_s \qquad "
        r"w_{ts} = \operatorname{softmax}_s\!\left(\frac{q_t \cdot k_s}{\sqrt{d}} + \text{mask}_{ts}\right) \qquad "
        r"\text{output}_t = \sum_s w_{ts}\, v_s",
        "$x_t$: what the model knows at token $t$. Each head makes three short vectors of it: a query $q$ (what token $t$ "
        "looks for), a key $k$ (what a token offers) and a value $v$ (what it hands on), each of $d$ numbers. "
        "$w_{ts}$: how much token $t$ takes from token $s$. The mask hides later tokens in a model that writes.",
    )
    document = text_source()
    take_from_grid(LESSON, GRID)
    controls, picture = st.columns([1, 3], gap="medium")
    with controls:
        model = choose_attentive_model(LESSON)
        read = choose_read_text(LESSON, document, model, SENTENCE)
        layer, head = choose_head(LESSON, model, head_that_most(BACK[0], "on the token before"))
        whole_layer = st.toggle(
            "All heads of the layer", key=f"{LESSON}_whole_layer", bind="query-params", wrap=True
        )
        broken = break_it(
            LESSON,
            "alike",
            "Break it: this head looks everywhere alike",
            "Its queries are set to nought: all scores are 0, and every weight in a row is the same.",
        )
    if not len(read.ids):
        st.info("There is no token to look at yet. Type a sentence.")
        st.stop()

    ids = tuple(read.ids.tolist())
    whole = opened_heads(model.name, ids, layer, head)
    opened = opened_heads(model.name, ids, layer, head, broken=True) if broken else whole
    tokens, names = [shown(token) for token in read.tokens], names_of(read.tokens)
    with picture:
        top = st.container()
        t = stepper(LESSON, [plain(f"“{name}” looks") for name in names], start=9)
        with controls:
            place = choose_place(LESSON, "input", "Key (to)", names, "the heaviest")
        weights = opened.head.weights[t].numpy()
        s = int(np.argmax(weights)) if place is None else place
        about = f"{hash(ids)}_{model.name}_{layer}_{head}_{t}_{broken}"
        revealed = where_it_looks(LESSON, f"layer {layer + 1}, head {head + 1}", names, t, weights, about)
    if not revealed:
        st.stop()
    with top:
        show_heads(VIEW, model.name, opened, (layer, head), tokens, (t, s), whole_layer, partial(pin, LESSON))
    if broken:
        show_consequence(whole, opened)

    show_grid(GRID, opened)
    show_pair(LESSON, opened.head, t, s, names)
    show_values(LESSON, opened.head, t, names)

    table, formula = row_numbers(opened.head, t, names)
    every_number(LESSON, "one query", table, formula)
    every_number(LESSON, "all heads", opened.habits)
    code_that_ran(trace_block, attend, from_masked, causal_mask, without_queries)
    take_away(LESSON, cells(model, read, layer, head, t, s))
    back, resting = (
        head_that_most(BACK[1], "on the token before"),
        head_that_most(BACK[0], "on the first token"),
    )
    try_this(
        LESSON,
        [
            (
                "The head of the character model that looks most at the letter before",
                {"model": LABELS[BACK[1]], "layer": back[0] + 1, "head": back[1] + 1, "step": 12},
            ),
            (
                "The head that rests most on the first token: is there anything to see there?",
                {"layer": resting[0] + 1, "head": resting[1] + 1, "step": 12},
            ),
            ("All heads of one layer, each in its colour", {"layer": 3, "whole_layer": "true"}),
        ],
        [
            "Ashish Vaswani et al. (2017), Attention Is All You Need.",
            "Jesse Vig (2019), A Multiscale Visualization of Attention in the Transformer Model (BertViz).",
            "Kevin Clark, Urvashi Khandelwal, Omer Levy and Christopher Manning (2019), What Does BERT Look At?",
            "Guangxuan Xiao et al. (2024), Efficient Streaming Language Models with Attention Sinks.",
        ],
    )
