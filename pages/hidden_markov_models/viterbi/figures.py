"""Pictures of the Viterbi algorithm: scores that underflow, and the lattice of the lab."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from math import isfinite

import numpy as np

from core.figures.blank import blank
from core.figures.figure import Figure, scatter
from core.figures.hidden_markov_models.tables import name_shape
from core.figures.palette import BLUE, OCHRE, VERMILLION
from core.models.hidden_markov_models.decoding import DecodedSentence
from core.models.hidden_markov_models.searches import Search
from core.models.hidden_markov_models.viterbi import Lattice
from pages.hidden_markov_models.viterbi import LESSON

WORDS = LESSON.words
WINDOW = 60  # words of a lattice that are drawn at once
FIGURES = 6  # significant figures of each number sent: more than any cell shows
TOLERANCE = 0.01  # of the student's numbers, as in core.models.hidden_markov_models.viterbi.check_column
SLACK = 0.01  # of logarithms, which are written with two decimals


def draw_underflow(
    exact: Lattice, products: Lattice, names: Mapping[str, str], logarithms: bool = True
) -> Figure:
    """Return the best score of each word as a power of ten: by products until they are 0, and by sums of logarithms.

    `names` holds the labels "logarithms", "products", "gone", "x" and "y".
    """
    figure = blank(420, names["x"], names["y"])
    place = np.arange(1, len(exact.scores) + 1)
    powers = exact.scores.max(axis=1) / np.log(10)
    if logarithms:
        line = {"color": BLUE, "width": 7}
        figure.add_trace(scatter(x=place, y=powers, mode="lines", name=names["logarithms"], line=line))
    with np.errstate(divide="ignore"):
        rounded = np.log10(products.scores.max(axis=1))
    alive = np.isfinite(rounded)
    line = {"color": VERMILLION, "width": 4}
    mode = "lines" if alive.sum() > 1 else "markers"
    figure.add_trace(scatter(x=place[alive], y=rounded[alive], mode=mode, name=names["products"], line=line))
    if not alive.all():
        gone, last = int(place[~alive][0]), int(place[-1])
        figure.add_vrect(x0=gone, x1=last, fillcolor=VERMILLION, opacity=0.16, line_width=0)
        corner = {
            "xref": "paper",
            "x": 0.99,
            "xanchor": "right",
            "yref": "paper",
            "y": 0.97,
            "yanchor": "top",
        }
        figure.add_annotation(text=names["gone"], showarrow=False, **corner)
    figure.update_xaxes(range=[0, len(place) + 1]).update_yaxes(
        range=[float(powers.min()) * 1.05, 2], tickprefix="10<sup>", ticksuffix="</sup>"
    )
    return figure.update_layout(showlegend=True)


# The lattice of the lab. All times t in what it is sent count from the window's first word; minus infinity is None.


def lattice_payload(
    decoded: DecodedSentence, raw: Lattice, first: int = 0, width: int = WINDOW, broken: bool = False
) -> dict:
    """Return what the lattice view draws: one window of `width` words, from word `first` on.

    `decoded` is the sentence decoded with logarithms, `raw` the same lattice of products
    (`core.models.hidden_markov_models.decoding.underflow`). In a window that begins later than the sentence, the first
    column is filled: it is the last of the window before. `broken` draws the lattice as the products left it, with
    the logarithms of what they became.
    """
    best = raw.in_logarithms if broken else decoded.viterbi
    n, K = decoded.viterbi.scores.shape
    first = max(0, min(first, n - 1))
    last = min(n, first + width)
    model, window = decoded.model, slice(first, last)
    with np.errstate(divide="ignore"):
        logs = (
            model.log_initial,
            model.log_transition,
            decoded.emissions.log_emission[window],
            model.log_end,
        )
        products = [None if table is None else np.exp(table) for table in logs]
    return {
        "id": sha256(repr((decoded.emissions.words, model.states)).encode()).hexdigest()[:16],
        "states": list(model.states),
        "words": list(decoded.emissions.words[window]),
        "notes": [note(decoded, t) for t in range(first, last)],
        "unseen": [reading is None for reading in decoded.emissions.readings[window]],
        "first": first,
        "total": n,
        "windows": window_starts(n, width),
        "steps": steps(first, last, n, K, best.path),
        "log": table(best, logs, window),
        "raw": table(raw, products, window),
        "paths": paths(decoded, best, window),
        "precision": raw.scores.dtype.name,
        "posterior": rounded(np.exp(decoded.log_probability(best.path) - decoded.forward.log_probability)),
        "tolerance": TOLERANCE,
        "slack": SLACK,
    }


def window_starts(n: int, width: int) -> list[int]:
    """Return where each window begins; neighbours share one word.

    >>> window_starts(60, 60), window_starts(130, 60)
    ([0], [0, 59, 118])
    """
    return list(range(0, max(1, n - 1), width - 1)) if n > width else [0]


def note(decoded: DecodedSentence, t: int) -> str:
    """Return what is to be said of a word: nothing, how it was read, or what an unseen word was judged by."""
    word, reading = decoded.emissions.words[t], decoded.emissions.readings[t]
    if reading is not None:
        return "" if reading == word else WORDS.label("note.read", reading=reading)
    guess = decoded.emissions.guesses[t]
    if guess is None:
        return WORDS.label("note.unseen")
    return WORDS.label(
        "note.ending" if guess.suffix else "note.shape", suffix=guess.suffix, shape=name_shape(guess.shape)
    )


def steps(first: int, last: int, n: int, K: int, path: tuple[int, ...]) -> list[list]:
    """Return the algorithm's steps as [kind, t, state]: two for each cell, one for each word on the way back.

    >>> [step[0] for step in steps(0, 2, 2, 1, (0, 0))]
    ['initialise', 'compare', 'keep', 'terminate', 'trace back', 'trace back']
    """
    listed = [["initialise", 0, j] for j in range(K)] if first == 0 else []
    for t in range(1, last - first):
        for j in range(K):
            listed += [["compare", t, j], ["keep", t, j]]
    if last == n:
        listed.append(["terminate", last - first - 1, path[-1]])
    return listed + [["trace back", t - first, path[t]] for t in range(last - 1, first - 1, -1)]


def table(lattice: Lattice, tables: tuple, window: slice) -> dict:
    """Return one lattice's numbers in a window, and the tables that they were computed from."""
    initial, transition, emission, end = tables
    whole = window.stop == len(lattice.scores)
    underflow = lattice.underflow
    return {
        "initial": rounded(initial),
        "transition": rounded(transition),
        "emission": rounded(emission),
        "end": None if end is None else rounded(end),
        "scores": rounded(lattice.scores[window]),
        "candidates": [
            rounded(lattice.candidates[t]) if t else None for t in range(window.start, window.stop)
        ],
        "backpointers": lattice.backpointers[window].tolist(),
        "ties": lattice.ties[window].tolist(),
        "final": rounded(lattice.final) if whole else None,
        "path": list(lattice.path[window]),
        "probability": rounded(lattice.log_probability),
        "underflow": None if underflow is None else max(0, underflow - window.start),
    }


def paths(decoded: DecodedSentence, best: Lattice, window: slice) -> list[dict]:
    """Return the three paths, what each is worth and what it cost; `kept` are the nodes not pruned.

    `best` is the lattice whose path is called Viterbi's: `decoded.viterbi`, or what products made of it.
    """
    n, K = decoded.viterbi.scores.shape
    searches: list[tuple[str, str, Lattice | Search, np.ndarray, int]] = [
        ("viterbi", BLUE, best, np.ones((n, K), dtype=bool), n * K),
        ("beam", OCHRE, decoded.beam, decoded.beam.kept, decoded.beam.nodes),
        ("greedy", VERMILLION, decoded.greedy, decoded.greedy.kept, decoded.greedy.nodes),
    ]
    return [
        {
            "id": name,
            "name": WORDS.label(f"path.{name}", width=decoded.beam.width),
            "colour": colour,
            "path": list(search.path[window]),
            "log_probability": rounded(search.log_probability),
            "probability": rounded(np.exp(search.log_probability)),
            "best": bool(search.log_probability >= decoded.viterbi.log_probability - 1e-9),
            "kept": kept[window].tolist(),
            "nodes": nodes,
            "products": search.products,
        }
        for name, colour, search, kept, nodes in searches
    ]


def rounded(values):
    """Return numbers as JSON has them: to `FIGURES` significant figures, None for what is not finite."""
    if isinstance(values, np.ndarray):
        values = values.tolist()
    if isinstance(values, list | tuple):
        return [rounded(value) for value in values]
    return float(f"{values:.{FIGURES}g}") if isfinite(values) else None
