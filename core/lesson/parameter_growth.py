"""What a longer window costs each stored model in parameters, and what tied embeddings save."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import pandas as pd
import streamlit as st

from core.figures.model_comparison import growth_figure
from core.lesson.character_text import character_labels
from core.lesson.figure import show_figure
from core.models.parameter_counts import counts_by_window, parameter_count, runs_by_window, saved_by_tying
from core.models.stored import load_card, load_json
from core.models.stored_language_models import stored_language_model

WINDOWS = [1, 2, 4, 8, 16, 32, 64, 128, 256]


WORDS = 50_000  # a vocabulary of words, for comparison


@dataclass(frozen=True)
class Growth:
    """The stored character models' sizes, by label; `lines` and `stored` as `growth_figure` takes them.

    `tying` has a row for each network that ties its embedding: its vocabulary, its parameters, what tying saves, and
    the last two again for a vocabulary of 50,000 words.
    """

    lines: dict[str, tuple[list[int], list[int]]]
    stored: dict[str, tuple[int, int]]
    tying: dict[str, tuple[int, int, int, int, int]]


@cache
def growth() -> Growth:
    """Return the sizes of the stored models, the same for all sessions."""
    lines, stored, tying = {}, {}, {}
    for label, name in character_labels().items():
        described, label = load_json(name, "network"), label.removesuffix(", characters")
        count = load_card(name).quality["parameters"]
        if described["network"] == "n-gram":
            runs = runs_by_window(stored_language_model(name).model)[1:]
            lines[label], stored[label] = (list(range(1, len(runs) + 1)), runs), (len(runs), count)
            continue
        network, shape = described["network"], described["shape"]
        lines[label] = WINDOWS, counts_by_window(network, shape, WINDOWS)
        if "context" in shape:
            stored[label] = shape["context"], count
        if saved := saved_by_tying(network, shape):
            large = {**shape, "vocabulary_size": WORDS}
            words = parameter_count(network, large), saved_by_tying(network, large)
            tying[label] = shape["vocabulary_size"], count, saved, *words
    return Growth(lines, stored, tying)


def show_growth(lesson: str) -> None:
    """Draw parameters against the window for the stored models' shapes, and say what tying saves in each."""
    found = growth()
    show_figure(
        growth_figure(found.lines, found.stored),
        f"{lesson}_growth",
        "Parameters against the window, one line a model",
    )
    st.markdown(
        "The **n-gram** keeps every new run of characters that it meets. The **feed-forward** network has weights of "
        "their own for each place in its window. A **GPT** adds one position's embedding for each further place, and "
        "a **recurrent** network nothing: it uses the same weights at every step. Dots: the models as they are stored."
    )
    st.markdown(
        "**Weight tying**: the embedding reads and, used again, writes. That saves $V \\cdot C$ numbers."
    )
    columns = ["V", "parameters", "saved", f"parameters, V = {WORDS:,}", f"saved, V = {WORDS:,}"]
    table = pd.DataFrame(found.tying.values(), columns=columns)
    table.insert(0, "model", list(found.tying))
    grouped = dict.fromkeys(columns, st.column_config.NumberColumn(format="localized"))
    alt = "What weight tying saves in each model"
    st.dataframe(table, hide_index=True, key=f"{lesson}_tying", alt=alt, column_config=grouped)
