"""Pictures of places: words in a plane, on a line or an axis, hands of clocks, a soft look-up."""

from __future__ import annotations

from collections.abc import Mapping
from math import degrees

import numpy as np

from core.descriptions.description import (
    Cell,
    Description,
    below,
    describe_table,
    number_cell,
    number_of,
    say,
)
from core.models.translation.kernel_smoothing import dictionary_lookup, soft_lookup
from core.words.numbers import signed

TURN = 360  # degrees
EXACT = "exact"  # the look-up of a dictionary
PLACED, END = "placed", "end"  # words on an axis


def describe_word_plane(data: Mapping) -> Description:
    """Return the description of words in a plane: where each is, and the arrows between places."""
    groups = {each["hue"]: each["text"] for each in data["key"] if each["kind"] in ("plain", "open", "star")}
    several = len(data["panels"]) > 1
    columns = (
        say("column.word"),
        "x",
        "y",
        *([say("column.panel")] if several else []),
        *([say("column.group")] if groups else []),
    )
    rows, marked, arrows, compared, number = [], [], [], {}, 0
    for panel in data["panels"]:
        before = f"{panel['title']} " if several else ""
        for point in panel["points"]:
            name = point["text"] or say("word_plane.point", number=len(rows) + 1)
            x, y = number_cell(point["x"]), number_cell(point["y"])
            group = [groups.get(point["hue"], "")] if groups else []
            rows.append([name, x, y, *([panel["title"]] if several else []), *group])
            compared.setdefault(f"{before}x", []).append((x, name))
            compared.setdefault(f"{before}y", []).append((y, name))
            marked += [name] if point["kind"] in ("strong", "star") else []
        number += len(panel["arrows"])
        arrows += [each["text"] for each in panel["arrows"] if each["text"]]
    more = [say("word_plane.arrows", arrows=number, names=list(dict.fromkeys(arrows)))] if number else []
    sentence = say("word_plane.sentence", words=len(rows), panels=len(data["panels"]))
    axes = " ".join(
        say("word_plane.axes", name=each["title"], x=each["range"]["x"], y=each["range"]["y"])
        for each in data["panels"]
    )
    return describe_table(sentence, axes, columns, rows, compared, marked, more)


def describe_word_line(data: Mapping) -> Description:
    """Return the description of words on a line between two ends, a word a row."""
    before = any(row["before"] is not None for row in data["rows"])
    columns = (say("column.word"), data["unit"], *([say("column.before")] if before else []))
    rows = [
        [row["word"], number_cell(row["at"], row["text"]), *([number_cell(row["before"])] if before else [])]
        for row in data["rows"]
    ]
    marked = [row["word"] for row in data["rows"] if row["kind"] == "best"]
    more = [say("word_line.line", text=each["text"], at=each["at"]) for each in data["lines"] if each["text"]]
    if data["band"]:
        more.append(
            say("scale", name=data["band"]["text"], least=data["band"]["from"], most=data["band"]["to"])
        )
    if data["hill"]:
        more.append(say("word_line.hill", text=data["hill"]["text"], words=sum(data["hill"]["counts"])))
    if not rows and data["hill"]:
        counts = data["hill"]["counts"]
        edges = np.linspace(data["least"], data["most"], len(counts) + 1)
        columns = (data["unit"], say("column.words"))
        rows = [
            [say("word_line.bin", least=least, most=most), Cell(f"{count:,}", count)]
            for least, most, count in zip(edges, edges[1:], counts, strict=False)
        ]
    compared = {columns[1]: [(row[1], row[0]) for row in rows]}
    axes = say(
        "word_line.axes",
        unit=data["unit"],
        least=data["least"],
        most=data["most"],
        left=data["left"],
        right=data["right"],
    )
    sentence = say("word_line.sentence", words=len(data["rows"]))
    return describe_table(sentence, axes, columns, rows, compared, marked, more)


def describe_axis(data: Mapping) -> Description:
    """Return the description of words on an axis between two ends, before the histogram of all words' positions."""
    unit = say("axis.unit")
    columns = (say("column.word"), unit, say("axis.as_far", total=data["total"]), say("column.note"))
    words = {
        PLACED: [[each["word"], place_cell(each), each["share"], ""] for each in data["words"]],
        END: [[each["word"], place_cell(each), "", say("axis.end")] for each in data["ends"]],
    }
    compared = {unit: [(row[1], row[0]) for row in words[PLACED] or words[END]]}
    rows = sorted((row for each in words.values() for row in each), key=lambda row: row[1].number)
    sides = {"left": [], "right": []}
    for row in rows:
        if row in words[PLACED]:
            sides["left" if row[1].number < data["halfway"] else "right"].append(row[0])
    more = [
        say("axis.halfway", at=data["halfway"]),
        *(say(f"axis.{side}", words=found, end=data[side]) for side, found in sides.items() if found),
    ]
    counts = data["hill"]
    if any(counts):
        edges = np.linspace(-data["reach"], data["reach"], len(counts) + 1)
        top = int(np.argmax(counts))
        more.append(say("axis.hill", total=data["total"], least=edges[top], most=edges[top + 1]))
    axes = say(
        "word_line.axes",
        unit=unit,
        least=-data["reach"],
        most=data["reach"],
        left=data["left"],
        right=data["right"],
    )
    sentence = say("axis.sentence", words=len(data["words"]), left=data["left"], right=data["right"])
    return describe_table(sentence, axes, columns, rows, compared, more=more)


def place_cell(placed: Mapping) -> Cell:
    """Return the cell of a word's position, in standard deviations."""
    return Cell(signed(placed["standard"]), placed["standard"])


def describe_clock_hands(data: Mapping) -> Description:
    """Return the description of dials: a row for each hand, a column for each position, in degrees."""
    heads = [" ".join(filter(None, (each["name"], each["note"]))) for each in data["columns"]]
    columns = (say("column.hand"), *heads)
    rows = []
    for row, dials in zip(data["rows"], data["dials"], strict=True):
        cells = []
        for dial in dials or ():
            angles = [round(degrees(each["turn"]) % TURN) for each in dial["hands"]] if dial else []
            told = [say("clock_hands.angle", degrees=each) for each in angles]
            cells.append("; ".join([*told, *(each["text"] for each in (dial["texts"] if dial else ()))]))
        rows.append([row["name"] or number_of(len(rows)), *cells])
    compared = {}
    if data["bars"]:
        title = data["bars"]["title"] or say("column.value")
        cells = [Cell(each["text"], each["value"]) for each in data["bars"]["values"]]
        rows.append([title, *cells])
        compared = {title: list(zip(cells, heads, strict=True))}
    sentence = say("clock_hands.sentence", hands=len(data["rows"]), columns=len(heads))
    axes = say("clock_hands.axes")
    return describe_table(sentence, axes, columns, rows, compared, more=below(data["sum"]))


def describe_soft_lookup(data: Mapping) -> Description:
    """Return the description of a soft look-up: keys, values and, where the result is told, the weights."""
    labels = data["labels"]
    keys, values = np.array(data["keys"]), np.array(data["values"])
    columns = [say("column.key"), labels["value"]]
    rows = [[number_cell(key).text, number_cell(value)] for key, value in zip(keys, values, strict=True)]
    named = [say("soft_lookup.key", key=row[0]) for row in rows]
    more, compared = [], {labels["value"]: [(row[1], name) for row, name in zip(rows, named, strict=True)]}
    if not data["hidden"]:
        query = np.array([data["query"]])
        if data["way"] == EXACT:
            found = dictionary_lookup(query, keys, values)
        else:
            found = soft_lookup(query, keys, values, data["bandwidth"], data["way"])
        weights = found.weights[0]
        cells = [number_cell(float(each)) for each in weights]
        rows = [[*row, cell] for row, cell in zip(rows, cells, strict=True)]
        columns.append(labels["weight"])
        compared[labels["weight"]] = list(zip(cells, named, strict=True)) if weights.sum() else []
        unit = [labels["unit"]] if labels["unit"] else []
        answer = " ".join([number_cell(float(weights @ values)).text, *unit])
        answer = answer if weights.sum() else labels["none"]
        more.append(say("soft_lookup.answer", answer=answer))
    query = name_number(labels["query"], "q", data["query"])
    bandwidth = name_number(labels["bandwidth"], "b", data["bandwidth"])
    sentence = say("soft_lookup.sentence", keys=len(rows), query=query, bandwidth=bandwidth)
    axes = say("soft_lookup.axes", columns=columns[1:])
    return describe_table(sentence, axes, columns, rows, compared, more=more)


def name_number(label: str, name: str, value: float) -> str:
    """Return a label with its number, where it is asked for or at its end.

    >>> name_number("query: {q} o'clock", "q", 10), name_number("q", "q", -1.5)
    ("query: 10 o'clock", 'q = −1.5')
    """
    text = number_cell(value).text
    return label.replace(f"{{{name}}}", text) if f"{{{name}}}" in label else f"{label} = {text}"
