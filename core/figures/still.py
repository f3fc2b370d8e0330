"""A figure as a still picture: a small SVG, drawn once, that no chart library has to draw again in a browser.

It knows the parts of plotly's vocabulary that the cards of the lessons use. The figure's words take the ink of the
page: currentColor, or the ink of their hue, `var(--ink-blue)`.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from html import unescape
from itertools import pairwise

import numpy as np

from core.figures.figure import Figure, FigurePart
from core.figures.palette import CATEGORIES
from core.figures.scale import Scale, as_list
from core.figures.svg import BREAK, HEIGHT, LETTER, WIDTH, each, line, open_tag, short, stroke, text_element

EDGE = 4
LEVELS = 20  # steps of a heat map's colours
PLACE = re.compile(r"(-?[\d.]+(?:e-?\d+)?)[ ,](-?[\d.]+(?:e-?\d+)?)")
CORNERS = {"square": (4, 0.89, 0.25), "diamond": (4, 0.9, 0), "star": (10, 1.0, 0)}  # number, radius, turn


def still(figure: Figure) -> str:
    """Return a figure as the text of an SVG.

    >>> from core.figures.figure import Figure, bar
    >>> picture = still(Figure(bar(x=["a", "<b"], y=[1, 2])))
    >>> picture.count("<rect"), "&lt;b" in picture
    (2, True)
    """
    panels = defaultdict(list)
    for number, trace in enumerate(figure.data):
        colour = (figure.layout.colorway or CATEGORIES)[number % len(CATEGORIES)]
        panels[trace.get("xaxis", "x"), trace.get("yaxis", "y")].append((trace, colour))
    scales = {}
    for (x, y), traces in panels.items():
        for name in (x, y):
            look = figure.layout.get(f"{name[0]}axis{name[1:]}", FigurePart())
            scales[name] = Scale(name[0], look, [trace for trace, _ in traces], figure.layout)
    left = EDGE + max(s.room(LETTER) for n, s in scales.items() if n[0] == "y" and s.first)
    top = EDGE + max(s.room(LETTER) if s.look.side == "top" else 0 for n, s in scales.items() if n[0] == "x")
    low = EDGE + max(s.room(LETTER) if s.look.side != "top" else 0 for n, s in scales.items() if n[0] == "x")
    for name, scale in scales.items():
        scale.stretch(*((left, WIDTH - EDGE) if name[0] == "x" else (HEIGHT - low, top)))
    for x, y in panels:
        if "scaleanchor" in scales[y].look:
            scales[x].same_unit(scales[y])
    parts = [axes(scales[x], scales[y]) for x, y in panels]
    shapes = [(each.layer, draw_shape(each, scales)) for each in figure.layout.get("shapes", ())]
    parts += [drawn for layer, drawn in shapes if layer == "below"]
    for (x, y), traces in panels.items():
        worded = any("text" in trace.get("mode", "") for trace, _ in traces)
        parts += draw_panel_bars(
            [pair for pair in traces if pair[0].type == "bar"], scales[x], scales[y], figure.layout
        )
        for trace, colour in traces:
            if trace.type == "heatmap":
                parts.append(heat_map(trace, scales[x], scales[y], 0.6 if worded else 1))
            elif trace.type == "scatter":
                parts.append(draw_scatter(trace, colour, scales[x], scales[y]))
            elif trace.type != "bar":
                raise ValueError(f"A card's picture cannot hold a trace of type {trace.type}.")
    parts += [drawn for layer, drawn in shapes if layer != "below"]
    parts += [annotation(each, scales) for each in figure.layout.get("annotations", ())]
    size = figure.layout.get("font", {}).get("size", 12)
    view = f'viewBox="0 0 {WIDTH} {HEIGHT}" font-size="{size}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {view}>{"".join(parts)}</svg>'


def axes(x: Scale, y: Scale) -> str:
    """Return the grid of a panel and the labels of its axes."""
    parts = []
    for value, label in x.ticks():
        at, under = x(value), x.look.side != "top"
        if x.look.get("showgrid", True) and not x.categories and x.shown:
            parts.append(line([(at, y.start), (at, y.end)], stroke="currentColor", opacity=0.12))
        place = y.start + 10 if under else y.end - 9
        if x.tilted:
            made = text_element(label, at + 4, y.start + 8, "end", FigurePart(size=11))
            parts.append(
                made.replace(
                    "<text", f'<text transform="rotate(-40 {short(at + 4)} {short(y.start + 8)})"', 1
                )
            )
        elif label:
            parts.append(text_element(label, at, place, "middle", FigurePart(size=x.size)))
    for value, label in y.ticks():
        at = y(value)
        if y.look.get("showgrid", True) and not y.categories and y.shown:
            parts.append(line([(x.start, at), (x.end, at)], stroke="currentColor", opacity=0.12))
        if label:
            parts.append(text_element(label, x.start - 5, at, "end", FigurePart(size=y.size)))
    return "".join(parts)


def draw_panel_bars(
    traces: Sequence[tuple[FigurePart, str]], x: Scale, y: Scale, layout: FigurePart
) -> list[str]:
    """Return the bars of a panel: side by side, or one on the other, with their words."""
    parts, ends = [], defaultdict(float)
    mode = layout.get("barmode", "group")
    for place, (trace, colour) in enumerate(traces):
        flat = trace.orientation == "h"
        along, across = (x, y) if flat else (y, x)
        spots, lengths = as_list(trace.y if flat else trace.x), as_list(trace.x if flat else trace.y)
        share = len(traces) if mode == "group" else 1
        for i, length in enumerate(lengths):
            spot = across.number(spots[i]) if spots else i
            wide = each(trace.width, i, 1 - layout.get("bargap", 0.2)) / share
            middle = spot + (place - (share - 1) / 2) * wide if mode == "group" else spot
            base = each(trace.base, i, ends[spot] if mode in ("stack", "relative") else 0)
            ends[spot] = base + length
            a, b = sorted((across.at(middle - wide / 2), across.at(middle + wide / 2)))
            start, end = sorted((along.at(base), along.at(base + length)))
            box = (start, a, end - start, b - a) if flat else (a, start, b - a, end - start)
            edge = trace.marker.line or FigurePart() if trace.marker else FigurePart()
            look = {"fill": each(trace.marker and trace.marker.color, i, colour), "opacity": trace.opacity}
            look |= {"stroke": each(edge.color, i), "stroke-width": each(edge.width, i)}
            sized = dict(zip(("x", "y", "width", "height"), map(short, box), strict=True))
            parts.append(open_tag("rect", {**sized, **look}, "/>"))
            label = each(trace.text, i)
            if label and trace.textposition == "outside":
                spot = (end + 4, (a + b) / 2, "start") if flat else ((a + b) / 2, start - 8, "middle")
                parts.append(
                    text_element(
                        label, *spot, FigurePart(size=min(13, max(9, 0.95 * (b - a) if flat else 11)))
                    )
                )
            elif label:
                size = min(16, 1.7 * (box[2] - 4) / max(1, len(unescape(str(label)))))
                parts.append(
                    text_element(
                        label,
                        box[0] + box[2] / 2,
                        box[1] + box[3] / 2,
                        "middle",
                        FigurePart(size=round(size)),
                    )
                )
    return parts


def mix_colours(scale: Sequence, share: float) -> str:
    """Return a colour scale's colour at a share, 0 to 1.

    >>> mix_colours([[0.0, "rgba(0, 114, 178, 0.0)"], [1.0, "rgba(0, 114, 178, 1.0)"]], 0.5)
    'rgb(0 114 178/0.5)'
    """
    stops = [(float(at), [float(n) for n in re.findall(r"[\d.]+", colour)]) for at, colour in scale]
    *parts, alpha = (np.interp(share, *zip(*((at, c[k]) for at, c in stops), strict=True)) for k in range(4))
    return f"rgb({' '.join(str(round(part)) for part in parts)}/{alpha:.3g})"


def heat_map(trace: FigurePart, x: Scale, y: Scale, opacity: float) -> str:
    """Return a heat map: of each colour one path, in which a run of such cells is one stroke as thick as a row."""
    z = np.array(trace.z, dtype=float)
    low = np.nanmin(z) if trace.zmin is None else trace.zmin
    high = np.nanmax(z) if trace.zmax is None else trace.zmax
    level = np.round(LEVELS * np.clip((z - low) / ((high - low) or 1), 0, 1))
    columns = [x.number(v) for v in as_list(trace.x)] or range(z.shape[1])
    rows = [y.number(v) for v in as_list(trace.y)] or range(z.shape[0])
    step = columns[1] - columns[0] if len(columns) > 1 else 1
    paths = defaultdict(list)
    wide, across = x.at(columns[0] + step) - x.at(columns[0]), y.at(rows[-1]) - y.at(rows[0])
    tall = across / (len(rows) - 1) if len(rows) > 1 else y.at(1) - y.at(0)
    for r in range(len(rows)):
        first = 0
        for c in range(1, z.shape[1] + 1):
            if c < z.shape[1] and level[r, c] == level[r, first] and not trace.xgap:
                continue
            if math.isfinite(level[r, first]):
                paths[level[r, first]].append(f"M{first} {r}h{short(c - first - (trace.xgap or 0) / wide)}")
            first = c
    drawn = ""
    for at, runs in paths.items():
        colour = mix_colours(trace.colorscale, at / LEVELS)
        drawn += (
            "" if colour.endswith("/0)") else open_tag("path", {"d": "".join(runs), "stroke": colour}, "/>")
        )
    corner = f"{short(x.at(columns[0] - step / 2))} {short(y.at(rows[0]))}"
    cell = f"matrix({wide:.4g} 0 0 {tall:.4g} {corner})"
    thick = short(1 - (trace.ygap or 0) / abs(tall))
    return f'<g transform="{cell}" stroke-width="{thick}" opacity="{opacity}">{drawn}</g>'


def mark(symbol: str, x: float, y: float, radius: float, look: dict) -> str:
    """Return a point of a scatter as its symbol: a circle, or a polygon with such corners."""
    if symbol not in CORNERS:
        return open_tag("circle", {"cx": short(x), "cy": short(y), "r": short(radius), **look}, "/>")
    corners, size, turn = CORNERS[symbol]
    places = []
    for k in range(corners):
        angle = 2 * math.pi * (k / corners + turn / 2) - math.pi / 2
        far = radius * size * (0.45 if symbol == "star" and k % 2 else 1.25)
        places.append(f"{short(x + far * math.cos(angle))},{short(y + far * math.sin(angle))}")
    return open_tag("polygon", {"points": " ".join(places), **look}, "/>")


def draw_scatter(trace: FigurePart, colour: str, x: Scale, y: Scale) -> str:
    """Return a scatter's area, line, points and words."""
    xs, ys = as_list(trace.x), as_list(trace.y)
    points = [(x(a), y(b)) for a, b in zip(xs or range(len(ys)), ys, strict=True)]
    mode, marker, parts = trace.get("mode") or "lines", trace.marker or FigurePart(), []
    path = points
    if trace.line and trace.line.shape == "hvh":
        halves = [((a + c) / 2, b, d) for (a, b), (c, d) in pairwise(points)]
        path = [points[0], *(p for h, b, d in halves for p in ((h, b), (h, d))), points[-1]]
    if trace.fill == "tozeroy":
        ground = y(0)
        area = [(path[0][0], ground), *path, (path[-1][0], ground)]
        parts.append(line(area, fill=trace.fillcolor or colour, stroke="none"))
    if "lines" in mode:
        parts.append(line(path, fill="none", **stroke(trace.line, colour)))
    around = {"top": (0, -10), "bottom": (0, 11), "right": (6, 0), "left": (-6, 0)}
    for i, (a, b) in enumerate(points):
        if not (math.isfinite(a) and math.isfinite(b)):
            continue
        radius = each(marker.size, i, 6) / 2
        if "markers" in mode:
            edge = marker.line or FigurePart()
            look = {"fill": each(marker.color, i, colour), "stroke": each(edge.color, i)}
            look["stroke-width"] = each(edge.width, i)
            parts.append(mark(each(marker.symbol, i, "circle"), a, b, radius, look))
        if "text" in mode and each(trace.text, i):
            sides = each(trace.textposition, i, "middle center").split()
            dx = sum(around.get(side, (0, 0))[0] for side in sides)
            dy = sum(around.get(side, (0, 0))[1] for side in sides)
            anchor = "start" if "right" in sides else "end" if "left" in sides else "middle"
            near = radius - 3 if "markers" in mode else 0
            place = (a + dx + near * np.sign(dx), b + dy + near * np.sign(dy))
            label = BREAK.split(str(each(trace.text, i)))[0]  # a card has room for one line
            parts.append(text_element(label, *place, anchor, trace.textfont, i))
    return "".join(parts)


def locate_on_panel(value: float, ref: str, scales: Mapping[str, Scale]) -> float:
    """Return where a shape's or an annotation's place stands: on an axis, or as a share of a panel or the picture."""
    name = ref.removesuffix(" domain")
    if name in scales and name == ref:
        scale = scales[name]
        return scale.at(float(value)) if scale.logarithmic else scale(value)
    scale = scales.get(name) or scales[next(iter(scales)) if ref == "paper" else name]
    return scale.start + value * (scale.end - scale.start)


def draw_shape(drawn: FigurePart, scales: Mapping[str, Scale]) -> str:
    """Return a line, a box or a path of a figure; a path may be in pixels from its anchor."""
    x = lambda value: locate_on_panel(value, drawn.get("xref", "x"), scales)  # noqa: E731
    y = lambda value: locate_on_panel(value, drawn.get("yref", "y"), scales)  # noqa: E731
    if drawn.xsizemode == "pixel":
        at_x, at_y = x(drawn.xanchor), y(drawn.yanchor)
        x, y = (lambda value: at_x + value), (lambda value: at_y - value)
    look = {"fill": drawn.fillcolor or "none", "opacity": drawn.opacity, **stroke(drawn.line, "currentColor")}
    if drawn.type == "path":
        moved = PLACE.sub(lambda m: f"{short(x(float(m[1])))} {short(y(float(m[2])))}", drawn.path)
        return open_tag("path", {"d": moved, **look}, "/>")
    corners = [(x(drawn.x0), y(drawn.y0)), (x(drawn.x1), y(drawn.y1))]
    if drawn.type == "line":
        return line(corners, **look)
    (a, b), (c, d) = corners
    box = {"x": min(a, c), "y": min(b, d), "width": abs(a - c), "height": abs(b - d)}
    return open_tag("rect", {**{name: short(at) for name, at in box.items()}, **look}, "/>")


def annotation(drawn: FigurePart, scales: Mapping[str, Scale]) -> str:
    """Return words at a place of a figure, with their arrow where they have one."""
    x, y = (
        locate_on_panel(drawn.x, drawn.get("xref", "x"), scales),
        locate_on_panel(drawn.y, drawn.get("yref", "y"), scales),
    )
    made = ""
    if drawn.get("showarrow", True) and drawn.axref:
        a, b = locate_on_panel(drawn.ax, drawn.axref, scales), locate_on_panel(drawn.ay, drawn.ayref, scales)
        long = math.hypot(x - a, y - b) or 1
        u, v, wide = (x - a) / long, (y - b) / long, 3 + (drawn.arrowwidth or 1)
        leave, stop = drawn.startstandoff or 0, drawn.standoff or 0
        a, b, x, y = a + leave * u, b + leave * v, x - stop * u, y - stop * v
        base = (x - 2 * wide * u, y - 2 * wide * v)
        colour = drawn.arrowcolor or "currentColor"
        head = [(x, y), (base[0] - wide * v, base[1] + wide * u), (base[0] + wide * v, base[1] - wide * u)]
        made = line([(a, b), base], stroke=colour, **{"stroke-width": short(drawn.arrowwidth or 1)})
        made += line(head, fill=colour)
    if not drawn.text:
        return made
    anchor = {"left": "start", "right": "end"}.get(drawn.xanchor, "middle")
    lift = {"bottom": -9, "top": 9}.get(drawn.yanchor, 0)
    at = (x + (drawn.xshift or 0), y - (drawn.yshift or 0) + lift)
    return made + text_element(drawn.text, *at, anchor, drawn.font)
