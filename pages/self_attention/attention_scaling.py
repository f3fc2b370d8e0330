"""Why scores are divided by the square root of d: their spread, the softmax's entropy and its gradient as d grows."""

import streamlit as st

from core.lesson.break_it import break_it
from core.lesson.code_that_ran import code_that_ran
from core.lesson.lesson import Lesson
from core.lesson.predict_first import predict_first
from core.lesson.take_away import take_away
from core.lesson.text_source import text_source
from core.lesson.try_this import try_this
from core.models.self_attention.attention_scaling import entropy, jacobian, random_scores, softness
from pages.self_attention.parts.attention_pictures import attention_scaling as card_picture
from pages.self_attention.parts.softness_by_dimension import (
    DIMENSIONS,
    SCALED,
    UNSCALED,
    drawn_scores,
    show_dimension,
    show_growth,
    softness_table,
    sweeps_of,
)
from pages.self_attention.parts.trained_softness import gradients_compared, show_broken, trained_heads

LESSON = Lesson(
    __name__,
    title="The square root of d",
    question="Why does attention divide its scores by the square root of d?",
    icon="📐",
)


def picture():
    """Return the picture of the lesson's card."""
    return card_picture()


def page() -> None:
    """Show the lesson."""
    LESSON.open(
        r"q, k \sim \mathcal{N}(0, 1)^d \;\Rightarrow\; \operatorname{Var}(q \cdot k) = d \qquad "
        r"a = \operatorname{softmax}\!\left(\frac{q \cdot k_1}{\sqrt{d}}, \dots, \frac{q \cdot k_S}{\sqrt{d}}\right)\qquad"
        r"\frac{\partial a_i}{\partial s_j} = a_i\,([i = j] - a_j)",
        "$d$: numbers in a query $q$ and in a key $k$. $S$: how many keys there are. $s$: the scores, $a$: the weights. "
        "The derivatives are what training gets back through the softmax: where one weight is near 1 and all others near "
        "0, each of them is near 0, and the head learns nothing more.",
    )
    document = text_source()
    controls, picture = st.columns([1, 3], gap="medium")
    with controls:
        d = st.select_slider("d, numbers in a query", DIMENSIONS, 64, key=f"{LESSON}_d", bind="query-params")
        S = st.slider("S, keys to look at", 2, 64, 16, key=f"{LESSON}_keys", bind="query-params")
        seed = st.number_input("Seed", 0, 9999, 1, key=f"{LESSON}_seed", bind="query-params")
        broken = break_it(
            LESSON,
            "no_root",
            "Break it: leave the root out of a trained GPT",
            "Every score of every head is then √d times as large as the model was trained with.",
        )
        st.caption("200 queries, each with its own keys, all drawn at random: no model yet.")

    drawn = drawn_scores(S, seed)
    sweeps = sweeps_of(drawn)
    unscaled, scaled = (sweeps[label][DIMENSIONS.index(d)] for label in (UNSCALED, SCALED))
    with picture:
        buckets = ["up to 25%", "25% to 50%", "50% to 75%", "more than 75%"]
        answer = buckets[min(3, int(unscaled.largest * 4))]
        question = f"d = {d}, {S} keys, no root: how much of the weight does the largest get, on average?"
        if not predict_first(LESSON, question, buckets, answer, f"{d}_{S}_{seed}"):
            st.stop()
        show_dimension(LESSON, drawn[d], d, unscaled, scaled)

    if broken:
        show_broken(document)
    st.header("As d grows", anchor=False)
    show_growth(LESSON, sweeps, d)
    st.header("In trained heads", anchor=False)
    st.markdown(
        "Trained queries and keys are not random: a head may learn long ones where it wants to be sharp. These are the "
        "heads of the course's GPT on your text, looking back from the 64th token (or the last, if there are fewer)."
    )
    heads = trained_heads(document.digest, document.text)
    st.markdown(gradients_compared(heads))
    st.dataframe(heads, key=f"{LESSON}_heads", hide_index=True, alt="How soft each trained head is")

    softness_table(LESSON, drawn, sweeps)
    code_that_ran(random_scores, softness, jacobian, entropy)
    take_away(
        LESSON,
        [
            "from core.models.self_attention.attention_scaling import random_scores, softness\n\n"
            f"d = {d}\nscores = random_scores(d, keys={S}, seed={seed})",
            "print(softness(scores))\nprint(softness(scores / d**0.5))",
        ],
    )
    try_this(
        LESSON,
        [
            ("d = 1: is there anything to divide?", {"d": 1}),
            (
                "d = 1024 and two keys only: what is left for the key with the lower score?",
                {"d": 1024, "keys": 2},
            ),
            ("Take the root away from a model that was trained with it", {"no_root": True}),
        ],
        [
            "Ashish Vaswani et al. (2017), Attention Is All You Need, section 3.2.1.",
        ],
    )
