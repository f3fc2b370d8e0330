"""What a beam search did, read from the beginnings that it kept after each step.

path         the parents of a hypothesis, back to the first step
given up     kept after some step, but on the path of none of the last hypotheses
turn         a step after which the likeliest beginning does not continue the likeliest one before it
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.models.translation.translate import Beginning, Translator, beam
from core.text.grammar.pairs import Pair

Node = tuple[int, int]  # step, rank among those kept
History = Sequence[Sequence[Beginning]]


def path_to(history: History, rank: int = 0) -> list[Node]:
    """Return the nodes (step, rank) that led to a hypothesis, the last step first.

    >>> history = [[Beginning((5,), -1, 0), Beginning((6,), -2, 0)], [Beginning((6, 2), -2, 1)]]
    >>> path_to(history)
    [(1, 0), (0, 1)]
    """
    nodes = []
    for step in range(len(history) - 1, -1, -1):
        nodes.append((step, rank))
        rank = history[step][rank].parent
    return nodes


def given_up(history: History) -> set[Node]:
    """Return the nodes that led to none of the last step's hypotheses.

    >>> history = [[Beginning((5,), -1, 0), Beginning((6,), -2, 0)], [Beginning((6, 2), -2, 1)]]
    >>> given_up(history)
    {(0, 0)}
    """
    alive = {node for rank in range(len(history[-1])) for node in path_to(history, rank)}
    return {(t, k) for t, kept in enumerate(history) for k in range(len(kept))} - alive


def turns(history: History) -> list[int]:
    """Return the steps after which the likeliest beginning is not one of the likeliest before it.

    >>> history = [[Beginning((5,), -1, 0), Beginning((6,), -2, 0)], [Beginning((6, 2), -2, 1)]]
    >>> turns(history)
    [1]
    """
    return [t for t, kept in enumerate(history) if t and kept[0].parent != 0]


@dataclass(frozen=True)
class SearchQuality:
    """Over some pairs: the share translated word for word, and the mean ln p of what the search found."""

    exact_match: float
    log_probability: float


def search_quality(translator: Translator, pairs: Sequence[Pair], width: int) -> SearchQuality:
    """Return how well a beam of some width does; a width of 1 is greedy search."""
    best = [beam(translator.model, translator.source.encode(pair.source), width)[-1][0] for pair in pairs]
    right = [
        translator.target.decode(found.words) == list(pair.target)
        for found, pair in zip(best, pairs, strict=True)
    ]
    return SearchQuality(float(np.mean(right)), float(np.mean([found.log_probability for found in best])))
