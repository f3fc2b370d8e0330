"""A plotly figure as plain data: the dictionaries that plotly.js reads, with the verbs that plotly's figures have.

plotly's own graph objects check every field as it is set, which costs a hundred times what drawing these figures
does; here nothing is checked but by a test, which opens every lesson and builds each of its figures as graph objects.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping
from copy import deepcopy
from functools import cache

import numpy as np
from plotly.shapeannotation import axis_spanning_shape_annotation
from plotly.subplots import make_subplots

from core.figures.palette import BLUE, HUES

# Arrays that plotly.js reads from base64; it has no integers of 64 bits.
ARRAY_TYPES = {
    **{f"{sign}int{8 * size}": f"{sign or 'i'}{size}" for sign in ("", "u") for size in (1, 2, 4)},
    "float32": "f4",
    "float64": "f8",
}
PLAIN = frozenset((str, int, float, bool, type(None)))  # what JSON writes as it is
LISTS = (list, tuple)
WHOLE_NAMES = ("error_x", "error_y")  # fields of plotly's whose names hold an underscore


class FigurePart(dict):
    """A part of a figure: part.x is part["x"], and None where it has none.

    >>> part = as_part({"marker_color": "red"})
    >>> part.marker.color, part.text
    ('red', None)
    """

    def __getattr__(self, name: str):
        if name.startswith("__"):
            raise AttributeError(name)
        return self.get(name)

    def __setattr__(self, name: str, value: object) -> None:
        self[name] = value


def as_part(value: object) -> object:
    """Return fields as plotly.js reads them: nested, none of them empty, each title a part of its own.

    >>> as_part({"marker_color": "red", "text": None, "title": "words"})
    {'marker': {'color': 'red'}, 'title': {'text': 'words'}}
    """
    if type(value) in PLAIN:
        return value
    if isinstance(value, LISTS) and value and isinstance(value[0], Mapping):
        return [as_part(each) for each in value]
    if not isinstance(value, dict) and not isinstance(value, Mapping):  # of the two, the first is asked fast
        return value
    part = FigurePart()
    for name, content in value.items():
        if content is None:
            continue
        whole = "_" not in name or name in WHOLE_NAMES
        first, rest = (name, "") if whole else name.split("_", 1)
        if first == "title" and not rest and isinstance(content, str):
            rest = "text"
        found = as_part({rest: content}) if rest else as_part(content)
        if first in part:
            merge(part, {first: found})
        else:
            part[first] = found
    return part


def merge(into: dict, fields: Mapping) -> None:
    """Write fields into a part; where both hold a part, into that."""
    for name, value in fields.items():
        if isinstance(value, dict) and isinstance(into.get(name), dict):
            merge(into[name], value)
        else:
            into[name] = value


def copied(value: object) -> object:
    """Return a part whose parts are its own; deepcopy would ask every word and number how it is copied.

    >>> part = as_part({"title": "words", "range": [0, 1]})
    >>> copied(part) == part, copied(part).title is part.title
    (True, False)
    """
    if isinstance(value, dict):
        return FigurePart({k: each if type(each) in PLAIN else copied(each) for k, each in value.items()})
    return [copied(each) for each in value] if isinstance(value, list) else value


class Figure:
    """Traces (`data`), what surrounds them (`layout`), and pictures to play one after the other (`frames`).

    >>> figure = Figure(bar(x=[1, 2], y=["a", "b"])).update_xaxes(title="counts")
    >>> figure.to_dict()
    {'data': [{'type': 'bar', 'x': [1, 2], 'y': ['a', 'b']}], 'layout': {'xaxis': {'title': {'text': 'counts'}}}}
    """

    def __init__(self, *traces: dict, layout: Mapping | None = None):
        self.data, self.frames = [as_part(trace) for trace in traces], []
        self.layout = as_part(layout or {})

    def add_trace(self, trace: Mapping, row: int | None = None, col: int | None = None) -> Figure:
        """Add a trace, to the panel in a row and column where there are panels (both count from 1)."""
        trace = as_part(trace)
        if row:
            axis = self.panel(row, col)
            trace |= {"xaxis": f"x{axis}", "yaxis": f"y{axis}"}
        self.data.append(trace)
        return self

    def columns(self) -> int:
        """Return how many panels stand side by side."""
        return len({self.layout[axis].domain[0] for axis in self.axes("xaxis")})

    def panel(self, row: int, col: int) -> str:
        """Return what plotly writes behind the x and y of a panel's axes: nothing for the first, then 2, 3."""
        number = (row - 1) * self.columns() + col
        return "" if number == 1 else str(number)

    def axes(self, kind: str, row: int | None = None, col: int | None = None) -> list[str]:
        """Return the names of the axes of a kind ("xaxis", "yaxis"), of one row or column of panels when given."""
        found = [name for name in self.layout if name.startswith(kind)] or [kind]
        if not row and not col:
            return found
        places = {name: divmod(int(name[len(kind) :] or 1) - 1, self.columns()) for name in found}
        return [name for name, (r, c) in places.items() if row in (None, r + 1) and col in (None, c + 1)]

    def update_layout(self, layout: Mapping | None = None, **fields) -> Figure:
        """Change what surrounds the traces."""
        if layout:
            merge(self.layout, as_part(deepcopy(layout)))
        merge(self.layout, as_part(fields))
        return self

    def update_axes(self, kind: str, row: int | None, col: int | None, fields: Mapping) -> Figure:
        """Change the axes of a kind."""
        for axis in self.axes(kind, row, col):
            merge(self.layout.setdefault(axis, FigurePart()), as_part(fields))
        return self

    def update_xaxes(self, row: int | None = None, col: int | None = None, **fields) -> Figure:
        """Change all horizontal axes, or those of a row or column of panels."""
        return self.update_axes("xaxis", row, col, fields)

    def update_yaxes(self, row: int | None = None, col: int | None = None, **fields) -> Figure:
        """Change all vertical axes, or those of a row or column of panels."""
        return self.update_axes("yaxis", row, col, fields)

    def select_traces(self, selector: Mapping | None = None) -> Iterator[FigurePart]:
        """Return the traces whose fields have the selector's values, or all of them."""
        return (t for t in self.data if all(t.get(k) == v for k, v in (selector or {}).items()))

    def update_traces(self, selector: Mapping | None = None, **fields) -> Figure:
        """Change all traces, or those that a selector selects."""
        for trace in self.select_traces(selector):
            merge(trace, as_part(fields))
        return self

    def update_annotations(self, **fields) -> Figure:
        """Change all words that stand in the figure beside its traces."""
        for annotation in self.layout.get("annotations", []):
            merge(annotation, as_part(fields))
        return self

    def add_annotation(self, row: int | None = None, col: int | None = None, **fields) -> Figure:
        """Write words at a place of the figure."""
        return self.add_to("annotations", row, col, fields)

    def add_shape(self, row: int | None = None, col: int | None = None, **fields) -> Figure:
        """Draw a line, a box or a path."""
        return self.add_to("shapes", row, col, fields)

    def add_to(self, kind: str, row: int | None, col: int | None, fields: Mapping) -> Figure:
        """Add to the annotations or the shapes; in a panel their places are read on its axes."""
        refs = {}
        if row:
            axis = self.panel(row, col)
            refs = {"xref": f"x{axis}", "yref": f"y{axis}"}
        self.layout.setdefault(kind, []).append(as_part({**fields, **refs}))
        return self

    def add_vline(self, x: float, **look) -> Figure:
        """Draw a line from the bottom to the top, with `annotation` beside it."""
        return self.add_across("vline", {"type": "line", "x0": x, "x1": x, "y0": 0, "y1": 1}, **look)

    def add_hline(self, y: float, **look) -> Figure:
        """Draw a line from the left to the right, with `annotation` beside it."""
        return self.add_across("hline", {"type": "line", "x0": 0, "x1": 1, "y0": y, "y1": y}, **look)

    def add_vrect(self, x0: float, x1: float, **look) -> Figure:
        """Draw a box from the bottom to the top."""
        return self.add_across("vrect", {"type": "rect", "x0": x0, "x1": x1, "y0": 0, "y1": 1}, **look)

    def add_hrect(self, y0: float, y1: float, **look) -> Figure:
        """Draw a box from the left to the right."""
        return self.add_across("hrect", {"type": "rect", "x0": 0, "x1": 1, "y0": y0, "y1": y1}, **look)

    def add_across(
        self,
        kind: str,
        shape: Mapping,
        row: int | None = None,
        col: int | None = None,
        annotation: Mapping | None = None,
        **look,
    ) -> Figure:
        """Draw a shape that spans its panel; plotly's own rule says where its annotation stands."""
        axis = self.panel(row, col) if row else ""
        refs = {"xref": f"x{axis}", "yref": f"y{axis}"}
        refs["yref" if kind.startswith("v") else "xref"] += " domain"
        beside = {name: value for name, value in look.items() if name.startswith("annotation_")}
        look = {name: value for name, value in look.items() if name not in beside}
        words = axis_spanning_shape_annotation(dict(annotation) if annotation else None, kind, shape, beside)
        self.add_shape(**shape, **look, **refs)
        return self if words is None else self.add_annotation(**words, **refs)

    def to_dict(self) -> dict:
        """Return the figure as Streamlit and plotly.js read it; arrays of numbers in base64, as plotly writes them."""
        spec = {"data": self.data, "layout": self.layout}
        return encode_part({**spec, "frames": self.frames} if self.frames else spec)


def encode_part(value: object) -> object:
    """Return a part as JSON writes it; arrays of numbers in base64, which is half as long.

    >>> encode_part({"x": np.array([1.0]), "y": ("a", np.float64(2))})
    {'x': {'dtype': 'f8', 'bdata': 'AAAAAAAA8D8='}, 'y': ['a', 2.0]}
    """
    if type(value) in PLAIN:
        return value
    if isinstance(value, dict):
        return {
            name: content if type(content) in PLAIN else encode_part(content)
            for name, content in value.items()
        }
    if isinstance(value, list | tuple | range):
        return [each if type(each) in PLAIN else encode_part(each) for each in value]
    if isinstance(value, np.ndarray) and value.dtype.name in ARRAY_TYPES:
        array = {"dtype": ARRAY_TYPES[value.dtype.name], "bdata": b64encode(value.tobytes()).decode()}
        return array if value.ndim == 1 else {**array, "shape": ", ".join(map(str, value.shape))}
    if hasattr(value, "tolist"):  # other arrays, and numpy's numbers
        return value.tolist()
    return value


def scatter(**fields) -> FigurePart:
    """Return points, words or lines at places x and y."""
    return as_part({"type": "scatter", **fields})


def scatter3d(**fields) -> FigurePart:
    """Return points, words or lines at places x, y and z."""
    return as_part({"type": "scatter3d", **fields})


def bar(**fields) -> FigurePart:
    """Return bars. Words inside bars of one opaque hue are white on blue, black on the others: what can be read best."""
    colour = fields.get("marker_color") or (fields.get("marker") or {}).get("color")
    if colour in HUES.values() and "text" in fields and fields.get("textposition") != "outside":
        fields.setdefault("insidetextfont", {"color": "#FFFFFF" if colour == BLUE else "#000000"})
    return as_part({"type": "bar", **fields})


def heatmap(**fields) -> FigurePart:
    """Return cells whose colours say the numbers z."""
    return as_part({"type": "heatmap", **fields})


def waterfall(**fields) -> FigurePart:
    """Return bars of which each begins where the one before it ends."""
    return as_part({"type": "waterfall", **fields})


@cache
def empty_subplots(rows: int, columns: int, titled: tuple[bool, ...], fields: tuple) -> FigurePart:
    """Return the axes of panels as plotly places them, and a place for the title of each that has one."""
    titles = ["title" if each else "" for each in titled]
    grid = make_subplots(rows, columns, subplot_titles=titles or None, **dict(fields))
    return as_part({name: part for name, part in grid.to_dict()["layout"].items() if name != "template"})


def subplots(rows: int, columns: int, titles: tuple[str, ...] = (), **fields) -> Figure:
    """Return an empty figure of panels; `fields` are those of plotly's make_subplots.

    >>> figure = subplots(1, 2, ("one", "two")).add_trace(bar(y=[1]), 1, 2)
    >>> figure.data[0].yaxis, [title.text for title in figure.layout.annotations]
    ('y2', ['one', 'two'])
    """
    fields = {name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()}
    figure = Figure()
    figure.layout = copied(empty_subplots(rows, columns, tuple(map(bool, titles)), tuple(fields.items())))
    for place, title in zip(figure.layout.get("annotations", ()), filter(None, titles), strict=True):
        place.text = title
    return figure
