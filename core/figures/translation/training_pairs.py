"""What a translator is trained on: one pair's gold alignment, the sentences' lengths; and a training as a table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from core.figures.blank import blank
from core.figures.figure import Figure, bar
from core.figures.translation.decoder_step import attention_heatmap
from core.figures.worked import number
from core.models.translation.fit_translation import Snapshot
from core.text.grammar.pairs import Pair, is_held_out


def gold_figure(pair: Pair) -> Figure:
    """Return a pair's gold alignment as a heat map: outputs as rows, each shared out over the inputs it stands for."""
    links = np.zeros((len(pair.target), len(pair.source)))
    for t, s in pair.links:
        links[t, s] = 1
    return attention_heatmap(links / np.maximum(1, links.sum(1, keepdims=True)), pair.target, pair.source)


def lengths_figure(pairs: Sequence[Pair], unit: str, height: int = 320) -> Figure:
    """Return how many pairs have how many words (or characters) on either side."""
    figure = blank(height, f"{unit} in a sentence", "pairs")
    for name, lengths in (
        ("first column", [len(pair.source) for pair in pairs]),
        ("second column", [len(pair.target) for pair in pairs]),
    ):
        counts = np.bincount(lengths)
        figure.add_trace(bar(x=list(range(1, len(counts))), y=counts[1:], name=name))
    figure.update_layout(barmode="group")
    return figure


def pairs_table(pairs: Sequence[Pair], apart: str) -> pd.DataFrame:
    """Return pairs as the model reads them, their units set `apart`: how long they are, and which are held out."""
    table = pd.DataFrame(
        [(apart.join(pair.source), apart.join(pair.target)) for pair in pairs], columns=["input", "output"]
    )
    table["inputs S"] = [len(pair.source) for pair in pairs]
    table["outputs T"] = [len(pair.target) for pair in pairs]
    table["held out"] = ["yes" if is_held_out(pair.source) else "no" for pair in pairs]
    return table


def training_table(snapshots: Sequence[Snapshot]) -> pd.DataFrame:
    """Return every snapshot's step, loss, perplexity and output; the first comes before a loss is known."""
    known = snapshots[1:]
    return pd.DataFrame(
        {
            "step": [shot.step for shot in known],
            "loss": [shot.loss for shot in known],
            "perplexity": [float(np.exp(shot.loss)) for shot in known],
            "output": [" ".join(shot.output) for shot in known],
        }
    )


def worked_training(table: pd.DataFrame, row: int, column: str) -> str | None:
    """Return LaTeX of a cell of that table: the perplexity that belongs to a loss.

    >>> worked_training(pd.DataFrame({"loss": [0.0], "perplexity": [1.0]}), 0, "perplexity")
    'e^{L} = e^{0} = 1'
    """
    loss, perplexity = number(table["loss"][row]), number(table["perplexity"][row])
    return rf"e^{{L}} = e^{{{loss}}} = {perplexity}" if column == "perplexity" else None
