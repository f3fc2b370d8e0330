"""How numbers, shares, counts and lists are written in words and labels."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from core.words.language import conjunction, less_than, more_than, once, plural, times

RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def plain_number(value: float, digits: int = 3) -> str:
    """Return a number as plain text with so many significant digits.

    >>> plain_number(0.000012345), plain_number(0.25)
    ('1.23·10⁻⁵', '0.25')
    """
    text, _, power = f"{value:.{digits}g}".partition("e")
    return f"{text}·10{str(int(power)).translate(RAISED)}" if power else text


def format_number(value: float, digits: int = 2) -> str:
    """Return a number with so many digits after the point, commas between thousands, and a true minus sign.

    >>> format_number(-1234.5, 1), format_number(float("-inf"))
    ('−1,234.5', '−∞')
    """
    if not isfinite(value):
        return "−∞" if value < 0 else "∞"
    text = f"{abs(value):,.{digits}f}"
    return ("−" if value < 0 and text.strip("0.,") else "") + text


def signed(value: float, digits: int = 2, plus: str = "") -> str:
    """Return a number as plain text with a real minus sign, or with `plus` before it; what rounds to 0 has no sign.

    >>> signed(-3.14159), signed(-0.0), signed(0.5, 1, "+"), signed(-0.02, 1, "+")
    ('−3.14', '0.00', '+0.5', '0.0')
    """
    text = f"{abs(value):.{digits}f}"
    if not text.strip("0."):
        return text
    return ("\N{MINUS SIGN}" if value < 0 else plus) + text


def percent(share: float, digits: int = 1) -> str:
    """Return a share in per cent; what is not quite all, or not quite nothing, is not rounded to it.

    >>> percent(0.25), percent(0.9999), percent(0.00001), percent(1.0)
    ('25.0%', 'more than 99.9%', 'less than 0.1%', '100.0%')
    """
    least = 10.0 ** -(digits + 2)  # the smallest share that is written
    if 1 - least / 2 < share < 1 - 1e-9:
        return more_than(f"{1 - least:.{digits}%}")
    if 0 < share < least / 2:
        return less_than(f"{least:.{digits}%}")
    return f"{share:.{digits}%}"


def short_percent(share: float) -> str:
    """Return a share in whole per cent, as short as a bar has room for.

    >>> short_percent(0.25), short_percent(0.9999), short_percent(0.001)
    ('25%', '>99%', '<1%')
    """
    if 0.995 < share < 1 - 1e-9:
        return ">99%"
    return "<1%" if 0 < share < 0.005 else f"{share:.0%}"


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


def probability(p: float) -> str:
    """Return a probability with three decimals; a small one with two digits, one that is not quite 1 as such.

    >>> probability(0.25), probability(0.00012), probability(0.99996), probability(1.0)
    ('0.250', '0.00012', '> 0.999', '1.000')
    """
    if 0.9995 <= p < 1:
        return "> 0.999"
    return f"{p:.3f}" if p >= 0.0095 else plain_number(p, 2)


def how_often(n: int) -> str:
    """Return how many times something happens, in words that fit the number.

    >>> how_often(1), how_often(1200), how_often(0)
    ('once', '1,200 times', '0 times')
    """
    return once() if n == 1 else times(f"{n:,}")


def format_count(n: int, one: str, many: str = "") -> str:
    """Return a count with its noun.

    >>> format_count(1, "word"), format_count(2000, "word"), format_count(2, "entry", "entries")
    ('1 word', '2,000 words', '2 entries')
    """
    return f"{n:,} {one if n == 1 else many or plural(one)}"


def join_words(items: Sequence[str], last: str = "") -> str:
    """Return items as a list in a sentence, "and" before the last one or what `last` says.

    >>> join_words(["a"]), join_words(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    *first, end = map(str, items)
    return f"{', '.join(first)} {last or conjunction(end)} {end}" if first else end
