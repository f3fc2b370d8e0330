"""Perplexity: how well n-gram models of several orders and smoothings foresee held-out sentences."""

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.ngram import perplexity_by_alpha, perplexity_by_order, unseen_figure
from core.figures.ngram_worked import worked_measure
from core.lesson.break_it import break_it, consequence
from core.lesson.code_that_ran import code_that_ran
from core.lesson.every_number import every_number
from core.lesson.figure import show_figure
from core.lesson.ngram_choice import (
    ALPHAS,
    SMOOTHINGS,
    SOURCES,
    choose_unit,
    counted_text,
    notebook_cells,
)
from core.lesson.ngram_measures import EVERY, MEASURED_AT_MOST, ORDERS, by_alpha, by_order, characters_of
from core.lesson.opening import open_lesson
from core.lesson.predict_first import predict_first
from core.lesson.take_away import take_away
from core.lesson.text_source import text_source
from core.lesson.try_this import try_this
from core.models.language_model import UniformModel, sequence_log_probability
from core.models.ngram import held_out, unseen_share

LESSON = "ngram_perplexity"
MODELS = ("add-alpha", "interpolation", "Kneser-Ney", "Katz back-off")
open_lesson(
    LESSON,
    r"\text{perplexity} = \exp\Big(-\frac{1}{m}\sum_{i=1}^{m} \ln p(w_i \mid h_i)\Big) \qquad "
    r"\text{bits a token} = \log_2 \text{perplexity}",
    "$w_1 \\dots w_m$: the tokens of the held-out sentences, `</s>` among them; $h_i$: the $n-1$ tokens before $w_i$. "
    "A perplexity of 50 means: on average as unsure as with 50 tokens to choose from, all equally likely.",
)
document = text_source()
controls, picture = st.columns([1, 3], gap="medium")
with controls:
    unit = choose_unit(LESSON)
    asked = st.pills(
        "Models",
        list(SMOOTHINGS),
        selection_mode="multi",
        default=MODELS,
        wrap=True,
        key=f"{LESSON}_models",
        bind="query-params",
    )
    min_count = st.slider(
        "Fewest times a type is seen",
        1,
        5,
        2,
        key=f"{LESSON}_min_count",
        bind="query-params",
        help="Rarer types become one unknown type. A smaller vocabulary is easier to foresee: compare only within one.",
    )
    broken = break_it(
        LESSON, "raw", "Break it: no smoothing", "One unseen n-gram in the held-out text is enough."
    )
    counted = counted_text(document, unit, min_count, EVERY)
held, types = counted.held_out[:MEASURED_AT_MOST], len(counted.vocabulary)
if not len(held):
    picture.info("Perplexity needs sentences to hold out: choose a text of at least two sentences.")
    st.stop()
names = list(dict.fromkeys([*asked, *(["none"] if broken else [])])) or ["Kneser-Ney"]
key = (document.digest, unit, min_count, counted)
table = pd.concat([by_order(name, *key) for name in names], ignore_index=True)
lines = {name: rows["perplexity"].tolist() for name, rows in table.groupby("model", sort=False)}
best = table.loc[table["perplexity"].idxmin()]
with picture:
    revealed = predict_first(
        LESSON,
        "Which n foresees the held-out sentences best?",
        [str(n) for n in ORDERS],
        str(best.n),
        f"{unit}_{min_count}_{names}_{len(counted.training)}",
    )
    if revealed:
        st.text(
            f"Counted on {len(counted.training):,} tokens, measured on {len(held):,} tokens of held-out sentences (one "
            f"in {EVERY}). Best: {best.model}, n = {best.n}, perplexity {best.perplexity:,.1f}."
        )
        show_figure(
            perplexity_by_order(ORDERS, lines, types),
            f"{LESSON}_figure",
            f"Perplexity against n for {len(lines)} models; the best is {best.model} with n = {best.n}",
        )
uniform = sequence_log_probability(UniformModel(counted.vocabulary.types), held)
st.markdown(
    f"The dashed line is the **uniform model**: all {types:,} types equally likely, everywhere. Its perplexity on "
    f"these sentences is {uniform.perplexity:,.1f}, the size of the vocabulary. A model above that line misleads."
)
if broken:
    consequence(
        "Perplexity at n = 3", by_order("Kneser-Ney", *key).perplexity[2], lines["none"][2], ",.1f", False
    )
    finite = [str(n) for n, value in zip(ORDERS, lines["none"], strict=True) if np.isfinite(value)]
    st.info(
        "Without smoothing the perplexity is infinite as soon as the held-out text has one n-gram that the training "
        f"text lacks. Finite here: {'n = ' + ', '.join(finite) if finite else 'for no n'}."
    )
if revealed:
    left, right = st.columns(2)
    with left:
        st.header("How many n-grams are new?", anchor=False)
        shares = table["unseen n-grams"][: len(ORDERS)].tolist()
        show_figure(
            unseen_figure(shares), f"{LESSON}_unseen", f"{shares[2]:.0%} of held-out trigrams are unseen"
        )
        st.markdown(
            "Sparsity: the longer the run, the more of them were never counted, however long the text."
        )
    with right:
        st.header("How much should α be?", anchor=False)
        alphas = by_alpha(*key)
        show_figure(
            perplexity_by_alpha(ALPHAS, alphas, types, 300),
            f"{LESSON}_alpha",
            "Perplexity of add-alpha against alpha for n = 1, 2 and 3",
        )
        st.markdown(
            "Stars: the best of the values tried. Adding 1 (Laplace) is nearly always too much for n > 1."
        )

    def formula(row: int, column: str) -> str | None:
        """Fill in a measure of a model."""
        bits, unseen = table["bits a token"][row], table["unseen n-grams"][row]
        return worked_measure(column, bits, len(held), characters_of(counted), unseen)

    every_number(LESSON, "perplexities", table, formula)
code_that_ran(held_out, unseen_share, UniformModel)
name = names[0]
take_away(
    LESSON,
    "Perplexity",
    [
        *notebook_cells(
            f"{unit!r}, order=5, min_count={min_count}, hold_out={EVERY}", name, 3, SMOOTHINGS[name].arguments
        ),
        f"from core.models.ngram import held_out\n\nheld_out(model, counted.held_out[:{MEASURED_AT_MOST}])",
    ],
)
try_this(
    LESSON,
    [
        ("Take the smoothing away: for which n is it still finite?", {"raw": True}),
        ("Characters: how far back is it worth looking?", {"unit": "characters"}),
        ("Keep every word, seen once or not: what happens to V and to the curves?", {"min_count": 1}),
    ],
    SOURCES,
)
