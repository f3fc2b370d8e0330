"""For the n-gram lessons: the choice of the unit (words or characters), of n, and of a smoothing method."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from core.lesson.cached import cached, is_sample
from core.lesson.lab_words import LAB_WORDS
from core.lesson.lesson import Lesson
from core.lesson.settings import Choice
from core.models.n_grams.ngram import (
    NgramModel,
    absolute_discounting,
    add_alpha,
    katz_backoff,
    kneser_ney,
    linear_interpolation,
    maximum_likelihood,
    stupid_backoff,
)
from core.models.n_grams.ngram_counts import NgramCounts
from core.models.n_grams.ngram_text import TOKENS_AT_MOST, CountedText, count_text
from core.text.reading.documents import Document

ORDER_AT_MOST = 5
UNITS = ("words", "characters")
ALPHAS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
SHARES = tuple(round(0.05 * i, 2) for i in range(1, 20))


@dataclass(frozen=True)
class Smoothing:
    """A smoothing method: the function that fits it, and its parameter (if any) with its values and default."""

    fit: Callable[..., NgramModel]
    parameter: str = ""
    values: tuple[float, ...] = ()
    default: float = 0.0
    normalised: bool = True  # whether its scores are probabilities, which sum to 1

    @property
    def arguments(self) -> dict[str, float]:
        """{parameter: default}, {} without a parameter."""
        return {self.parameter: self.default} if self.parameter else {}


SMOOTHINGS = {
    "none": Smoothing(maximum_likelihood),
    "add-alpha": Smoothing(add_alpha, "alpha", ALPHAS, 1.0),
    "interpolation": Smoothing(linear_interpolation, "weight", SHARES, 0.5),
    "absolute discounting": Smoothing(absolute_discounting, "discount", (*SHARES, 1.0), 0.75),
    "Kneser-Ney": Smoothing(kneser_ney, "discount", (*SHARES, 1.0), 0.75),
    "modified Kneser-Ney": Smoothing(kneser_ney),
    "Katz back-off": Smoothing(katz_backoff, "discount", (*SHARES, 1.0), 0.75),
    "stupid back-off": Smoothing(stupid_backoff, "factor", SHARES, 0.4, normalised=False),
}


@dataclass(frozen=True)
class ChosenSmoothing:
    """A smoothing method by name, with its parameter, {name: value}."""

    name: str
    arguments: dict[str, float]

    def fit(self, counts: NgramCounts, order: int) -> NgramModel:
        """Return the smoothed model of order n."""
        return SMOOTHINGS[self.name].fit(counts, order, **self.arguments)


def name_smoothing(name: str) -> str:
    """Return what a reader calls a smoothing method."""
    return LAB_WORDS.label(
        f"smoothing.{name.lower().replace('back-off', 'backoff').replace(' ', '_').replace('-', '_')}"
    )


NO_SMOOTHING = ChosenSmoothing("none", {})


def standard(name: str) -> ChosenSmoothing:
    """Return a smoothing method with its default parameter."""
    return ChosenSmoothing(name, SMOOTHINGS[name].arguments)


@cached(6, 2, shared=is_sample)
def _count(document: Document, unit: str, min_count: int, hold_out: int) -> CountedText:
    return count_text(document.text, unit, ORDER_AT_MOST, min_count, hold_out)


def counts_of(document: Document, unit: str, min_count: int = 1, hold_out: int = 0) -> CountedText:
    """Return the n-gram counts of a document. A text without words is counted in characters."""
    try:
        return _count(document, unit, min_count, hold_out)
    except ValueError:
        return _count(document, "characters", min_count, hold_out)


def counted_text(document: Document, unit: str, min_count: int = 1, hold_out: int = 0) -> CountedText:
    """Return the counts; write a message if only a part of the text is counted, or in another unit."""
    found = counts_of(document, unit, min_count, hold_out)
    if found.unit != unit:
        st.info(LAB_WORDS.label("unit.none", unit=LAB_WORDS.label(f"unit.{unit}")))
    if not found.complete:
        st.caption(LAB_WORDS.label("unit.part", n=TOKENS_AT_MOST, unit=LAB_WORDS.label(f"unit.{found.unit}")))
    return found


def choose_unit(lesson: Lesson) -> str:
    """Draw the choice between words and characters, `<lesson>_unit` in the query."""
    names = {unit: LAB_WORDS.label(f"unit.{unit}") for unit in UNITS}
    setting = Choice("unit", UNITS[0], UNITS)
    return lesson.choose_id(setting, LAB_WORDS.label("unit"), names, help=LAB_WORDS.label("unit.help"))


def choose_counts(lesson: Lesson, document: Document, remarks) -> CountedText:
    """Draw the choice of a unit and return the counts; messages go to the container `remarks`."""
    unit = choose_unit(lesson)
    with remarks:
        return counted_text(document, unit)


def choose_order(lesson: Lesson, default: int = 2, least: int = 1) -> int:
    """Draw the slider for n, `<lesson>_n` in the query."""
    return lesson.slider(
        "n",
        LAB_WORDS.label("order"),
        least,
        ORDER_AT_MOST,
        default,
        width=180,
        help=LAB_WORDS.label("order.help"),
    )


def choose_smoothing(
    lesson: Lesson, default: str = "Kneser-Ney", without_none: bool = False, without_scores: bool = True
) -> ChosenSmoothing:
    """Draw the choice of a smoothing method, `<lesson>_smoothing` in the query, and of its parameter.

    Methods whose scores do not sum to 1 have no perplexity; they are listed only if `without_scores` is False.
    """
    names = [
        name
        for name, smoothing in SMOOTHINGS.items()
        if not (without_none and name == "none") and not (without_scores and not smoothing.normalised)
    ]
    setting, label = Choice("smoothing", default, tuple(names)), LAB_WORDS.label("smoothing")
    name = lesson.choose_id(setting, label, {name: name_smoothing(name) for name in names}, width=190)
    chosen = SMOOTHINGS[name]
    if not chosen.parameter:
        return standard(name)
    label = LAB_WORDS.label(f"smoothing.{chosen.parameter}")
    value = lesson.select_slider(chosen.parameter, label, chosen.values, value=chosen.default, width=200)
    return ChosenSmoothing(name, {chosen.parameter: value})
