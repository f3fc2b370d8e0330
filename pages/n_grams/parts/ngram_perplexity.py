"""The perplexity of n-gram models on held-out sentences: what is compared, drawn against n and alpha, and tabulated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.n_grams.ngram import perplexity_by_alpha, perplexity_by_order, unseen_figure
from core.figures.n_grams.ngram_worked import worked_measure
from core.lesson.break_it import consequence
from core.lesson.choices.ngram_choice import ALPHAS, SMOOTHINGS
from core.lesson.every_number import every_number
from core.lesson.figure import show_figure
from core.lesson.predict_first import predict_first
from core.models.language_model import UniformModel, sequence_log_probability
from core.models.n_grams.ngram_text import CountedText
from pages.n_grams.parts.ngram_measures import EVERY, ORDERS, characters_of, measured_tokens

AT_FIRST = ("add-alpha", "interpolation", "Kneser-Ney", "Katz back-off")


def choose_smoothings(lesson: str) -> list[str]:
    """Draw the choice of several smoothings, in the address as `<lesson>_models`, and return their names."""
    return st.pills(
        "Models",
        list(SMOOTHINGS),
        selection_mode="multi",
        default=AT_FIRST,
        wrap=True,
        key=f"{lesson}_models",
        bind="query-params",
    )


def choose_min_count(lesson: str) -> int:
    """Draw the slider for the fewest times a type is seen, in the address as `<lesson>_min_count`."""
    return st.slider(
        "Fewest times a type is seen",
        1,
        5,
        2,
        key=f"{lesson}_min_count",
        bind="query-params",
        help="Rarer types become one unknown type. A smaller vocabulary is easier to foresee: compare only within one.",
    )


def best_of(table: pd.DataFrame) -> pd.Series:
    """Return the row of the lowest perplexity."""
    return table.loc[table["perplexity"].idxmin()]


def predict_best(lesson: str, table: pd.DataFrame, about: str) -> bool:
    """Ask for the n of the lowest perplexity; return whether it may be shown."""
    question = "Which n foresees the held-out sentences best?"
    return predict_first(lesson, question, [str(n) for n in ORDERS], str(best_of(table).n), about)


def show_by_order(lesson: str, counted: CountedText, table: pd.DataFrame) -> None:
    """Draw every model's perplexity against n, and say which is the lowest."""
    best, held = best_of(table), measured_tokens(counted)
    lines = {name: rows["perplexity"].tolist() for name, rows in table.groupby("model", sort=False)}
    st.text(
        f"Counted on {len(counted.training):,} tokens, measured on {len(held):,} tokens of held-out sentences (one "
        f"in {EVERY}). Best: {best.model}, n = {best.n}, perplexity {best.perplexity:,.1f}."
    )
    show_figure(
        perplexity_by_order(ORDERS, lines, len(counted.vocabulary)),
        f"{lesson}_figure",
        f"Perplexity against n for {len(lines)} models; the best is {best.model} with n = {best.n}",
    )


def show_uniform(counted: CountedText) -> None:
    """Say what the dashed line is: the perplexity of the model that knows only its vocabulary, measured."""
    uniform = sequence_log_probability(UniformModel(counted.vocabulary.types), measured_tokens(counted))
    st.markdown(
        f"The dashed line is the **uniform model**: all {len(counted.vocabulary):,} types equally likely, everywhere. "
        f"Its perplexity on these sentences is {uniform.perplexity:,.1f}, the size of the vocabulary. A model above "
        "that line misleads."
    )


def show_infinite(smoothed: pd.DataFrame, unsmoothed: pd.DataFrame) -> None:
    """Show the perplexity of trigrams with smoothing and without, and for which n it is still finite without."""
    whole, broken = smoothed["perplexity"], unsmoothed["perplexity"]
    consequence("Perplexity at n = 3", whole[2], broken[2], ",.1f", more_is_better=False)
    finite = [str(n) for n, value in zip(ORDERS, broken, strict=True) if np.isfinite(value)]
    st.info(
        "Without smoothing the perplexity is infinite as soon as the held-out text has one n-gram that the training "
        f"text lacks. Finite here: {'n = ' + ', '.join(finite) if finite else 'for no n'}."
    )


def show_sparsity(lesson: str, shares: Sequence[float]) -> None:
    """Draw the share of held-out n-grams that were never counted, for each n."""
    show_figure(unseen_figure(shares), f"{lesson}_unseen", f"{shares[2]:.0%} of held-out trigrams are unseen")
    st.markdown("Sparsity: the longer the run, the more of them were never counted, however long the text.")


def show_alphas(lesson: str, perplexities: Mapping[int, Sequence[float]], types: int) -> None:
    """Draw the perplexity of add-alpha against alpha."""
    show_figure(
        perplexity_by_alpha(ALPHAS, perplexities, types, 300),
        f"{lesson}_alpha",
        "Perplexity of add-alpha against alpha for n = 1, 2 and 3",
    )
    st.markdown(
        "Stars: the best of the values tried. Adding 1 (Laplace) is nearly always too much for n > 1."
    )


def measure_table(lesson: str, counted: CountedText, table: pd.DataFrame) -> None:
    """Show every measure of every model, under "Every number"."""
    tokens, characters = len(measured_tokens(counted)), characters_of(counted)

    def formula(row: int, column: str) -> str | None:
        """Fill in a measure of a model."""
        measured = table.loc[row]
        return worked_measure(
            column, measured["bits a token"], tokens, characters, measured["unseen n-grams"]
        )

    every_number(lesson, "perplexities", table, formula)
