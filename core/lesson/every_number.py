"""Every number: the table behind a picture, to download, with the worked formula of any cell pointed at."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

if TYPE_CHECKING:
    from core.lesson.lesson import Lesson


def every_number(
    lesson: Lesson, name: str, table: pd.DataFrame, formula: Callable[[int, str], str | None] | None = None
) -> None:
    """Show the table of `name` under "Every number" with a CSV download.

    `formula(row, column)` returns LaTeX that fills the formula in with that cell's operands and value, or None
    for a cell that has none; it is shown when the learner selects the cell.
    """
    with st.expander(f"Every number: {name}"):
        if formula is None:
            st.dataframe(table, key=lesson.key(f"{name}_table"), hide_index=True, alt=f"Table of {name}")
        else:
            st.caption("Select a cell to see how it was computed.")
            chosen = st.dataframe(
                table,
                key=lesson.key(f"{name}_table"),
                hide_index=True,
                on_select="rerun",
                selection_mode="single-cell",
                alt=f"Table of {name}",
            )
            for row, column in chosen.selection.cells:
                if row >= len(table):  # a cell of a longer table, chosen before
                    continue
                st.latex(formula(row, column) or r"\text{This cell is a label, not a computed number.}")
        st.download_button(
            "CSV",
            table.to_csv(index=False).encode(),
            file_name=f"{lesson.name}_{name}.csv",
            mime="text/csv",
            key=lesson.key(f"{name}_csv"),
            on_click="ignore",
        )
