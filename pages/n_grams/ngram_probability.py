"""The probability of a typed sentence, factor by factor, from the n-grams of the learner's text."""

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.ngram import bits, factors_figure
from core.figures.ngram_worked import worked_probability
from core.lesson.break_it import break_it, consequence
from core.lesson.code_that_ran import code_that_ran
from core.lesson.every_number import every_number
from core.lesson.figure import show_figure
from core.lesson.ngram_choice import (
    SOURCES,
    choose_order,
    choose_smoothing,
    choose_unit,
    counted_text,
    fit,
    notebook_cells,
)
from core.lesson.opening import open_lesson
from core.lesson.predict_first import predict_first
from core.lesson.stepper import stepper
from core.lesson.take_away import take_away
from core.lesson.text_source import text_source
from core.lesson.try_this import try_this
from core.models.language_model import sequence_log_probability
from core.models.ngram import NgramModel
from core.models.ngram_worked import explain

LESSON = "ngram_probability"
TOKENS_SHOWN = 60
open_lesson(
    LESSON,
    r"p(w_1 \dots w_m) = \prod_{i=1}^{m} p(w_i \mid w_{i-n+1} \dots w_{i-1}) \qquad "
    r"\text{perplexity} = p(w_1 \dots w_m)^{-1/m}",
    "$w_i$: the $i$-th token; $m$: how many there are, `</s>` among them; $n$: the order of the model. $h$: the "
    "context, the $n-1$ tokens before; $h'$: the same without its oldest token; $c$: how often your text has it.",
)
document = text_source()
controls, picture = st.columns([1, 3], gap="medium")
with controls:
    unit = choose_unit(LESSON)
    counted = counted_text(document, unit)
    name = counted.name
    first = counted.training[: min(8, int(np.flatnonzero(counted.training == counted.counts.end)[0]))]
    example = ("" if unit == "characters" else " ").join(counted.vocabulary.decode(first))
    typed = st.text_input(
        "A sentence",
        placeholder=example,
        key=f"{LESSON}_{unit}_sentence",
        bind="query-params",
        live=True,
        max_chars=1000,
        help="Empty, it is the beginning of your text.",
    )
    order = choose_order(LESSON)
    smoothing, arguments = choose_smoothing(LESSON)
    broken = break_it(
        LESSON, "raw", "Break it: no smoothing", "Then all that was never seen is impossible: p = 0."
    )

tokens = counted.encode(typed) or counted.encode(example)
whole = fit(counted.counts, order, smoothing, arguments)
model = fit(counted.counts, order, "none", {}) if broken else whole
factors = sequence_log_probability(model, tokens)
p = np.exp(factors.log_probabilities)
shown = tokens[:TOKENS_SHOWN]
titles = [
    f"p( {name(token)} | {counted.write(counted.counts.look_back(tokens[:i], order - 1))} )"
    for i, token in enumerate(shown)
]
with picture:
    least = int(np.argmin(factors.log_probabilities))
    revealed = (
        predict_first(
            LESSON,
            "Which token is the least expected?",
            list(dict.fromkeys(name(token) for token in tokens[:12])),
            name(tokens[least]),
            f"{tokens[:12]}_{order}_{smoothing}_{broken}",
        )
        if least < 12
        else True
    )
    if revealed:
        left, middle, right = st.columns(3)
        left.metric("ln p of the sentence", f"{factors.log_probability:,.2f}".replace("-inf", "−∞"))
        middle.metric("Perplexity", "∞" if np.isinf(factors.perplexity) else f"{factors.perplexity:,.1f}")
        right.metric("Raw product of all factors", f"{np.prod(p):.3g}")
        drawing = st.container()  # filled when the step is known
unknown = counted.unknown(typed)
if unknown:
    st.text(f"Not in your text, so scored as <unk>: {', '.join(unknown[:20])}")
if len(tokens) > TOKENS_SHOWN:
    st.caption(f"All {len(tokens)} tokens are in the numbers; the picture shows the first {TOKENS_SHOWN}.")
if np.isinf(factors.perplexity):
    st.info(
        f"{int((p == 0).sum())} of {len(p)} factors are 0: your text never has these runs of {order}. One factor "
        "of 0 makes the whole product 0, and the perplexity infinite, however likely the rest is."
    )
if revealed:
    st.header("One factor, worked out", anchor=False)
    step = stepper(LESSON, [f"factor {i} of the product" for i in range(1, len(shown) + 1)])
    with drawing:
        show_figure(
            factors_figure([name(token) for token in shown], factors.log_probabilities[:TOKENS_SHOWN], step),
            f"{LESSON}_figure",
            f"The surprise of each of {len(shown)} tokens; the green one is worked out below",
        )
    st.text(titles[step])
    st.latex(worked_probability(explain(model, tokens[:step], tokens[step]), name, len(model.vocabulary)))
if broken:
    consequence(
        "Perplexity", sequence_log_probability(whole, tokens).perplexity, factors.perplexity, ",.1f", False
    )

if revealed:
    steps = [explain(model, tokens[:i], token) for i, token in enumerate(tokens)]
    table = pd.DataFrame(
        {
            "token": [name(token) for token in tokens],
            "context": [counted.write(step.context) for step in steps],
            "c(hw)": [step.count for step in steps],
            "c(h)": [step.context_count for step in steps],
            "p": p,
            "ln p": factors.log_probabilities,
            "bits": bits(factors.log_probabilities),
        }
    )

    def formula(row: int, column: str) -> str | None:
        """Fill in the conditional probability of a token."""
        if column in ("token", "context"):
            return None
        return worked_probability(steps[row], name, len(model.vocabulary))

    every_number(LESSON, "factors", table, formula)
code_that_ran(sequence_log_probability, NgramModel.token_log_probabilities, explain)
take_away(
    LESSON,
    "The probability of a sentence",
    [
        *notebook_cells(
            f"{unit!r}, order=5", "none" if broken else smoothing, order, {} if broken else arguments
        ),
        "from core.models.language_model import sequence_log_probability\n\n"
        f"factors = sequence_log_probability(model, counted.encode({typed or example!r}))\n"
        "factors.log_probability, factors.perplexity",
    ],
)
try_this(
    LESSON,
    [
        ("Take the smoothing away: does the sentence survive five-grams?", {"raw": True, "n": 5}),
        ("Unigrams: word order no longer matters. Change it and see.", {"n": 1}),
        ("Letter by letter: where is spelling surprising?", {"unit": "characters", "n": 4}),
    ],
    SOURCES,
)
