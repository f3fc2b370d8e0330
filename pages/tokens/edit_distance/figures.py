"""Pictures of edit distance: the table with its arrows and sums, and alignments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from core.figures.figure import Figure, bar, subplots
from core.figures.layer_bars import join_panels, make_panel, make_row
from core.figures.palette import HUES
from core.figures.token_grid import cell, token_grid
from core.figures.token_label import label_token
from core.figures.worked import number, word
from core.lesson.every_number import Formula
from core.models.tokens.edit_distance import DELETE, INSERT, SAME, SUBSTITUTE, WAYS, Edit, EditTable
from pages.tokens.edit_distance import LESSON

WORDS = LESSON.words
WAY_HUES = {"edits": "blue", "places": "vermillion"}
UNKNOWN = "?"  # a number that is still to come
HUE = "blue"
KINDS = {
    SAME: "kept",
    SUBSTITUTE: "again",
    INSERT: "new",
    DELETE: "level",
}  # of cells of the view "token_grid"
SHARE = 0.45  # of the colour of a deletion
Place = tuple[int, int]  # of a cell: i, j


def format_cost(cost: float) -> str:
    """Return a cost as a cell shows it.

    >>> format_cost(3.0), format_cost(1.5)
    ('3', '1.5')
    """
    return f"{cost:g}"


def draw_table(
    table: EditTable,
    kinds: Mapping[Place, str],
    arrows: Iterable[dict] = (),
    lines: Sequence[dict] = (),
    hidden: Iterable[Place] = (),
    operator: str = "+",
) -> dict:
    """Return the data of the view "score_table": rows are letters of the source, columns those of the target.

    `kinds` {(i, j): kind} are the cells that are filled, `hidden` those whose number is still to come.
    """
    hidden = set(hidden)

    def shown(i: int, j: int) -> dict:
        kind = kinds.get((i, j), "empty")
        text = UNKNOWN if (i, j) in hidden else "" if kind == "empty" else format_cost(table.distances[i, j])
        return {"text": text, "kind": kind}

    m, n = len(table.source), len(table.target)
    return {
        "columns": [{"word": label_token(each), "count": 0} for each in ("", *table.target)],
        "rows": [{"name": label_token(each), "hue": HUE} for each in ("", *table.source)],
        "cells": [[shown(i, j) for i in range(m + 1)] for j in range(n + 1)],
        "fields": [],
        "arrows": list(arrows),
        "lines": list(lines),
        "operator": operator,
        "given": None,
        "axis": "",
        "measure": WORDS.label("measure"),
        "row": WORDS.label("measure.row"),
        "told": tell_table(table, known=shown(m, n)["text"] not in ("", UNKNOWN)),
    }


def tell_table(table: EditTable, known: bool) -> str:
    """Return what a table shows, as who hears it is told; the distance of its last cell where it is known."""
    source, target = (write_beginning(each, len(each)) for each in (table.source, table.target))
    distance = format_cost(table.distance) if known else ""
    return WORDS.label("told.table", source=source, target=target, distance=distance)


def tell_alignment(source: Sequence[str], target: Sequence[str], edits: Sequence[Edit]) -> str:
    """Return an alignment as a list of its edits with their cost."""
    named = [
        WORDS.label(
            f"told.{edit.kind}",
            source=label_token(source[edit.i]) if edit.kind != INSERT else "",
            target=label_token(target[edit.j]) if edit.kind != DELETE else "",
        )
        for edit in edits
    ]
    texts = {"source": write_beginning(source, len(source)), "target": write_beginning(target, len(target))}
    total = format_cost(sum(edit.cost for edit in edits))
    return WORDS.label("told.alignment", **texts, edits=named, total=total)


def fill_cells(table: EditTable, until: Place | None = None) -> dict[Place, str]:
    """Return the kinds of all cells, or of those that are filled row by row before the cell `until` is.

    >>> from core.models.tokens.edit_distance import fill_table
    >>> list(fill_cells(fill_table("a", "b"), (1, 0)))
    [(0, 0), (0, 1)]
    """
    every = [(i, j) for i in range(len(table.source) + 1) for j in range(len(table.target) + 1)]
    return {place: "filled" for place in every if until is None or place < until}


def draw_way(table: EditTable, i: int, j: int, way: str, kind: str) -> dict:
    """Return the arrow from a cell back to the one that a way comes from."""
    return {"t": j, "j": i, "s": j - (way != DELETE), "i": i - (way != INSERT), "kind": kind}


def kept_arrows(table: EditTable) -> list[dict]:
    """Return the arrow of the way that each cell keeps."""
    return [
        draw_way(table, i, j, WAYS[table.kept[i, j]], "way")
        for i in range(len(table.source) + 1)
        for j in range(len(table.target) + 1)
        if i or j
    ]


def path_arrows(table: EditTable, edits: Sequence[Edit]) -> tuple[list[dict], dict[Place, str]]:
    """Return the arrows of an alignment through the table, and its cells as the best ones."""
    arrows, cells = [], {(0, 0): "best"}
    for edit in edits:
        i, j = edit.i + (edit.kind != INSERT), edit.j + (edit.kind != DELETE)
        arrows.append(draw_way(table, i, j, SUBSTITUTE if edit.kind == SAME else edit.kind, "best"))
        cells[i, j] = "best"
    return arrows, cells


def draw_path(table: EditTable, edits: Sequence[Edit], lines: Sequence[dict] = ()) -> dict:
    """Return the filled table with an alignment through it."""
    arrows, best = path_arrows(table, edits)
    return draw_table(table, {**fill_cells(table), **best}, arrows, lines)


def name_edit(table: EditTable, edit: Edit) -> str:
    """Return what an edit does, in as few letters as possible."""
    source = label_token(table.source[edit.i]) if edit.kind != INSERT else ""
    target = label_token(table.target[edit.j]) if edit.kind != DELETE else ""
    return WORDS.label(f"edit.{edit.kind}", source=source, target=target)


def way_lines(table: EditTable, i: int, j: int, results: bool) -> list[dict]:
    """Return the three ways into a cell as sums; with `results` the cheapest is kept and the others are dropped."""
    lines = []
    before = {
        SUBSTITUTE: table.distances[i - 1, j - 1],
        DELETE: table.distances[i - 1, j],
        INSERT: table.distances[i, j - 1],
    }
    for w, way in enumerate(WAYS):
        total = table.candidates[i, j, w]
        a, b = table.source[i - 1], table.target[j - 1]
        kind = SAME if way == SUBSTITUTE and a == b else way
        label = WORDS.label(f"edit.{kind}", source=label_token(a), target=label_token(b))
        numbers = (
            (before[way], WORDS.label(f"from.{way}")),
            (total - before[way], label),
        )
        lines.append(
            {
                "name": "",
                "factors": [{"text": format_cost(value), "label": said} for value, said in numbers],
                "result": format_cost(total) if results else UNKNOWN,
                "kind": "plain" if not results else "kept" if w == table.kept[i, j] else "dropped",
            }
        )
    return lines


def path_line(table: EditTable, edits: Sequence[Edit]) -> dict:
    """Return an alignment's costs as one sum."""
    factors = [{"text": format_cost(edit.cost), "label": name_edit(table, edit)} for edit in edits]
    return {"name": "", "factors": factors, "result": format_cost(table.distance), "kind": "kept"}


def count_lines(counts: Mapping[str, int]) -> list[dict]:
    """Return how many cells a table has, and how many alignments; `counts` are m, n, cells and alignments."""
    sides = (("rows", counts["m"] + 1), ("columns", counts["n"] + 1))
    factors = [{"text": f"{size}", "label": WORDS.label(f"count.{side}")} for side, size in sides]
    return [
        {
            "name": WORDS.label(f"count.{name}"),
            "factors": each,
            "result": f"{counts[name]:,}",
            "kind": kind,
        }
        for name, each, kind in (("cells", factors, "kept"), ("alignments", [], "dropped"))
    ]


def draw_alignment(
    source: Sequence[str], target: Sequence[str], edits: Sequence[Edit], hidden: bool = False
) -> dict:
    """Return an alignment as the view "token_grid": a column for each edit, the source above the target.

    `hidden` draws both without colours and costs, and says only in which columns they differ.
    """

    def shown(tokens: Sequence[str], at: int, kind: str, there: bool) -> dict:
        if not there:
            return cell("none")
        return cell("open" if hidden else KINDS[kind], label_token(tokens[at]), SHARE)

    upper = [shown(source, edit.i, edit.kind, edit.kind != INSERT) for edit in edits]
    lower = [shown(target, edit.j, edit.kind, edit.kind != DELETE) for edit in edits]
    differs = WORDS.label("differs")
    costs = [format_cost(edit.cost) for edit in edits]
    above = [differs if edit.cost else "" for edit in edits] if hidden else costs
    used = [] if hidden else [kind for kind in KINDS if kind in {edit.kind for edit in edits}]
    total = format_cost(sum(edit.cost for edit in edits))
    grid = token_grid(
        above,
        [(WORDS.label("row.source"), "", upper), (WORDS.label("row.target"), "", lower)],
        [(KINDS[kind], WORDS.label(f"key.{kind}")) for kind in used],
        corner="" if hidden else WORDS.label("row.cost"),
        sum_="" if hidden or not edits else WORDS.label("sum", costs=costs, total=total),
    )
    return grid if hidden else grid | {"told": tell_alignment(source, target, edits)}


def draw_corrected(
    corrected: Mapping[str, Mapping[str, tuple[int, int]]], hidden: Iterable[str] = ()
) -> dict:
    """Return two panels: for each kind of typo how many are corrected, with all edits and with substitutions only.

    `corrected` {way of comparing: {kind of typo: (corrected, of how many)}}.
    """
    most = max(of for kinds in corrected.values() for _, of in kinds.values())
    panels = []
    for way, kinds in corrected.items():
        seen = way not in hidden
        rows = [
            make_row(
                WORDS.label(f"typo.{kind}"),
                f"{way}.{kind}",
                right if seen else 0,
                WORDS.label("of", right=right, of=of) if seen else UNKNOWN,
                kind="plain" if seen else "open",
                hue=WAY_HUES[way],
            )
            for kind, (right, of) in kinds.items()
        ]
        total, typos = (sum(numbers) for numbers in zip(*kinds.values(), strict=True))
        title = WORDS.label(f"panel.{way}", right=total if seen else UNKNOWN, of=typos)
        panels.append(make_panel(title, most, rows))
    return join_panels(*panels)


def draw_nearest(found: Mapping[str, Sequence[tuple[str, int]]]) -> Figure:
    """Return the nearest words with all edits and with substitutions only, and their distances."""
    figure = subplots(1, 2, tuple(WORDS.label(f"nearest.{way}") for way in found))
    for column, (way, near) in enumerate(found.items(), 1):
        names, distances = zip(*near[::-1], strict=True)
        shade = HUES[WAY_HUES[way]]
        trace = bar(
            x=list(distances),
            y=list(names),
            orientation="h",
            marker_color=shade,
            text=list(distances),
            textangle=0,
            showlegend=False,
        )
        figure.add_trace(trace, 1, column)
    return figure.update_layout(height=280, margin={"t": 40, "b": 30})


def cells_table(table: EditTable) -> tuple[pd.DataFrame, Formula]:
    """Return every cell with its three ways, and the formula of its distance."""
    names = [WORDS.label(f"column.{name}") for name in ("source", "target", *WAYS, "distance", "kept")]
    places = [(i, j) for i in range(len(table.source) + 1) for j in range(len(table.target) + 1)]
    rows = []
    for i, j in places:
        ways = [format_cost(way) if way < float("inf") else "" for way in table.candidates[i, j]]
        kept = WORDS.label(f"way.{WAYS[table.kept[i, j]]}") if i or j else ""
        before = (write_beginning(table.source, i), write_beginning(table.target, j))
        rows.append(dict(zip(names, (*before, *ways, float(table.distances[i, j]), kept), strict=True)))

    def formula(row: int, column: str) -> str | None:
        i, j = places[row]
        if column != names[-2]:
            return None
        if not i and not j:
            return "D_{0,0} = 0"
        ways = r",\;".join(number(way) for way in table.candidates[i, j] if way < float("inf"))
        letters = rf"\quad ({word(table.source[i - 1])}, {word(table.target[j - 1])})" if i and j else ""
        return rf"D_{{{i},{j}}} = \min({ways}) = {number(table.distances[i, j])}{letters}"

    return pd.DataFrame(rows), formula


def write_beginning(tokens: Sequence[str], n: int) -> str:
    """Return the first n tokens as they are written: letters together, words apart.

    >>> write_beginning(("c", "a"), 2), write_beginning(("one", "two"), 2), write_beginning(("c",), 0)
    ('ca', 'one two', '∅')
    """
    between = " " if any(len(token) > 1 for token in tokens) else ""
    return label_token("") if not n else between.join(tokens[:n])
