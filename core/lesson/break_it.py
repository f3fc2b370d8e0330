"""Break it: take one piece out of the method and see one measured consequence, before and after."""

from __future__ import annotations

import re
from math import isfinite
from typing import TYPE_CHECKING

import streamlit as st

from core.figures.worked import RAISED
from core.lesson.live_values import tell

if TYPE_CHECKING:
    from core.lesson.lesson import Lesson


def break_it(lesson: Lesson, piece: str, label: str, why: str) -> bool:
    """Draw the switch that removes a piece; return whether it is removed. In the address as `<lesson>_<piece>`."""
    return lesson.toggle(piece, label, help=why, wrap=True)


def consequence(
    measure: str, whole: float, broken: float, form: str = ".2f", more_is_better: bool | None = True
) -> None:
    """Show one measure with the method whole and with the piece removed, side by side.

    `more_is_better` colours the difference; None where neither direction is better. A beat may say {{measure}},
    {{whole}} and {{broken}}.
    """
    tell(measure=measure, whole=written(whole, form), broken=written(broken, form))
    left, right = st.columns(2)
    left.metric(f"{measure}, whole", written(whole, form))
    same = written(whole, form) == written(broken, form)
    better = more_is_better is not None and (broken > whole) == more_is_better
    change = as_shown(broken, form) - as_shown(whole, form)  # of the two numbers that stand there
    right.metric(
        f"{measure}, broken",
        written(broken, form),
        # Streamlit reads a direction from a hyphen only; ours has a true minus, so its colour and arrow are named.
        # The difference of two shares is no share of either of them.
        delta="no change" if same else written(change, f"+{form}").replace("%", " percentage points"),
        delta_color="gray" if same or more_is_better is None else "green" if better else "red",
        delta_arrow="off" if same else "up" if broken > whole else "down",
    )


def as_shown(value: float, form: str) -> float:
    """Return a number as a format rounds it.

    >>> as_shown(2.6549, ".2f"), as_shown(0.12345, ".1%"), as_shown(0.155, ".0%"), as_shown(7, "d")
    (2.65, 0.123, 0.16, 7)
    """
    places = re.search(r"\.(\d+)([f%])", form)
    if not places or not isfinite(value):
        return value
    digits = int(places[1])
    if places[2] == "f":
        return round(value, digits)
    share = f"{value:.{digits}%}".removesuffix("%")  # 0.155 is written 16%, and is 0.15 rounded to two digits
    return round(float(share) / 100, digits + 2)


def written(value: float, form: str) -> str:
    """Return a number in a format, with a true minus, raised powers of ten, and a sign for what is infinite.

    >>> written(12.345, ".1f"), written(-0.5, ".2f"), written(float("inf"), "+,.1f"), written(0.00012, ".1e")
    ('12.3', '−0.50', '+∞', '1.2·10⁻⁴')
    """
    mantissa, e, exponent = f"{value:{form}}".replace("inf", "∞").partition("e")
    return mantissa.replace("-", "−") + (f"·10{str(int(exponent)).translate(RAISED)}" if e else "")
