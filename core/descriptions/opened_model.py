"""A model opened: the numbers of its parts, of one part, of a matrix or around one number, as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isclose

import numpy as np

from core.descriptions.description import (
    COLUMNS_AT_MOST,
    HIDDEN,
    Cell,
    Description,
    describe_table,
    end_sentence,
    find_extremes,
    number_cell,
    number_of,
    say,
    tell_apart,
)
from core.figures.packed import unpacked, unpacked_shares
from core.words.numbers import format_number, percent

PART, MATRIX = 2, 3  # levels; in a part each row has columns of its own
SHARE_DIGITS = 1


def describe_opened_model(data: Mapping) -> Description:
    """Return the description of a model at one level of zoom, with the number that is selected."""
    closed, heads = bool(data.get("closed")), name_columns(data)
    names = tell_apart([say("opened_model.row", **each) for each in data["rows"]])
    cells = [
        [Cell(HIDDEN)] * len(row) if closed else [tell_number(value) for value in row]
        for row in numbers_of(data)
    ]
    level = data["level"]
    sentence = say(
        "opened_model.sentence",
        level=level,
        place=data["trail"][min(level, MATRIX)],
        near=data["trail"][-1] if level > MATRIX else "",
        rows=len(names),
        columns=len(heads) if data["columns"] else 0,
        first=data.get("first", 0) + 1,
        of=data.get("of", 0),
    )
    axes = say("opened_model.axes", level=level, counted=is_counted(data))
    at = (data["row"], data["column"])
    compared = {} if closed else group_by_reach(data, names, heads, cells)
    more = [say("opened_model.closed")] if closed else tell_selected(data, names, heads, at)
    if level != PART and len(heads) <= COLUMNS_AT_MOST:
        columns = (say("column.row"), *heads)
        rows = [[name, *row] for name, row in zip(names, cells, strict=True)]
        return describe_table(sentence, axes, columns, rows, compared, more=more)
    columns, rows = summarize(names, heads, cells, None if closed else at[1])
    return describe_table(sentence, axes, columns, rows, compared, more=more)


def numbers_of(data: Mapping) -> list[list[float | None]]:
    """Return the numbers of each row; None for what the mask hides.

    >>> from core.figures.packed import packed
    >>> row = {"n": 2, "reach": 1.0}
    >>> numbers_of({"rows": [row, row], "values": packed([1, 0, 2, 3]), "causal": True})
    [[1.0, None], [2.0, 3.0]]
    """
    rows = data["rows"]
    if data.get("values") is not None:
        sent = unpacked(data["values"])
    else:
        sent = unpacked_shares(data["shares"]) * (rows[0]["reach"] if rows else 1)
    ends = np.cumsum([row["n"] for row in rows])
    found = [part.tolist() for part in np.split(sent, ends)[: len(rows)]]
    if data.get("causal"):
        ahead = data.get("firstRow", 0) - data.get("first", 0)
        found = [
            [None if column > row + ahead else value for column, value in enumerate(values)]
            for row, values in enumerate(found)
        ]
    return found


def name_columns(data: Mapping) -> list[str]:
    """Return the names of the columns; those that are only counted are numbers of a vector."""
    names = data["columns"]
    if not names:
        longest = max((row["n"] for row in data["rows"]), default=0)
        return [say("opened_model.number", number=number_of(at)) for at in range(longest)]
    if is_counted(data):
        return [say("opened_model.number", number=name) for name in names]
    return tell_apart(names)


def is_counted(data: Mapping) -> bool:
    """Return whether the columns are the numbers of a vector, whose names only count them."""
    first = data.get("first", 0)
    return all(name == number_of(first + at) for at, name in enumerate(data["columns"]))


def tell_number(value: float | None) -> Cell:
    """Return a number of the picture as a cell; what the mask hides has no number."""
    return Cell(say("masked")) if value is None else number_cell(value)


def group_by_reach(
    data: Mapping, names: Sequence[str], heads: Sequence[str], cells: Sequence[Sequence[Cell]]
) -> dict[str, list[tuple[Cell, str]]]:
    """Return the cells to compare: rows that are shaded by one measure together, those of the selected row first."""
    reaches = [row["reach"] for row in data["rows"]]
    own = reaches[data["row"]] if data["row"] < len(reaches) else None
    order = sorted(range(len(names)), key=lambda at: reaches[at] != own)
    found: dict[str, list[tuple[Cell, str]]] = {}
    for at in order:
        alone = data["level"] == PART or sum(isclose(each, reaches[at]) for each in reaches) == 1
        measure = names[at] if alone else say("opened_model.measure", level=data["level"])
        for head, cell in zip(heads, cells[at], strict=False):
            name = head if alone else say("at.cell", row=names[at], column=head)
            found.setdefault(measure, []).append((cell, name))
    return found


def summarize(
    names: Sequence[str], heads: Sequence[str], cells: Sequence[Sequence[Cell]], at: int | None
) -> tuple[tuple[str, ...], list[list[Cell | str]]]:
    """Return columns and rows that tell of each row its numbers' count, its largest, its smallest, and the one selected."""
    selected = [heads[at]] if at is not None and at < len(heads) else []
    columns = (
        say("column.row"),
        say("opened_model.count"),
        say("opened_model.largest"),
        say("opened_model.largest.at"),
        say("opened_model.smallest"),
        say("opened_model.smallest.at"),
        *selected,
    )
    rows = []
    for name, row in zip(names, cells, strict=True):
        ends = find_extremes(list(zip(row, heads, strict=False))) or ((Cell(HIDDEN), ""),) * 2
        told = [part for cell, head in ends for part in (cell, head)]
        rows.append([name, str(len(row)), *told, *(row[at] if at < len(row) else "" for _ in selected)])
    return columns, rows


def tell_selected(data: Mapping, names: Sequence[str], heads: Sequence[str], at: Sequence[int]) -> list[str]:
    """Return what is said of the selected number, of its matrix and of the next token."""
    panel, (row, column), numbers = data["panel"], at, numbers_of(data)
    said = []
    if row < len(names) and column < len(numbers[row]):
        value = numbers[row][column]
        text = say("masked") if value is None else as_read_out(value)
        note = panel.get("says", "") if data["level"] == PART else ""  # of which token the row is
        told = {"row": names[row], "column": heads[column], "note": note, "value": text}
        said.append(say("opened_model.selected", **told, level=data["level"]))
    if panel.get("title"):
        title = panel["title"].replace(": ", ", ")
        said.append(
            say("opened_model.matrix", title=title, shape=panel.get("shape", ""), level=data["level"])
        )
    if panel.get("one") is not None:
        said.append(tell_products(unpacked(panel["one"]), unpacked(panel["other"])))
    if panel.get("chances"):
        said.append(tell_chances(panel["chances"]))
    return [end_sentence(each) for each in said]


def as_read_out(value: float) -> str:
    """Return the selected number with as many digits as below the picture.

    >>> as_read_out(472.482), as_read_out(-1.5), as_read_out(0.25)
    ('472.5', '−1.500', '0.25000')
    """
    size = abs(value)
    return format_number(value, 1 if size >= 100 else 3 if size >= 1 else 5)


def tell_products(one: np.ndarray, other: np.ndarray) -> str:
    """Return the sum of the products above 0 and of those below, and the largest of them."""
    terms = one * other
    if not len(terms):
        return ""
    most = int(np.abs(terms).argmax())
    return say(
        "opened_model.products",
        count=len(terms),
        above=number_cell(float(terms[terms > 0].sum())).text,
        below=number_cell(float(terms[terms < 0].sum())).text,
        number=most + 1,
        factors=[number_cell(float(each)).text for each in (one[most], other[most])],
        product=number_cell(float(terms[most])).text,
    )


def tell_chances(chances: Mapping) -> str:
    """Return the most probable next tokens, with what the whole model gives them where a part is left out."""
    told = [
        say(
            "opened_model.chance",
            token=each["name"],
            p=each["said"],
            before=percent(each["before"], SHARE_DIGITS) if chances["broken"] else "",
        )
        for each in chances["top"]
    ]
    return say("opened_model.chances", heading=chances["heading"], tokens=told, rest=chances["rest"])
