"""How good a translator is: the measured numbers of its card."""

from __future__ import annotations

import streamlit as st

from core.figures.translation.translation_quality import quality_figure
from core.lesson.figure import show_figure
from core.models.stored import load_card


def show_quality(lesson: str, name: str) -> None:
    """Show exact match and alignment error of a stored model, from its card, and by length where it tells."""
    measured = load_card(name).quality
    st.markdown(
        f"Measured on {measured['held_out_pairs']:,} held-out inputs. **Exact match**: the share of outputs that are "
        "right to the last word. **Alignment error**: the share of output words whose heaviest weight is not on an "
        "input word that the gold alignment links to it."
    )
    left, right = st.columns(2)
    left.metric("Exact match", f"{measured['exact_match']:.1%}")
    right.metric("Alignment error", f"{measured['alignment_error']:.1%}")
    for column, measure in ((left, "exact_match"), (right, "alignment_error")):
        figure = quality_figure({name: measured}, measure)
        if figure.data:
            with column:
                show_figure(figure, f"{lesson}_{measure}", f"{measure} by the length of the sentence")
