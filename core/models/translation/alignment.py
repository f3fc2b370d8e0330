"""Word alignment read from attention weights, and how far it is from the gold alignment.

    a(t) = argmax_s a_ts
    alignment error = share of aligned output words t whose (t, a(t)) is not among the gold links

An output word that gold links to no input word is not counted. Luong et al. (2015, section 5.3) read
alignments from attention in the same way; their measure, the alignment error rate of Och and Ney (2003), is
`alignment_error_rate`.
"""

from __future__ import annotations

from collections.abc import Sequence, Set

import numpy as np

from core.text.grammar.pairs import Pair
from core.text.samples.dates import links_of

Links = Set[tuple[int, int]]


def gold_of(source: Sequence[str], written: Sequence[str], pair: Pair | None = None) -> Links:
    """Return the gold alignment if what was written is the right translation, whose words it links; else none.

    It is known for a sentence that the grammar says, whose right translation is `pair`, and for a date as one of the
    calendars writes it.

    >>> sorted(gold_of(("the", "cat"), ["le", "chat"], Pair(("the", "cat"), ("le", "chat"), frozenset({(0, 0), (1, 1)}))))
    [(0, 0), (1, 1)]
    >>> gold_of(("the", "cat"), ["le", "chien"])
    frozenset()
    """
    if pair is not None:
        return pair.links if list(pair.target) == list(written) else frozenset()
    return links_of(source, written)


def heaviest(weights: np.ndarray) -> list[int]:
    """Return for each output word the input word with the largest weight. `weights` is (T, S).

    >>> heaviest(np.array([[0.9, 0.1], [0.2, 0.8]]))
    [0, 1]
    """
    return [int(s) for s in weights.argmax(-1)]


def written_for(weights: np.ndarray, s: int) -> list[int]:
    """Return the output words whose heaviest input word is s: what the model made of it. `weights` is (T, S).

    >>> written_for(np.array([[0.9, 0.1], [0.2, 0.8], [0.7, 0.3]]), 0)
    [0, 2]
    """
    return [t for t, chosen in enumerate(heaviest(weights)) if chosen == s]


def crossings(weights: np.ndarray) -> list[tuple[int, int]]:
    """Return the pairs of output words whose lines to their heaviest input words cross.

    >>> crossings(np.array([[0.0, 1.0], [1.0, 0.0]]))
    [(0, 1)]
    """
    chosen = heaviest(weights)
    return [(t, u) for u in range(len(chosen)) for t in range(u) if chosen[t] > chosen[u]]


def misaligned(weights: np.ndarray, gold: Links) -> list[int]:
    """Return the aligned output words whose heaviest input word is not one that gold links them to."""
    chosen = heaviest(weights)
    return sorted(t for t in {t for t, _ in gold} if t < len(chosen) and (t, chosen[t]) not in gold)


def alignment_error(weights: np.ndarray, gold: Links) -> float:
    """Return the share of aligned output words whose heaviest input word is wrong, 0 to 1.

    >>> alignment_error(np.array([[0.9, 0.1], [0.8, 0.2]]), {(0, 0), (1, 1)})
    0.5
    """
    return len(misaligned(weights, gold)) / len({t for t, _ in gold})


def alignment_error_rate(weights: np.ndarray, gold: Links) -> float:
    """Return AER = 1 - 2 |A and G| / (|A| + |G|), with A the heaviest links of aligned words and G gold.

    All gold links count as sure. A word that gold links to two input words cannot reach 0, for A has one link
    each.

    >>> alignment_error_rate(np.array([[0.9, 0.1], [0.8, 0.2]]), {(0, 0), (1, 1)})
    0.5
    """
    aligned = {t for t, _ in gold}
    chosen = {(t, s) for t, s in enumerate(heaviest(weights)) if t in aligned}
    return 1 - 2 * len(chosen & gold) / (len(chosen) + len(gold))


def lines(weights: np.ndarray, least: float = 0.01) -> list[tuple[int, int, float]]:
    """Return every (output word, input word, weight) of at least `least`, heaviest first, to draw as lines.

    >>> lines(np.array([[0.9, 0.1], [0.0, 1.0]]), least=0.5)
    [(1, 1, 1.0), (0, 0, 0.9)]
    """
    found = [
        (int(t), int(s), float(weights[t, s])) for t, s in zip(*np.nonzero(weights >= least), strict=True)
    ]
    return sorted(found, key=lambda line: (-line[2], line[:2]))
