"""One vector a use: the uses of a word on one map, layer by layer, their cosines, and how often the nearest is right."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from core.figures.blank import blank
from core.figures.figure import Figure, scatter
from core.figures.palette import BLUE, GREEN, GREY, OCHRE, PINK, VERMILLION
from core.figures.pretraining import WORDS
from core.figures.word_vectors.map_view import NEAREST, map_view, near_each, numbers
from core.models.pretraining.uses import SenseMeasure, Use, interval, on_one_map
from core.models.word_vectors.projection import nearest
from core.text.tokenization.tokens import words

HEIGHT = 240  # pixels of the map: above the fold with its controls
AROUND = 2  # words of the sentence beside the word in a point's name
WAYS = ("counted", "averaged", "sides")  # of finding the nearest use without a model


def name_layers(n: int) -> list[str]:
    """Return the names of n sets of vectors, from the static one to the last layer.

    >>> name_layers(3)
    ['static', 'layer 0', 'layer 1']
    """
    return [WORDS.label("uses.static"), *(WORDS.label("uses.layer", layer=i) for i in range(n - 1))]


def named_uses(uses: Sequence[Use]) -> list[str]:
    """Return a short name of each use: its number, and the word with its neighbours.

    >>> named_uses([Use("light", "So the light of the sun came.")])
    ['1 so the light of the']
    """
    found = []
    for i, use in enumerate(uses, 1):
        tokens = words(use.sentence)
        at = tokens.index(use.word) if use.word in tokens else 0
        found.append(f"{i} {' '.join(tokens[max(0, at - AROUND) : at + AROUND + 1])}")
    return found


def uses_map(uses: Sequence[Use], vectors: np.ndarray, layers: Sequence[str], label: str) -> dict:
    """Return the map of uses over the layers (L + 2, n, C): all on the same axes, with each one's nearest."""
    projection, places = on_one_map(vectors)
    names = named_uses(uses)
    sense = {name: use.sense or WORDS.label("uses.your_text") for name, use in zip(names, uses, strict=True)}
    near = near_each([nearest(layer, NEAREST, "cosine") for layer in vectors])
    data = map_view(
        names,
        projection,
        label,
        theme_of=sense.get,
        height=HEIGHT,
        noun="use",
        file="uses",
        moment=WORDS.label("uses.moment"),
        told=[WORDS.label("uses.told", i=i, text=each.partition(" ")[2]) for i, each in enumerate(names, 1)],
    )
    return {**data, "places": numbers(*places), **near, "frames": list(layers)}


def senses_map(uses: Sequence[Use], places: np.ndarray) -> Figure:
    """Return the uses at their places (n, 2), a colour a sense."""
    figure = blank(300)
    for sense, colour in zip(dict.fromkeys(use.sense for use in uses), (BLUE, OCHRE), strict=False):
        rows = [i for i, use in enumerate(uses) if use.sense == sense]
        look = {"size": 11, "color": colour}
        figure.add_trace(
            scatter(x=places[rows, 0], y=places[rows, 1], name=sense, mode="markers", marker=look)
        )
    return figure


def pair_means(alike: np.ndarray, senses: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean cosine of two uses of one sense and of two senses, (L + 2,) each; nan where there is no such pair.

    >>> pair_means(np.array([[[1, 0.8, 0.2], [0.8, 1, 0.4], [0.2, 0.4, 1]]]), ["a", "a", "b"])
    (array([0.8]), array([0.3]))
    """
    upper = np.triu(np.ones(alike.shape[1:], dtype=bool), 1)
    same = np.array(senses)[:, None] == np.array(senses)
    return tuple(
        alike[:, pairs].mean(axis=1) if pairs.any() else np.full(len(alike), np.nan)
        for pairs in (upper & same, upper & ~same)
    )


def cosines_figure(
    layers: Sequence[str], pair: np.ndarray, same: np.ndarray, other: np.ndarray, between: np.ndarray
) -> Figure:
    """Return cosines by layer: of two uses, the means within a sense and between senses, and between other words."""
    figure = blank(340, y=WORDS.label("uses.cosine"))
    lines = (
        ("pair", pair, VERMILLION, "solid"),
        ("same", same, BLUE, "solid"),
        ("other", other, OCHRE, "dash"),
        ("between", between, GREY, "dot"),
    )
    for key, values, colour, dash in lines:
        name, look = WORDS.label(f"uses.{key}"), {"color": colour, "width": 3, "dash": dash}
        figure.add_trace(scatter(x=list(layers), y=values, name=name, mode="lines+markers", line=look))
    return figure.update_xaxes(type="category")


def nearest_sense_figure(measure: SenseMeasure, layers: Sequence[str]) -> Figure:
    """Return the share of uses whose nearest has their sense, by layer with intervals, and three ways without a model."""
    n = int(measure.sizes.sum())
    right = measure.right.sum(axis=1)
    shares, ends = right / n, np.array([interval(float(each), n) for each in right])
    figure = blank(340, y=WORDS.label("uses.right"))
    reach = {"array": ends[:, 1] - shares, "arrayminus": shares - ends[:, 0]}
    figure.add_trace(
        scatter(
            x=list(layers),
            y=shares,
            name=WORDS.label("uses.model"),
            mode="lines+markers",
            line={"color": BLUE, "width": 3},
            marker={"size": 10},
            error_y={"type": "data", "symmetric": False, **reach},
        )
    )
    for way, colour, dash in zip(WAYS, (OCHRE, GREEN, PINK), ("dash", "dot", "dashdot"), strict=True):
        level = [float(getattr(measure, way).sum()) / n] * len(layers)
        name, look = WORDS.label(f"uses.{way}"), {"color": colour, "width": 3, "dash": dash}
        figure.add_trace(scatter(x=list(layers), y=level, name=name, mode="lines", line=look))
    return figure.update_yaxes(range=[0, 1]).update_xaxes(type="category")


def nearest_sense_table(measure: SenseMeasure, layers: Sequence[str]) -> pd.DataFrame:
    """Return how many uses of each word are right, per layer and for each way without a model, and all together."""
    columns = {
        WORDS.label("uses.column.word"): [*measure.words, WORDS.label("uses.column.all")],
        WORDS.label("uses.column.uses"): [*measure.sizes, measure.sizes.sum()],
    }
    rows = [*zip(layers, measure.right, strict=True)]
    rows += [(WORDS.label(f"uses.{way}"), getattr(measure, way)) for way in WAYS]
    return pd.DataFrame(columns | {name: [*values, values.sum()] for name, values in rows})


def cosine_table(
    names: Sequence[str], senses: Sequence[str], alike: np.ndarray, layers: Sequence[str]
) -> pd.DataFrame:
    """Return the cosine of each pair of uses at every layer."""
    pairs = [(i, j) for i in range(len(names)) for j in range(i + 1, len(names))]
    table = {
        WORDS.label("uses.column.one"): [names[i] for i, _ in pairs],
        WORDS.label("uses.column.other"): [names[j] for _, j in pairs],
        WORDS.label("uses.column.same_sense"): [bool(senses[i]) and senses[i] == senses[j] for i, j in pairs],
    }
    return pd.DataFrame(
        table | {layer: [alike[at, i, j] for i, j in pairs] for at, layer in enumerate(layers)}
    )


def in_all(right: float) -> str:
    """Return a number of uses as it is counted: whole, or with a decimal where draws are shared out.

    >>> in_all(9.0), in_all(4.444)
    ('9', '4.4')
    """
    return f"{right:.0f}" if abs(right - round(right)) < 1e-9 else f"{right:.1f}"


def what_nearest_says(word: str, layer: str, right: float, n: int, static: float, counted: float) -> str:
    """Say how many uses have their own sense nearest at a layer, with a static vector, and by counting words.

    >>> what_nearest_says("light", "layer 4", 9, 10, 4.44, 7)[:73]
    'At layer 4, 9 of 10 uses of “light” have a use of the same sense nearest.'
    """
    return WORDS.label(
        "uses.nearest",
        layer=layer,
        right=in_all(right),
        n=n,
        word=word,
        shared=not in_all(right).isdigit(),
        static=in_all(static),
        counted=in_all(counted),
    )


def what_was_measured(measure: SenseMeasure, layer: str) -> str:
    """Say how often the nearest use at the last layer is right, with its interval, and what it is set against."""
    n, right = int(measure.sizes.sum()), float(measure.right[-1].sum())
    low, high = interval(right, n)
    found = {way: float(getattr(measure, way).sum()) for way in WAYS} | {
        "drawn": float(measure.right[0].sum())
    }
    best = max(found.values())
    verdict = "better" if low * n > best else "worse" if high * n < best else "close"
    if np.allclose(measure.right[-1], measure.right[0]):
        verdict = "chance"
    return WORDS.label(
        "uses.measured",
        layer=layer,
        right=in_all(right),
        n=n,
        share=right / n,
        low=low,
        high=high,
        verdict=verdict,
        **{way: in_all(each) for way, each in found.items()},
    )


def what_words_do(measure: SenseMeasure) -> str:
    """Say which words have most and fewest uses right at the last layer, all of them where several have as many."""
    right = measure.right[-1]
    shares = right / measure.sizes
    ends = []
    for end in (shares.max(), shares.min()):
        at = np.flatnonzero(np.isclose(shares, end))
        names = [f"“{measure.words[i]}”" for i in at]
        ends.append((names, in_all(right[at[0]]), int(measure.sizes[at[0]])))
    (most, *most_right), (fewest, *fewest_right) = ends
    return WORDS.label(
        "uses.words", most=most, most_right=most_right, fewest=fewest, fewest_right=fewest_right
    )


def what_layers_do(same: np.ndarray, other: np.ndarray, between: np.ndarray, layer: str) -> str:
    """Say the mean cosines at the last layer: of one sense, of two senses, and of two words.

    >>> what_layers_do(np.array([0.75]), np.array([0.5]), np.array([0.25]), "layer 4").split(". ")[1]
    'The means of one sense and of two differ by 0.25.'
    """
    a, b, c = (float(each[-1]) for each in (same, other, between))
    return WORDS.label("uses.means", layer=layer, same=a, other=b, between=c, apart=a - b)
