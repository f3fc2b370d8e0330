"""Formulas with their numbers filled in, as LaTeX: what stands behind one cell of a table."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from core.figures import WORDS

Z = 1.96  # 95% of a normal distribution lie within so many standard deviations


def number(value: float, digits: int = 4) -> str:
    r"""Return a number for LaTeX with so many significant digits.

    >>> number(-0.0000123), number(12.5)
    ('-1.23 \\cdot 10^{-5}', '12.5')
    """
    text = f"{value:.{digits}g}"
    if "e" not in text:
        return text
    mantissa, exponent = text.split("e")
    return rf"{mantissa} \cdot 10^{{{int(exponent)}}}"


def enough_digits(first: float, second: float, least: int = 4) -> int:
    """Return how many significant digits tell two numbers apart: `least` or more, at most 12; `least` where they are equal.

    >>> enough_digits(4.15888, 4.15881), enough_digits(4.2, 3.1), enough_digits(0.5, 0.5)
    (5, 4, 4)
    """
    told = (n for n in range(least, 13) if f"{first:.{n}g}" != f"{second:.{n}g}")
    return next(told, least)


def word(text: str) -> str:
    r"""Return a word as LaTeX text, with the characters that LaTeX reads as commands made harmless.

    >>> word("a_b")
    '\\text{a\\_b}'
    """
    escaped = "".join(f"\\{c}" if c in "#$%&_{}" else " " if c in "\\^~" else c for c in text)
    return rf"\text{{{escaped}}}"


def made_by(function: Callable) -> str:
    r"""Return LaTeX that names the function which made a number, to stand before its formula.

    >>> made_by(word)
    '\\texttt{word}:\\quad '
    """
    return rf"\texttt{{{function.__qualname__}}}:\quad ".replace("_", r"\_")


def dot_product(x: np.ndarray, y: np.ndarray, terms: int = 3) -> str:
    """Return the first terms of x . y written out, and the sum of all of them.

    >>> dot_product(np.array([1.0, 2.0]), np.array([3.0, 4.0]))
    '1 \\\\cdot 3 + 2 \\\\cdot 4 = 11'
    """
    pairs = enumerate(zip(x[:terms], y[:terms], strict=True))
    shown = " + ".join(rf"{_signed(a) if i else number(a, 3)} \cdot {_signed(b)}" for i, (a, b) in pairs)
    rest = rf" + \dots_{{({len(x)}\text{{ {WORDS.label('worked.terms')}}})}}" if len(x) > terms else ""
    return f"{shown}{rest} = {number(float(x @ y))}"


def _signed(value: float) -> str:
    text = number(value, 3)
    return f"({text})" if text.startswith("-") else text


def write_cosine(x: np.ndarray, y: np.ndarray, one: str, other: str) -> str:
    r"""Return the cosine similarity of two named vectors (d,) with its dot product and both lengths.

    >>> write_cosine(np.array([3.0, 4.0]), np.array([4.0, 3.0]), "cat", "dog")
    '\\cos(\\text{cat}, \\text{dog}) = \\frac{3 \\cdot 4 + 4 \\cdot 3 = 24}{5 \\cdot 5} = 0.96'
    """
    x, y = x.astype(float), y.astype(float)
    lengths = float(np.linalg.norm(x)), float(np.linalg.norm(y))
    return (
        rf"\cos({word(one)}, {word(other)}) = \frac{{{dot_product(x, y)}}}"
        rf"{{{number(lengths[0])} \cdot {number(lengths[1])}}} = {number(float(x @ y) / (lengths[0] * lengths[1]))}"
    )


def distance(x: np.ndarray, y: np.ndarray, one: str, other: str) -> str:
    r"""Return the Euclidean distance of two named vectors (d,) with its first squared differences.

    >>> distance(np.array([3.0, 4.0]), np.array([0.0, 0.0]), "cat", "0")
    '\\lVert \\text{cat} - \\text{0} \\rVert = \\sqrt{(3 - 0)^2 + (4 - 0)^2} = 5'
    """
    x, y = x.astype(float), y.astype(float)
    squares = " + ".join(rf"({number(a, 3)} - {_signed(b)})^2" for a, b in zip(x[:3], y[:3], strict=True))
    rest = r" + \dots" if len(x) > 3 else ""
    length = number(float(np.linalg.norm(x - y)))
    return rf"\lVert {word(one)} - {word(other)} \rVert = \sqrt{{{squares}{rest}}} = {length}"


def projection(x: np.ndarray, midpoint: np.ndarray, direction: np.ndarray, name: str) -> str:
    """Return a named vector's position on an axis, (x - midpoint) . direction, with its first terms.

    >>> projection(np.array([3.0, 5.0]), np.array([2.0, 0.0]), np.array([1.0, 0.0]), "nurse")
    '(\\\\text{nurse} - \\\\text{midpoint}) \\\\cdot u = 1 \\\\cdot 1 + 5 \\\\cdot 0 = 1'
    """
    shifted = x.astype(float) - midpoint
    return rf"({word(name)} - \text{{midpoint}}) \cdot u = {dot_product(shifted, direction.astype(float))}"


def worked_wilson(k: int, n: int, low: float, high: float) -> str:
    r"""Return LaTeX of Wilson's interval for k right of n.

    >>> worked_wilson(8, 10, 0.4902, 0.9433).split(" = ")[2]
    '0.4902 \\text{ to } 0.9433,\\qquad p'
    """
    p = number(k / n)
    rule = r"\frac{p + \frac{z^2}{2n} \pm z\sqrt{\frac{p(1-p)}{n} + \frac{z^2}{4n^2}}}{1 + \frac{z^2}{n}}"
    filled = (
        rf"\frac{{{p} + \frac{{{Z}^2}}{{2 \cdot {n}}} \pm {Z}\sqrt{{\frac{{{p}(1-{p})}}{{{n}}} + "
        rf"\frac{{{Z}^2}}{{4 \cdot {n}^2}}}}}}{{1 + \frac{{{Z}^2}}{{{n}}}}}"
    )
    ends = rf"{number(low)} \text{{ {WORDS.label('worked.to')} }} {number(high)}"
    return rf"{rule} = {filled} = {ends},\qquad p = \frac{{{k}}}{{{n}}},\ z = {Z}"
