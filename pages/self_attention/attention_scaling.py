"""Why scores are divided by the square root of d: their spread, the softmax's entropy and its gradient as d grows."""

import pandas as pd
import streamlit as st

from core.figures.attention_scaling import scores_and_weights, softness_by_dimension, worked_softness
from core.lesson.break_it import break_it
from core.lesson.code_that_ran import code_that_ran
from core.lesson.every_number import every_number
from core.lesson.figure import show_figure
from core.lesson.opening import open_lesson
from core.lesson.predict_first import predict_first
from core.lesson.take_away import take_away
from core.lesson.text_source import text_source
from core.lesson.trained_softness import (
    DIMENSIONS,
    drawn_scores,
    gradients_compared,
    show_broken,
    trained_heads,
)
from core.lesson.try_this import try_this
from core.models.attention_scaling import entropy, jacobian, random_scores, softness

LESSON = "attention_scaling"
open_lesson(
    LESSON,
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
sweeps = {
    "q · k": [softness(scores) for scores in drawn.values()],
    "q · k / √d": [softness(scores / each**0.5) for each, scores in drawn.items()],
}
here = {label: found[DIMENSIONS.index(d)] for label, found in sweeps.items()}
with picture:
    largest = here["q · k"].largest
    buckets = ["up to 25%", "25% to 50%", "50% to 75%", "more than 75%"]
    answer = buckets[min(3, int(largest * 4))]
    question = f"d = {d}, {S} keys, no root: how much of the weight does the largest get, on average?"
    if not predict_first(LESSON, question, buckets, answer, f"{d}_{S}_{seed}"):
        st.stop()
    show_figure(
        scores_and_weights(drawn[d].numpy(), d),
        f"{LESSON}_scores",
        f"The scores of random queries and keys of {d} dimensions, and the weights of the first query, with and "
        "without the root",
    )
    columns = st.columns(4)
    columns[0].metric(
        "Spread of q · k", f"{here['q · k'].spread:.2f}", f"√d = {d**0.5:.2f}", "off", delta_arrow="off"
    )
    columns[1].metric("Spread with the root", f"{here['q · k / √d'].spread:.2f}")
    columns[2].metric("Largest weight, no root", f"{largest:.0%}")
    columns[3].metric("Largest weight, root", f"{here['q · k / √d'].largest:.0%}")

if broken:
    show_broken(document)
st.header("As d grows", anchor=False)
gone, kept = (found[-1].gradient for found in sweeps.values())
st.markdown(
    "Three measures: the spread (standard deviation) of the scores, the entropy of the weights, and the size of the "
    "softmax's gradient. Without the root the spread grows as $\\sqrt d$ and the entropy falls towards 0 bits (all the "
    "weight on one key). The gradient is greatest where a few keys share the weight: among many keys it may rise at "
    f"first, but at d = {DIMENSIONS[-1]:,} it is down to **{gone:.2g}**. With the root, "
    f"all three stay about where they are, the gradient at **{kept:.2g}**."
)
show_figure(
    softness_by_dimension(DIMENSIONS, sweeps, d),
    f"{LESSON}_sweep",
    "Spread of the scores, entropy of the weights and size of the gradient against d, with and without the root",
)
st.header("In trained heads", anchor=False)
st.markdown(
    "Trained queries and keys are not random: a head may learn long ones where it wants to be sharp. These are the "
    "heads of the course's GPT on your text, looking back from the 64th token (or the last, if there are fewer)."
)
heads = trained_heads(document.digest, document.text)
st.markdown(gradients_compared(heads))
st.dataframe(heads, key=f"{LESSON}_heads", hide_index=True, alt="How soft each trained head is")

table = pd.DataFrame(
    {
        "d": DIMENSIONS,
        "√d": [each**0.5 for each in DIMENSIONS],
        **{
            f"{name}, {label}": [getattr(each, name) for each in found]
            for name in ("spread", "entropy", "largest", "gradient")
            for label, found in sweeps.items()
        },
    }
)
every_number(
    LESSON,
    "softness by d",
    table,
    lambda row, column: worked_softness(drawn[DIMENSIONS[row]].numpy(), DIMENSIONS[row], column),
)
code_that_ran(random_scores, softness, jacobian, entropy)
take_away(
    LESSON,
    "Scaling",
    [
        "from core.models.attention_scaling import random_scores, softness\n\n"
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
