"""Which patches are hidden, as they stand in a field: numbers from 1, with blanks between."""

from __future__ import annotations


def hidden_places(written: str, N: int = 64) -> tuple[int, ...]:
    """Return the places, from 0, of the patches that are written, from 1; what is none of N is left out.

    >>> hidden_places("3 1 x 99 3", N=4)
    (0, 2)
    """
    numbers = {int(each) for each in written.split() if each.isascii() and each.isdigit() and len(each) < 4}
    return tuple(sorted(number - 1 for number in numbers if 1 <= number <= N))


def toggled(written: str, place: int) -> str:
    """Return what is written once the patch at a place, from 0, is hidden or shown again.

    >>> toggled("10", 0), toggled("1 10", 9)
    ('1 10', '1')
    """
    hidden = set(hidden_places(written)) ^ {place}
    return " ".join(str(each + 1) for each in sorted(hidden))
