"""Pictures of sums of words: a parallelogram in its own plane, shares of contexts, cosines as bars; the lab's map."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from core.figures.arrow import add_arrow
from core.figures.blank import FONT_SIZE
from core.figures.figure import Figure
from core.figures.layer_bars import join_panels, make_panel, make_row
from core.figures.palette import BLUE, GREEN, GREY, OCHRE, PINK, VERMILLION, faded
from core.figures.word_plane import plane_arrow, plane_point, word_plane
from core.figures.word_vectors.map_view import map_view, numbers
from core.figures.word_vectors.word_map import links, map_frame, points
from core.models.word_vectors.projection import Projection, project
from core.models.word_vectors.vector_tests import AnalogyScore
from core.models.word_vectors.word_arithmetic import Arithmetic, corners
from core.models.word_vectors.word_vectors import Neighbour, WordVectors
from core.models.word_vectors.world_analogies import share, total
from core.words.numbers import percent, signed
from pages.word_vectors.shared import WORDS as SHARED
from pages.word_vectors.word_arithmetic import LESSON

WORDS = LESSON.words
ASKED, FOUND, STEP, SUM, TAKEN = (
    "blue",
    "pink",
    "green",
    "ochre",
    "vermillion",
)  # hues: the question's words, others, + , the sum, −
LONGEST_NAME = 30  # characters of a sum that is written at its star
OFTEN = 10  # questions of a kind, from which on a share says something
NAMED_ARROWS = 6  # more names than this cover one another

# The story: sums in a plane.


def draw_sum(vectors: WordVectors, sum_: Arithmetic) -> dict:
    """Return a sum and its best answer: a - b + c in the plane of its own words, any other sum as arrows in a row.

    Other answers are not drawn: dropped onto the plane, one could be nearer to the sum than the best is.
    """
    asked = list(dict.fromkeys(term.word for term in sum_.terms))
    shown = vectors.subset([*asked, *(each.word for each in sum_.answers)])
    found = corners(sum_)
    if found:
        place = plane_of(*(vectors[word] for word in found))
        first, second, third = (place(vectors[word]) for word in found)
        end = place(sum_.result)
        name = f"{found[2]} − {found[1]}"
        arrows = [
            plane_arrow("side.0", second, first, "grey", "link"),
            plane_arrow("side.1", third, end, "grey", "link"),
            plane_arrow("step.0", second, third, STEP, "strong", name),
            plane_arrow("step.1", first, end, STEP, "strong", name),
        ]
        zero, key = [], [("arrow", STEP, WORDS.label("sign.step"))]
    else:
        place = project(shown.vectors).place
        stops = place(np.vstack([np.zeros(vectors.dimension), sum_.partial_sums]))
        end = stops[-1]
        named = len(sum_.terms) <= NAMED_ARROWS
        arrows = [
            plane_arrow(
                f"term.{i}",
                *stop,
                STEP if term.weight > 0 else TAKEN,
                "arrow",
                written(term.weight, term.word) if named else "",
            )
            for i, (term, stop) in enumerate(zip(sum_.terms, pairwise(stops), strict=True))
        ]
        zero = [plane_point("0", stops[0], "grey")]
        key = [("arrow", STEP, WORDS.label("sign.plus")), ("arrow", TAKEN, WORDS.label("sign.minus"))]
    best = sum_.answers[0]
    nearest = WORDS.label("link.cosine", cosine=best.similarity)
    arrows.append(plane_arrow("nearest", end, place(vectors[best.word]), SUM, "line", nearest))
    drawn = [star(end, WORDS.label("star") if len(said(sum_)) > LONGEST_NAME else said(sum_))]
    drawn += [plane_point(best.word, place(vectors[best.word]), FOUND, "strong")]
    drawn += [plane_point(word, place(vectors[word]), ASKED) for word in asked if word != best.word]
    key = [("plain", ASKED, WORDS.label("sign.asked")), ("plain", FOUND, WORDS.label("sign.nearest")), *key]
    return word_plane([*drawn, *zero], arrows, [*key, ("star", SUM, WORDS.label("sign.sum"))])


def plane_of(first: np.ndarray, second: np.ndarray, third: np.ndarray):
    """Return the function from vectors (d,) to their places in the plane of three: `second` is at 0, `first` to its right.

    >>> place = plane_of(np.array([3.0, 0, 0]), np.array([1.0, 0, 0]), np.array([1.0, 2, 0]))
    >>> place(np.array([4.0, 5, 6])).tolist()
    [3.0, 5.0]
    """
    right = np.asarray(first, float) - second
    right = right / np.linalg.norm(right)
    up = np.asarray(third, float) - second
    up = up - (up @ right) * right
    axes = np.stack([right, up / np.linalg.norm(up)])
    return lambda vector: axes @ (vector - second)


def star(place: np.ndarray, text: str) -> dict:
    """Return the star where a sum ends."""
    return plane_point("sum", place, SUM, "star", text)


def draw_angle(vectors: WordVectors, words: tuple[str, str, str, str]) -> tuple[dict, float]:
    """Return the steps c - b and d - a of four words (a, b, c, d) as arrows from one start, and their cosine.

    Two arrows always fit into one plane, so lengths and angle are those of all dimensions.
    """
    first, second, third, last = (vectors[word].astype(float) for word in words)
    step, true = third - second, last - first
    lengths = np.linalg.norm(step), np.linalg.norm(true)
    cosine = float(step @ true / (lengths[0] * lengths[1]))
    end = np.array([0, lengths[0]])
    tip = lengths[1] * np.array([-np.sqrt(1 - cosine**2), cosine])
    a, b, c, d = words
    drawn = [
        star(end, f"{a} − {b} + {c}"),
        plane_point(d, tip, FOUND, "strong"),
        plane_point(a, (0, 0), ASKED),
    ]
    arrows = [
        plane_arrow("step.1", (0, 0), end, STEP, "strong", f"{c} − {b}"),
        plane_arrow("true", (0, 0), tip, FOUND, "strong", f"{d} − {a}"),
    ]
    title = WORDS.label("angle.title", cosine=cosine)
    return word_plane(drawn, arrows, title=title), cosine


def draw_pairs(pairs: Sequence[tuple[str, str]], places: Mapping[str, np.ndarray], strong: Sequence) -> dict:
    """Return pairs of words with an arrow from each first to its second; the others than `strong` are faint."""
    drawn, arrows = [], []
    for pair in sorted(pairs, key=lambda each: each not in strong):
        stands_out = pair in strong
        hues = (ASKED, FOUND if pair == strong[-1] else ASKED) if stands_out else ("grey", "grey")
        for word, hue in zip(pair, hues, strict=True):
            drawn.append(plane_point(word, places[word], hue, "strong" if stands_out else "plain"))
        hue, kind = (STEP, "strong") if stands_out else ("grey", "arrow")
        arrows.append(plane_arrow(".".join(pair), *(places[word] for word in pair), hue, kind))
    key = [("arrow", STEP, WORDS.label("sign.both")), ("arrow", "grey", WORDS.label("sign.pairs"))]
    return word_plane(drawn, arrows, key)


def said(sum_: Arithmetic) -> str:
    """Return a sum as it is read: king − man + woman."""
    text = " ".join(written(term.weight, term.word) for term in sum_.terms)
    return text.removeprefix("+ ")


# The story: tables and bars.


def draw_shares(
    words: Sequence[str], contexts: Sequence[str], shares: Mapping[str, Mapping[str, float]]
) -> dict:
    """Return the table of how many of each word's sentences hold each context; what is never met is empty."""
    return {
        "columns": [{"word": context, "count": 0} for context in contexts],
        "rows": [{"name": word, "hue": FOUND if word == words[-1] else ASKED} for word in words],
        "cells": [
            [
                {
                    "text": percent(shares[word][context], 0),
                    "kind": "best" if shares[word][context] else "empty",
                }
                for word in words
            ]
            for context in contexts
        ],
        "fields": [],
        "arrows": [],
        "lines": [],
        "given": None,
        "axis": WORDS.label("axis"),
        "measure": WORDS.label("measure"),
        "row": WORDS.label("measure.row"),
    }


def draw_ratios(panels: Mapping[str, Mapping[str, float]]) -> dict:
    """Return ratios as bars on a scale of their logarithms, a panel for each pair of words."""
    logs = [abs(np.log2(ratio)) for ratios in panels.values() for ratio in ratios.values()]
    most = float(max(logs))
    return join_panels(
        *(
            make_panel(
                title,
                most,
                [
                    bar(context, float(np.log2(ratio)), times(ratio), STEP, "best", f"{i}.{context}")
                    for context, ratio in ratios.items()
                ],
                least=-most,
            )
            for i, (title, ratios) in enumerate(panels.items())
        )
    )


def times(ratio: float) -> str:
    """Return a ratio in words, as a factor or a divisor.

    >>> times(72.1), times(0.01), times(0.88)
    ('× 72', '÷ 100', '× 0.9')
    """
    if ratio >= 2:
        return f"× {ratio:.0f}"
    return f"÷ {1 / ratio:.0f}" if ratio <= 0.5 else f"× {ratio:.1f}"


def draw_nearest(panels: Mapping[str, Sequence[Neighbour]], best: str, asked: Sequence[str] = ()) -> dict:
    """Return words with their cosines as bars, a panel for each list; `asked` are words of the question."""
    return join_panels(
        *(
            make_panel(
                title,
                1,
                [
                    bar(
                        near.word,
                        near.similarity,
                        signed(near.similarity),
                        ASKED if near.word in asked else FOUND,
                        "best" if near.word == best else "plain",
                        f"{i}.{near.word}",
                    )
                    for near in listed
                ],
            )
            for i, (title, listed) in enumerate(panels.items())
        )
    )


def draw_open(title: str, words: Sequence[str]) -> dict:
    """Return the same for words whose cosines are not shown yet."""
    rows = [bar(word, 1.0, WORDS.label("open"), "grey", "open", f"0.{word}") for word in words]
    return join_panels(make_panel(title, 1, rows))


def draw_scores(scores: Sequence[AnalogyScore], without_step: Sequence[AnalogyScore]) -> dict:
    """Return the share of analogies solved: of all, of all without a step, and of each kind that was asked often."""
    rows = [
        score_bar("all", WORDS.label("all"), *total(scores), share(scores), "total"),
        score_bar(
            "no_step", WORDS.label("no_step"), *total(without_step), share(without_step), "plain", "grey"
        ),
    ]
    rows += [
        score_bar(f"kind.{i}", SHARED.label(f"kind.{i}"), each.right, each.asked, each.accuracy, "plain")
        for i, each in enumerate(scores)
        if each.asked >= OFTEN
    ]
    return join_panels(make_panel(WORDS.label("score.title"), 1, rows))


def score_bar(
    mark: str, name: str, right: int, asked: int, solved: float, kind: str, hue: str = "sky"
) -> dict:
    """Return the bar of one kind of analogy."""
    made = bar(name, solved, percent(solved, 0), hue, kind, mark)
    return {**made, "note": WORDS.label("score.note", right=right, asked=asked)}


def bar(name: str, end: float, text: str, hue: str, kind: str, mark: str) -> dict:
    """Return a row of the view "layer_bars"."""
    return make_row(name, mark, round(end, 4), text, kind=kind, hue=hue)


# The lab and the card.


def arithmetic_view(vectors: WordVectors, sum_: Arithmetic, projection: Projection, **fields: object) -> dict:
    """Return the map of a sum: a - b + c as a parallelogram with its four corners, any other sum as arrows in a row.

    `projection` is a map of `vectors`, the words of the question and its answers. A line joins the sum to the nearest.
    """
    asked = dict.fromkeys((term.word for term in sum_.terms), WORDS.label("sign.asked"))
    others = WORDS.label("sign.found")
    data = map_view(vectors.words, projection, theme_of=lambda word: asked.get(word, others), **fields)
    count, best = len(vectors), vectors.row(sum_.answers[0].word)
    stops = sum_.partial_sums[-1:]
    found = corners(sum_)
    if found:
        a, b, c = vectors.rows(found)
        step = f"{vectors.words[c]} − {vectors.words[b]}"
        arrows = [
            arrow(b, c, step, "green"),
            arrow(a, count, step, "green"),
            side(b, a, "pink"),
            side(c, count, "pink"),
        ]
    else:
        stops = np.vstack([np.zeros(vectors.dimension), sum_.partial_sums])
        arrows = [
            arrow(
                count + i, count + j, written(term.weight, term.word), "green" if term.weight > 0 else "pink"
            )
            for term, (i, j) in zip(sum_.terms, pairwise(range(len(stops))), strict=True)
        ]
    tip = count + len(stops) - 1
    names = ["0" if not found and i == 0 else "" for i in range(len(stops) - 1)]
    return {
        **data,
        "places": numbers(projection.coordinates, projection.place(stops)),
        "points": [
            *({"name": name, "mark": "circle", "hue": "grey"} for name in names),
            {"name": WORDS.label("star"), "mark": "star", "hue": "ochre"},
        ],
        "arrows": [*arrows, side(tip, best, "ochre")],
    }


def arrow(start: int, end: int, name: str, hue: str) -> dict:
    """Return an arrow between two points of a map."""
    return {"from": start, "to": end, "name": name, "hue": hue, "head": True, "dashed": False}


def side(start: int, end: int, hue: str) -> dict:
    """Return a dashed line between two points of a map."""
    return {"from": start, "to": end, "name": "", "hue": hue, "head": False, "dashed": True}


def written(weight: float, word: str) -> str:
    """Return a term of a sum in words.

    >>> written(-2, "king"), written(1, "man")
    ('− 2 king', '+ man')
    """
    factor = "" if abs(weight) == 1 else f"{abs(weight):g} "
    return f"{'+' if weight > 0 else '−'} {factor}{word}"


def named_arrow(figure: Figure, start: np.ndarray, end: np.ndarray, name: str, colour: str) -> None:
    """Draw an arrow between two points of a figure, with its name at the middle."""
    add_arrow(figure, start, end, colour, width=2.5)
    x, y = (start + end) / 2
    font = {"size": FONT_SIZE, "color": colour}
    figure.add_annotation(x=x, y=y, text=name, yshift=12, showarrow=False, font=font)


def arithmetic_map(
    vectors: WordVectors, sum_: Arithmetic, projection: Projection, height: int = 520
) -> Figure:
    """Return a sum of words as arrows from the origin through its partial sums, among the words it comes near.

    `projection` is a map of `vectors`, the words of the question and its answers; a line joins the sum to the nearest.
    """
    figure = map_frame(projection, height)
    asked = list(dict.fromkeys(term.word for term in sum_.terms))
    answers = [word for word in vectors.words if word not in asked]
    for group, colour, name in ((asked, BLUE, "sign.asked"), (answers, VERMILLION, "sign.found")):
        if group:
            places = projection.place(vectors.subset(group).vectors)
            label = WORDS.label(name)
            figure.add_trace(points(group, places, True, colour, 9, name=label, showlegend=True))
    stops = projection.place(np.vstack([np.zeros(vectors.dimension), sum_.partial_sums]))
    for term, (start, end) in zip(sum_.terms, pairwise(stops), strict=True):
        colour = GREEN if term.weight > 0 else PINK
        named_arrow(figure, start, end, written(term.weight, term.word), colour)
    nearest = projection.place(vectors[sum_.answers[0].word])
    figure.add_trace(links(stops[-1], nearest[None], faded(OCHRE, 0.9)))
    figure.add_trace(points(["0"], stops[:1], True, GREY, 8))
    figure.add_trace(points([WORDS.label("star")], stops[-1:], True, OCHRE, 16, marker_symbol="star"))
    return figure
