"""Pictures of words made of n-grams: their pieces with the nearest words, vectors that are averaged, shared buckets."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

import numpy as np
import pandas as pd

from core.figures.blank import blank
from core.figures.figure import Figure, scatter
from core.figures.layer_bars import make_panel, make_row
from core.figures.palette import BLUE, GREY, VERMILLION
from core.figures.worked import made_by, number, word
from core.models.word_vectors.fasttext import FastText, bucket, character_ngrams, fnv_hash
from core.models.word_vectors.unseen_words import Misspelling, by_chance
from core.models.word_vectors.word_vectors import Neighbour
from core.words.numbers import signed
from pages.word_vectors.subwords import LESSON

WORDS = LESSON.words
UNSEEN, KNOWN, WRONG = (
    "ochre",
    "blue",
    "vermillion",
)  # the hue of what was never seen, of known words, of a mistake
ROW_AT_MOST = 24  # n-grams of one length in a picture
FAINT = 0.3  # the depth of a chip's colour where it shows no number


def draw_word(
    typed: str,
    names: Sequence[str] = (),
    own: bool = False,
    shares: np.ndarray | None = None,
    known: Container[str] | None = None,
    of_other: Container[str] = (),
    other: str = KNOWN,
    valued: bool = False,
    note: str = "",
    sides: Sequence[dict] = (),
    key: Sequence[str] = (),
    sum_: str = "",
) -> dict:
    """Return the data of the view "word_pieces": a word, its parts in rows by length, and lists of nearest words.

    names, own: the parts of the word, and whether the first is the word itself; `shares` what each adds to a cosine, which
    is written where they are `valued`. `known` are all n-grams of known words, `of_other` those of one known word, whose
    hue is `other`.
    """
    lengths = [0 if own and not i else len(name) for i, name in enumerate(names)]
    deepest = float(np.abs(shares).max()) if shares is not None and len(shares) else 0.0

    def chip(i: int) -> dict:
        name = names[i]
        learned = not lengths[i] or known is None or name in known
        share = FAINT if not deepest else max(0.0, float(shares[i]) / deepest)
        return {
            "text": name,
            "mark": f"gram.{name}" if lengths[i] else "own",
            "value": signed(float(shares[i])) if valued else "",
            "share": share,
            "hue": other if name in of_other or not lengths[i] else UNSEEN,
            "kind": "plain" if learned else "new",
        }

    rows = []
    for length in sorted(set(lengths)):
        some = [i for i, each in enumerate(lengths) if each == length]
        more = len(some) - ROW_AT_MOST
        rows.append(
            {
                "name": WORDS.label("row.own" if not length else "row.length", n=length),
                "total": WORDS.label("row.total", total=signed(float(np.sum(shares[some]))))
                if valued
                else "",
                "more": WORDS.label("row.more", n=more) if more > 0 else "",
                "chips": [chip(i) for i in some[:ROW_AT_MOST]],
            }
        )
    letters = [("<", True), *((letter, False) for letter in typed), (">", True)]
    return {
        "letters": [{"text": text, "edge": edge} for text, edge in letters],
        "note": note,
        "hue": UNSEEN,
        "rows": rows,
        "empty": WORDS.label("pieces.none"),
        "measure": WORDS.label("measure") if valued else "",
        "sides": list(sides),
        "key": [
            {
                "text": WORDS.label(f"key.{each}"),
                "hue": other if each == "shared" else UNSEEN,
                "kind": kind_of(each),
            }
            for each in key
        ],
        "sum": sum_,
    }


def kind_of(key: str) -> str:
    """Return the kind of chip that an entry of the key explains."""
    return "new" if key == "new" else "plain"


def draw_side(title: str, near: Sequence[Neighbour], empty: str = "", hue: str = KNOWN) -> dict:
    """Return a list of nearest words for the view "word_pieces", each with a bar as long as its cosine."""
    return {
        "title": title,
        "empty": empty,
        "rows": [
            {
                "name": each.word,
                "mark": f"near.{each.word}",
                "value": signed(each.similarity),
                "share": max(0.0, float(each.similarity)),
                "hue": hue,
                "kind": "plain" if place else "best",
            }
            for place, each in enumerate(near)
        ],
    }


def draw_vector(
    mark: str,
    name: str,
    cells: np.ndarray,
    note: str = "",
    hue: str = KNOWN,
    kind: str = "plain",
    text: str = "",
) -> dict:
    """Return a row of the view "vector_rows"; each row's largest number has the deepest colour."""
    most = float(np.abs(cells).max()) if len(cells) else 0.0
    return {
        "mark": mark,
        "name": name,
        "note": note,
        "hue": hue,
        "kind": kind,
        "cells": [round(float(each), 4) for each in cells],
        "most": round(most, 4),
        "text": text,
        "parts": 1,
    }


def draw_bars(title: str, rows: Sequence[Mapping], least: float = 0.0, most: float = 1.0) -> dict:
    """Return a panel of the view "layer_bars", each bar from 0 to its value."""
    return make_panel(title, most, [make_row(**{"hue": KNOWN, **row}) for row in rows], least=least)


def sharing_figure(sizes: Sequence[int], shares: Sequence[float], n: int, chosen: int) -> Figure:
    """Return the share of n n-grams that share their bucket, for some numbers of buckets, and what chance gives."""
    figure = blank(300, WORDS.label("sharing.x"), WORDS.label("sharing.y"))
    many = np.geomspace(min(sizes), max(sizes), 80)
    hover = "B = %{x:,.0f}: %{y:.1%}<extra></extra>"
    drawn = (
        ("random", many, [by_chance(n, B) for B in many], {"mode": "lines", "line": {"color": GREY}}),
        ("hashed", sizes, shares, {"mode": "markers", "marker": {"color": BLUE, "size": 10}}),
    )
    for name, x, y, look in drawn:
        label = WORDS.label(f"sharing.{name}")
        figure.add_trace(scatter(x=list(x), y=list(y), name=label, hovertemplate=hover, **look))
    figure.add_vline(x=chosen, line={"color": VERMILLION, "dash": "dot"})
    figure.update_xaxes(type="log", dtick=1, exponentformat="none", tickformat=",")
    return figure.update_yaxes(tickformat=".0%", range=[0, 1.05])


def named(table: dict, prefix: str) -> pd.DataFrame:
    """Return a table whose columns have their labels."""
    return pd.DataFrame({WORDS.label(f"{prefix}.{column}"): values for column, values in table.items()})


def parts_table(model: FastText, typed: str, nearest: str, shares: np.ndarray) -> tuple:
    """Return the table of a word's parts, and the formula of what each adds to the cosine."""
    names, z = model.parts(typed)
    v, other = z.mean(axis=0), model.vector(nearest)
    own = len(names) > len(character_ngrams(typed, model.least, model.most))
    grams = [None if own and not i else name for i, name in enumerate(names)]
    dots = z @ other
    table = {
        "part": names,
        "hash": [None if gram is None else fnv_hash(gram) for gram in grams],
        "bucket": [None if gram is None else bucket(gram, model.buckets) for gram in grams],
        "length": np.linalg.norm(z, axis=1),
        "dot": dots,
        "adds": shares,
    }
    lengths = float(np.linalg.norm(v)), float(np.linalg.norm(other))

    def formula(row: int, column: str) -> str | None:
        gram = grams[row]
        return {
            WORDS.label("parts.hash"): gram and rf"{made_by(fnv_hash)} h({word(gram)}) = {fnv_hash(gram)}",
            WORDS.label("parts.bucket"): gram
            and rf"{fnv_hash(gram)} \bmod {model.buckets} = {bucket(gram, model.buckets)}",
            WORDS.label(
                "parts.adds"
            ): rf"\frac{{z_g\cdot{{}}v_o}}{{|G_w|\,|v_w|\,|v_o|}}=\frac{{{number(float(dots[row]))}}}"
            rf"{{{len(names)} \cdot {number(lengths[0])} \cdot {number(lengths[1])}}} = {number(float(shares[row]))}",
        }.get(column)

    return named(table, "parts"), formula


def misspelt_table(some: Sequence[Misspelling]) -> pd.DataFrame:
    """Return the table of misspelt words, with the known word that each one's vector is nearest to."""
    columns = {
        name: [getattr(each, name) for each in some] for name in ("meant", "written", "nearest", "cosine")
    }
    return named({**columns, "found": [each.meant == each.nearest for each in some]}, "misspelt")


def sharing_table(sizes: Sequence[int], shares: Sequence[float], n: int) -> tuple:
    """Return the table of shared buckets, and the formula of what chance gives."""
    random = [by_chance(n, B) for B in sizes]
    table = named({"buckets": sizes, "share": shares, "random": random}, "sharing")

    def formula(row: int, column: str) -> str | None:
        B = sizes[row]
        filled = rf"1 - \left(1 - \tfrac{{1}}{{{B}}}\right)^{{{n} - 1}} = {number(by_chance(n, B))}"
        return filled if column == WORDS.label("sharing.random") else None

    return table, formula
