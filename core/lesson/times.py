"""How often something happened, in the words of a sentence."""

from __future__ import annotations


def times(count: int) -> str:
    """Return "once", or how many times.

    >>> times(1), times(1200), times(0)
    ('once', '1,200 times', '0 times')
    """
    return "once" if count == 1 else f"{count:,} times"
