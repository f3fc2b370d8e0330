"""The numbers of generated texts, each with its formula filled in (LaTeX)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from core.figures.worked import number
from core.words.numbers import plain_number, signed

Formula = Callable[[int, str], str | None]  # (row, column) -> LaTeX


def format_exponential(ln: float) -> str:
    """Return e^ln as plain text.

    >>> format_exponential(0.0), format_exponential(2000.0)
    ('1', 'e^2000.00')
    """
    return plain_number(float(np.exp(ln))) if ln < 700 else f"e^{signed(ln)}"


def worked_sum(ln_p: Sequence[float]) -> str:
    r"""Return ln p of a text as the sum of its tokens', the middle of a long one left out.

    >>> worked_sum([-1.0, -0.5])
    '\\ln p(y) = (-1) + (-0.5) = -1.5'
    """
    terms = [f"({number(value)})" for value in ln_p]
    terms = terms if len(terms) < 9 else [*terms[:4], r"\dots", *terms[-3:]]
    return rf"\ln p(y) = {' + '.join(terms)} = {number(float(np.sum(ln_p)), 6)}"


def worked_mean(total: float, n: int) -> str:
    r"""Return ln p of a token as that of the text divided by its tokens.

    >>> worked_mean(-6.0, 4)
    '\\frac{\\ln p(y)}{n} = \\frac{-6}{4} = -1.5'
    """
    return rf"\frac{{\ln p(y)}}{{n}} = \frac{{{number(total, 6)}}}{{{n}}} = {number(total / n)}"


def write_beam_score(total: float, n: int, penalty: float) -> str:
    r"""Return beam search's score of a text of n tokens.

    >>> write_beam_score(-6.0, 4, 0.5)
    '\\frac{-6}{4^{0.5}} = -3'
    """
    return rf"\frac{{{number(total, 6)}}}{{{n}^{{{number(penalty)}}}}} = {number(total / n**penalty)}"
