"""Pictures of beam search: the story's lattice of partial texts and its bars, the lab's curve and its tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from core.figures.blank import blank
from core.figures.figure import Figure, scatter
from core.figures.generation.beam_search import level_order
from core.figures.generation.text_numbers import Formula, worked_mean, worked_sum, write_beam_score
from core.figures.layer_bars import join_panels, make_panel, make_row
from core.figures.n_grams.ngram import escape_label
from core.figures.palette import BLUE, VERMILLION
from core.figures.text_tree import Box, draw_boxes
from core.figures.token_label import label_token
from core.figures.worked import number
from core.models.generation.beam_search import BeamTree, Node
from core.models.generation.scored_text import ScoredText
from core.words.numbers import signed
from pages.generation.beam_search import LESSON
from pages.generation.shared import WORDS as SHARED
from pages.generation.shared.text_tree import name_after, name_column

WORDS = LESSON.words


# The story.


def draw_partial_texts(
    prompt: str, boxes: Sequence[Box], names: Sequence[str], key: Mapping[str, str]
) -> dict:
    """Return the data of the view "text_tree": partial texts behind a prompt with ln p; `key` explains kinds of marks."""

    def write(box: Box) -> tuple[str, str]:
        before = names[box.path[-2]] if len(box.path) > 1 else ""
        return name_after(before, names[box.path[-1]]), signed(box.total)

    explained = {kind: SHARED.label(f"key.{name}") for kind, name in key.items()}
    return draw_boxes(prompt, boxes, write, name_column, explained)


def draw_bars(title: str, rows: Sequence[dict], most: float, total: str = "") -> dict:
    """Return the data of the view "layer_bars" with one panel of bars that begin at 0."""
    return join_panels(make_panel(title, most, [make_row(**row) for row in rows]), sum_=total)


# The lab.


def draw_widths(
    widths: Sequence[int], scores: Sequence[float], texts: Sequence[str], chosen: int, height: int = 300
) -> Figure:
    """Return the score of the best text against the beam's width; the chosen width stands out.

    Written are the scores of the chosen, the best and the least width, if they have room; all are at the pointer.

    >>> draw_widths([1, 2], [-0.9, -0.7], ["so", "be"], chosen=2).data[0].y
    [-0.9, -0.7]
    """
    figure = blank(height, WORDS.label("axis.width"), WORDS.label("axis.score"))
    written = []
    for width in (chosen, widths[scores.index(max(scores))], widths[0]):
        if all(abs(width - other) > 1 for other in written):  # near another's score there is no room
            written.append(width)
    figure.add_trace(
        scatter(
            x=list(widths),
            y=list(scores),
            mode="lines+markers+text",
            line={"color": BLUE, "width": 3},
            marker={"size": 11, "color": [VERMILLION if width == chosen else BLUE for width in widths]},
            text=[
                signed(score, 3) if width in written else ""
                for width, score in zip(widths, scores, strict=True)
            ],
            textposition="top center",
            customdata=[
                [signed(score, 3), escape_label(text)] for score, text in zip(scores, texts, strict=True)
            ],
            hovertemplate=WORDS.label("widths.hover") + "<extra></extra>",
            cliponaxis=False,
        )
    )
    low, high = min(scores), max(scores)
    room = max(0.25 * (high - low), 0.01)
    figure.update_yaxes(range=[low - room, high + 2 * room])
    return figure.update_xaxes(dtick=1)


def label_columns(table: dict[str, object]) -> tuple[pd.DataFrame, dict[str, str]]:
    """Return a table whose columns have their labels, and the id of each label."""
    ids = {WORDS.label(f"column.{column}"): column for column in table}
    return pd.DataFrame(dict(zip(ids, table.values(), strict=True))), ids


def texts_table(texts: Sequence[ScoredText], write, penalty: float) -> tuple[pd.DataFrame, Formula]:
    """Return the numbers of several texts, and the rows' formulas."""
    table, ids = label_columns(
        {
            "way": [text.way for text in texts],
            "tokens": [len(text.tokens) for text in texts],
            "total": [text.total for text in texts],
            "mean": [text.mean for text in texts],
            "score": [text.score(penalty) for text in texts],
            "text": [label_token(write(text.tokens)) for text in texts],
        }
    )
    return table, lambda row, column: work_text(texts[row].ln_p, ids[column], penalty)


def candidates_table(
    tree: BeamTree, names: Sequence[str], write, penalty: float
) -> tuple[pd.DataFrame, Formula]:
    """Return all candidates of all steps, and the rows' formulas."""
    deepest = max(node.depth for node in tree.nodes)
    places = [place for level in level_order(tree, deepest) for place in level]
    nodes = [tree.nodes[place] for place in places]
    table, ids = label_columns(
        {
            "step": [node.depth for node in nodes],
            "text": [label_token(write(tree.path(place))) for place in places],
            "token": [label_token(names[node.token]) for node in nodes],
            "ln_p": [node.log_probability for node in nodes],
            "total": [node.total for node in nodes],
            "score": [node.score for node in nodes],
            "kept": [node.kept for node in nodes],
        }
    )
    return table, lambda row, column: work_candidate(nodes[row], ids[column], penalty)


def work_candidate(node: Node, column: str, penalty: float) -> str | None:
    """Return one number of a candidate: its ln p, which adds its token's, or its score."""
    if column == "total":
        before = node.total - node.log_probability
        return rf"{number(before)} + ({number(node.log_probability)}) = {number(node.total)}"
    return write_beam_score(node.total, node.depth, penalty) if column == "score" else None


def work_text(ln_p: np.ndarray, column: str, penalty: float) -> str | None:
    """Return one number of a text's row: its ln p, the mean of a token, or its score."""
    total, n = float(ln_p.sum()), len(ln_p)
    if column == "total":
        return worked_sum(ln_p)
    if column == "mean":
        return worked_mean(total, n)
    return write_beam_score(total, n, penalty) if column == "score" else None
