"""Why a head looks there: each key's score as stacked parts, and the tokens of a text that a query scores highest."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.figures.blank import blank
from core.figures.figure import Figure, bar, scatter
from core.figures.n_grams.ngram import plain
from core.figures.palette import BLUE, GREEN, OCHRE
from core.figures.worked import how_often, signed
from core.models.self_attention.score_parts import PARTS, ScoreParts

KEYS_AT_MOST = 16
COLOURS = (BLUE, OCHRE, GREEN)


def drawn_keys(scores: np.ndarray, seen: Sequence[int], chosen: int) -> list[int]:
    """Return the keys that are drawn, in the text's order: the chosen one and those with the highest scores.

    >>> drawn_keys(np.array([0.1, 0.9, 0.5]), [0, 1, 2], chosen=0)
    [0, 1, 2]
    """
    best = sorted(seen, key=lambda s: (s != chosen, -scores[s]))
    return sorted(best[:KEYS_AT_MOST])


def score_parts_figure(parts: ScoreParts, names: Sequence[str], seen: Sequence[int], chosen: int) -> Figure:
    """Return the scaled score of each drawn key as bars that add up to it, and the score itself as a mark."""
    keys = drawn_keys(parts.scores, seen, chosen)
    figure = blank(330, "key", "score")
    labels = [f"{s + 1} {plain(names[s])}" for s in keys]
    for name, heights, colour in zip(PARTS, parts.parts[:, keys], COLOURS, strict=True):
        bars = bar(x=labels, y=heights, name=name, marker_color=colour, hovertemplate="%{x}: %{y:+.4f}")
        figure.add_trace(bars)
    figure.add_trace(
        scatter(
            x=labels,
            y=parts.scores[keys] - parts.shift,
            name="sum",
            mode="markers",
            marker={
                "symbol": "diamond",
                "size": 10,
                "color": "white",
                "line": {"width": 2, "color": "black"},
            },
            hovertemplate="%{x}: %{y:+.4f}",
        )
    )
    figure.update_xaxes(type="category", tickangle=-45)
    figure.update_layout(barmode="relative", bargap=0.3)
    return figure


def liked_figure(names: Sequence[str], scores: Sequence[float], times: Sequence[int]) -> Figure:
    """Return tokens as bars: how far the mean score of their keys stands above that of all keys."""
    figure = blank(300, "token of your text", "score above the mean")
    places = np.arange(len(names))
    figure.add_trace(
        bar(
            x=places,
            y=list(scores),
            customdata=[f"{plain(name)} ({how_often(n)})" for name, n in zip(names, times, strict=True)],
            marker_color=BLUE,
            hovertemplate="%{customdata}: %{y:+.3f}<extra></extra>",
        )
    )
    figure.update_xaxes(tickvals=places, ticktext=[plain(name) for name in names], tickangle=-45)
    return figure


def why(parts: ScoreParts, s: int, seen: Sequence[int], names: Sequence[str]) -> str:
    """Say by how much a key's score stands above the others', and which part of the key makes it so."""
    name = f"“{plain(names[s])}”"
    if s not in seen:
        return f"The mask hides {name}: whatever its key, the weight is 0."
    if len(seen) == 1:
        return f"There is one key to look at, {name}: its weight is 1 whatever its score."
    if not parts.scores.any():
        return "The query is nought: every part of every score is 0, and nothing draws it anywhere."
    lead = parts.lead(s, seen)
    each = ", ".join(f"{signed(part, 2, '+')} by {what}" for part, what in zip(lead, PARTS, strict=True))
    strongest = int(np.argmax(lead if lead.sum() > 0 else -lead))
    way = "above" if lead.sum() > 0 else "below"
    stands = abs(
        sum(round(float(part), 2) for part in lead)
    )  # of the parts as they are shown, so that they add up
    return (
        f"The score of {name} stands {stands:.2f} {way} the mean of the other keys': {each}. What puts it "
        f"{way} them most is **{PARTS[strongest]}**."
    )
