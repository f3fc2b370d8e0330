"""The table of merges, and the formulas of its cells."""

from __future__ import annotations

import numpy as np
import pandas as pd

from core.figures.tokens.token_rows import shown
from core.figures.worked import how_often, made_by, word
from core.models.tokens.byte_pairs import BytePairs, learn_merges
from core.models.tokens.merge_steps import merges_made


def merges_table(pairs: BytePairs, N: np.ndarray, made: np.ndarray) -> tuple:
    """Return the table of merges and what each does to a text, and the formula of its cells.

    N (merges + 1,) and made (merges,) are `tokens_by_merges` and `merges_made` of that text.
    """
    both = [[shown(each) for each in pairs.names(pair)] for pair in pairs.merges]
    table = pd.DataFrame(
        {
            "merge": range(1, len(both) + 1),
            "left": [left for left, _ in both],
            "right": [right for _, right in both],
            "id": range(256, len(pairs)),
            "counted": pairs.counts,
            "made in your text": made,
            "tokens after": N[1:],
        }
    )
    return table, lambda row, column: worked_merge(pairs, N, made, row, column)


def worked_merge(pairs: BytePairs, N: np.ndarray, made: np.ndarray, row: int, column: str) -> str | None:
    r"""Return the formula of a cell of the table of merges; N and made are `tokens_by_merges` and `merges_made`.

    >>> pairs = learn_merges("aaabdaaabac", merges=1)
    >>> worked_merge(pairs, np.array([11, 9]), np.array([2]), 0, "tokens after")
    'N_{1} = N_{0} - 2 = 11 - 2 = 9'
    """
    left, right = (word(shown(pairs.names([i])[0])) for i in pairs.merges[row])
    return {
        "id": rf"256 + {row + 1} - 1 = {256 + row}",
        "counted": rf"{made_by(learn_merges)} c({left}, {right}) = {pairs.counts[row]}",
        "made in your text": rf"{made_by(merges_made)} \text{{{how_often(int(made[row]))}}}",
        "tokens after": rf"N_{{{row + 1}}} = N_{{{row}}} - {made[row]} = {N[row]} - {made[row]} = {N[row + 1]}",
    }.get(column)
