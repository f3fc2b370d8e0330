"""Smoothing: probability that moves from the tokens seen after a context to those that were not."""

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.ngram import moved_mass_figure, shares_figure
from core.figures.ngram_worked import worked_probability
from core.lesson.break_it import break_it, consequence
from core.lesson.code_that_ran import code_that_ran
from core.lesson.every_number import every_number
from core.lesson.figure import show_figure
from core.lesson.ngram_choice import (
    SMOOTHINGS,
    SOURCES,
    choose_context,
    choose_order,
    choose_smoothing,
    choose_unit,
    counted_text,
    fit,
    notebook_cells,
)
from core.lesson.opening import open_lesson
from core.lesson.predict_first import predict_first
from core.lesson.take_away import take_away
from core.lesson.text_source import text_source
from core.lesson.try_this import try_this
from core.models.ngram import moved_mass
from core.models.ngram_worked import explain

LESSON = "smoothing"
ROWS_AT_MOST = 500
open_lesson(
    LESSON,
    r"\text{add-}\alpha:\; \frac{c(hw)+\alpha}{c(h)+\alpha V} \qquad \text{discounting:}\; "
    r"\frac{c(hw)-d}{c(h)} + \lambda(h)\,p(w\mid h') \qquad "
    r"\text{back-off:}\; \alpha(h)\,p(w\mid h')\ \text{if}\ c(hw)=0",
    "$h$: the context; $h'$: the same without its oldest token; $c$: counts; $V$: size of the vocabulary; $d$: what is "
    "taken off each count; $\\lambda(h)$, $\\alpha(h)$: what that leaves for the shorter context. Kneser-Ney asks the "
    "shorter context how many different tokens came before $w$, not how often $w$ came.",
)
document = text_source()
controls, picture = st.columns([1, 3], gap="medium")
with controls:
    unit = choose_unit(LESSON)
    counted = counted_text(document, unit)
    order = choose_order(LESSON)
    context = choose_context(LESSON, counted, order)
    smoothing, arguments = choose_smoothing(LESSON, "add-alpha", without_none=True)
    broken = break_it(LESSON, "raw", "Break it: no smoothing", "Then nothing is left for what was not seen.")
model = fit(counted.counts, order, "none" if broken else smoothing, {} if broken else arguments)
moved = moved_mass(model, context)
h = counted.counts.look_back(context, order - 1)
names = [counted.name(token) for token in moved.tokens]
with picture:
    halves = ["less than a tenth", "a tenth to a half", "more than a half"]
    revealed = predict_first(
        LESSON,
        "How much of the probability goes to the tokens not seen here?",
        halves,
        halves[(moved.unseen_mass >= 0.1) + (moved.unseen_mass > 0.5)],
        f"{h}_{smoothing}_{arguments}_{broken}_{len(counted.training)}",
    )
    if revealed:
        st.text(
            f"After {counted.write(h) or 'any token'}: {len(names):,} of {len(model.vocabulary):,} tokens were seen. "
            f"The other {moved.unseen:,} get {moved.unseen_mass:.1%} of the probability."
        )
        show_figure(
            moved_mass_figure(moved, names),
            f"{LESSON}_figure",
            f"Probabilities before and after {smoothing}; {moved.unseen_mass:.1%} moved to unseen tokens",
        )
if not names:
    st.info(
        "This context was never seen in your text: without smoothing it has no probabilities at all (0 / 0)."
    )
if broken:
    held = counted_text(document, unit, hold_out=10)
    impossible = [
        float(np.isinf(fit(held.counts, order, *way).token_log_probabilities(held.held_out)).mean())
        for way in ((smoothing, arguments), ("none", {}))
        if len(held.held_out)
    ]
    if impossible:
        st.markdown("Count nine sentences of ten, and ask for the probability of every token of the tenth:")
        consequence("Tokens called impossible", *impossible, ".1%", more_is_better=False)

scores = model.scores(context)
scores_unseen = np.delete(scores, moved.tokens)
ids = np.delete(np.arange(len(scores)), moved.tokens)
best = np.argsort(-scores_unseen, kind="stable")[:8]
if revealed and len(best):
    st.header("Which unseen tokens get it?", anchor=False)
    st.markdown(
        "Add-α gives every unseen token the same. The others ask a shorter context: a token that is likely there "
        "gets more."
    )
    show_figure(
        shares_figure(
            [counted.name(token) for token in ids[best]], scores_unseen[best], scores_unseen.mean()
        ),
        f"{LESSON}_unseen",
        "The eight likeliest of the unseen tokens, against an even share",
    )
    st.header("All ways, side by side", anchor=False)
    every = {
        name: moved_mass(fit(counted.counts, order, name, way.arguments), context)
        for name, way in SMOOTHINGS.items()
    }
    st.dataframe(
        pd.DataFrame(
            {
                "smoothing": list(every),
                "to all unseen tokens": [each.unseen_mass for each in every.values()],
                "left to all seen tokens": [float(each.after.sum()) for each in every.values()],
            }
        ),
        hide_index=True,
        column_config={
            "to all unseen tokens": st.column_config.ProgressColumn(
                format="percent", min_value=0, max_value=1
            )
        },
    )

if revealed:
    shown = moved.tokens[:ROWS_AT_MOST]
    steps = [explain(model, context, int(token)) for token in shown]
    table = pd.DataFrame(
        {
            "token": names[:ROWS_AT_MOST],
            "count": [counted.counts.count((*h, int(token))) for token in shown],
            "before": moved.before[:ROWS_AT_MOST],
            "after": moved.after[:ROWS_AT_MOST],
        }
    )
    table["adjusted count"] = (
        table["after"] * counted.counts.count(h) if h else table["after"] * len(counted.training)
    )

    def formula(row: int, column: str) -> str | None:
        """Fill in the smoothed probability of a token."""
        if column in ("after", "adjusted count"):
            return worked_probability(steps[row], counted.name, len(model.vocabulary))
        return None

    every_number(LESSON, "seen tokens", table, formula)
code_that_ran(SMOOTHINGS["none" if broken else smoothing].fit, moved_mass)
take_away(
    LESSON,
    "Smoothing",
    [
        *notebook_cells(
            f"{unit!r}, order=5", "none" if broken else smoothing, order, {} if broken else arguments
        ),
        f"from core.models.ngram import moved_mass\n\nmoved_mass(model, {list(map(int, context))})",
    ],
)
try_this(
    LESSON,
    [
        (
            "Add 10 to every count: how little is left to what was really seen?",
            {"smoothing": "add-alpha", "alpha": 10.0},
        ),
        ("Kneser-Ney: who gets the unseen words' share now?", {"smoothing": "Kneser-Ney", "n": 3}),
        ("Take it away: how many tokens of new sentences are impossible?", {"raw": True, "n": 3}),
    ],
    SOURCES,
)
