"""Pictures of word vectors: words in a plane, vectors in rows, and the cosines of every two words as a square."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from core.figures.blank import blank
from core.figures.figure import Figure, heatmap, subplots
from core.figures.palette import DIVERGING
from core.figures.word_plane import plane_arrow, plane_point, word_plane
from core.models.word_vectors.word_vectors import WordVectors
from core.words.numbers import signed
from pages.word_vectors.shared import WORDS as SHARED
from pages.word_vectors.shared.word_choice import WORDS_OF
from pages.word_vectors.word_map import LESSON

WORDS = LESSON.words
GROUPS = dict(
    zip(WORDS_OF, ("blue", "ochre", "pink", "green"), strict=True)
)  # the hue of each group of words
HUES = {word: hue for group, hue in GROUPS.items() for word in WORDS_OF[group]}
NAMED = 40  # words whose names fit beside a square

# Words in a plane.


def draw_groups(
    words: Sequence[str],
    places: np.ndarray,
    strong: Sequence[str] = (),
    links: Iterable[tuple[str, str, str, str]] = (),
    signs: Sequence[str] = (),
    extent: np.ndarray | None = None,
) -> dict:
    """Return words at places (n, 2), a hue for each group; those that are `strong` are framed, the others then faint.

    `links` (word, word, kind, text) join two words; `signs` are the kinds of line that the key explains.
    """
    at = dict(zip(words, places, strict=True))
    order = [*strong, *(word for word in words if word not in strong)]  # whose labels find room first
    kinds = {word: "strong" if word in strong else "faint" if strong else "plain" for word in words}
    points = [plane_point(word, at[word], HUES[word], kinds[word]) for word in order]
    arrows = [
        plane_arrow(f"{one}.{other}", at[one], at[other], HUES[one] if kind == "line" else "grey", kind, text)
        for one, other, kind, text in links
    ]
    key = [("plain", hue, SHARED.label(f"theme.{group}")) for group, hue in GROUPS.items()]
    key += [(kind, "grey", WORDS.label(f"sign.{kind}")) for kind in signs]
    return word_plane(points, arrows, key, extent)


def draw_neighbours(words: Sequence[str], places: np.ndarray, cosines: Sequence[float]) -> dict:
    """Return a word, the first, joined to its neighbours, each with its cosine."""
    points = [plane_point(words[0], places[0], "blue", "strong")]
    arrows = []
    for word, place, cosine in zip(words[1:], places[1:], cosines, strict=True):
        points.append(plane_point(word, place, "green", text=f"{word} {signed(cosine)}"))
        arrows.append(plane_arrow(f"{words[0]}.{word}", places[0], place, "green", "line"))
    key = [("plain", "blue", WORDS.label("sign.word")), ("plain", "green", WORDS.label("sign.neighbour"))]
    return word_plane(points, arrows, key)


# Vectors in rows.


def draw_rows(rows: Iterable[tuple[str, np.ndarray, str]], kind: str = "plain") -> dict:
    """Return vectors as rows, all on one scale: each with its word and what stands right of it."""
    rows = list(rows)
    most = float(max(np.abs(vector).max() for _, vector, _ in rows)) or 1.0
    return {
        "rows": [
            vector_row(word, word, vector, most, text, "total" if i == 0 and kind == "asked" else "plain")
            for i, (word, vector, text) in enumerate(rows)
        ],
        "sum": "",
    }


def draw_products(
    first: str, others: Sequence[str], vectors: Mapping[str, np.ndarray], digits: int = 2
) -> dict:
    """Return a word, and for each other one its vector and the products with the first, whose sum is the cosine.

    The vectors (d,) are scaled to length 1.
    """
    x = vectors[first]
    most = float(max(np.abs(vectors[word]).max() for word in (first, *others))) or 1.0
    products = {word: x * vectors[word] for word in others}
    largest = float(max(np.abs(each).max() for each in products.values())) or 1.0
    rows = [vector_row(first, first, x, most)]
    for word, product in products.items():
        rows.append(vector_row(word, word, vectors[word], most))
        name = WORDS.label("row.product", one=first, other=word)
        total = f"Σ = {signed(float(product.sum()), digits)}"
        rows.append(vector_row(f"product.{word}", name, product, largest, total, hue=None))
    return {"rows": rows, "sum": ""}


def vector_row(
    mark: str,
    name: str,
    cells: np.ndarray,
    most: float,
    text: str = "",
    kind: str = "plain",
    hue: str | None = "",
) -> dict:
    """Return one row of the view "vector_rows"; its hue is its word's group's, unless one is given."""
    return {
        "mark": mark,
        "name": name,
        "note": "",
        "hue": HUES.get(name) if hue == "" else hue,
        "kind": kind,
        "cells": [round(float(each), 4) for each in cells],
        "most": round(most, 4),
        "text": text,
        "parts": 1,
    }


# The lab.


def cosine_squares(sets: Mapping[str, WordVectors], height: int = 520) -> Figure:
    """Return for each named set the cosine of every word with every other, as squares beside each other."""
    figure = subplots(1, len(sets), tuple(sets), horizontal_spacing=0.12)
    figure.update_layout(blank(height).layout)
    for column, vectors in enumerate(sets.values(), 1):
        words: Sequence[str] = vectors.words[:NAMED]
        units = vectors.units[: len(words)]
        figure.add_trace(
            heatmap(
                z=np.round(units.astype(float) @ units.T.astype(float), 6),
                x=list(words),
                y=list(words),
                coloraxis="coloraxis",
                hovertemplate="%{y}, %{x}: %{z:.3f}<extra></extra>",
            ),
            row=1,
            col=column,
        )
    figure.update_layout(coloraxis={"colorscale": DIVERGING, "cmin": -1, "cmax": 1}, margin={"t": 40})
    figure.update_xaxes(type="category", dtick=1)
    figure.update_yaxes(type="category", autorange="reversed", dtick=1)
    return figure
