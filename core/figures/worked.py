"""Formulas with their numbers filled in, as LaTeX: what stands behind one cell of a table."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
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


def plain_number(value: float, digits: int = 3) -> str:
    """Return a number as plain text with so many significant digits.

    >>> plain_number(0.000012345), plain_number(0.25)
    ('1.23·10⁻⁵', '0.25')
    """
    text, _, power = f"{value:.{digits}g}".partition("e")
    return f"{text}·10{str(int(power)).translate(RAISED)}" if power else text


def how_often(n: int) -> str:
    """Return how many times something happens, in words that fit the number.

    >>> how_often(1), how_often(1200), how_often(0)
    ('once', '1,200 times', '0 times')
    """
    return "once" if n == 1 else f"{n:,} times"


def percent(share: float, digits: int = 1) -> str:
    """Return a share in per cent; what is not quite all, or not quite nothing, is not rounded to it.

    >>> percent(0.25), percent(0.9999), percent(0.00001), percent(1.0)
    ('25.0%', 'more than 99.9%', 'less than 0.1%', '100.0%')
    """
    least = 10.0 ** -(digits + 2)  # the smallest share that is written
    if 1 - least / 2 < share < 1 - 1e-9:
        return f"more than {1 - least:.{digits}%}"
    if 0 < share < least / 2:
        return f"less than {least:.{digits}%}"
    return f"{share:.{digits}%}"


def short_percent(share: float) -> str:
    """Return a share in whole per cent, as short as a bar has room for.

    >>> short_percent(0.25), short_percent(0.9999), short_percent(0.001)
    ('25%', '>99%', '<1%')
    """
    return percent(share, 0).replace("more than ", ">").replace("less than ", "<")


def format_share(p: float) -> str:
    """Return a probability in percent, in as little room as a picture has.

    >>> [format_share(p) for p in (0.272, 0.0581, 0.00012, 0.99999, 1.0, 0.0)]
    ['27%', '5.8%', '<0.1%', '>99%', '100%', '0%']
    """
    if p == 0 or p > 1 - 1e-9:
        return f"{p:.0%}"
    if p < 0.0005:
        return "<0.1%"
    return ">99%" if p >= 0.995 else f"{p:.0%}" if p >= 0.0995 else f"{p:.1%}"


def signed(value: float, digits: int = 2, plus: str = "") -> str:
    """Return a number as plain text with a real minus sign, or with `plus` before it; what rounds to 0 has no sign.

    >>> signed(-3.14159), signed(-0.0), signed(0.5, 1, "+"), signed(-0.02, 1, "+")
    ('−3.14', '0.00', '+0.5', '0.0')
    """
    text = f"{abs(value):.{digits}f}"
    if not text.strip("0."):
        return text
    return ("\N{MINUS SIGN}" if value < 0 else plus) + text


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

    >>> made_by(plain_number)
    '\\texttt{plain\\_number}:\\quad '
    """
    return rf"\texttt{{{function.__qualname__}}}:\quad ".replace("_", r"\_")


def dot_product(x: np.ndarray, y: np.ndarray, terms: int = 3) -> str:
    """Return the first terms of x . y written out, and the sum of all of them.

    >>> dot_product(np.array([1.0, 2.0]), np.array([3.0, 4.0]))
    '1 \\\\cdot 3 + 2 \\\\cdot 4 = 11'
    """
    pairs = enumerate(zip(x[:terms], y[:terms], strict=True))
    shown = " + ".join(rf"{_signed(a) if i else number(a, 3)} \cdot {_signed(b)}" for i, (a, b) in pairs)
    rest = rf" + \dots_{{({len(x)}\text{{ terms}})}}" if len(x) > terms else ""
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
    ends = rf"{number(low)} \text{{ to }} {number(high)}"
    return rf"{rule} = {filled} = {ends},\qquad p = \frac{{{k}}}{{{n}}},\ z = {Z}"
