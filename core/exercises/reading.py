"""What a learner types as an answer, read as a number."""

from __future__ import annotations

import re

NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?")


def read_number(text: str) -> float | None:
    """Return a number as people write it: with a point or a comma, as a fraction, or in percent; None if it is none.

    >>> [read_number(text) for text in ("0.25", "0,25", "1/4", "25%", "−3", "1e-3", "about 3", "1/0")]
    [0.25, 0.25, 0.25, 0.25, -3.0, 0.001, None, None]
    """
    text = text.replace("−", "-").replace(" ", "").lower()
    if text.count(",") == 1 and "." not in text:
        text = text.replace(",", ".")
    if text.endswith("%"):
        share = read_number(text[:-1])
        return None if share is None else share / 100
    upper, slash, lower = text.partition("/")
    if slash:
        parts = read_number(upper), read_number(lower)
        return None if None in parts or parts[1] == 0 else parts[0] / parts[1]
    return float(text) if NUMBER.fullmatch(text) else None
