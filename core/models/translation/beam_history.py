"""What a beam search did: all that it looked at as a tree, and the steps at which its leader changed."""

from __future__ import annotations

from collections.abc import Sequence

from core.models.generation.beam_search import BeamTree, Node
from core.models.translation.translate import Beginning

History = Sequence[Sequence[Beginning]]


def turns(history: History) -> list[int]:
    """Return the steps after which the likeliest beginning is not one of the likeliest before it.

    >>> history = [[Beginning((5,), -1, 0), Beginning((6,), -2, 0)], [Beginning((6, 2), -2, 1)]]
    >>> turns(history)
    [1]
    """
    return [t for t, kept in enumerate(history) if t and kept[0].parent != 0]


def search_tree(steps: Sequence[Sequence[Beginning]], width: int) -> BeamTree:
    """Return all candidates of a search as a tree; a finished beginning goes on with <end> at a probability of 1.

    >>> tree = search_tree([[Beginning((5,), -1, 0), Beginning((6,), -2, 0)], [Beginning((5, 2), -1.5, 0)]], 1)
    >>> [(node.parent, node.token, node.log_probability, node.kept) for node in tree.nodes[1:]], tree.winning_path
    ([(0, 5, -1.0, True), (0, 6, -2.0, False), (1, 2, -0.5, True)], [5, 2])
    """
    nodes, before = [Node(None, 0, None, 0.0, 0.0, 0.0, kept=True, finished=False)], [0]
    for depth, found in enumerate(steps, 1):
        first = len(nodes)
        for rank, each in enumerate(found):
            parent, total = before[each.parent], each.log_probability
            ln_p = float(total - nodes[parent].total)
            nodes.append(
                Node(parent, depth, each.words[-1], ln_p, total, total, rank < width, finished=False)
            )
        before = list(range(first, len(nodes)))[:width]
    return BeamTree(tuple(nodes), before[0])
