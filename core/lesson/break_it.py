"""Compare one measure with a component of the method and without it."""

from __future__ import annotations

import re
from math import isfinite

import streamlit as st

from core.lesson.lab_words import LAB_WORDS
from core.words.numbers import RAISED


def show_comparison(
    measure: str,
    with_it: str,
    without_it: str,
    whole: float,
    broken: float,
    form: str = ".2f",
    more_is_better: bool | None = True,
) -> None:
    """Show one measure with a piece of the method and without it, side by side, under labels for both."""
    if not with_it.startswith(measure):
        st.markdown(f"**{measure}**")
    left, right = st.columns(2)
    left.metric(with_it, format_value(whole, form))
    same = format_value(whole, form) == format_value(broken, form)
    better = more_is_better is not None and (broken > whole) == more_is_better
    change = as_shown(broken, form) - as_shown(whole, form)  # of the rounded numbers on screen
    right.metric(
        without_it,
        format_value(broken, form),
        # Streamlit takes the direction from a leading hyphen. We write a minus sign, so we set colour and arrow ourselves.
        delta=describe_change(change, form, same),
        delta_color="gray" if same or more_is_better is None else "green" if better else "red",
        delta_arrow="off" if same else "up" if broken > whole else "down",
    )


def describe_change(change: float, form: str, same: bool) -> str:
    """Return a difference of two measures in words. That of two shares is in percentage points.

    >>> describe_change(-0.25, ".0%", False), describe_change(1.5, ".1f", False), describe_change(0.0, ".2f", True)
    ('−25 percentage points', '+1.5', 'no change')
    """
    if same:
        return LAB_WORDS.label("compare.same")
    written = format_value(change, f"+{form}")
    points = LAB_WORDS.label("compare.points", change=written.removesuffix("%"))
    return points if written.endswith("%") else written


def as_shown(value: float, form: str) -> float:
    """Return the number that a format shows.

    >>> as_shown(2.6549, ".2f"), as_shown(0.12345, ".1%"), as_shown(0.155, ".0%"), as_shown(7, "d")
    (2.65, 0.123, 0.16, 7)
    """
    places = re.search(r"\.(\d+)([f%])", form)
    if not places or not isfinite(value):
        return value
    digits = int(places[1])
    if places[2] == "f":
        return round(value, digits)
    share = f"{value:.{digits}%}".removesuffix("%")  # 0.155 is shown as 16%, but round(0.155, 2) is 0.15
    return round(float(share) / 100, digits + 2)


def format_value(value: float, form: str) -> str:
    """Return a formatted number with a minus sign, ∞, and superscript powers of ten.

    >>> format_value(12.345, ".1f"), format_value(-0.5, ".2f")
    ('12.3', '−0.50')
    >>> format_value(float("inf"), "+,.1f"), format_value(0.00012, ".1e")
    ('+∞', '1.2·10⁻⁴')
    """
    mantissa, e, exponent = f"{value:{form}}".replace("inf", "∞").partition("e")
    return mantissa.replace("-", "−") + (f"·10{str(int(exponent)).translate(RAISED)}" if e else "")
