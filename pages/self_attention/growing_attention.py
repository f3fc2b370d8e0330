"""From a plain average to attention in named steps, on a trained layer, down to the numbers that the layer adds."""

import streamlit as st

from core.figures.self_attention.heads import names_of
from core.lesson.break_it import break_it
from core.lesson.code_that_ran import code_that_ran
from core.lesson.every_number import every_number
from core.lesson.lesson import Lesson
from core.lesson.predict_first import predict_first
from core.lesson.stepper import stepper
from core.lesson.take_away import take_away
from core.lesson.text_source import text_source
from core.lesson.try_this import try_this
from core.models.self_attention.attention import (
    attend,
    average_of_all,
    dot_product_attention,
    symmetric_attention,
)
from core.models.self_attention.attentive_models import BOTH, attentive_model
from core.models.self_attention.growing_attention import grow, matrices, with_one_matrix
from pages.self_attention.parts.attention_pictures import growing_attention as card_picture
from pages.self_attention.parts.grown_steps import (
    STEPS,
    grown,
    pair_formula,
    pair_through_steps,
    show_step,
    show_symmetric,
)
from pages.self_attention.parts.head_choice import choose_head, choose_read_text

LESSON = Lesson(
    __name__,
    title="From averages to attention",
    question="How does attention grow out of a plain average?",
    icon="🪴",
)
TOKENS = 20


def picture():
    """Return the picture of the lesson's card."""
    return card_picture()


def page() -> None:
    """Show the lesson."""
    LESSON.open(
        r"\operatorname{softmax}(0)\,x \;\to\; \operatorname{softmax}(x x^\top)\,x \;\to\; "
        r"\operatorname{softmax}(x W (x W)^\top)\,x \;\to\; \operatorname{softmax}(Q K^\top)\,V \;\to\; "
        r"\operatorname{softmax}\!\left(\tfrac{Q K^\top}{\sqrt d}\right) V \;\to\; [\text{head}_1; \dots]\,W_o",
        "$x$: what the layer reads, a row a token. $W$: one learned matrix. $Q = x W_q$, $K = x W_k$, $V = x W_v$: the "
        "queries, keys and values, each with a matrix of its own. $d$: numbers in a query. $W_o$ mixes the heads. The "
        "matrices are those of a trained layer; where one is asked for, it is that head's $W_q$.",
    )
    document = text_source()
    controls, picture = st.columns([1, 3], gap="medium")
    model = attentive_model(BOTH)
    with controls:
        default = "The king saw the queen."
        read = choose_read_text(LESSON, document, model, default, most=TOKENS)
        layer, head = choose_head(LESSON, model)
        if not len(read.ids):
            st.info("There is no token to look at yet. Type a sentence.")
            st.stop()
        names = [f"{place} {name}" for place, name in enumerate(names_of(read.tokens), start=1)]
        last = len(names)
        columns = st.columns(2)
        a, b = (
            column.number_input(label, 1, TOKENS, start, key=f"{LESSON}_{label}", bind="query-params")
            for column, label, start in zip(columns, ("a", "b"), (2, 5), strict=True)
        )
        a, b = min(a, last) - 1, min(b, last) - 1
        st.text(f"a is {names[a]}, b is {names[b]}")
        broken = break_it(
            LESSON,
            "one_matrix",
            "Break it: one matrix for queries and keys",
            "In every head of the trained model, tokens then score each other equally.",
        )

    found = grown(tuple(read.ids.tolist()), layer, head)
    with picture:
        place = stepper(LESSON, STEPS)
        scores = found.steps[min(place, len(found.steps) - 1)].trace.scores
        same = bool((scores[a, b] - scores[b, a]).abs() <= 1e-4 * scores.abs().max())
        question = f"“{STEPS[place]}”: is the score from a to b the same as from b to a?"
        about = f"{hash(tuple(read.ids.tolist()))}_{layer}_{head}_{a}_{b}_{place}"
        if not predict_first(LESSON, question, ["yes", "no"], "yes" if same else "no", about):
            st.stop()
        show_step(LESSON, found, place, head, read.tokens)
        st.latex(pair_formula(found, place, a, b, read.tokens))

    if broken:
        show_symmetric(document)
    st.header("One pair through all steps", anchor=False)
    st.caption(
        "The last two steps keep this head's weights: they put other heads beside it, and mix what all have gathered."
    )
    table = pair_through_steps(found, a, b)
    st.dataframe(
        table.round(4),
        key=f"{LESSON}_pair",
        hide_index=True,
        alt="Scores and weights of one pair, step by step",
    )

    every_number(
        LESSON,
        "one pair",
        table,
        lambda row, column: (
            pair_formula(found, row, a, b, read.tokens) if column.endswith("a to b") else None
        ),
    )
    code_that_ran(
        grow, attend, average_of_all, dot_product_attention, symmetric_attention, matrices, with_one_matrix
    )
    take_away(
        LESSON,
        [
            "from core.models.self_attention.attentive_models import attentive_model\nfrom core.models.self_attention.growing_attention import grow\n\n"
            f"model = attentive_model({BOTH!r})\nids = model.read({read.prompt.text!r}, most={TOKENS}).ids",
            f"grown = grow(model.network, ids, layer={layer}, head={head})\n"
            "for step in grown.steps:\n    print(step.name, step.trace.weights)",
            "print((grown.together.output - grown.gathered).abs().max())",
        ],
    )
    try_this(
        LESSON,
        [
            ("Dot products alone: whom does a token look at most?", {"step": 2}),
            ("Queries and keys part: who looks without being looked at?", {"step": 4}),
            ("The last step: the very numbers of the layer", {"step": 7}),
        ],
        [
            "Ashish Vaswani et al. (2017), Attention Is All You Need, section 3.2.",
            "Minh-Thang Luong, Hieu Pham and Christopher Manning (2015) for scores by dot product and by a learned matrix.",
        ],
    )
