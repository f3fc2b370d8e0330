"""Pictures of a step that are numbers in rows: bars, heat maps, and pictures that hold both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite

import numpy as np

from core.descriptions.description import (
    COLUMNS_AT_MOST,
    Cell,
    Description,
    compare_all,
    describe_table,
    end_sentence,
    numeral,
    say,
    tell_apart,
    told_cell,
)
from core.figures.packed import unpacked, unpacked_shares
from core.words.language import less_than, more_than
from core.words.numbers import format_number, percent, plain_number, signed

DIGITS = 4  # after the point of a number that the pointer tells
DIGITS_IN_CELL = 2
FIGURES = 5  # of a loss, so that a small step down is seen
NEARLY_WHOLE = 0.005  # what is nearer to 0 is written 0.00 in a cell


def join_descriptions(*parts: Description) -> Description:
    """Return descriptions as one: their sentences in turn, the rows of each below those of the one before.

    >>> one, other = Description("One.", "", ("Bar", "p"), (("a", "1"),)), Description("", "", ("Bar", "q"), (("b", "2"),))
    >>> join_descriptions(one, other).columns, join_descriptions(one, other).rows
    (('Bar', 'p', 'q'), (('a', '1', ''), ('b', '', '2')))
    """
    heads = list(dict.fromkeys(head for part in parts for head in part.columns[1:]))
    firsts = {part.columns[0] for part in parts}
    rows = []
    for part in parts:
        for row in part.rows:
            cells = dict(zip(part.columns[1:], row[1:], strict=True))
            rows.append((row[0], *(cells.get(head, "") for head in heads)))
    return Description(
        " ".join(part.sentence for part in parts if part.sentence),
        " ".join(part.axes for part in parts if part.axes),
        (parts[0].columns[0] if len(firsts) == 1 else say("column.row"), *heads),
        tuple(rows),
        tuple(each for part in parts for each in part.largest),
    )


def describe_bars(picture: Mapping, _shared: Mapping | None = None) -> Description:
    """Return the description of rows of bars: a row for each name, a column for each measure."""
    names = tell_apart(picture["rows"])
    columns = [each for column in picture["columns"] for each in columns_of_bars(column, len(names))]
    titles = tell_apart([title or say("column.value") for title, *_ in columns])
    rows = [[name, *(cells[at] for _, cells, _ in columns)] for at, name in enumerate(names)]
    compared = {
        title: list(zip(cells, names, strict=True))
        for title, (_, cells, runs) in zip(titles, columns, strict=True)
        if not runs  # its numbers are not of one row each
    }
    marked = picture["marked"]
    lit = [names[marked]] if marked is not None and 0 <= marked < len(names) else []
    told = [
        say("written", name=row[0], text="; ".join(each.text for each in row[1:]))
        for row in rows
        if row[0] in lit
    ]
    if not told:  # a marked row has them
        told = [
            say("steps.ends", name=title, text=cells[-1].text)
            for title, (_, cells, runs) in zip(titles, columns, strict=True)
            if runs and cells
        ]
    sentence = say("steps.bars", rows=len(rows), titles=titles)
    return describe_table(sentence, "", (say("column.bar"), *titles), rows, compared, lit, told)


def columns_of_bars(column: Mapping, rows: int) -> list[tuple[str, list[Cell], bool]]:
    """Return what a column of bars tells: for each of its numbers the title, the cells, and whether it runs up to a result.

    >>> told = [{"title": "p", "texts": ["0.5"], "runs": False}, {"title": "sum", "texts": ["1.5"], "runs": True}]
    >>> found = columns_of_bars({"title": "p → sum", "values": [0.5], "texts": ["0.5 → 1.5"], "told": told}, 1)
    >>> [(title, cells[0].text, runs) for title, cells, runs in found]
    [('p', '0.5', False), ('sum', '1.5', True)]
    """
    if told := column.get("told"):
        return [
            (each["title"], [numeral(pick(each["texts"], at, "")) for at in range(rows)], each["runs"])
            for each in told
        ]
    texts = ((pick(column["texts"], at, ""), pick(column["values"], at, 0.0)) for at in range(rows))
    return [(column["title"], [told_cell(*each) for each in texts], column.get("runs", False))]


def pick(found: Sequence, at: int, missing):
    """Return what is at a place, or what stands for it where nothing was sent.

    >>> pick(["a"], 0, ""), pick(["a"], 1, "")
    ('a', '')
    """
    return found[at] if at < len(found) else missing


def describe_matrices(picture: Mapping, shared: Mapping | None = None) -> Description:
    """Return the description of heat maps: as columns where they have the same rows, else one below the other."""
    panels = picture["panels"]
    apart = [describe_panel(each, picture, shared) for each in panels]
    own = any(each.get("rows") for each in panels)
    return join_descriptions(*apart) if own or len(panels) == 1 else beside(apart)


def beside(parts: Sequence[Description]) -> Description:
    """Return the descriptions of panels that have the same rows as one table."""
    joined = join_descriptions(*parts)
    rows = {row[0]: [row[0]] for row in joined.rows}
    for part in parts:
        cells = {row[0]: row[1:] for row in part.rows}
        for name, row in rows.items():
            row.extend(cells.get(name, ("",) * (len(part.columns) - 1)))
    heads = tell_apart([head for part in parts for head in part.columns[1:]])
    columns = (parts[0].columns[0], *heads)
    return Description(
        joined.sentence, joined.axes, columns, tuple(map(tuple, rows.values())), joined.largest
    )


def describe_panel(panel: Mapping, picture: Mapping, shared: Mapping | None) -> Description:
    """Return the description of one heat map; of many columns a row tells its largest and its smallest number.

    Where there are several, its rows or its columns are named by its title too: its rows where they are its own.
    """
    apart, several = bool(panel.get("rows")), len(picture["panels"]) > 1 and bool(panel["title"])
    own = panel if apart else picture
    names = tell_apart(own["rows"]) if own["rows"] else []
    width, title = panel["width"], panel["title"]
    heads = [pick(own.get("columns") or (), at, "") for at in range(width)]
    heads = tell_apart([head or say("steps.number", number=at + 1) for at, head in enumerate(heads)])
    values = values_of(panel, shared, len(names))
    masked = int(np.isnan(values).sum())
    digits = None if picture.get("write") else panel.get("digits", DIGITS)
    told = "" if masked < values.size else title  # the largest number is told with it
    sentence = say("steps.heat_map", title=told, rows=len(names), columns=width, masked=masked)
    marked = [
        say("at.cell", row=names[row], column=heads[column])
        for row, column in panel.get("marked", ())
        if 0 <= row < len(names) and 0 <= column < width
    ]
    if (width if apart else width * len(picture["panels"])) > COLUMNS_AT_MOST:
        columns, rows, compared = summarize_rows(
            names, values, heads, title, digits, panel.get("signed"), measure_of(panel)
        )
    else:
        columns = [say("column.row"), *heads]
        rows = [
            [name, *(write_entry(float(value), digits) for value in row)]
            for name, row in zip(names, values, strict=True)
        ]
        compared = compare_all(measure_of(panel), columns, rows)
        if several and not apart:
            columns = [columns[0], *(say("at", row=title, column=head) for head in heads)]
    if several and apart:
        rows = [[say("cell", text=name, kind=title), *cells] for name, *cells in rows]
    return describe_table(sentence, "", columns, rows, compared, marked)


def measure_of(panel: Mapping) -> str:
    """Return what the numbers of a heat map are, as a sentence that compares them names it."""
    return panel.get("measure") or panel["title"] or say("column.value")


def values_of(panel: Mapping, shared: Mapping | None, rows: int) -> np.ndarray:
    """Return the numbers of a heat map, (rows, width); NaN is masked or was not sent."""
    sent = panel.get("values")
    if sent is None:
        sent = (shared or {}).get("values", ())
    flat = unpacked(sent) if isinstance(sent, str) else np.array(sent, float)
    made = np.full(rows * panel["width"], np.nan)
    made[: len(flat)] = flat[: len(made)]
    return made.reshape(rows, panel["width"])


def write_entry(value: float, digits: int | None) -> Cell:
    """Return the cell of a heat map: its number, or that it is masked.

    >>> write_entry(0.5, 2), write_entry(np.nan, 2).text, write_entry(0.00001, 4).text
    (Cell(text='0.50', number=0.5), 'masked', 'less than 0.0001')
    """
    if np.isnan(value):
        return Cell(say("masked"))
    least = 10.0 ** -(digits or 0)
    small = digits is not None and 0 < value < least / 2
    return Cell(less_than(f"{least:.{digits}f}") if small else write_value(value, digits), value)


def write_value(value: float, digits: int | None) -> str:
    """Return a number with so many digits; None: as it is written in a cell.

    >>> write_value(-0.12345, 4), write_value(0.12345, None), write_value(3.0, None), write_value(-0.001, None)
    ('−0.1235', '0.12', '3', '0.00')
    """
    if not isfinite(value):
        return format_number(value)
    if digits is None:
        whole = value == int(value)
        value = 0.0 if abs(value) < NEARLY_WHOLE and not whole else value
        digits = 0 if whole else DIGITS_IN_CELL
    return signed(value, digits)


def write_weight(weight: float, digits: int) -> str:
    """Return a weight from 0 to 1 with so many digits; what is not quite 0, or not quite 1, is not rounded to it.

    >>> write_weight(0.25, 3), write_weight(2e-6, 3), write_weight(0.99999, 3), write_weight(0.0, 3)
    ('0.250', 'less than 0.001', 'more than 0.999', '0.000')
    """
    least = 10.0**-digits
    if 1 - least / 2 < weight < 1 - 1e-9:
        return more_than(signed(1 - least, digits))
    return write_amount(weight, digits)


def write_amount(value: float, digits: int) -> str:
    """Return a number from 0 on with so many digits; what is not quite 0 is not rounded to it.

    >>> write_amount(4.9134, 3), write_amount(0.0003, 3)
    ('4.913', 'less than 0.001')
    """
    least = 10.0**-digits
    return less_than(signed(least, digits)) if 0 < value < least / 2 else signed(value, digits)


def summarize_rows(
    names: Sequence[str],
    values: np.ndarray,
    heads: Sequence[str],
    title: str,
    digits: int | None,
    vectors: bool | None,
    measure: str,
) -> tuple[list[str], list[list[Cell | str]], dict]:
    """Return columns, rows and what is compared of a heat map with many columns: each row's largest, smallest, length."""
    columns = [
        say("column.row"),
        say("steps.largest", title=title),
        say("steps.smallest", title=title),
        *([say("steps.length", title=title)] if vectors else []),
    ]
    rows, compared = [], []
    for name, row in zip(names, values, strict=True):
        most, least = ends_of(row, heads, digits)
        length = float(np.sqrt(np.nansum(row**2)))
        rows.append([name, most, least, *([plain_number(length)] if vectors else [])])
        compared += [(most, name), (least, name)]
    return columns, rows, {measure: compared}


def ends_of(row: np.ndarray, heads: Sequence[str], digits: int | None) -> tuple[Cell, Cell]:
    """Return the largest and the smallest number of a row, each with the name of its column.

    >>> ends_of(np.array([0.5, np.nan, -1.0]), ["a", "b", "c"], 2)
    (Cell(text='0.50 at a', number=0.5), Cell(text='−1.00 at c', number=-1.0))
    """
    if np.isnan(row).all():
        return Cell(say("masked")), Cell(say("masked"))
    found = []
    for at in (int(np.nanargmax(row)), int(np.nanargmin(row))):
        text = say("at.cell", row=write_value(float(row[at]), digits), column=heads[at])
        found.append(Cell(text, float(row[at])))
    return found[0], found[1]


def describe_sliding(picture: Mapping, shared: Mapping) -> Description:
    """Return the description of a window that slides over a sentence, and of the counts that it adds to."""
    tokens = shared["tokens"]
    centre = [pick(tokens, picture["centre"], "")]
    near = [tokens[at] for at in picture["around"] if at < len(tokens)]
    named = say("column.sentence")
    line = say("word_pairs.window", name=named, text=" ".join(tokens), centre=centre, near=near)
    window = Description(end_sentence(line), "", (say("column.row"),), ())
    return join_descriptions(window, describe_matrices(picture["matrix"]))


def describe_decoder(picture: Mapping, shared: Mapping) -> Description:
    """Return the description of a decoder's step: scores and weights of the inputs, outputs, and the states added up.

    The context c is the sum of the inputs' states, each times its weight, as the view adds them up.
    """
    inputs, weights = shared["inputs"], picture["weights"]
    names = tell_apart(inputs) if inputs else []
    states = unpacked_shares(shared["states"])
    width = len(states) // max(1, len(inputs))
    parts = states[: width * len(inputs)].reshape(len(inputs), width) * np.array(weights, float)[:, None]
    last = unpacked_shares(picture["last"])
    made = [parts.sum(axis=0), *(last[at : at + width] for at in range(0, 2 * width, max(1, width)))]
    columns = [
        say("steps.input"),
        say("steps.score"),
        say("steps.weight"),
        say("steps.times"),
        say("steps.times.least"),
    ]
    heads = [say("steps.number", number=at + 1) for at in range(width)]
    rows, compared = [], {columns[1]: [], columns[2]: [], say("steps.state"): []}
    for at, name in enumerate(names):
        score, weight = float(picture["scores"][at]), float(weights[at])
        ends = ends_of(parts[at], heads, 3) if width else ("", "")
        rows.append([name, Cell(write_value(score, 2), score), Cell(write_weight(weight, 3), weight), *ends])
        compared[columns[1]].append((rows[-1][1], name))
        compared[columns[2]].append((rows[-1][2], name))
    for key, vector in zip(("context", "state", "attentional"), made, strict=False):
        if len(vector):
            ends = ends_of(vector, heads, 3)
            rows.append([say(f"steps.row.{key}"), "", "", *ends])
            compared[say("steps.state")] += [(each, rows[-1][0]) for each in ends]
    chosen = [names[picture["chosen"]]] if 0 <= picture["chosen"] < len(names) else []
    sentence = say("steps.decoder", inputs=len(inputs), numbers=width)
    attended = describe_table(sentence, "", columns, rows, compared, chosen)
    return join_descriptions(attended, describe_bars(picture["outputs"]))


def describe_lens(picture: Mapping, shared: Mapping) -> Description:
    """Return the description of a logit lens up to a layer: a token a row, a layer a column, then one's bars."""
    layer, width = picture["layer"], len(shared["columns"])
    names = tell_apart(shared["rows"]) if shared["rows"] else []
    heads = [say("steps.layer", name=name) for name in shared["columns"]]
    from_layer = {}
    for row, column in sorted(shared["settled"]):
        if column <= layer and column < width:
            from_layer.setdefault(row, heads[column])
    rows = []
    for at, name in enumerate(names):
        places = range(at * width, (at + 1) * width)
        words = [pick(shared["words"], place, None) if c <= layer else None for c, place in enumerate(places)]
        values = [pick(shared["values"], place, np.nan) for place in places]
        cells = [
            Cell("") if word is None else read_cell(word, value)  # None: not known yet
            for word, value in zip(words, values, strict=True)
        ]
        rows.append([name, *cells])
    columns = [say("column.token"), *heads]
    compared = compare_all(say("column.probability"), columns, rows)
    rows = [[*row, from_layer.get(at, "")] for at, row in enumerate(rows)]
    columns.append(say("steps.settled"))
    lit, more = [], []
    if shared["chosen"] < len(names) and layer < width:
        lit = [say("at.cell", row=names[shared["chosen"]], column=heads[layer])]
        more = [say("written", name=lit[0], text=rows[shared["chosen"]][layer + 1].text)]
    sentence = say("steps.lens", tokens=len(names), layers=min(layer + 1, width))
    grid = describe_table(sentence, say("steps.lens.axes"), columns, rows, compared, lit, more)
    return join_descriptions(grid, describe_bars(picture["chances"]))


def read_cell(token: str, p: float) -> Cell:
    """Return the cell of a token that is read with a probability.

    >>> read_cell("$", 0.0067)
    Cell(text='“$” 0.7%', number=0.0067)
    """
    return Cell(say("steps.read", token=token, p=percent(p)), p)


def describe_surface(picture: Mapping, shared: Mapping) -> Description:
    """Return the description of the loss over two weights: a row for each step of the descent so far."""
    side, names = shared["side"], shared["names"]
    heights = unpacked(shared["values"])[: side * side].reshape(side, side)
    path = unpacked(shared["path"]).reshape(-1, 2)[: picture["at"] + 1]
    columns = (say("column.step"), *(say("steps.weight_of", name=name) for name in names), say("steps.loss"))
    rows = []
    for step, (weights, loss) in enumerate(zip(path, shared["losses"], strict=False)):
        name = str(step) if step else say("steps.start")
        rows.append([name, *(write_value(float(each), 2) for each in weights), loss_cell(loss)])
    places = [say("steps.after", step=row[0]) if step else row[0] for step, row in enumerate(rows)]
    reached = zip((row[3] for row in rows), places, strict=True)
    compared = {columns[3]: list(reached)} if len(rows) > 1 else {}  # of one the step's own sentence tells it
    most = loss_cell(float(heights.max())).text
    if shared["least"]:
        at, least = shared["least"], loss_cell(shared["lowest"]).text
    else:  # it falls on for ever: the lowest place of the map is at its edge
        row, column = np.unravel_index(int(heights.argmin()), heights.shape)
        at = [
            ends[0] + (ends[1] - ends[0]) * place / (side - 1)
            for ends, place in zip(shared["reach"], (column, row), strict=True)
        ]
        least = loss_cell(float(heights.min())).text
    at = [write_value(float(each), 2) for each in at]
    more = [say("steps.least" if shared["least"] else "steps.map", least=least, at=at, most=most)]
    axes = " ".join(
        say("scale", name=head, least=ends[0], most=ends[1])
        for head, ends in zip(columns[1:3], shared["reach"], strict=True)
    )
    return describe_table(say("steps.surface", names=names), axes, columns, rows, compared, more=more)


def loss_cell(loss: float) -> Cell:
    """Return a loss with so many digits that a small step down is told.

    >>> loss_cell(186.9374).text
    '186.94'
    """
    return Cell(plain_number(loss, FIGURES), loss)
