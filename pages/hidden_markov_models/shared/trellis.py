"""The trellis of the stories: what the view "trellis" is sent of a sentence and its lattice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from core.models.hidden_markov_models.decoding import DecodedSentence
from core.models.hidden_markov_models.viterbi import Lattice
from core.words.numbers import plain_number
from pages.hidden_markov_models.shared import WORDS

HUES = {"hot": "vermillion", "cold": "blue"}
SCOOPS_AT_MOST = 4  # a larger number is only written


def draw_trellis(
    decoded: DecodedSentence,
    kinds: Mapping[tuple[int, int], str],
    edges: Iterable[tuple[int, int, int, str, str]] = (),
    scores_until: int = 0,
    total: str = "",
    faint: bool = False,
) -> dict:
    """Return the data of the view "trellis".

    `kinds` {(t, j): kind} are nodes that are not plain, `edges` (t, i, j, kind, text) lead from state i at t - 1 to state
    j at t, `scores_until` is the number of columns whose scores stand in their nodes, `total` a line of arithmetic;
    `faint` draws every other edge faintly.
    """
    lattice, words = decoded.viterbi, decoded.emissions.words
    n, K = lattice.scores.shape
    scores = np.exp(lattice.scores)
    return {
        "columns": [{"word": word, "count": count_scoops(word)} for word in words],
        "rows": [{"name": state, "hue": HUES.get(state)} for state in decoded.model.states],
        "nodes": [
            [
                {
                    "text": format_probability(scores[t, j]) if t < scores_until else "",
                    "kind": kinds.get((t, j), "filled" if t < scores_until else "open"),
                }
                for j in range(K)
            ]
            for t in range(n)
        ],
        "edges": [
            {"t": t, "i": i, "j": j, "kind": kind, "text": text} for t, i, j, kind, text in unique(edges)
        ],
        "axis": WORDS.label("axis.diary") if any(map(count_scoops, words)) else "",
        "sum": total,
        "faint": faint,
    }


def unique(edges: Iterable[tuple[int, int, int, str, str]]) -> list[tuple[int, int, int, str, str]]:
    """Return edges with the last one of each place: what is drawn later lies above."""
    return list({edge[:3]: edge for edge in edges}.values())


def path_edges(path: Sequence[int], kind: str = "best") -> list[tuple[int, int, int, str, str]]:
    """Return the edges of a path.

    >>> path_edges([1, 0])
    [(1, 1, 0, 'best', '')]
    """
    return [(t, path[t - 1], path[t], kind, "") for t in range(1, len(path))]


def pointer_edges(lattice: Lattice) -> list[tuple[int, int, int, str, str]]:
    """Return the edge that each cell's backpointer follows."""
    n, K = lattice.backpointers.shape
    return [(t, int(lattice.backpointers[t, j]), j, "way", "") for t in range(1, n) for j in range(K)]


def count_scoops(word: str) -> int:
    """Return how many scoops stand under a word: as many as it says, none where it is no small number.

    >>> count_scoops("3"), count_scoops("dog"), count_scoops("90")
    (3, 0, 0)
    """
    return int(word) if word.isascii() and word.isdecimal() and int(word) <= SCOOPS_AT_MOST else 0


def format_probability(p: float) -> str:
    """Return a probability as a node shows it.

    >>> format_probability(0.0576), format_probability(0.0008294), format_probability(0.00001234)
    ('0.0576', '0.000829', '1.23·10⁻⁵')
    """
    return plain_number(p, 3)
