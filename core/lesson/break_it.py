"""Break it: take one piece out of the method and see one measured consequence, before and after."""

from __future__ import annotations

import streamlit as st


def break_it(lesson: str, piece: str, label: str, why: str) -> bool:
    """Draw the switch that removes a piece; return whether it is removed. In the address as `<lesson>_<piece>`."""
    return st.toggle(label, key=f"{lesson}_{piece}", bind="query-params", help=why, wrap=True)


def consequence(
    measure: str, whole: float, broken: float, form: str = ".2f", more_is_better: bool = True
) -> None:
    """Show one measure with the method whole and with the piece removed, side by side."""
    left, right = st.columns(2)
    left.metric(f"{measure}, whole", f"{whole:{form}}")
    right.metric(
        f"{measure}, broken",
        f"{broken:{form}}",
        delta=f"{broken - whole:+{form}}",
        delta_color="normal" if more_is_better else "inverse",
    )
