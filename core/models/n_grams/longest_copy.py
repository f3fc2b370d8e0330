"""How much of a generated text is copied: its longest run of tokens that also stands in the text it learned."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def longest_copy(tokens: Sequence[int], text: np.ndarray, end: int | None = None) -> tuple[int, int]:
    """Return where in `tokens` the longest run that also stands in `text` (N,) begins, and its length.

    With `end`, the token that ends a sentence, no run reaches over one or counts it.
    O(N len(tokens)): token by token, how long a run ends at each place of the text.

    >>> longest_copy([9, 1, 2, 3, 1], np.array([3, 1, 2, 3, 4]))
    (1, 3)
    >>> longest_copy([1, 2, 0, 1, 2, 3, 0], np.array([1, 2, 0, 1, 2, 3, 0]), end=0)
    (3, 3)
    """
    runs, longest, stop = np.zeros(len(text) + 1, dtype=np.int32), 0, 0
    for i, token in enumerate(tokens, start=1):
        runs[1:] = (runs[:-1] + 1) * ((text == token) & (token != end))
        if runs.max() > longest:
            longest, stop = int(runs.max()), i
    return stop - longest, longest
