"""Pictures of reading in two directions: a sentence stepped from both ends, what moves, who is right, what adds up."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
import pandas as pd

from core.figures.blank import blank
from core.figures.documents import WORDS
from core.figures.figure import Figure, bar, scatter
from core.figures.frame import frame
from core.figures.packed import packed_shares
from core.figures.palette import BLUE, GREY, OCHRE, VERMILLION
from core.figures.worked import made_by, number
from core.models.documents.recurrent_reader import RecurrentReading
from core.models.documents.recurrent_tagger import AHEAD, BOTH
from core.models.documents.three_taggers import HMM, WAYS, TaggedThreeWays
from core.models.hidden_markov_models.forward_backward import tag_posteriors

UNITS = 16  # of a state's numbers in the picture
HUES = {"NOUN": "blue", "VERB": "vermillion", "ADJ": "green", "ADV": "pink", "PRON": "sky", "DET": "ochre"}
COLOURS = {HMM: GREY, AHEAD: OCHRE, BOTH: BLUE}
NEEDS = {HMM: "all", AHEAD: "ahead", BOTH: "both"}


def name_way(way: str) -> str:
    """Return what one of WAYS is called.

    >>> name_way(HMM), name_way(BOTH)
    ('HMM', 'both directions')
    """
    return WORDS.label(f"two_directions.{way}")


def sentence_shared(found: TaggedThreeWays) -> dict:
    """Return what all steps of a sentence share: its words, states, and the tags with their probabilities."""
    reading = found.readings[BOTH]
    return {
        "words": list(found.words),
        "ahead": packed_shares(reading.ahead[:, :UNITS]),
        "back": packed_shares(reading.back[:, :UNITS]),
        "units": min(UNITS, reading.ahead.shape[1]),
        "rows": [
            {
                "name": name_way(way),
                "needs": NEEDS[way],
                "tags": list(found.tags[way]),
                "hues": [HUES.get(tag, "grey") for tag in found.tags[way]],
                "sure": [f"{p:.2f}" for p in found.sure(way)],
            }
            for way in WAYS
        ],
        "differ": found.differ.tolist(),
    }


def sentence_frames(found: TaggedThreeWays) -> list[dict]:
    """Return a step for every word that each direction reads; at the last both have read all, and the page goes on."""
    words, n = found.words, len(found.words)
    frames = []
    for t in range(1, n + 1):
        left, right = words[t - 1], words[n - t]
        values = {"t": t, "left": left, "right": right, "met": max(0, 2 * t - n)}
        frames.append(
            frame(
                WORDS.label("two_directions.step", t=t),
                {"kind": "twoWays", "read": t},
                WORDS.label("two_directions.alt", t=t, n=n),
                WORDS.label("two_directions.said", **values) if t < n else "",
                formulas=[
                    rf"h^{{→}}_{{{t}}} = \text{{GRU}}(x_{{{t}}}, h^{{→}}_{{{t - 1}}}) \qquad "
                    rf"h^{{←}}_{{{n - t + 1}}} = \text{{GRU}}(x_{{{n - t + 1}}}, h^{{←}}_{{{n - t + 2}}})"
                ]
                if t < n
                else [],
            )
        )
    return frames


def moved_figure(words: Sequence[str], moved: dict[str, np.ndarray]) -> Figure:
    """Return how far each tagger's probabilities move at every word that was kept, when the rest is cut off."""
    figure = blank(300, "", WORDS.label("two_directions.moved"))
    places = list(range(len(words)))
    for way in WAYS:
        figure.add_trace(
            bar(
                x=places,
                y=moved[way],
                name=name_way(way),
                marker={"color": COLOURS[way]},
                customdata=[escape(word, quote=False) for word in words],
                hovertemplate=WORDS.label("two_directions.moved_hover", way=name_way(way))
                + "<extra></extra>",
            )
        )
    figure.update_layout(barmode="group")
    ticks = [escape(word[:12], quote=False) for word in words]
    figure.update_xaxes(tickvals=places, ticktext=ticks, tickangle=-90 if len(words) > 8 else 0)
    return figure.update_yaxes(range=[0, 1.02])


def error_figure(confusion: dict[str, list], tags: Sequence[str], few: Sequence[str]) -> Figure:
    """Return the share of a few tags' held-out words that each tagger tags wrong.

    >>> right = {way: [[9, 1], [0, 4]] for way in WAYS}
    >>> [float(round(y, 3)) for y in error_figure(right, ["A", "B"], ["B", "A"]).data[0].y]
    [0.0, 0.1]
    """
    figure = blank(320)
    for way in WAYS:
        counts = np.array(confusion[way])
        wrong = 1 - counts.diagonal() / counts.sum(axis=1)
        shares = [wrong[tags.index(tag)] for tag in few]
        figure.add_trace(bar(x=list(few), y=shares, name=name_way(way), marker={"color": COLOURS[way]}))
    return figure.update_layout(barmode="group").update_yaxes(tickformat=".0%")


def accuracy_figure(confusion: dict[str, list], tags: Sequence[str]) -> Figure:
    """Return the share of each true tag's held-out words that each tagger tags right."""
    figure = blank(320, "", WORDS.label("two_directions.accuracy"))
    for way in WAYS:
        counts = np.array(confusion[way])
        figure.add_trace(
            bar(
                x=list(tags),
                y=counts.diagonal() / counts.sum(axis=1),
                name=name_way(way),
                marker={"color": COLOURS[way]},
                hovertemplate=f"{name_way(way)}, %{{x}}: %{{y:.1%}}<extra></extra>",
            )
        )
    figure.update_layout(barmode="group")
    return figure.update_yaxes(tickformat=".0%", range=[0, 1.02])


def directions_table(confusion: dict[str, list], tags: Sequence[str]) -> tuple:
    """Return the table of the figure with its counts, and the formula of its cells."""
    counts = {way: np.array(confusion[way]) for way in WAYS}
    words = counts[HMM].sum(axis=1)
    table = pd.DataFrame(
        {WORDS.label("two_directions.tag"): tags, WORDS.label("two_directions.words"): words}
        | {name_way(way): counts[way].diagonal() / words for way in WAYS}
    )

    def formula(row: int, column: str) -> str | None:
        way = next((each for each in WAYS if name_way(each) == column), None)
        if way is None:
            return None
        right = int(counts[way][row, row])
        return rf"\frac{{{right}}}{{{words[row]}}} = {number(right / words[row])}"

    return table, formula


def tags_table(found: TaggedThreeWays) -> tuple:
    """Return every tag's probability at every word by each of the three, and the formula of its cells."""
    word, by = WORDS.label("two_directions.word"), WORDS.label("two_directions.by")
    rows = [(t, way) for t in range(len(found.words)) for way in WAYS]
    table = pd.DataFrame(
        [
            {word: found.words[t], by: name_way(way)} | dict(zip(found.states, found.p[way][t], strict=True))
            for t, way in rows
        ]
    )

    def formula(row: int, column: str) -> str | None:
        t, way = rows[row]
        if column not in found.states:
            return None
        k = found.states.index(column)
        p = found.p[way][t]
        if way == HMM:
            return rf"{made_by(tag_posteriors)} p(q_{{{t + 1}}} = \text{{{column}}} \mid o_1 \dots o_n) = {number(p[k])}"
        reading = found.readings[way]
        z = reading.states[t] @ reading.W.T + reading.b
        return (
            rf"\frac{{e^{{z}}}}{{\sum e^{{z}}}} = \frac{{e^{{{number(float(z[k]))}}}}}"
            rf"{{{number(float(np.exp(z).sum()))}}} = {number(p[k])}"
        )

    return table, formula


def evidence_of(reading: RecurrentReading, c: int) -> tuple[np.ndarray, np.ndarray | None, float]:
    """Return what each direction's state says for class c against the mean of the others at every word, and b's part."""

    def against(z: np.ndarray) -> np.ndarray:
        C = z.shape[-1]
        return z[..., c] - (z.sum(axis=-1) - z[..., c]) / max(1, C - 1)

    ahead, back = reading.evidence
    return against(ahead), None if back is None else against(back), float(against(reading.b))


def evidence_figure(words: Sequence[str], ahead: np.ndarray, back: np.ndarray | None, name: str) -> Figure:
    """Return what the states say for a class after every word; from the left the last decides, from the right the first."""
    figure = blank(300, "", WORDS.label("two_directions.evidence", name=escape(name[:24], quote=False)))
    places = list(range(len(words)))
    lines = [("→", ahead, BLUE, -1)]
    if back is not None:
        lines.append(("←", back, VERMILLION, 0))
    for label, values, colour, decides in lines:
        size = [8] * len(words)
        size[decides] = 16
        figure.add_trace(
            scatter(
                x=places,
                y=values,
                mode="lines+markers",
                name=label,
                line={"color": colour, "width": 3},
                marker={"size": size, "color": colour},
                customdata=[escape(word, quote=False) for word in words],
                hovertemplate=WORDS.label("two_directions.evidence_hover", arrow=label) + "<extra></extra>",
            )
        )
    ticks = [escape(word[:12], quote=False) for word in words]
    figure.update_xaxes(tickvals=places, ticktext=ticks, tickangle=-90 if len(words) > 9 else 0)
    return figure.update_yaxes(zeroline=True)


def evidence_table(words: Sequence[str], ahead: np.ndarray, back: np.ndarray | None) -> pd.DataFrame:
    """Return the numbers of the figure."""
    word, left, right = (
        WORDS.label(f"two_directions.{what}") for what in ("word", "from_left", "from_right")
    )
    table = pd.DataFrame({word: list(words), left: ahead})
    return table if back is None else table.assign(**{right: back})
