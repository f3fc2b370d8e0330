"""A number as a student writes it: 0.12, 0,12, 1/3, 3e-5, or factors with a times sign between them."""

from __future__ import annotations

import re
from math import isfinite, prod

TIMES = re.compile(r"\s*[*×·⋅]\s*|\s+x\s+")
NUMBER = re.compile(r"\d+(?:[.,]\d*)?(?:e-?\d{1,3})?|[.,]\d+(?:e-?\d{1,3})?", re.ASCII | re.IGNORECASE)


def read_product(text: str) -> float | None:
    """Return the value of a written product, None when it is empty or no such thing.

    >>> read_product("0.6 * 0,3 × 1/2"), read_product("9e-5"), read_product("six")
    (0.09, 9e-05, None)
    """
    try:
        value = prod(_factor(factor) for factor in TIMES.split(text.strip()))
    except (ValueError, ZeroDivisionError, OverflowError):
        return None
    return value if isfinite(value) else None


def _factor(text: str) -> float:
    above, _, below = text.partition("/")
    parts = [above.strip(), below.strip() or "1"]
    if not all(NUMBER.fullmatch(part) for part in parts):
        raise ValueError(text)
    numerator, denominator = (float(part.replace(",", ".")) for part in parts)
    return numerator / denominator
