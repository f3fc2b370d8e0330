"""Pictures of a co-occurrence matrix: its cells, the window that fills it, two rows, and what few dimensions restore."""

from __future__ import annotations

from collections.abc import Container, Sequence

import numpy as np

from core.figures.blank import FONT_SIZE, blank
from core.figures.figure import Figure, bar, heatmap, scatter, subplots
from core.figures.frame import frame, matrices, panel
from core.figures.palette import BLUE, DIVERGING, SEQUENTIAL, VERMILLION
from core.models.word_vectors.negative_sampling import window
from core.text.tokenization.vocabulary import Vocabulary

LETTERS = 12  # of a name beside a heat map


def named(words: Sequence[str]) -> list[str]:
    """Return words short enough to stand beside a heat map, no two alike.

    >>> named(["cat", "counterrevolution", "counterrevolutionary"])
    ['cat', 'counterrevo…', 'counterrevo… ']
    """
    names: list[str] = []
    for each in words:
        name = each if len(each) <= LETTERS else f"{each[: LETTERS - 1]}…"
        while name in names:  # a space more is not seen, and is another name
            name += " "
        names.append(name)
    return names


def matrix_cells(M: np.ndarray, rows: Sequence[str], columns: Sequence[str], colours: dict) -> dict:
    """Return the trace of a matrix M (rows, columns) with the names of both."""
    return heatmap(
        z=M.astype(np.float32),
        x=named(columns),
        y=named(rows),
        xgap=1,
        ygap=1,
        hovertemplate="%{y}, context %{x}: %{z:.3~f}<extra></extra>",
        colorbar={"thickness": 12},
        **colours,
    )


def colours(*matrices: np.ndarray) -> dict:
    """Return the colours of cells: from nought, or to both sides of it where a number is below."""
    low, high = min(float(M.min()) for M in matrices), max(float(np.abs(M).max()) for M in matrices) or 1.0
    scale = {"colorscale": DIVERGING, "zmin": -high} if low < 0 else {"colorscale": SEQUENTIAL, "zmin": 0}
    return {**scale, "zmax": high}


def matrix_figure(
    M: np.ndarray,
    rows: Sequence[str],
    columns: Sequence[str],
    apart: int = 0,
    called: str = "",
    height: int = 350,
) -> Figure:
    """Return a matrix (rows, columns) as a heat map: rows words, columns contexts; a line below the first `apart` rows.

    `called` is what a cell holds, for the scale of colours.
    """
    cells = matrix_cells(M, rows, columns, colours(M))
    cells["colorbar"]["title"] = {"text": called, "font": {"size": FONT_SIZE}}
    figure = blank(height, "context").add_trace(cells)
    if 0 < apart < len(rows):
        figure.add_hline(y=apart - 0.5, line={"color": VERMILLION, "width": 2})
    figure.update_xaxes(type="category", side="top", tickangle=-90)
    return figure.update_yaxes(type="category", dtick=1, autorange="reversed", title="word")


def restored_figure(
    M: np.ndarray, rows: Sequence[str], columns: Sequence[str], restored: np.ndarray
) -> Figure:
    """Return some cells of a matrix and of what fewer dimensions restore of them, on one scale of colours."""
    figure = subplots(1, 2, ("the matrix", "restored from k dimensions"), horizontal_spacing=0.12)
    figure.update_layout(blank(360).layout, margin={"t": 30})
    for column, each in enumerate((M, restored), 1):
        cells = matrix_cells(each, rows, columns, colours(M, restored))
        figure.add_trace({**cells, "showscale": column == 2}, 1, column)
    figure.update_annotations(font_size=FONT_SIZE)
    figure.update_xaxes(type="category", tickangle=-90, tickfont={"size": FONT_SIZE})
    return figure.update_yaxes(type="category", dtick=1, autorange="reversed", tickfont={"size": FONT_SIZE})


def kept_figure(shares: np.ndarray, k: int, height: int = 240) -> Figure:
    """Return the share of the squared singular values that the first 1 ... V are, with k marked."""
    figure = blank(height, "dimensions k", "share kept")
    places = np.arange(1, len(shares) + 1)
    hover = "k = %{x}: %{y:.1%}<extra></extra>"
    figure.add_trace(
        scatter(x=places, y=shares, mode="lines", line={"color": BLUE}, showlegend=False, hovertemplate=hover)
    )
    mark = {"color": VERMILLION, "size": 12}
    figure.add_trace(
        scatter(x=[k], y=[shares[k - 1]], mode="markers", marker=mark, showlegend=False, hovertemplate=hover)
    )
    return figure.update_yaxes(tickformat=".0%", range=[0, 1.05])


def rows_figure(x: np.ndarray, y: np.ndarray, contexts: Sequence[str], names: tuple[str, str]) -> Figure:
    """Return the numbers that two words' rows have for some contexts, as bars side by side."""
    figure = blank(300, "context", "in the row")
    for values, name, colour in zip((x, y), names, (BLUE, VERMILLION), strict=True):
        figure.add_trace(
            bar(
                x=named(contexts),
                y=values,
                name=name,
                marker={"color": colour},
                hovertemplate="%{x}: %{y:.3~f}",
            )
        )
    figure.update_layout(barmode="group")
    return figure.update_xaxes(type="category", dtick=1)


def window_frames(tokens: Sequence[str], size: int, known: Container[str]) -> tuple[list[dict], dict]:
    """Return the steps of a window over a sentence, and what they share: each adds 1 to cells of one row.

    A word that is not `known` keeps its place in the sentence, but has neither row nor column.

    >>> steps, shared = window_frames(["the", "cat", "saw", "the", "dog"], 1, {"the", "cat", "saw"})
    >>> steps[1]["said"]
    'The window around “cat” adds 1 to each of 2 cells of its row: “the”, “saw”.'
    >>> steps[3]["said"]
    'The window around “the” adds 1 to one cell of its row: “saw”. No column: “dog”.'
    """
    types = [each for each in Vocabulary.of(tokens).types if each in known]
    frames, names = [], named(types)
    windows = [window(tokens, centre, size) for centre in range(len(tokens))]
    columns = [
        [types.index(tokens[place]) for place in around if token in known and tokens[place] in known]
        for token, around in zip(tokens, windows, strict=True)
    ]
    counts, whole = np.zeros((len(types), len(types))), np.zeros((len(types), len(types)))
    rows = [types.index(token) if token in known else -1 for token in tokens]
    for row, into in zip(rows, columns, strict=True):
        np.add.at(whole, (row, into), 1)
    for centre, token in enumerate(tokens):
        np.add.at(counts, (rows[centre], columns[centre]), 1)
        cells = panel("", counts) | {"digits": 0, "reach": float(whole.max(initial=1))}
        cells["marked"] = [[rows[centre], column] for column in sorted(set(columns[centre]))]
        picture = matrices([cells], names, names) | {"write": True}
        frames.append(
            frame(
                f"around “{token}”",
                {"kind": "sliding", "centre": centre, "around": windows[centre], "matrix": picture},
                f"The window around {token}, and the counts so far",
                added(token, [tokens[place] for place in windows[centre]], known),
                [
                    f"So far the cells add up to {int(counts.sum())}, at the end of the sentence to {int(whole.sum())}."
                ],
            )
        )
    return frames, {"tokens": list(tokens)}


def added(token: str, around: Sequence[str], known: Container[str]) -> str:
    """Say to which cells of a row a window adds; a word that stands in it twice adds twice to one cell.

    >>> added("of", ["the", "cat", "the"], {"of", "the", "cat"})
    'The window around “of” adds 3 to 2 cells of its row: “the” twice, “cat”.'
    >>> added("saw", ["cat", "yak"], {"saw", "cat"})
    'The window around “saw” adds 1 to one cell of its row: “cat”. No column: “yak”.'
    >>> added("yak", ["cat"], {"cat"})
    'The window around “yak” adds nothing: it is not among the words that have a row.'
    """
    if token not in known:
        return f"The window around “{token}” adds nothing: it is not among the words that have a row."
    times = {each: around.count(each) for each in around if each in known}
    without = ", ".join(f"“{each}”" for each in dict.fromkeys(around) if each not in known)
    rest = f" No column: {without}." if without else ""
    if not times:
        return f"The window around “{token}” adds nothing.{rest}"
    listed = ", ".join(
        f"“{each}”" + ("" if n == 1 else " twice" if n == 2 else f" {n} times") for each, n in times.items()
    )
    cells = "one cell" if len(times) == 1 else f"{len(times)} cells"
    each_one = set(times.values()) == {1} and len(times) > 1
    what = f"1 to each of {cells}" if each_one else f"{sum(times.values())} to {cells}"
    return f"The window around “{token}” adds {what} of its row: {listed}.{rest}"
