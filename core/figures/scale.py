"""One axis of a still picture: which values it spans, where on the picture they stand, and where it is labelled."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import unescape

import numpy as np

from core.figures.figure import FigurePart

POWERS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
SIZE = 12  # pixels of the labels


def as_list(values: object) -> list:
    """Return a field's values as a list, an empty one where there are none."""
    return [] if values is None else list(values)


class Scale:
    """The scale of an axis ("x" or "y") with plotly's `look` of it, over the traces that are drawn on it.

    >>> scale = Scale("x", FigurePart(range=[0, 10]), [], FigurePart())
    >>> scale.stretch(100, 200)
    >>> scale(5)
    150.0
    """

    def __init__(self, kind: str, look: FigurePart, traces: Sequence[FigurePart], layout: FigurePart):
        self.kind, self.look = kind, look
        own = [value for trace in traces for value in as_list(trace.get(kind))]
        named = look.type == "category" or any(isinstance(value, str) for value in own)
        known = as_list(look.categoryarray) or own
        self.categories = list(dict.fromkeys(str(value) for value in known)) if named else []
        self.logarithmic = look.type == "log"
        self.low, self.high = self.span(traces, layout)
        self.shown = look.get("visible", True)
        labelled = self.shown and look.get("showticklabels", True)
        self.labels = self.marks() if labelled else []
        longest = max((len(unescape(label)) for _, label in self.labels), default=0)
        self.size = 11 if longest > 12 else SIZE
        room = 270 / max(1, len(self.labels))
        self.tilted = kind == "x" and longest * SIZE * 0.6 > room and look.tickangle not in (0, None)
        self.longest, self.first = longest, look.get("domain", (0, 1))[0] == 0

    def number(self, value: object) -> float:
        """Return where a value stands, in the axis's own unit: a category's place, a logarithm."""
        if self.categories and str(value) in self.categories:
            return self.categories.index(str(value))
        if value is None:
            return math.nan
        if self.logarithmic:
            return math.log10(value) if value > 0 else math.nan
        return float(value)

    def span(self, traces: Sequence[FigurePart], layout: FigurePart) -> tuple[float, float]:
        """Return the first and last value of the axis."""
        if self.look.range is not None:
            return tuple(map(float, self.look.range))
        found, pad, grounded = [], 0.0, self.look.rangemode == "tozero"
        for trace in traces:
            values = [self.number(value) for value in as_list(trace.get(self.kind))]
            if trace.type == "heatmap":
                count = np.shape(trace.z)[0 if self.kind == "y" else 1]
                values = values or list(range(count))
                step = values[1] - values[0] if len(values) > 1 else 1
                values = [min(values) - step / 2, max(values) + step / 2]
            elif trace.type == "bar" and (self.kind == "x") == (trace.orientation != "h"):
                half = trace.width / 2 if isinstance(trace.width, int | float) else 0.5
                values = [value + side for value in values for side in (-half, half)]
            elif trace.type == "bar":
                stacked = layout.barmode == "stack"
                bases = as_list(trace.base) or [0] * len(values)
                values = [0, *(b + v for b, v in zip(bases, values, strict=True))]
                values = [0, sum(max(0, each_end(t, self.kind)) for t in traces)] if stacked else values
                grounded, pad = True, 0.05
            elif trace.mode != "lines" or self.kind == "y":
                pad = 0.12 if "text" in (trace.mode or "") else 0.06
            found += [value for value in values if math.isfinite(value)]
        if not any(trace.type == "heatmap" for trace in traces):
            found += self.beside(layout)
        low, high = (min(found), max(found)) if found else (0, 1)
        pad *= (high - low) or 1
        low, high = (min(0, low) if grounded and low >= 0 else low - pad), high + pad
        return (high, low) if self.look.autorange == "reversed" else (low, high)

    def beside(self, layout: FigurePart) -> list[float]:
        """Return the values of shapes and annotations that are placed on this (first) axis."""
        places = []
        for part in (*layout.get("shapes", ()), *layout.get("annotations", ())):
            if part.get(f"{self.kind}ref", self.kind) == self.kind:
                ends = (self.kind, f"{self.kind}0", f"{self.kind}1")
                places += [self.number(part[end]) for end in ends if end in part]
        return [] if self.logarithmic else [place for place in places if math.isfinite(place)]

    def stretch(self, start: float, end: float) -> None:
        """Let the axis run between two places of the picture, in its part of them where there are panels."""
        a, b = self.look.get("domain", (0, 1))
        self.start, self.end = start + a * (end - start), start + b * (end - start)

    def same_unit(self, other: Scale) -> None:
        """Widen this axis or the other, so that a unit is as long on both."""
        long = [abs(s.end - s.start) / abs(s.high - s.low) for s in (self, other)]
        wide, factor = (self, long[0] / long[1]) if long[0] > long[1] else (other, long[1] / long[0])
        more = (factor - 1) * (wide.high - wide.low) / 2
        wide.low, wide.high = wide.low - more, wide.high + more

    def at(self, number: float) -> float:
        """Return where a number in the axis's own unit stands on the picture, in pixels."""
        return self.start + (number - self.low) / ((self.high - self.low) or 1) * (self.end - self.start)

    def __call__(self, value: object) -> float:
        """Return where a value stands on the picture, in pixels."""
        return self.at(self.number(value))

    def room(self, letter: float) -> float:
        """Return how many pixels the labels take beside the picture."""
        if not self.labels:
            return 0
        if self.kind == "x":
            return 18 if not self.tilted else min(60, 16 + 0.5 * self.longest * SIZE * letter)
        return min(130, 8 + self.longest * self.size * letter)

    def ticks(self) -> list[tuple[object, str]]:
        """Return the values that are marked, each with its label; where they would touch, every second, third ..."""
        if self.kind == "x" and not self.tilted and self.labels:
            wide = sum(len(unescape(label)) for _, label in self.labels) * self.size * 0.52
            every = math.ceil(wide / abs(self.end - self.start)) if not self.look.tickvals else 1
            return self.labels[:: max(1, every)]
        if self.kind == "y" and self.labels:
            every = math.ceil(len(self.labels) * 11.5 / abs(self.end - self.start))
            return self.labels[:: max(1, every)]
        return self.labels

    def marks(self) -> list[tuple[object, str]]:
        """Return all values that could be labelled, in the axis's order."""
        if self.look.tickvals is not None:
            texts = self.look.get("ticktext", self.look.tickvals)
            return [
                (value, str(text).strip()) for value, text in zip(self.look.tickvals, texts, strict=False)
            ]
        if self.categories:
            return [(name, name) for name in self.categories]
        low, high = sorted((self.low, self.high))
        if self.logarithmic:
            first, last = math.ceil(low - 1e-9), math.floor(high + 1e-9)
            every = max(1, math.ceil((last - first + 1) / 5))
            return [(10.0**power, self.written(10.0**power)) for power in range(first, last + 1, every)]
        rough = (high - low) / 4
        unit = 10 ** math.floor(math.log10(rough))
        step = next(n * unit for n in (1, 2, 5, 10) if n * unit >= 0.99 * rough)
        return [
            (n * step, self.written(n * step))
            for n in range(math.ceil(low / step), math.floor(high / step) + 1)
        ]

    def written(self, value: float) -> str:
        """Return a number as a label of this axis."""
        if self.look.tickformat in (".0%", "%"):
            return f"{value:.0%}"
        if self.logarithmic and (self.look.exponentformat == "power" or not 1e-3 < value < 1e6):
            return "10" + str(round(math.log10(value))).translate(POWERS)
        return f"{value:,.6g}".replace("-", "−")


def each_end(trace: FigurePart, kind: str) -> float:
    """Return the largest length of a trace's bars."""
    return max(map(float, as_list(trace.get(kind))), default=0)
