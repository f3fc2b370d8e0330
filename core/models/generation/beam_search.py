"""Beam search: keep the few best beginnings, lengthen each by one token, keep the best again.

    score(y) = ln p(y) / |y|^a        a = 0 favours short texts, a = 1 is the mean ln p of a token

Width one is greedy search; a width of V^n would be exhaustive. Every candidate that was looked at stays in the tree.

Sources: Lowerre (1976); Jurafsky and Martin, Speech and Language Processing (3rd ed. draft), section 13.4; Wu et
al. (2016) for normalising by length.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.models.language_model import LanguageModel
from core.models.neural_language_model import Reading, read, read_on


@dataclass(frozen=True)
class Node:
    """One beginning: its last token and parent (a place in the tree, None for the prompt), and what it is worth.

    `log_probability` is ln p of this token, `total` that of the whole path, `score` the total over length^a. `kept`
    says whether it was among the best at its depth, `finished` whether it ended with the end token.
    """

    parent: int | None
    depth: int
    token: int | None
    log_probability: float
    total: float
    score: float
    kept: bool
    finished: bool


@dataclass(frozen=True)
class BeamTree:
    """Everything beam search looked at, the prompt first; `best` is the place of the highest score at the end."""

    nodes: tuple[Node, ...]
    best: int

    def path(self, place: int) -> list[int]:
        """Return the tokens from the prompt to a node."""
        tokens = []
        while self.nodes[place].parent is not None:
            tokens.append(self.nodes[place].token)
            place = self.nodes[place].parent
        return tokens[::-1]

    @property
    def winning_path(self) -> list[int]:
        """The tokens of the best text."""
        return self.path(self.best)


def winning_paths(tree: BeamTree) -> dict[int, list[int]]:
    """Return the best text of each length, {length: tokens}, of a search without an end: a shorter one's winners.

    >>> from core.models.language_model import UniformModel
    >>> winning_paths(beam_search(UniformModel(("a", "b")), [], width=2, length=3))
    {1: [0], 2: [0, 0], 3: [0, 0, 0]}
    """
    best: dict[int, int] = {}
    for place, node in enumerate(tree.nodes[1:], start=1):
        if node.kept and (node.depth not in best or node.score > tree.nodes[best[node.depth]].score):
            best[node.depth] = place
    return {depth: tree.path(place) for depth, place in best.items()}


def beam_search(
    model: LanguageModel,
    context: Sequence[int],
    width: int,
    length: int,
    length_penalty: float = 1.0,
    end: int | None = None,
) -> BeamTree:
    """Return the tree of a beam search of `length` tokens at most; a path that reaches `end` is finished.

    At each depth every live path offers its `width` likeliest tokens, and the `width` best scores live on. Raises
    ValueError for a width or length below one.

    >>> from core.models.language_model import UniformModel
    >>> tree = beam_search(UniformModel(("a", "b", "c")), [], width=2, length=3)
    >>> tree.winning_path, len(tree.nodes)
    ([0, 0, 0], 11)
    """
    if width < 1 or length < 1:
        raise ValueError("Beam search needs a width and a length of at least 1.")
    nodes = [Node(None, 0, None, 0.0, 0.0, 0.0, kept=True, finished=False)]
    live: list[tuple[int, Reading]] = [(0, read(model, context))]
    for depth in range(1, length + 1):
        offers = [offer for place, reading in live for offer in extend_path(nodes, place, reading, width)]
        offers.sort(key=lambda offer: -offer[2])
        following = []
        for i, (place, reading, total, ln_p, token) in enumerate(offers):
            kept, finished = i < width, token == end
            nodes.append(
                Node(place, depth, token, ln_p, total, total / depth**length_penalty, kept, finished)
            )
            if kept and not finished:
                following.append((len(nodes) - 1, reading, token))
        if depth == length or not following:
            break
        places, readings, tokens = zip(*following, strict=True)
        live = list(zip(places, read_on(model, readings, tokens), strict=True))
    return BeamTree(tuple(nodes), best_of(nodes))


def shortened(tree: BeamTree, length: int, length_penalty: float) -> BeamTree:
    """Return the tree of the same search with fewer tokens at most, or another penalty: neither changes what is kept.

    >>> from core.models.language_model import UniformModel
    >>> model = UniformModel(("a", "b", "c"))
    >>> shortened(beam_search(model, [], 2, 5), 3, 0.5) == beam_search(model, [], 2, 3, 0.5)
    True
    """
    nodes = [
        replace(node, score=node.total / max(1, node.depth) ** length_penalty)
        for node in tree.nodes
        if node.depth <= length
    ]
    return BeamTree(tuple(nodes), best_of(nodes))


def extend_path(nodes: list[Node], place: int, reading: Reading, width: int) -> list[tuple]:
    """Return a path's `width` likeliest continuations as (place, reading, total, ln p, token)."""
    ln_p = reading.log_probabilities
    possible = [int(token) for token in likeliest(ln_p, width) if ln_p[token] > -np.inf]
    return [
        (place, reading, nodes[place].total + ln_p[token], float(ln_p[token]), token) for token in possible
    ]


def likeliest(ln_p: np.ndarray, k: int) -> np.ndarray:
    """Return the k likeliest tokens, the best first; equals in order of id. Only what may be among them is sorted.

    >>> likeliest(np.log([0.2, 0.1, 0.5, 0.2]), 2).tolist()
    [2, 0]
    """
    least = np.partition(ln_p, -k)[-k] if k < len(ln_p) else -np.inf
    enough = np.flatnonzero(ln_p >= least)
    return enough[np.argsort(-ln_p[enough], kind="stable")][:k]


def best_of(nodes: list[Node]) -> int:
    """Return the place of the best score among kept texts that are finished or as long as any."""
    deepest = max(node.depth for node in nodes)
    ended = [i for i, node in enumerate(nodes) if node.kept and (node.finished or node.depth == deepest)]
    return max(ended, key=lambda place: nodes[place].score)
