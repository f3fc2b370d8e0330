"""How good stored translators are on held-out sentences, from their cards: by the length of the sentence."""

from __future__ import annotations

import re
from collections.abc import Mapping

from core.figures.blank import blank
from core.figures.figure import Figure, scatter

MEASURES = {
    "exact_match": "equal to the reference",
    "alignment_error": "aligned words whose weight is wrong",
}


def by_length(quality: Mapping[str, float], measure: str) -> dict[str, float]:
    """Return a measure for each range of input lengths that a card tells.

    >>> by_length({"exact_match": 0.9, "exact_match_3_to_7_words": 1.0}, "exact_match")
    {'3–7': 1.0}
    """
    found = {}
    for name, value in quality.items():
        lengths = re.fullmatch(rf"{measure}_(\d+)_to_(\d+)_words", name)
        if lengths:
            found[f"{lengths[1]}–{lengths[2]}"] = value
    return found


def quality_figure(
    qualities: Mapping[str, Mapping[str, float]], measure: str = "exact_match", height: int = 280
) -> Figure:
    """Return one line a model: a measure against the length of the sentence. `qualities` maps a name to a card's."""
    figure = blank(height, "words of the English sentence", MEASURES[measure])
    for name, quality in qualities.items():
        values = by_length(quality, measure)
        if values:
            figure.add_trace(
                scatter(
                    x=list(values),
                    y=list(values.values()),
                    mode="lines+markers",
                    marker={"size": 10},
                    line={"width": 3},
                    name=name,
                    hovertemplate="%{x} words: %{y:.1%}<extra>" + name + "</extra>",
                )
            )
    figure.update_xaxes(type="category")
    return figure.update_yaxes(tickformat=".0%", rangemode="tozero")
