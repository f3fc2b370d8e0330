"""A probability as it is written at a bar."""

from __future__ import annotations


def short(p: float) -> str:
    """Return a probability as it stands at a bar.

    >>> short(0.9999), short(0.64), short(0.001), short(0.0001)
    ('>99%', '64%', '0.1%', '<0.1%')
    """
    return ">99%" if p > 0.99 else "<0.1%" if p < 0.0005 else f"{p:.1%}" if p < 0.005 else f"{p:.0%}"
