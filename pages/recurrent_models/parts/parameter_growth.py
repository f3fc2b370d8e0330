"""How many numbers a language model learns: against its window, with its embedding used twice or not."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import pandas as pd
import streamlit as st

from core.figures.recurrent_models.weight_tying import (
    size_figure,
    worked_position_size,
    worked_recurrent_size,
    worked_window_size,
)
from core.lesson.choices.language_model_choice import LABELS
from core.lesson.every_number import every_number
from core.lesson.figure import show_figure
from core.models.parameter_counts import counts_by_window, saved_by_tying
from core.models.recurrent_language_model import RecurrentConfig
from core.models.recurrent_models.weight_tying import recurrent_parameters
from core.models.stored import load_json
from core.models.stored_language_models import BITS, character_models

WINDOWS = [1, 2, 4, 8, 16, 24, 32, 48, 64]  # the counts between them lie on the same straight lines


def shape(name: str, vocabulary_size: int) -> dict:
    """Return a stored model's shape with another vocabulary."""
    return {**load_json(name, "network")["shape"], "vocabulary_size": vocabulary_size}


@cache
def growing(network: str, name: str, vocabulary_size: int) -> list[int]:
    """Return a stored model's parameters at every window of WINDOWS, had it another vocabulary."""
    return counts_by_window(network, shape(name, vocabulary_size), WINDOWS)


def sizes(vocabulary_size: int, width: int, cell: str) -> dict[str, list[int]]:
    """Return each model's parameters at every window of WINDOWS; a recurrent model has no window, so no growth."""
    config = RecurrentConfig(vocabulary_size, cell.lower(), width)
    tied, untied = (sum(recurrent_parameters(config, each).values()) for each in (True, False))
    return {
        "feed-forward": growing("feed-forward", "char_feedforward", vocabulary_size),
        "GPT": growing("gpt", "char_gpt", vocabulary_size),
        f"{cell}, tied": [tied] * len(WINDOWS),
        f"{cell}, untied": [untied] * len(WINDOWS),
    }


def show_sizes(lesson: str, cell: str, counts: Mapping[str, list[int]]) -> None:
    """Draw the sizes against the window, and say what tying saves and what a longer window costs."""
    show_figure(
        size_figure(WINDOWS, counts),
        f"{lesson}_sizes",
        "Parameters against the window: the feed-forward model grows with it, the recurrent ones do not",
    )
    tied, untied = counts[f"{cell}, tied"][0], counts[f"{cell}, untied"][0]
    one, two, three = st.columns(3)
    one.metric(f"{cell}, tied", f"{tied:,}")
    share = f"{(untied - tied) / untied:.0%} of the untied"
    two.metric("Saved by tying", f"{untied - tied:,}", share, "off", delta_arrow="off")
    three.metric(
        "One more place in the window", f"+{counts['feed-forward'][1] - counts['feed-forward'][0]:,}"
    )
    st.caption(
        "Every place of a feed-forward model's window has weights of its own; in a GPT a place has one row, its "
        "position's embedding. A recurrent model uses the same weights at every step, however far back the text goes."
    )


def size_table(
    lesson: str, counts: Mapping[str, list[int]], vocabulary_size: int, width: int, gates: int
) -> None:
    """Show every count, under "Every number"."""
    places = shape("char_feedforward", vocabulary_size), shape("char_gpt", vocabulary_size)["width"]

    def formula(row: int, column: str) -> str | None:
        """Fill in a count."""
        if column == "window":
            return None
        if column == "feed-forward":
            return worked_window_size(places[0], WINDOWS[row], counts[column][row])
        if column == "GPT":
            return worked_position_size(places[1], WINDOWS[row], counts[column][row])
        return worked_recurrent_size(vocabulary_size, width, gates, "untied" not in column)

    every_number(lesson, "parameters", pd.DataFrame({"window": WINDOWS, **counts}), formula)


def show_measured() -> None:
    """Show the stored character models with their sizes, what tying saves, and what they were measured to reach."""
    cards = character_models()
    networks = [load_json(card.model, "network") for card in cards]
    saved = [saved_by_tying(each["network"], each["shape"]) if "shape" in each else 0 for each in networks]
    table = pd.DataFrame(
        {
            "model": [LABELS.get(card.model, card.model) for card in cards],
            "learnt numbers": [card.quality["parameters"] for card in cards],
            "saved by tying": saved,
            "bits per character": [card.quality[BITS] for card in cards],
        }
    )
    grouped = st.column_config.NumberColumn(format="localized")
    config = {"learnt numbers": grouped, "saved by tying": grouped}
    st.dataframe(table, hide_index=True, alt="The stored models, the best first", column_config=config)
    st.caption("Measured on the same held-out plays, the best first. An n-gram's numbers are counts.")
