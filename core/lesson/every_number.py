"""Every number: the tables behind the pictures, to download, with the worked formula of any cell pointed at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

if TYPE_CHECKING:
    from core.lesson.lesson import Lesson

Formula = Callable[[int, str], str | None]


@dataclass(frozen=True)
class Numbers:
    """A table that is made when somebody wants to see it: its name, and what makes it, alone or with its formula."""

    name: str
    make: Callable[..., pd.DataFrame | tuple[pd.DataFrame, Formula]]
    arguments: tuple

    def made(self) -> tuple[pd.DataFrame, Formula | None]:
        """Return the table and the formula of its cells, None where it has none."""
        table = self.make(*self.arguments)
        return table if isinstance(table, tuple) else (table, None)


def show_numbers(lesson: Lesson, numbers: list[Numbers]) -> None:
    """Show the tables one below the other."""
    if not numbers:
        st.caption("No numbers yet: predict first, or train first.")
    for each in numbers:
        show_table(lesson, each.name, *each.made())


def show_table(lesson: Lesson, name: str, table: pd.DataFrame, formula: Formula | None) -> None:
    """Show a table with a CSV download.

    `formula(row, column)` returns LaTeX that fills the formula in with that cell's operands and value, or None
    for a cell that has none; it is shown when the learner selects the cell.
    """
    st.markdown(f"**{name[0].upper()}{name[1:]}**")
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
        lambda: harmless(table).to_csv(index=False).encode(),
        file_name=f"{lesson.name}_{name}.csv",
        mime="text/csv",
        key=lesson.key(f"{name}_csv"),
        on_click="ignore",
    )


def harmless(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table with an apostrophe before words that a spreadsheet would take for a formula and carry out.

    >>> harmless(pd.DataFrame({"word": ["=1+1", "-", "a=b"], "n": [-1, 2, 3]})).values.tolist()
    [["'=1+1", -1], ['-', 2], ['a=b', 3]]
    >>> list(harmless(pd.DataFrame(columns=["+1", "-1", "@A1", "\\t=1", "\\r=1", "a"])))
    ["'+1", "'-1", "'@A1", "'\\t=1", "'\\r=1", 'a']
    """

    def told(cell):
        begins = isinstance(cell, str) and len(cell) > 1 and cell.startswith(("=", "+", "-", "@", "\t", "\r"))
        return f"'{cell}" if begins else cell

    return table.map(told).rename(columns=told)
