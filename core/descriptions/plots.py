"""Pictures with axes: what plotly draws, by its traces, and a curve of the loss in training."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from core.descriptions.description import (
    MEASURES_AT_MOST,
    Cell,
    Description,
    compare_all,
    cut_text,
    describe_table,
    find_extremes,
    number_cell,
    number_in,
    number_of,
    say,
    tell_apart,
    without_markup,
)
from core.words.numbers import format_number, percent, signed

HEATMAP = "heatmap"
Point = tuple[str, Cell, str]  # its place, its number, a note
TITLE_AT_MOST = 2  # words of an axis title that stand before a number
TREND_FROM = 5  # points of a line whose trend is told
TURN, NEAR = (
    0.2,
    0.1,
)  # of a line's range: it turns where it comes back by more, is level where it ends nearer
POINTS_SOUGHT = 500  # points of a trace among which a note is looked for
COLUMNS_KEPT = 80  # of a heat map; of a wider one columns at even distances stand for all
SAME_NOTE = 0.03  # of a number: a note that is as near is the number with fewer digits
ROUNDED = 0.051  # a text of one digit is as far from its number
EMPTY = "rgba(0,0,0,0)"  # the colour of a dot that is not filled
BINS_FROM = 10  # bars whose empty ones are left out


@dataclass(frozen=True)
class Axis:
    """An axis of plotly's: its title, and what its numbers are written as."""

    title: str
    ticks: Mapping[float, str]
    shares: bool = False  # whether its ticks are percentages

    @property
    def names_all(self) -> bool:
        """Return whether its ticks are names in a row, not numbers: a place beside a tick has its name too."""
        named = self.ticks and all(number_in(each) is None for each in self.ticks.values())
        return bool(named) and sorted(self.ticks) == list(range(len(self.ticks)))

    def write(self, value: object) -> str:
        """Return a value as the axis writes it."""
        if isinstance(value, str):
            return without_markup(value)
        if value is None:
            return ""
        if value in self.ticks:
            return self.ticks[value]
        if self.names_all:
            return self.ticks[min(self.ticks, key=lambda place: abs(place - value))]
        if self.shares:
            return f"{number_cell(float(value) * 100).text}%"
        if isinstance(value, int) or float(value).is_integer():
            return format_number(value, 0)
        return number_cell(float(value)).text


def values_of(found: object) -> list:
    """Return numbers as plotly sends them: a list, or the base64 of their bytes.

    >>> values_of({"dtype": "i1", "bdata": "AQID"}), values_of([1, None])
    ([1, 2, 3], [1, None])
    """
    if isinstance(found, Mapping):
        values = np.frombuffer(b64decode(found["bdata"]), found["dtype"])
        if "shape" in found:
            values = values.reshape([int(each) for each in str(found["shape"]).split(",")])
        return values.tolist()
    return list(found) if isinstance(found, Sequence) and not isinstance(found, str) else []


def axis_of(layout: Mapping, name: str) -> Axis:
    """Return an axis of a figure: "x", "y", "x2" and so on."""
    axis = layout.get(f"{name[0]}axis{name[1:]}", {})
    title = axis.get("title", {})
    title = title if isinstance(title, str) else title.get("text", "")
    places, texts = values_of(axis.get("tickvals", [])), values_of(axis.get("ticktext", []))
    named = zip(places, map(without_markup, texts), strict=False)
    shares = str(axis.get("tickformat", "")).endswith("%")
    return Axis(without_markup(title or ""), dict(named) if texts else {}, shares)


def describe_figure(data: Mapping) -> Description:
    """Return the description of a plotly figure: a heat map's cells, or a row for each point of its traces."""
    figure = data["figure"]
    traces, layout = figure["data"], figure["layout"]
    panels = title_panels(traces, layout)
    notes = [without_markup(each.get("text") or "") for each in layout.get("annotations", ())]
    notes = [each for each in dict.fromkeys(notes) if each and each not in panels.values()]
    more = [say("figure.notes", notes=notes)] if notes else []
    maps = [each for each in traces if each.get("type") == HEATMAP]
    if maps:
        return describe_maps(maps, layout, more)
    drawn = [each for each in traces if any(y is not None for y in values_of(each.get("y")))]
    drawn = [each for each in drawn if not is_guide(each)] or drawn
    drawn = [each for each in drawn if not are_labels(each, drawn)]
    if are_dots(drawn, layout):
        return describe_dots(drawn, layout)
    if are_texts(drawn, layout):
        return describe_texts(drawn, layout)
    bands = {id(line): band for band, line in pairwise(drawn) if is_band(band)}
    drawn = [each for each in drawn if not any(each is band for band in bands.values())]
    axes = {
        name: axis_of(layout, name)
        for each in traces
        for name in (each.get("xaxis", "x"), each.get("yaxis", "y"))
    }
    columns, shown = columns_of(drawn, axes)
    lines = [each for each in drawn if len(drawn) > 1 and is_ruler(each)]
    if lines and len(lines) < min(len(drawn), MEASURES_AT_MOST):  # lines to measure by are no data
        drawn = [each for each in drawn if each not in lines]
        more = [tell_line(each, axes) for each in lines] + more
    together = len(drawn) > MEASURES_AT_MOST  # all in one measure, each place with its series
    rows, compared, trends, empty = [], {}, [], 0
    for trace, own_name in zip(drawn, name_traces(drawn, layout, columns[2]), strict=True):
        panel = panels.get(trace.get("xaxis", "x"), "")
        name = own_name if panel in ("", own_name) else say("figure.panel", panel=panel, name=own_name)
        points = points_of(trace, axes, bands.get(id(trace)))
        if not points:
            continue
        if is_histogram(trace, points):
            empty += sum(not cell.number for cell, _ in points)
            points = [each for each in points if each[0].number]
        rows += [(name, *point) for _, point in points]
        alone = together or len(drawn) == 1 or name == columns[2]
        own_axis = axes[trace.get("xaxis", "x") if is_lying(trace) else trace.get("yaxis", "y")]
        y = own_axis.title if panels and own_axis.title else columns[2]
        nameless = y == say("column.value") and len(drawn) > 1
        measure = y if alone else name if nameless else say("figure.measure", series=name, y=y)
        if trace.get("base") is not None:
            measure = say("figure.piece", series=name)
        for cell, point in find_extremes(points):  # no other point is named
            place = point[0] if is_lying(trace) else say("figure.at", x=point[0])
            named = say("at", row=name, column=place) if together else place
            compared.setdefault(measure, []).append((cell, named))
        trend = trend_of(trace, points, name)
        trends += [trend] if trend else []
    if len(trends) <= MEASURES_AT_MOST:
        more += trends
    if empty:
        more.insert(0, say("figure.empty", bars=empty))
    sentence = say("figure.sentence", series=len(drawn), points=len(rows))
    if len(drawn) == 1:  # its name stands in the sentence, not in each row
        own = drawn[0].get("name") or trace_label(drawn[0])
        sentence = say("figure.one", name=without_markup(own or ""), points=len(rows))
        columns, rows = columns[1:], [row[1:] for row in rows]
    return describe_table(sentence, shown, columns, rows, compared, more=more)


def are_dots(drawn: Sequence[Mapping], layout: Mapping) -> bool:
    """Return whether a figure is groups of dots to be counted: marks in rows, without an axis to read them by."""
    hidden = all(layout.get(f"{name}axis", {}).get("visible") is False for name in "xy")
    return hidden and bool(drawn) and all(isinstance(colours_of(each), list) for each in drawn)


def colours_of(trace: Mapping) -> object:
    """Return the colours of a trace's marks: one for all, or a list; None of what is no marks."""
    return trace.get("marker", {}).get("color") if trace.get("mode") == "markers" else None


def title_panels(traces: Sequence[Mapping], layout: Mapping) -> dict[str, str]:
    """Return the titles of a figure's panels by their x axes; nothing where there is one panel or some have no title."""
    axes = sorted({each.get("xaxis", "x") for each in traces}, key=lambda name: int(name[1:] or 1))
    titles = [
        without_markup(each["text"])
        for each in layout.get("annotations", ())
        if each.get("xref") == each.get("yref") == "paper" and each.get("yanchor") == "bottom"
    ]
    return dict(zip(axes, titles, strict=True)) if 1 < len(axes) == len(titles) and all(titles) else {}


def are_texts(drawn: Sequence[Mapping], layout: Mapping) -> bool:
    """Return whether a figure is texts at places that say nothing: there are no axes to read them by, and all are texts."""
    hidden = all(layout.get(f"{name}axis", {}).get("visible") is False for name in "xy")
    return (
        hidden
        and bool(drawn)
        and all(
            each.get("type", "scatter") == "scatter"
            and "lines" not in (each.get("mode") or "lines")
            and len(values_of(each.get("text", ()))) == len(values_of(each["y"]))
            and all(values_of(each["text"]))
            for each in drawn
        )
    )


def describe_texts(drawn: Sequence[Mapping], layout: Mapping) -> Description:
    """Return the description of texts at places that say nothing: a row each, from left to right."""
    names = name_traces(drawn, layout, say("column.text"))
    rows = [
        (float(x), name, without_markup(str(text)))
        for trace, name in zip(drawn, names, strict=True)
        for x, text in zip(values_of(trace["x"]), values_of(trace["text"]), strict=True)
    ]
    shown = [
        (number_of(at), text, name) for at, (_, name, text) in enumerate(sorted(rows, key=lambda row: row[0]))
    ]
    heads = [say("column.position"), say("column.text"), say("column.series")]
    if len(drawn) == 1:
        heads, shown = heads[:2], [row[:2] for row in shown]
    return describe_table(say("figure.listed", texts=len(rows)), "", heads, shown)


def describe_dots(drawn: Sequence[Mapping], layout: Mapping) -> Description:
    """Return the description of groups of dots, of which the first are filled: a row for each group, with its notes."""
    rows = []
    for trace in drawn:
        edge = trace["marker"].get("line", {}).get("color")
        notes = [
            without_markup(each["text"])
            for each in layout.get("annotations", ())
            if each.get("font", {}).get("color") == edge
        ]
        colours = colours_of(trace)
        filled = sum(each != EMPTY for each in colours)
        name = notes[0] if notes else say("figure.series", number=len(rows) + 1)
        cells = (number_cell(float(filled), str(filled)), Cell(str(len(colours))), "; ".join(notes[1:]))
        rows.append((name, *cells))
    heads = [say(f"column.{each}") for each in ("group", "filled", "dots", "note")]
    return describe_table(say("figure.dots", groups=len(rows)), "", heads, rows)


def is_lying(trace: Mapping) -> bool:
    """Return whether a trace is bars that lie, or points on lines with names: named at their left, measured along x.

    >>> is_lying({"orientation": "h"}), is_lying({"x": [0.5], "y": ["CBOW"]}), is_lying({"x": ["CBOW"], "y": [0.5]})
    (True, True, False)
    """
    xs, ys = values_of(trace.get("x")), values_of(trace.get("y"))
    named = (
        bool(xs and ys) and all(isinstance(y, str) for y in ys) and not any(isinstance(x, str) for x in xs)
    )
    return trace.get("orientation") == "h" or named


def columns_of(drawn: Sequence[Mapping], axes: Mapping[str, Axis]) -> tuple[tuple[str, ...], str]:
    """Return the columns of the table of points, and the axes in words, nothing where one has no title."""
    x, y = (join_titles(axes, name) for name in "xy")
    named, measured = (y, x) if drawn and all(map(is_lying, drawn)) else (x, y)
    if not named:
        bars = all(each.get("type") == "bar" for each in drawn)
        named = say("column.bar") if bars else say("column.point")
    columns = (say("column.series"), named, measured or say("column.value"), say("column.note"))
    return columns, say("matrix.axes", rows=columns[1], columns=columns[2]) if x and y else ""


def join_titles(axes: Mapping[str, Axis], kind: str) -> str:
    """Return the title of the axes of a kind, "x" or "y"; of panels that differ all titles.

    >>> join_titles({"x": Axis("score", {}), "x2": Axis("rank", {}), "y": Axis("share", {})}, "x")
    'score / rank'
    """
    titles = [axis.title for name, axis in axes.items() if name[0] == kind and axis.title]
    return " / ".join(dict.fromkeys(titles))


def is_band(trace: Mapping) -> bool:
    """Return whether a trace is the band of an interval around the line that is drawn after it: there and back."""
    xs = values_of(trace.get("x"))
    return trace.get("fill") == "toself" and xs == xs[::-1] and not trace.get("name")


def is_guide(trace: Mapping) -> bool:
    """Return whether a trace is a line without a name from one point to another, which leads the eye."""
    ends = len(values_of(trace.get("y"))) == 2 and not trace.get("name")
    return ends and trace.get("type", "scatter") == "scatter" and "lines" in (trace.get("mode") or "lines")


def is_ruler(trace: Mapping) -> bool:
    """Return whether a trace is a line with a name to measure by: upright or level, or dashed from end to end.

    >>> line = {"type": "scatter", "mode": "lines", "name": "Bayes", "y": [0, 4]}
    >>> is_ruler({**line, "x": [1, 1]}), is_ruler({**line, "x": [0, 1]})
    (True, False)
    """
    xs, ys = values_of(trace.get("x")), values_of(trace.get("y"))
    line = trace.get("type", "scatter") == "scatter" and trace.get("mode") == "lines"
    told = bool(trace.get("name") or trace_label(trace))
    if not (line and told) or len(ys) < 2 or len(xs) != len(ys) or None in (*xs, *ys):
        return False
    dashed = len(ys) == 2 and trace.get("line", {}).get("dash", "solid") != "solid"
    return dashed or len(set(xs)) == 1 or len(set(ys)) == 1


def tell_line(trace: Mapping, axes: Mapping[str, Axis]) -> str:
    """Return a line to measure by in words: its name, and where it is."""
    x_axis, y_axis = axes[trace.get("xaxis", "x")], axes[trace.get("yaxis", "y")]
    xs, ys = values_of(trace["x"]), values_of(trace["y"])
    name = without_markup(trace.get("name") or "") or trace_label(trace)
    if len(set(xs)) == 1:
        return say("figure.upright", name=name, at=x_axis.write(xs[0]))
    if len(set(ys)) == 1:
        return say("figure.level", name=name, at=y_axis.write(ys[0]))
    ends = [say("figure.point", x=x_axis.write(xs[at]), y=y_axis.write(ys[at])) for at in (0, -1)]
    return say("figure.straight", name=name, first=ends[0], last=ends[1])


def are_labels(trace: Mapping, drawn: Sequence[Mapping]) -> bool:
    """Return whether a trace is the labels of bars that hold their own numbers: where they are is no number."""
    if trace.get("mode") != "text":
        return False
    places = [set(values_of(each.get("x"))) for each in drawn if meant_by(each)]
    if any(set(values_of(trace.get("x"))) <= each for each in places):
        return True
    lying = [set(values_of(each.get("y"))) for each in drawn if each.get("type") == "bar" and is_lying(each)]
    numbers = all(
        number_in(without_markup(str(each))) is not None for each in values_of(trace.get("text", ()))
    )
    return numbers and any(set(values_of(trace.get("y"))) <= each for each in lying)


def meant_by(trace: Mapping) -> list[float]:
    """Return the numbers that bars stand for where others are drawn on top of them; nothing where bars are their own."""
    meant = values_of(trace.get("customdata"))
    bars = trace.get("type") == "bar" and all(isinstance(each, float) for each in meant)
    return meant if bars else []


def is_histogram(trace: Mapping, points: Sequence[tuple[Cell, Point]]) -> bool:
    """Return whether a trace is many bars of which several are empty and some are not."""
    empty = sum(cell.number == 0 for cell, _ in points)
    return trace.get("type") == "bar" and len(points) >= BINS_FROM and 1 < empty < len(points)


def name_traces(drawn: Sequence[Mapping], layout: Mapping, measure: str) -> list[str]:
    """Return a name for each trace: its own, that of the note in its colour or at its end, or what is measured.

    >>> line, note = {"line": {"color": "red"}}, {"text": "greedy: 3", "font": {"color": "red"}}
    >>> name_traces([line, {"name": "beam"}, {"mode": "markers", "marker": {"color": "red"}}], {"annotations": [note]}, "p")
    ['greedy', 'beam', 'greedy, marked points']
    """
    notes = [each for each in layout.get("annotations", ()) if any(map(str.isalpha, each.get("text") or ""))]
    names = [without_markup(each.get("name") or "") or trace_label(each) for each in drawn]
    colours = [colour_of(each) for each in drawn]
    for at, trace in enumerate(drawn):
        if names[at]:
            continue
        lit = [each for each in notes if colours[at] and each.get("font", {}).get("color") == colours[at]]
        lit = lit if colours.count(colours[at]) == 1 or at == colours.index(colours[at]) else []
        near = lit or [each for each in notes if is_at(each, trace)]
        if near:
            names[at] = cut_text(without_markup(near[0]["text"]).partition(":")[0])
        elif values_of(trace.get("text", ())) and "text" in (trace.get("mode") or ""):
            names[at] = say("figure.texts" if trace["mode"] == "text" else "figure.labelled")
    panels = [each.get("xaxis", "x") for each in drawn]
    if not any(names) and len(notes) == len(set(panels)) == len(drawn):  # a panel each, below its title
        names = [without_markup(each["text"]) for each in notes]
    known = {colour: name for colour, name in zip(colours, names, strict=True) if colour and name}
    for at, trace in enumerate(drawn):
        if not names[at] and trace.get("mode") == "markers" and colours[at] in known:
            names[at] = say("figure.marked", name=known[colours[at]])
    if names.count("") == 1 and measure not in names:
        names[names.index("")] = measure
    return [name or say("figure.series", number=at) for at, name in enumerate(names, start=1)]


def colour_of(trace: Mapping) -> str:
    """Return the one colour that a trace is drawn in; nothing where it has several or none."""
    found = trace.get("line", {}).get("color") or trace.get("marker", {}).get("color")
    return found if isinstance(found, str) else ""


def is_at(note: Mapping, trace: Mapping) -> bool:
    """Return whether a note is at a point of a trace, whose axes may be of logarithms."""
    xs, ys, x, y = values_of(trace.get("x")), values_of(trace.get("y")), note.get("x"), note.get("y")

    def same(place: object, value: object) -> bool:
        if not isinstance(place, int | float) or not isinstance(value, int | float):
            return place == value
        return bool(np.isclose(place, value)) or (value > 0 and bool(np.isclose(place, np.log10(value))))

    return len(xs) == len(ys) < POINTS_SOUGHT and any(
        same(x, one) and same(y, two) for one, two in zip(xs, ys, strict=True)
    )


def trace_label(trace: Mapping) -> str:
    """Return the one text that stands at a trace, which names it."""
    texts = [without_markup(str(each)) for each in values_of(trace.get("text", ())) if each]
    return texts[0] if len(texts) == 1 else ""


def points_of(
    trace: Mapping, axes: Mapping[str, Axis], band: Mapping | None = None
) -> list[tuple[Cell, Point]]:
    """Return a trace's points, each behind the cell of it that is compared; with its interval where it has a `band`."""
    x_axis, y_axis = axes[trace.get("xaxis", "x")], axes[trace.get("yaxis", "y")]
    lying = is_lying(trace)
    ends = values_of(band["y"]) if band else []  # the upper ends from left to right, then the lower ones back
    ys = values_of(trace.get("y"))
    xs = values_of(trace.get("x")) or list(range(len(ys)))
    texts = trace.get("text", ())
    texts = [texts] * len(ys) if isinstance(texts, str) else values_of(texts)
    bases = trace.get("base")  # where a bar begins that does not begin at 0
    bases = values_of(bases) or ([] if bases is None else [bases] * len(ys))
    meant = meant_by(trace)
    found = []
    for at, (x, y) in enumerate(zip(xs, ys, strict=False)):
        if x is None or y is None:
            continue
        note = without_markup(str(texts[at])) if at < len(texts) and texts[at] is not None else ""
        y = meant[at] if len(meant) == len(ys) else y
        if at < len(bases) and not note and not lying and not isinstance(y, str):
            least, most = sorted((bases[at], bases[at] + y))
            note = say("figure.from", least=y_axis.write(least), most=y_axis.write(most))
        if len(ends) == 2 * len(ys) and not note:
            note = say("figure.from", least=y_axis.write(ends[-1 - at]), most=y_axis.write(ends[at]))
        value, axis = (x, x_axis) if lying else (y, y_axis)
        named = (
            isinstance(value, str)
            or trace.get("mode") == "text"
            or axis.names_all
            or (value in axis.ticks and number_in(axis.ticks[value]) is None)
        )
        cell = Cell(axis.write(value), None if named else float(value))
        if cell.number is not None and is_rounded(note, cell.number):
            note = ""
        found.append((cell, (y_axis.write(y) if lying else x_axis.write(x), cell, note)))
    return found


def is_rounded(note: str, number: float) -> bool:
    """Return whether a note is a number again, with fewer digits.

    >>> is_rounded("70%", 0.697), is_rounded("+1.9", 1.93), is_rounded("12", 0.697), is_rounded("dog", 1.0)
    (True, True, False, False)
    """
    found = number_in(note)
    return found is not None and abs(found - number) <= max(SAME_NOTE * abs(number), SAME_NOTE / 10)


def trend_of(trace: Mapping, points: Sequence[tuple[Cell, Point]], name: str) -> str:
    """Return a line's trend in words: from where to where, and how it goes there.

    Nothing of a few points, and of a trace that is several lines with gaps between them.
    """
    lines = "lines" in (trace.get("mode") or "lines") and trace.get("type", "scatter") == "scatter"
    broken = len(points) < len(values_of(trace.get("y")))
    cells = [cell for cell, _ in points]
    if not lines or broken or len(cells) < TREND_FROM or any(cell.number is None for cell in cells):
        return ""
    return tell_trend(name, cells, [point[0] for _, point in points])


def tell_trend(name: str, cells: Sequence[Cell], places: Sequence[str] = ()) -> str:
    """Return from where to where a line goes, and whether it always goes that way, turns, or ends where it began.

    >>> tell_trend("Loss", [Cell("3.1", 3.1), Cell("2.4", 2.4), Cell("2.45", 2.45)])
    'Loss falls overall, from 3.1 to 2.45.'
    >>> tell_trend("Loss", [Cell("3", 3.0), Cell("2", 2.0), Cell("4", 4.0)], ["n = 1", "n = 2", "n = 3"])
    'Loss falls from 3 to 2 (at n = 2) and then rises to 4.'
    """
    numbers = [cell.number for cell in cells]
    first, last, least, most = numbers[0], numbers[-1], min(numbers), max(numbers)
    way = "level" if first == last else "rises" if last > first else "falls"
    steps = np.diff(numbers)
    if way != "level" and not (np.any(steps > 0) and np.any(steps < 0)):
        # The largest and the smallest number say where it begins and ends.
        return say(f"trend.only.{way}", name=name)
    values = {"name": name, "first": cells[0].text, "last": cells[-1].text}
    over, under = most - max(first, last), min(first, last) - least
    if max(over, under) > TURN * (most - least):
        at = numbers.index(most if over >= under else least)
        place = places[at] if places else ""
        turned = "rises" if over >= under else "falls"
        return say(f"trend.turns.{turned}", turn=cells[at].text, place=place, **values)
    if way != "level" and abs(last - first) < NEAR * (most - least):
        ends = (cells[numbers.index(each)].text for each in (least, most))
        return say("trend.near", **values, **dict(zip(("least", "most"), ends, strict=True)))
    return say(f"trend.{way}", **values)


def describe_maps(maps: Sequence[Mapping], layout: Mapping, more: Sequence[str]) -> Description:
    """Return the description of heat maps: a row for each row of each, a column for each column."""
    first = maps[0]
    x, y = axis_of(layout, first.get("xaxis", "x")), axis_of(layout, first.get("yaxis", "y"))
    grids = [cells_of(each) for each in maps]
    width = max((len(row) for grid in grids for row in grid), default=0)
    widest = max(range(len(maps)), key=lambda at: len(grids[at][0]) if grids[at] else 0)
    places = values_of(maps[widest].get("x", ())) or list(range(width))
    heads = tell_apart([x.write(each) or number_of(at) for at, each in enumerate(places)])
    columns = (y.title or say("column.row"), *heads)
    rows = []
    for number, (trace, grid) in enumerate(zip(maps, grids, strict=True), start=1):
        ys = values_of(trace.get("y", ())) or list(range(len(grid)))
        axis = axis_of(layout, trace.get("yaxis", "y"))
        before = say("figure.map", number=number) if len(maps) > 1 else ""
        names = tell_apart([axis.write(ys[at]) if at < len(ys) else number_of(at) for at in range(len(grid))])
        for name, line in zip(names, grid, strict=True):
            row = " ".join(filter(None, (before, name)))
            rows.append([row, *line, *([Cell("")] * (width - len(line)))])
    columns = columns[: width + 1]
    sentence = say("grid.sentence", rows=len(rows), columns=width)
    axes = say("matrix.axes", rows=columns[0], columns=x.title or say("column.column"))
    key = first.get("colorbar", {}).get("title", "")
    key = first.get("name") or (key if isinstance(key, str) else key.get("text", ""))
    named = ("", *(title_number(x.title, head) for head in heads))
    placed = [[title_number(y.title, row[0]), *row[1:]] for row in rows]
    compared = compare_all(without_markup(key) or say("column.value"), named[: width + 1], placed)
    if width > COLUMNS_KEPT:
        kept, step = sample_columns(rows)
        more = [say("sampled.columns", step=step, columns=width), *more]
        columns, rows = [columns[at] for at in kept], [[row[at] for at in kept] for row in rows]
    titled = axes if x.title or y.title else ""
    return describe_table(sentence, titled, columns, rows, compared, more=more)


def cells_of(trace: Mapping) -> list[list[Cell]]:
    """Return the cells of a heat map: what is written in them, else the numbers that colour them.

    Where other numbers are written than those that colour the cells, a cell without a text tells none.

    >>> cells_of({"z": [[0.5, 1.0]], "text": [["0.3", "0.6"]]})
    [[Cell(text='0.3', number=0.3), Cell(text='0.6', number=0.6)]]
    >>> cells_of({"z": [[0.5, 1.0]], "text": [["the", ""]]})
    [[Cell(text='the, 0.5', number=0.5), Cell(text='1', number=1.0)]]
    """
    grid = [
        [None if each is None else float(each) * scale_of(trace) for each in row]
        for row in values_of(trace["z"])
    ]
    texts = trace.get("text")
    texts = [values_of(row) for row in values_of(texts)] if texts else []
    if [len(row) for row in texts] != [len(row) for row in grid]:
        return [[number_cell(each) for each in row] for row in grid]
    written = [[lines_of(each) for each in row] for row in texts]
    pairs = [
        (number_in(lines[-1]), value)
        for line, row in zip(written, grid, strict=True)
        for lines, value in zip(line, row, strict=True)
        if number_in(lines[-1]) is not None and value is not None
    ]
    same = all(abs(number - value) <= ROUNDED * max(1.0, abs(value)) for number, value in pairs)
    return [
        [write_cell(lines, value, same) for lines, value in zip(line, row, strict=True)]
        for line, row in zip(written, grid, strict=True)
    ]


def title_number(title: str, name: str) -> str:
    """Return a row's or a column's name; of a number, with the title of its axis where that is a word or two.

    >>> title_number("layer", "0"), title_number("layer", "the"), title_number("", "0")
    ('layer 0', 'the', '0')
    """
    short = 0 < len(title.split()) <= TITLE_AT_MOST
    return f"{title} {name}" if short and number_in(name) is not None else name


def lines_of(text: object) -> list[str]:
    """Return the lines of a text in a cell; one empty line where there is none.

    >>> lines_of("3<br><b>0.86</b>"), lines_of(None)
    (['3', '0.86'], [''])
    """
    return [without_markup(line) for line in ("" if text is None else str(text)).split("<br>")]


def write_cell(lines: Sequence[str], value: float | None, same: bool) -> Cell:
    """Return a cell of a heat map with its text, whose last line may be its number.

    `same` says that the texts which are numbers are those that colour the cells.

    >>> write_cell(["the"], 0.5, True).text, write_cell([">.99"], 0.996, True).text, write_cell(["3", "0.6"], 1.0, False)
    ('the, 0.5', '0.996', Cell(text='3, 0.6', number=0.6))
    """
    text, number = ", ".join(filter(None, lines)), number_in(lines[-1])
    if number is not None and not (same and value is not None):
        return Cell(text, number)
    if not same or value is None:
        return Cell(text)
    if any(map(str.isalpha, text)):
        return Cell(say("figure.written", text=text, value=number_cell(value).text), value)
    return number_cell(value, text if text[:1].isdigit() or text[:1] == "−" else "")  # not ".99", ">.99"


def scale_of(trace: Mapping) -> float:
    """Return what a heat map's numbers are multiplied by where its key writes them otherwise, as 100 for 1.

    >>> scale_of({"colorbar": {"tickvals": [-100, 100], "ticktext": ["−1", "1"]}}), scale_of({})
    (0.01, 1.0)
    """
    key = trace.get("colorbar", {})
    places, texts = values_of(key.get("tickvals", ())), values_of(key.get("ticktext", ()))
    if not (places and texts and places[-1]):
        return 1.0
    return (number_in(str(texts[-1])) or places[-1]) / places[-1]


def sample_columns(rows: Sequence[Sequence[Cell | str]]) -> tuple[list[int], int]:
    """Return the columns of a wide table that are kept, and how far apart they are: the rows' names, some, and both ends."""
    cells = [(cell, at) for row in rows for at, cell in enumerate(row) if isinstance(cell, Cell)]
    width = len(rows[0]) - 1
    step = -(-width // COLUMNS_KEPT)
    ends = {at for _, at in find_extremes(cells)}
    return [at for at in range(width + 1) if at == 0 or (at - 1) % step == 0 or at in ends], step


def describe_learning_curve(data: Mapping) -> Description:
    """Return the description of a loss curve, a snapshot a row, with the samples beside it."""
    labels = data["labels"]
    columns = (labels["x"], labels["y"])
    rows = [(f"{each['step']:,}", number_cell(each["bits"])) for each in data["curve"]]
    more = []
    if len(rows) > 1:
        more.append(tell_trend(labels["y"], [cell for _, cell in rows]))
    marked = [] if data["at"] is None else [f"{data['at']:,}"]
    more += [data["now"]] if data["now"] else []
    more += [each["text"] for each in (*data["levels"], *data["crossings"])]
    for panel in data["panels"]:
        pieces = panel["pieces"]
        text = labels["hidden"] if pieces is None else "".join(each["text"] for each in pieces)
        more.append(say("written", name=panel["title"], text=cut_text(text)))
    sentence = say("learning_curve.sentence", snapshots=len(rows))
    axes = say("matrix.axes", rows=labels["x"], columns=labels["y"])
    return describe_table(sentence, axes, columns, rows, marked=marked, more=more)


def describe_training_replay(data: Mapping) -> Description:
    """Return the description of a character model's training, a snapshot a row; the view begins at the last one."""
    steps = data["steps"]
    names = tell_apart([*data["tokens"]])
    heads = ("training", "held_out", "known", "sample")
    columns = (
        say("column.step"),
        *(say(f"training_replay.{each}") for each in heads),
        *(say("training_replay.p", token=name) for name in names),
    )
    rows = []
    for at, step in enumerate(steps):
        losses = [as_written(data[each][at]) for each in ("loss", "heldOut")]
        share = data["known"][at]
        known = Cell("" if share is None else percent(share, 0), share)
        shares = [as_written(p) for p in data["expected"][at]]
        rows.append([f"{step:,}", *losses, known, cut_text(data["samples"][at]), *shares])
    if not rows:
        return describe_table(say("training_replay.nothing"), "", columns, ())
    now = rows[-1]  # where the view begins
    after = say("training_replay.after", prompt=data["prompt"])
    compared = {
        columns[at]: [(row[at], say("training_replay.at", step=row[0])) for row in rows] for at in (1, 2)
    }
    compared[after] = list(zip(now[5:-1], names, strict=False))  # the last one is the rest
    more = [tell_trend(columns[at], [row[at] for row in rows]) for at in (1, 2) if len(rows) > 1]
    if data["baseline"]:
        value = as_written(data["baseline"]["value"]).text
        more.append(say("training_replay.baseline", name=data["baseline"]["name"], value=value))
    more.append(say("training_replay.writes", text=now[4], known=now[3].text))
    bits = as_written(data["heldOut"][-1] / np.log(2)).text
    texts = {"loss": now[1].text, "held_out": now[2].text, "bits": bits}
    sentence = say(
        "training_replay.sentence", snapshots=len(rows), step=now[0], total=f"{data['total']:,}", **texts
    )
    return describe_table(sentence, say("training_replay.axes"), columns, rows, compared, more=more)


def as_written(value: float) -> Cell:
    """Return a number with three digits after the point, as the view has it.

    >>> as_written(2.8261), as_written(0.0571)
    (Cell(text='2.826', number=2.8261), Cell(text='0.057', number=0.0571))
    """
    return Cell(signed(value, 3), value)
