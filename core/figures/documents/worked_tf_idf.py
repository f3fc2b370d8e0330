"""The formulas of one word's idf and tf-idf with their numbers."""

from __future__ import annotations

import numpy as np

from core.figures.worked import number, word


def worked_idf(name: str, df: int, N: int) -> str:
    r"""Return LaTeX of a word's idf.

    >>> worked_idf("lid", 3, 9)
    '\\text{idf}(\\text{lid}) = \\ln \\frac{1 + 9}{1 + 3} + 1 = 1.916'
    """
    idf = number(float(np.log((1 + N) / (1 + df)) + 1))
    return rf"\text{{idf}}({word(name[:24])}) = \ln \frac{{1 + {N}}}{{1 + {df}}} + 1 = {idf}"


def write_tf_idf(name: str, times: int, df: int, N: int) -> str:
    r"""Return LaTeX of one cell of tf-idf: the count times the idf.

    >>> write_tf_idf("lid", 2, 3, 9)
    '\\text{tf-idf}(\\text{lid}) = 2 \\cdot \\Big(\\ln \\frac{1 + 9}{1 + 3} + 1\\Big) = 2 \\cdot 1.916 = 3.833'
    """
    idf = float(np.log((1 + N) / (1 + df)) + 1)
    return (
        rf"\text{{tf-idf}}({word(name[:24])}) = {times} \cdot \Big(\ln \frac{{1 + {N}}}{{1 + {df}}} + 1\Big) = "
        rf"{times} \cdot {number(idf)} = {number(times * idf)}"
    )
