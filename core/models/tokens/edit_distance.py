r"""Edit distance: the fewest edits that turn one sequence into another, and the alignment that they make.

Let D[i, j] be the least cost of turning the first i tokens of the source x (m tokens) into the first j of the target y
(n tokens). The last edit deletes x_i, inserts y_j, or puts y_j in the place of x_i, so there are three ways in:

    D[i, j] = min( D[i-1, j] + d,  D[i, j-1] + c,  D[i-1, j-1] + s * [x_i != y_j] )        D[0, 0] = 0

d, c and s are the costs of a deletion, an insertion and a substitution. With d = c = s = 1 the last cell D[m, n] is the
Levenshtein distance. Following the ways that were kept back from that cell gives the alignment. Time and memory: O(m n).

V. I. Levenshtein (1966), Binary codes capable of correcting deletions, insertions, and reversals. R. A. Wagner and M. J.
Fischer (1974), The string-to-string correction problem.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

SAME, SUBSTITUTE, DELETE, INSERT = "same", "substitute", "delete", "insert"
WAYS = (SUBSTITUTE, DELETE, INSERT)  # the order of ways into a cell; of equal ways the first is kept


@dataclass(frozen=True)
class Costs:
    """What a deletion, an insertion and a substitution cost; keeping a token costs nothing."""

    delete: float = 1
    insert: float = 1
    substitute: float = 1


@dataclass(frozen=True)
class EditTable:
    """The filled table of a source (m tokens) and a target (n tokens).

    `distances` D (m + 1, n + 1); `candidates` (m + 1, n + 1, 3) hold the cost by each of WAYS, infinite where there is no
    such way; `kept` (m + 1, n + 1) is the index of the way that was kept, -1 in the first cell.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    costs: Costs
    distances: np.ndarray
    candidates: np.ndarray
    kept: np.ndarray

    @property
    def distance(self) -> float:
        """Return the cost of turning the whole source into the whole target."""
        return float(self.distances[-1, -1])


@dataclass(frozen=True)
class Edit:
    """One column of an alignment: what is done, to source[i] and target[j], at what cost.

    A deletion has no token of the target, an insertion none of the source; their j or i is where they happen.
    """

    kind: str
    i: int
    j: int
    cost: float


def fill_table(source: Sequence[str], target: Sequence[str], costs: Costs | None = None) -> EditTable:
    """Return the table of the costs of turning every beginning of `source` into every beginning of `target`.

    >>> table = fill_table("cart", "crate")
    >>> table.distances.astype(int).tolist()[-1], table.distance
    ([4, 3, 2, 2, 2, 3], 3.0)
    """
    costs = costs or Costs()
    m, n = len(source), len(target)
    candidates = np.full((m + 1, n + 1, len(WAYS)), np.inf)
    distances = np.zeros((m + 1, n + 1))
    kept = np.full((m + 1, n + 1), -1)
    for i in range(m + 1):
        for j in range(n + 1):
            if i and j:
                change = costs.substitute if source[i - 1] != target[j - 1] else 0
                candidates[i, j, 0] = distances[i - 1, j - 1] + change
            if i:
                candidates[i, j, 1] = distances[i - 1, j] + costs.delete
            if j:
                candidates[i, j, 2] = distances[i, j - 1] + costs.insert
            if i or j:
                kept[i, j] = candidates[i, j].argmin()
                distances[i, j] = candidates[i, j, kept[i, j]]
    return EditTable(tuple(source), tuple(target), costs, distances, candidates, kept)


def trace_back(table: EditTable) -> tuple[Edit, ...]:
    """Return the edits of a cheapest alignment from left to right, found by following the kept ways from the last cell.

    >>> [edit.kind for edit in trace_back(fill_table("sea", "sean"))]
    ['same', 'same', 'same', 'insert']
    """
    edits = []
    i, j = len(table.source), len(table.target)
    while i or j:
        way = WAYS[table.kept[i, j]]
        after = table.distances[i, j]
        i, j = i - (way != INSERT), j - (way != DELETE)
        same = way == SUBSTITUTE and table.source[i] == table.target[j]
        edits.append(Edit(SAME if same else way, i, j, float(after - table.distances[i, j])))
    return tuple(reversed(edits))


def count_alignments(m: int, n: int) -> int:
    """Return how many paths lead from the first cell to the last: the same recurrence with a sum in place of min.

    They are the Delannoy numbers: A(i, j) = A(i-1, j) + A(i, j-1) + A(i-1, j-1), A(i, 0) = A(0, j) = 1.

    >>> count_alignments(1, 1), count_alignments(3, 3)
    (3, 63)
    """
    row = [1] * (n + 1)
    for _ in range(m):
        following = [1]
        for j in range(1, n + 1):
            following.append(following[-1] + row[j] + row[j - 1])
        row = following
    return row[-1]


def count_cheapest(table: EditTable) -> int:
    """Return how many alignments cost as little as the cheapest: the paths through ways that tie for the minimum.

    >>> count_cheapest(fill_table("ab", "b")), count_cheapest(fill_table("ab", "bc"))
    (1, 2)
    """
    m, n = len(table.source), len(table.target)
    counts = [[0] * (n + 1) for _ in range(m + 1)]
    counts[0][0] = 1
    for i in range(m + 1):
        for j in range(n + 1):
            before = ((i - 1, j - 1), (i - 1, j), (i, j - 1))
            for way, (a, b) in enumerate(before):
                if a >= 0 and b >= 0 and np.isclose(table.candidates[i, j, way], table.distances[i, j]):
                    counts[i][j] += counts[a][b]
    return counts[m][n]


def align_positions(
    source: Sequence[str], target: Sequence[str], costs: Costs | None = None
) -> tuple[Edit, ...]:
    """Return the edits without the table: place by place, what is longer cut off or added at the end.

    >>> [edit.kind for edit in align_positions("sea", "season")]
    ['same', 'same', 'same', 'insert', 'insert', 'insert']
    """
    costs = costs or Costs()
    edits = []
    for i in range(max(len(source), len(target))):
        if i >= len(source):
            edits.append(Edit(INSERT, len(source), i, costs.insert))
        elif i >= len(target):
            edits.append(Edit(DELETE, i, len(target), costs.delete))
        elif source[i] == target[i]:
            edits.append(Edit(SAME, i, i, 0))
        else:
            edits.append(Edit(SUBSTITUTE, i, i, costs.substitute))
    return tuple(edits)
