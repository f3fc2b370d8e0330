"""Length against accuracy: what is measured, how it is drawn beside the cards' figures, and its tables."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import streamlit as st

from core.figures.translation.bottleneck import by_range, length_figure, worked_wilson
from core.lesson.break_it import consequence
from core.lesson.every_number import every_number
from core.lesson.figure import show_figure
from core.models.stored import load_card
from core.models.translation.bottleneck import Estimate, mean_kept, share_right
from core.text.grammar.grammar import LONGEST, SHORTEST
from pages.translation.parts.growing_measure import AT_ONCE, MODELS, Measured, Measurement

WHOLE, KEPT = "the whole sentence", "its words"
ATTENDS, NOT = "with attention", "without attention"
BROKEN = ", broken"


def choose_measurement(lesson: str, broken: bool) -> tuple[str, Measurement]:
    """Draw the controls; return the score of the model with attention, and what is to be measured."""
    score = st.selectbox(
        "Attention score",
        [score for score in MODELS if score != "none"],
        key=f"{lesson}_score",
        bind="query-params",
    )
    lengths = st.multiselect(
        "Lengths",
        list(range(SHORTEST, LONGEST + 1)),
        [5, 10, 15, 20, 25],
        key=f"{lesson}_lengths",
        bind="query-params",
    )
    count = st.slider(
        "Sentences of each length", AT_ONCE, 200, 30, AT_ONCE, key=f"{lesson}_count", bind="query-params"
    )
    seed = st.number_input("Seed", 0, 999, 1, key=f"{lesson}_seed", bind="query-params")
    if not lengths:
        st.info("Choose at least one length. Until then you see sentences of ten words.")
    models = {ATTENDS: (score, False), NOT: ("none", False)}
    if broken:
        models |= {ATTENDS + BROKEN: (score, True), NOT + BROKEN: ("none", True)}
    return score, Measurement(tuple(models.items()), tuple(sorted(lengths or [10])), count, int(seed))


def stored_shares(score: str) -> dict[str, tuple[bool, dict[tuple[int, int], float]]]:
    """Return the exact match by length that the cards of the two models tell."""
    return {
        ATTENDS: (True, by_range(load_card(MODELS[score]).quality)),
        NOT: (False, by_range(load_card(MODELS["none"]).quality)),
    }


def estimates(measured: Measured, measure: str) -> dict[str, tuple[bool, dict[int, Estimate]]]:
    """Return each model's share of sentences right, or mean share of words kept, for each length."""
    return {
        name: (
            name.startswith(ATTENDS),
            {
                length: share_right([attempt.right for attempt in made])
                if measure == WHOLE
                else mean_kept([attempt.kept for attempt in made])
                for length, made in by_length.items()
            },
        )
        for name, by_length in measured.items()
    }


def drawing(lesson: str, score: str, measure: str) -> Callable[[Measured], None]:
    """Return the function that draws what has been measured so far."""

    def draw(measured: Measured) -> None:
        titles = {WHOLE: "translated word for word", KEPT: "reference words in the output"}
        stored = stored_shares(score) if measure == WHOLE else None
        show_figure(
            length_figure(estimates(measured, measure), stored, titles[measure]),
            f"{lesson}_figure",
            f"Share {titles[measure]} against the number of words, with 95% intervals",
        )

    return draw


def what_is_lost(measured: Measured) -> None:
    """Show, for the shortest length measured, what each model loses with half of the vector."""
    shortest = min(length for by_length in measured.values() for length in by_length)
    st.markdown(f"Every second number of the vector is now 0. Sentences of {shortest} words, right:")
    for name in (ATTENDS, NOT):
        whole, broken = (
            share_right([attempt.right for attempt in measured[each][shortest]]).value
            for each in (name, name + BROKEN)
        )
        consequence(name.capitalize(), whole, broken, ".0%")


def every_length(lesson: str, measured: Measured) -> None:
    """Show the table of all lengths, with the worked interval, under "Every number"."""
    rows = []
    for name, (_, found) in estimates(measured, WHOLE).items():
        kept = estimates(measured, KEPT)[name][1]
        rows += [
            {
                "model": name,
                "words": length,
                "sentences": each.n,
                "different": len({attempt.pair.source for attempt in measured[name][length]}),
                "right": round(each.value * each.n),
                "share right": each.value,
                "95% from": each.low,
                "95% to": each.high,
                "words kept": kept[length].value,
            }
            for length, each in sorted(found.items())
        ]

    def formula(row: int, column: str) -> str | None:
        """Divide the sentences that are right by all, or fill in Wilson's interval."""
        cell = rows[row]
        if column == "share right":
            return (
                rf"p = \frac{{k}}{{n}} = \frac{{{cell['right']}}}{{{cell['sentences']}}} = {cell[column]:.4f}"
            )
        if column.startswith("95%"):
            return worked_wilson(cell["right"], cell["sentences"], cell["95% from"], cell["95% to"])
        return None

    every_number(lesson, "accuracy by length", pd.DataFrame(rows), formula)
    every_number(lesson, "sentences", pd.DataFrame(sentence_rows(measured)))


def sentence_rows(measured: Measured) -> list[dict]:
    """Return one row a sentence and model: the reference, what was written, and where it goes wrong."""
    return [
        {
            "model": name,
            "words": length,
            "English": " ".join(attempt.pair.source),
            "reference": " ".join(attempt.pair.target),
            "output": " ".join(attempt.output),
            "right": attempt.right,
            "first wrong word": None if attempt.drift is None else attempt.drift + 1,
            "words kept": attempt.kept,
        }
        for name, by_length in measured.items()
        for length, made in by_length.items()
        for attempt in made
    ]
