"""Edit attention: set a weight by hand, delete a token, switch off a head, and see what the prediction makes of it."""

import numpy as np
import streamlit as st

from core.figures.generation.sampling import shown
from core.figures.self_attention.heads import names_of
from core.lesson.break_it import break_it
from core.lesson.code_that_ran import code_that_ran
from core.lesson.lesson import Lesson
from core.lesson.plain import plain
from core.lesson.stepper import stepper
from core.lesson.take_away import take_away
from core.lesson.text_source import text_source
from core.lesson.try_this import try_this
from core.models.self_attention.ablation import (
    rank_correlation,
    removal_changes,
    total_variation,
    without_heads,
)
from core.models.self_attention.attention_edits import edited_weights, effect
from core.models.self_attention.attentive_models import BACK, attentive_model
from core.models.self_attention.gpt import trace_block, with_weight
from pages.self_attention.parts.attention_pictures import edit_attention as card_picture
from pages.self_attention.parts.edit_choice import before_last, choose_edits, exact_weight, take_from_row
from pages.self_attention.parts.edited_prediction import (
    cells,
    probability_table,
    show_output,
    show_prediction,
    show_row,
)
from pages.self_attention.parts.head_choice import choose_attentive_model, choose_head, choose_read_text
from pages.self_attention.parts.head_worth import head_names, show_deletions, show_ranking

LESSON = Lesson(
    __name__,
    title="Edit attention",
    question="If a head looked elsewhere, would the prediction change?",
    icon="🎚️",
)
SENTENCE = "And it came about that when the people of Israel went out of the land of"


def picture():
    """Return the picture of the lesson's card."""
    return card_picture()


def page() -> None:
    """Show the lesson."""
    ROW = f"{LESSON}_row"
    LESSON.open(
        r"w'_{ts} = w \qquad w'_{tj} = w_{tj}\,\frac{1 - w}{1 - w_{ts}}\ \ (j \neq s) \qquad "
        r"\text{output}'_t = \sum_j w'_{tj}\, v_j \qquad \text{change} = \tfrac{1}{2} \sum_i |p_i - p'_i|",
        "$w_{ts}$: how much query $t$ takes from key $s$; $w$: what you set it to. The rest of the row is scaled so that "
        "it still sums to 1. $p$, $p'$: the model's probabilities before and after; their change (total variation) is 0 "
        "when nothing moved and 1 when all of it did.",
    )
    document = text_source()
    take_from_row(LESSON, ROW)
    controls, picture = st.columns([1, 3], gap="medium")
    with controls:
        model = choose_attentive_model(LESSON, predicting=True)
        read = choose_read_text(LESSON, document, model, SENTENCE)
        layer, head = choose_head(LESSON, model, (3, 3))
        broken = break_it(
            LESSON, "off", "Break it: switch this head off", "Its output is nought; nothing else changes."
        )
        heads = head_names(model)
        others = st.multiselect("More heads off", list(heads), key=f"{LESSON}_more", bind="query-params")
    if not len(read.ids):
        st.info("There is no token to look at yet. Type a sentence.")
        st.stop()

    off = {heads[name] for name in others if name in heads} | ({(layer, head)} if broken else set())
    with picture:
        top = st.container()
        marked = [plain(f"the query is “{shown(token)}”") for token in read.tokens]
        t = stepper(LESSON, marked, start=len(marked))
        ids = model.shown(read.ids, t)
        names = names_of([model.vocabulary[i] for i in ids.tolist()])
        seen = t + 1 if model.causal else len(names)
        edits = choose_edits(LESSON, model, len(ids))
        exact_weight(LESSON, (layer, head, t), names[:seen])
    found = effect(model, read.ids, t, edits, off)
    tokens_named = names_of(model.vocabulary)
    with top:
        row, bars = st.columns(2, gap="medium")
        with row:
            last = before_last(model, ids, edits, off, (layer, head, t))
            show_row(ROW, found, names[:seen], (layer, head, t), last)
        with bars:
            where = f"The token after “{names[t]}”" if model.causal else f"The hidden token {t + 1}"
            show_prediction(LESSON, found, tokens_named, where)
    show_output(LESSON, found, (layer, head, t))
    by_head = np.stack([layer.attention.weights[:, t].numpy() for layer in found.own.layers])
    show_deletions(LESSON, model, tuple(read.ids.tolist()), names, t, by_head, (layer, head))
    show_ranking(LESSON, model, document, sorted(off))

    probability_table(LESSON, found, tokens_named)
    code_that_ran(
        with_weight,
        edited_weights,
        trace_block,
        effect,
        removal_changes,
        total_variation,
        rank_correlation,
        without_heads,
    )
    take_away(LESSON, cells(model, read, t, edits, off))
    length = len(attentive_model(BACK[0]).read(SENTENCE).ids)
    try_this(
        LESSON,
        [
            (
                "Let one head look at the first token only: does the prediction care?",
                {"edits": f"4.4:{length}>1=1"},
            ),
            ("Switch that head off altogether", {"off": "true"}),
            (
                "Weights of all heads against deletion: which token misleads?",
                {"weights": "mean of all heads"},
            ),
        ],
        [
            "Sarthak Jain and Byron Wallace (2019), Attention is not Explanation.",
            "Sarah Wiegreffe and Yuval Pinter (2019), Attention is not not Explanation.",
            "Paul Michel, Omer Levy and Graham Neubig (2019), Are Sixteen Heads Really Better than One?",
        ],
    )
