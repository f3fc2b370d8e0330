"""A count that is easily said: 175 billion, 3.1·10²³."""

from __future__ import annotations

from core.figures.transformers import WORDS
from core.words.numbers import RAISED

STEPS = ((1e12, "trillion"), (1e9, "billion"), (1e6, "million"))


def abbreviate_count(n: float) -> str:
    """Return a count that is easily said.

    >>> [abbreviate_count(n) for n in (1_834_176, 174_604_259_328, 3.1e23, 2319, 999_950_000)]
    ['1.83 million', '175 billion', '3.1·10²³', '2,319', '1 billion']
    """
    if n >= 1e15:
        mantissa, power = f"{n:.2e}".split("e")
        return f"{float(mantissa):g}·10{str(int(power)).translate(RAISED)}"
    for step, name in STEPS:
        if float(f"{n:.3g}") >= step:
            return WORDS.label(f"count.{name}", n=f"{float(f'{n / step:.3g}'):g}")
    return f"{n:,.0f}"
