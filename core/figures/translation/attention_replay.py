"""One sentence's attention over a training: the payload of the browser view "attention_replay"."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

import numpy as np

from core.figures.packed import packed
from core.models.translation.fit_translation import Snapshot

MOST_SHOTS = 60


def thinned(snapshots: Sequence[Snapshot], most: int) -> list[Snapshot]:
    """Return at most so many snapshots, evenly spread, the first and the last among them.

    >>> thinned([1, 2, 3, 4, 5], most=3)
    [1, 3, 5]
    """
    places = np.linspace(0, len(snapshots) - 1, min(most, len(snapshots))).round().astype(int)
    return [snapshots[place] for place in places]


def replay_payload(snapshots: Sequence[Snapshot], unit: str = "word", most: int = MOST_SHOTS) -> dict:
    """Return what the view draws: the input words and, for `most` of the snapshots, loss, output words and weights.

    `unit` is what one input is called. Weights are base64 of float32, (outputs, inputs).

    >>> shot = Snapshot(0.0, 0, float("nan"), ["a"], ["b", "<end>"], np.float32([[1], [1]]))
    >>> [each["loss"] for each in replay_payload([shot])["shots"]]
    [None]
    """
    return {
        "inputs": list(snapshots[-1].source),
        "unit": unit,
        "shots": [
            {
                "step": shot.step,
                "share": shot.share,
                "loss": float(shot.loss) if isfinite(shot.loss) else None,
                "outputs": shot.output,
                "weights": packed(shot.weights),
            }
            for shot in thinned(snapshots, most)
        ],
    }
