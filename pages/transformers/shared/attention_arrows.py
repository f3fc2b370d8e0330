"""Where one query attends to, with its weights (view "attention_arrows")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from pages.transformers.shared import WORDS


def attention_arrows(
    tokens: Sequence[str], weights: np.ndarray, query: int, best: int, hues: Mapping[int, str]
) -> dict:
    """Return the data of the view "attention_arrows": one query's weights (T,), and its arrow to the key `best`."""
    row = {
        "title": WORDS.label("arrows.weight"),
        "bars": [
            {
                "value": round(float(weight), 4),
                "text": f"{weight:.2f}" if weight >= 0.02 else "",
                "hue": hues.get(s),
            }
            for s, weight in enumerate(weights)
        ],
    }
    link = {
        "from": query,
        "to": best,
        "weight": round(float(weights[best]), 4),
        "hue": hues.get(best),
        "open": False,
    }
    return {
        "most": 1.0,
        "tokens": [{"text": token, "hue": hues.get(s)} for s, token in enumerate(tokens)],
        "axes": {name: WORDS.label(f"arrows.{name}") for name in ("key", "query")},
        "rows": [row],
        "queries": [query],
        "links": [link],
        "sum": "",
        "pick": False,
    }
