"""Pictures of words made of n-grams: neighbours beside word2vec's, what each part carries, and shared buckets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from core.figures.blank import FONT_SIZE, blank, write_axes
from core.figures.figure import Figure, bar, scatter, subplots
from core.figures.frame import bars, frame
from core.figures.palette import BLUE, GREY, VERMILLION
from core.figures.worked import made_by, number, signed, word
from core.models.word_vectors.fasttext import FastText, bucket, fnv_hash
from core.models.word_vectors.unseen_words import Misspelling, by_chance
from core.models.word_vectors.word_vectors import Neighbour

ROWS_AT_MOST = 24  # n-grams of one length in a picture


def beside_figure(sides: Sequence[tuple[str, Sequence[Neighbour], str]], height: int = 330) -> Figure:
    """Return the neighbours of a word in two sets as bars; a side is its title, its neighbours, and why it has none."""
    figure = subplots(1, len(sides), tuple(title for title, *_ in sides), horizontal_spacing=0.2)
    figure.update_layout(blank(height).layout, margin={"t": 34}, showlegend=False)
    figure.update_annotations(font_size=FONT_SIZE)
    write_axes(figure)
    for column, ((_, near, why), colour) in enumerate(zip(sides, (BLUE, VERMILLION), strict=False), 1):
        figure.add_trace(
            bar(
                x=[each.similarity for each in near],
                y=[each.word for each in near],
                orientation="h",
                marker={"color": colour},
                hovertemplate="%{y}: %{x:.4f}<extra></extra>",
            ),
            1,
            column,
        )
        figure.update_xaxes(1, column, title="cosine", range=[min(0, *(n.similarity for n in near), 0), 1])
        figure.update_yaxes(1, column, autorange="reversed", type="category")
        if not near:
            figure.update_xaxes(1, column, visible=False)
            figure.update_yaxes(1, column, visible=False)
            axis = figure.panel(1, column)
            figure.add_annotation(
                xref=f"x{axis} domain", yref=f"y{axis} domain", x=0.5, y=0.5, text=why, showarrow=False
            )
    return figure


def carried_frames(
    names: Sequence[str], shares: np.ndarray, own: bool, nearest: str, known: Sequence[bool]
) -> list[dict]:
    """Return the parts of a word, one length after the other, with what each adds to the cosine with `nearest`.

    names, shares: the parts and what they add; own: whether the first is the word itself; known: whether each n-gram is
    in a word that was learnt.

    >>> steps = carried_frames(["<at", "at>", "<at>"], np.array([0.5, 0.2, -0.1]), False, "cat", [True] * 3)
    >>> [step["said"] for step in steps][1]
    'The n-gram of 4 characters adds −0.10; together it is the cosine with “cat”, 0.60.'
    """
    lengths = [0 if own and not i else len(name) for i, name in enumerate(names)]
    steps, total = [], 0.0
    for place, length in enumerate(sorted(set(lengths))):
        some = [i for i, each in enumerate(lengths) if each == length]
        part = float(shares[some].sum())
        total += part
        shown = some[:ROWS_AT_MOST]
        column = ("adds to the cosine", shares[shown], [signed(float(shares[i]), 3) for i in shown])
        last = place == len(set(lengths)) - 1
        what = "The word's own vector adds" if not length else grams_add(len(some), length)
        so_far = f"together it is the cosine with “{nearest}”, " if last else "so far "
        unseen = sum(not known[i] for i in some)
        notes = [] if not unseen or not length else [unseen_note(unseen, len(some))]
        if len(some) > len(shown):
            notes.append(f"Drawn are the first {len(shown)} of them.")
        largest = int(np.argmax(shares[shown]))
        steps.append(
            frame(
                "the word itself" if not length else f"n = {length}",
                bars([names[i] for i in shown], [column], largest),
                f"What each part of length {length} adds" if length else "What the word's own vector adds",
                f"{what} {signed(part)}; {so_far}{signed(total)}.",
                notes,
            )
        )
    return steps


def grams_add(n: int, length: int) -> str:
    """Return the beginning of a sentence about n n-grams.

    >>> grams_add(1, 6), grams_add(4, 3)
    ('The n-gram of 6 characters adds', 'The 4 n-grams of 3 characters add')
    """
    return (
        f"The n-gram of {length} characters adds" if n == 1 else f"The {n} n-grams of {length} characters add"
    )


def unseen_note(unseen: int, of: int) -> str:
    """Say how many n-grams are in no word that was learnt.

    >>> unseen_note(1, 3)
    '1 of 3 is in no word that was learnt: its bucket holds what chance or another n-gram put there.'
    """
    are, their = ("is", "its bucket holds") if unseen == 1 else ("are", "their buckets hold")
    return (
        f"{unseen} of {of} {are} in no word that was learnt: {their} what chance or another n-gram put there."
    )


def sharing_figure(sizes: Sequence[int], shares: Sequence[float], n: int, chosen: int) -> Figure:
    """Return the share of n n-grams that share their bucket, for some numbers of buckets, and what chance foresees."""
    figure = blank(300, "buckets B", "n-grams that share")
    many = np.geomspace(min(sizes), max(sizes), 80)
    hover = "B = %{x:,.0f}: %{y:.1%}<extra></extra>"
    drawn = (
        ("at random", many, [by_chance(n, B) for B in many], {"mode": "lines", "line": {"color": GREY}}),
        ("by their hashes", sizes, shares, {"mode": "markers", "marker": {"color": BLUE, "size": 10}}),
    )
    for name, x, y, look in drawn:
        figure.add_trace(scatter(x=list(x), y=list(y), name=name, hovertemplate=hover, **look))
    figure.add_vline(x=chosen, line={"color": VERMILLION, "dash": "dot"})
    figure.update_xaxes(type="log", dtick=1, exponentformat="none", tickformat=",")
    return figure.update_yaxes(tickformat=".0%", range=[0, 1.05])


def parts_table(model: FastText, typed: str, nearest: str, shares: np.ndarray) -> tuple:
    """Return the table of a word's parts, and the formula of what each adds to the cosine."""
    names, z = model.parts(typed)
    v, other = z.mean(axis=0), model.vector(nearest)
    own = len(names) and typed in model.vocabulary_
    grams = [None if own and not i else name for i, name in enumerate(names)]
    dots = z @ other
    table = pd.DataFrame(
        {
            "part": names,
            "hash": [None if gram is None else fnv_hash(gram) for gram in grams],
            "bucket": [None if gram is None else bucket(gram, model.buckets) for gram in grams],
            "length of z": np.linalg.norm(z, axis=1),
            "z·v": dots,
            "adds to the cosine": shares,
        }
    )
    lengths = float(np.linalg.norm(v)), float(np.linalg.norm(other))

    def formula(row: int, column: str) -> str | None:
        gram = grams[row]
        return {
            "hash": gram and rf"{made_by(fnv_hash)} h({word(gram)}) = {fnv_hash(gram)}",
            "bucket": gram and rf"{fnv_hash(gram)} \bmod {model.buckets} = {bucket(gram, model.buckets)}",
            "adds to the cosine": rf"\frac{{z_g \cdot v_o}}{{|G_w|\,|v_w|\,|v_o|}} = \frac{{{number(float(dots[row]))}}}"
            rf"{{{len(names)} \cdot {number(lengths[0])} \cdot {number(lengths[1])}}} = {number(float(shares[row]))}",
        }.get(column)

    return table, formula


def misspelt_table(some: Sequence[Misspelling]) -> pd.DataFrame:
    """Return the table of misspelt words, with the known word that each one's vector is nearest to."""
    return pd.DataFrame([vars(each) for each in some]).assign(
        found=[each.meant == each.nearest for each in some]
    )


def sharing_table(sizes: Sequence[int], shares: Sequence[float], n: int) -> tuple:
    """Return the table of shared buckets, and the formula of what chance foresees."""
    table = pd.DataFrame(
        {"buckets": sizes, "share a bucket": shares, "at random": [by_chance(n, B) for B in sizes]}
    )

    def formula(row: int, column: str) -> str | None:
        B = sizes[row]
        filled = rf"1 - \left(1 - \tfrac{{1}}{{{B}}}\right)^{{{n} - 1}} = {number(by_chance(n, B))}"
        return filled if column == "at random" else None

    return table, formula
