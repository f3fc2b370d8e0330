"""Pictures of two sets of vectors: lists of neighbours, counts of shared ones, two maps, cosines against cosines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.figures.blank import FONT_SIZE, blank
from core.figures.figure import Figure, scatter
from core.figures.layer_bars import join_panels, make_panel, make_row
from core.figures.palette import BLUE, VERMILLION
from core.figures.word_plane import plane_arrow, plane_point, word_plane
from pages.word_vectors.word_map.figures import HUES
from pages.word_vectors.word_vector_duel import LESSON

WORDS = LESSON.words
SHARED, NEAR, ALONE = 2, 1, 0  # how full a word's card is
OPEN = "?"  # what is still to be guessed
NO_MORE = "<extra></extra>"  # of a point that is pointed at: no name of its trace
PAIRS_AT_MOST = 1000  # points
LEFT = 0.45  # a cosine below which words stand left of their point
LABEL_ROOM = 0.42  # of a cosine, right of the largest
SIDES = ("glove", "skipgram")  # the story's sets


def draw_lists(asked: str, near: Mapping[str, Sequence[str]], hidden: str = "") -> dict:
    """Return the data of the view "word_board": a word's nearest words in two sets, those that both list filled.

    The words of the set that is `hidden` are not sent.
    """
    both = set() if hidden else set.intersection(*map(set, near.values()))
    cards = {
        name: [
            board_card(OPEN if name == hidden else word, SHARED if word in both else ALONE) for word in words
        ]
        for name, words in near.items()
    }
    drawn = (SHARED, ALONE) if both else () if hidden else (ALONE,)
    return draw_rows(asked, cards, [(each, WORDS.label(f"level.{each}")) for each in drawn])


def draw_ranks(
    asked: str, near: Mapping[str, Sequence[str]], ranks: Mapping[str, Sequence[int]], most: int
) -> dict:
    """Return the same with each word's rank in the other set; those of a rank up to `most` are filled."""
    cards = {
        name: [
            board_card(word, NEAR if rank <= most else ALONE, WORDS.label("card.rank", rank=rank))
            for word, rank in zip(words, ranks[name], strict=True)
        ]
        for name, words in near.items()
    }
    key = [(NEAR, WORDS.label("level.near", most=most)), (ALONE, WORDS.label("level.far", most=most))]
    return draw_rows(asked, cards, key)


def board_card(text: str, level: int, note: str = "") -> dict:
    """Return one card."""
    return {"text": text, "lit": [0, 0], "level": level, "note": note}


def draw_rows(asked: str, cards: Mapping[str, Sequence[dict]], key: Sequence[tuple[int, str]]) -> dict:
    """Return a row of cards for each set."""
    rows = [
        {
            "key": name,
            "name": WORDS.label(f"set.{name}"),
            "note": WORDS.label(f"set.{name}.note"),
            "words": list(words),
        }
        for name, words in cards.items()
    ]
    return {"asked": asked, "rows": rows, "key": [{"level": level, "text": text} for level, text in key]}


def bar_row(
    name: str, mark: str, value: float, text: str, note: str = "", kind: str = "plain", hue: str = "green"
) -> dict:
    """Return one row of the view "layer_bars", which begins at 0."""
    return make_row(name, f"row.{mark}", round(value, 4), text, note=note, kind=kind, hue=hue)


def draw_bars(title: str, rows: Sequence[dict], most: float) -> dict:
    """Return the data of the view "layer_bars" with one panel."""
    return join_panels(make_panel(title, most, list(rows)))


def draw_two_maps(words: Sequence[str], maps: Mapping[str, np.ndarray], strong: str) -> dict:
    """Return two maps of the same words side by side, each as its set has them; one word is `strong`."""
    panels = []
    for name, places in maps.items():
        points = [
            plane_point(word, place, HUES[word], "strong" if word == strong else "plain")
            for word, place in zip(words, places, strict=True)
        ]
        panels += word_plane(points, title=WORDS.label(f"set.{name}"))["panels"]
    key = [{"kind": "plain", "hue": hue, "text": WORDS.label(f"group.{hue}")} for hue in hues_of(words)]
    return {"panels": panels, "key": key}


def draw_overlay(words: Sequence[str], fixed: np.ndarray, turned: np.ndarray, fit: float) -> dict:
    """Return one map upon the other: each word's two places, joined by a line, and how well they fit."""
    points, lines = [], []
    for word, place, other in zip(words, fixed, turned, strict=True):
        points.append(plane_point(word, place, HUES[word]))
        points.append(plane_point(f"turned.{word}", other, HUES[word], "open", ""))
        lines.append(plane_arrow(word, place, other, HUES[word], "link"))
    reach = max(np.linalg.norm(each, axis=1).max() for each in (fixed, turned))
    extent = reach * np.array([[-1.0, -1.0], [1.0, 1.0]])
    key = [
        ("plain", "grey", WORDS.label("set.glove")),
        ("open", "grey", WORDS.label("set.skipgram")),
        ("link", "grey", WORDS.label("sign.link")),
    ]
    return word_plane(points, lines, key, extent, WORDS.label("fit.title", fit=fit))


def hues_of(words: Sequence[str]) -> list[str]:
    """Return the hues of some words' groups, each once."""
    return list(dict.fromkeys(HUES[word] for word in words))


def similarity_scatter(
    pairs: Sequence[tuple[str, str]],
    first: Sequence[float],
    second: Sequence[float],
    names: Sequence[str],
    named: Sequence[str] = (),
) -> Figure:
    """Return one point per word pair: its cosine in the first set across, in the second set up; `named` ones with words.

    Of many pairs so many are drawn, spread evenly over them: each has its name and its place to be sent.
    """
    chosen = np.linspace(0, len(pairs) - 1, min(len(pairs), PAIRS_AT_MOST)).round().astype(int)
    some = [i for i, pair in enumerate(pairs) if " ".join(pair) in named]
    figure = blank(420, *(WORDS.label("axis.cosine", name=name) for name in names))
    low, high = (float(end([first, second])) for end in (np.min, np.max))
    figure.add_shape(
        type="line", x0=low, y0=low, x1=high, y1=high, line={"color": VERMILLION, "dash": "dot", "width": 3}
    )
    for places, size, opacity, mode in ((chosen, 6, 0.4, "markers"), (some, 14, 1.0, "markers+text")):
        if not len(places):
            continue
        texts = [f"{pairs[i][0]} · {pairs[i][1]}" for i in places]
        figure.add_trace(
            scatter(
                x=[round(float(first[i]), 4) for i in places],
                y=[round(float(second[i]), 4) for i in places],
                mode=mode,
                marker={"color": BLUE, "size": size, "opacity": opacity},
                text=[f"<b>{each}</b>" for each in texts] if mode != "markers" else texts,
                textposition=[
                    "middle left" if first[i] < max(LEFT, second[i]) else "middle right" for i in places
                ],
                textfont={"size": FONT_SIZE},
                hovertemplate="%{text}: %{x:.3f}, %{y:.3f}" + NO_MORE,
                cliponaxis=False,
                showlegend=False,
            )
        )
    if named:
        equal = {"text": WORDS.label("axis.equal"), "font": {"size": FONT_SIZE, "color": VERMILLION}}
        figure.add_annotation(x=high, y=high, showarrow=False, xanchor="right", yshift=16, **equal)
        figure.update_xaxes(range=[low - 0.04, high + LABEL_ROOM], tickvals=[0, 0.2, 0.4, 0.6, 0.8, 1])
    return figure
