"""What a translator is trained on: the gold alignment of one pair, and how long the sentences are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from core.figures.blank import blank
from core.figures.translation.decoder_step import attention_heatmap
from core.text.grammar.pairs import Pair


def gold_figure(pair: Pair) -> go.Figure:
    """Return a pair's gold alignment as a heat map: outputs as rows, each shared out over the inputs it stands for."""
    links = np.zeros((len(pair.target), len(pair.source)))
    for t, s in pair.links:
        links[t, s] = 1
    return attention_heatmap(links / np.maximum(1, links.sum(1, keepdims=True)), pair.target, pair.source)


def lengths_figure(pairs: Sequence[Pair], unit: str, height: int = 320) -> go.Figure:
    """Return how many pairs have how many words (or characters) on either side."""
    figure = blank(height, f"{unit} in a sentence", "pairs")
    for name, lengths in (
        ("first column", [len(pair.source) for pair in pairs]),
        ("second column", [len(pair.target) for pair in pairs]),
    ):
        counts = np.bincount(lengths)
        figure.add_trace(go.Bar(x=list(range(1, len(counts))), y=counts[1:], name=name))
    figure.update_layout(barmode="group")
    return figure
