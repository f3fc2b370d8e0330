"""Figures of plotly's that say what they are: `meta` of their layout has the kind, which is told in its own words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from core.descriptions.description import (
    Description,
    describe_table,
    number_cell,
    number_of,
    say,
    tell_apart,
    without_markup,
)
from core.descriptions.plots import axis_of, describe_figure, is_ruler, tell_line, values_of
from core.words.numbers import percent

LISTED = 12  # steps of a path that a sentence tells, states that it names


def describe_drawn(data: Mapping) -> Description:
    """Return the description of a figure of plotly's: of its kind where it has one, else of its traces."""
    figure = data["figure"]
    kind = DRAWN.get((figure["layout"].get("meta") or {}).get("kind"))
    made = kind(figure["data"], figure["layout"]) if kind else None
    return made or describe_figure(data)


def describe_paths(traces: Sequence[Mapping], layout: Mapping) -> Description | None:
    """Return the description of paths through a lattice: a row for each word, a column for each path.

    With a meta `axis` the words are what was observed on days, such as ice creams.
    """
    x_axis, y_axis, axis = axis_of(layout, "x"), axis_of(layout, "y"), layout["meta"].get("axis", "")
    places, words, states = list(x_axis.ticks), list(x_axis.ticks.values()), list(y_axis.ticks.values())
    paths, kept = {}, {}
    for trace in traces:
        cells = list(zip(values_of(trace["x"]), values_of(trace["y"]), strict=True))
        if trace.get("mode") == "lines+markers":  # beside another path it is drawn a part of a row away
            paths[without_markup(trace["name"])] = {x: y_axis.ticks[round(y)] for x, y in cells}
        elif trace.get("meta") == "kept":
            named = kept.setdefault(without_markup(trace["name"]), {})
            for x, y in cells:
                named[x] = [*named.get(x, []), y_axis.ticks[y]]
    names = name_places(words, int(places[0]) if places else 0, axis)
    told = [
        say("drawn.path", name=name, steps=steps_of(path, places, words, axis))
        for name, path in paths.items()
    ]
    differ = [
        say("drawn.day", number=name) if axis else name
        for name, place in zip(names, places, strict=True)
        if len({path.get(place) for path in paths.values()}) > 1
    ]
    if len(paths) > 1:
        told.append(say("drawn.differ", names=differ, paths=len(paths)))
    sentence = say("drawn.paths", words=words, states=states, axis=axis, listed=LISTED)
    columns = [say("column.day" if axis else "column.word"), *([axis] if axis else []), *paths, *kept]
    rows = [
        [
            name,
            *([word] if axis else []),
            *(path.get(place, "") for path in paths.values()),
            *(", ".join(named.get(place, [])) for named in kept.values()),
        ]
        for name, word, place in zip(names, words, places, strict=True)
    ]
    return describe_table(sentence, "", columns, rows, more=told)


def name_places(words: Sequence[str], first: int, axis: str) -> list[str]:
    """Return a name for each word of a window that begins at `first`; the number of its day where words are counts.

    >>> name_places(["the", "dog"], 1, ""), name_places(["3", "1"], 0, "ice creams")
    (['2. the', '3. dog'], ['1', '2'])
    """
    if axis:
        return [number_of(first + at) for at in range(len(words))]
    return tell_apart([*[""] * first, *words])[first:]


def steps_of(
    path: Mapping[float, str], places: Sequence[float], words: Sequence[str], axis: str
) -> list[str]:
    """Return a path as the sentence tells it: each word with its state, of a long one the first ones; of days the states."""
    steps = [
        path[place] if axis else say("drawn.step", word=word, state=path[place])
        for place, word in zip(places, words, strict=True)
        if place in path
    ]
    return steps if len(steps) <= LISTED else [*steps[:LISTED], "…"]


def describe_parts(traces: Sequence[Mapping], layout: Mapping) -> Description | None:
    """Return the description of bars in parts: a row for each bar, with the sum of each part and its largest piece.

    A meta `names` has the parts' names, `largest` of each bar the name of its largest piece; ticks name the bars.
    """
    meta, axis, share = layout["meta"], axis_of(layout, "y"), axis_of(layout, "x")
    bars = [each for each in traces if each.get("type") == "bar"]
    pieces = [
        {
            place: [x for x, y in zip(values_of(each["x"]), values_of(each["y"]), strict=True) if y == place]
            for place in axis.ticks
        }
        for each in bars
    ]
    divided = [any(len(part) > 1 for part in each.values()) for each in pieces]
    rows, told = [], []
    for number, (place, name) in enumerate(axis.ticks.items()):
        cells, parts, largest = [], [], ""
        for part, each, many in zip(meta["names"], pieces, divided, strict=True):
            total, count = sum(each[place]), len(each[place])
            text = share.write(float(total))
            parts.append(say("drawn.part", count=count, name=part, text=text))
            cells.append(number_cell(total, text))
            if many and count:
                largest = say("drawn.piece", name=meta["largest"][number], text=share.write(max(each[place])))
                cells += [str(count), largest]
            elif many:
                cells += ["", ""]
        told.append(say("drawn.bar", name=name, parts=parts, largest=largest))
        rows.append([name, *cells])
    columns = [say("column.bar")]
    for part, many in zip(meta["names"], divided, strict=True):
        columns += [part, *((say("drawn.pieces", name=part), say("drawn.most", name=part)) if many else ())]
    notes = [without_markup(each.get("text") or "") for each in layout.get("annotations", ())]
    notes = [each for each in notes if each and each not in meta["labels"]]
    told += [say("figure.notes", notes=notes)] if notes else []
    sentence = say("drawn.parts", bars=len(rows), measure=share.title)
    return describe_table(sentence, "", columns, rows, {}, more=told)


def pieces_of(trace: Mapping, places: Sequence[float]) -> dict[float, list[float]]:
    """Return the lengths of a trace's lying bars by the place of each.

    >>> pieces_of({"x": [0.5, 0.25, 0.75], "y": [0, 0, 1]}, [0, 1])
    {0: [0.5, 0.25], 1: [0.75]}
    """
    found = {place: [] for place in places}
    for x, y in zip(values_of(trace["x"]), values_of(trace["y"]), strict=True):
        found[y].append(x)
    return found


def describe_reliability(traces: Sequence[Mapping], layout: Mapping) -> Description | None:
    """Return the description of a reliability diagram: a bin of confidence a row, with its gap; None without its bars.

    A meta `bins` has each bin's ends and mean confidence; the first bars have what is right as `customdata`.
    """
    bars = [each for each in traces if each.get("type") == "bar"]
    if not bars:
        return None
    x_axis, y_axis = axis_of(layout, "x"), axis_of(layout, "y")
    kinds = {x: without_markup(each["name"]) for each in bars[1:] for x in values_of(each["x"])}
    columns = (x_axis.title, say("drawn.mean"), y_axis.title, say("drawn.gap"))
    rows = []
    for x, right, (least, most, sure) in zip(
        values_of(bars[0]["x"]), values_of(bars[0]["customdata"]), layout["meta"]["bins"], strict=True
    ):
        gap = abs(sure - right)
        text = say("drawn.points", points=100 * gap, kind=kinds.get(x, ""))
        name = say("drawn.bin", least=percent(least, 0), most=percent(most, 0))
        rows.append(
            (
                name,
                number_cell(sure, percent(sure)),
                number_cell(right, percent(right)),
                number_cell(gap, text),
            )
        )
    compared = {columns[at]: [(row[at], row[0]) for row in rows] for at in (2, 3)}
    axes = {each: axis_of(layout, each) for each in "xy"}
    lines = [tell_line(each, axes) for each in traces if is_ruler(each)]
    sentence = say("drawn.reliability", bins=len(rows))
    shown = say("matrix.axes", rows=x_axis.title, columns=y_axis.title)
    return describe_table(sentence, shown, columns, rows, compared, more=lines)


DRAWN: dict[str, Callable[[Sequence[Mapping], Mapping], Description | None]] = {
    "parts": describe_parts,
    "paths": describe_paths,
    "reliability": describe_reliability,
}
