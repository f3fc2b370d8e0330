"""Every number: the tables behind the pictures, as CSV, with the formula of the selected cell filled in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from core.lesson.controls import Controls
from core.lesson.lab_words import LAB_WORDS
from core.words.plain import disarm_cell

Formula = Callable[[int, str], str | None]


@dataclass(frozen=True)
class Numbers:
    """A table that is computed when the tab opens: `make(*arguments)` returns it, alone or with its formula."""

    name: str
    make: Callable[..., pd.DataFrame | tuple[pd.DataFrame, Formula]]
    arguments: tuple

    def made(self) -> tuple[pd.DataFrame, Formula | None]:
        """Compute the table; return it with the formula of its cells, or None."""
        table = self.make(*self.arguments)
        return table if isinstance(table, tuple) else (table, None)


def show_numbers(lesson: Controls, numbers: list[Numbers]) -> None:
    """Draw all tables."""
    if not numbers:
        st.caption(LAB_WORDS.label("numbers.none"))
    for each in numbers:
        show_table(lesson, each.name, *each.made())


def show_table(lesson: Controls, name: str, table: pd.DataFrame, formula: Formula | None) -> None:
    """Draw a table with a CSV download.

    `formula(row, column)` returns LaTeX with the cell's operands and value filled in, or None for a label. It is shown for
    the selected cell.
    """
    st.markdown(f"**{name[0].upper()}{name[1:]}**")
    alt = LAB_WORDS.label("numbers.alt", name=name)
    if formula is None:
        st.dataframe(table, key=lesson.key(f"{name}_table"), hide_index=True, alt=alt)
    else:
        st.caption(LAB_WORDS.label("numbers.select"))
        chosen = st.dataframe(
            table,
            key=lesson.key(f"{name}_table"),
            hide_index=True,
            on_select="rerun",
            selection_mode="single-cell",
            alt=alt,
        )
        for row, column in chosen.selection.cells:
            if row >= len(table):  # selected in an earlier, longer table
                continue
            st.latex(formula(row, column) or rf"\text{{{LAB_WORDS.label('numbers.label')}}}")
    st.download_button(
        "CSV",
        lambda: harmless(table).to_csv(index=False).encode(),
        file_name=f"{lesson.name}_{name}.csv",
        mime="text/csv",
        key=lesson.key(f"{name}_csv"),
        on_click="ignore",
    )


def harmless(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table with an apostrophe before each text that a spreadsheet would run as a formula.

    >>> harmless(pd.DataFrame({"word": ["=1+1", "-", "a=b"], "n": [-1, 2, 3]})).values.tolist()
    [["'=1+1", -1], ['-', 2], ['a=b', 3]]
    >>> list(harmless(pd.DataFrame(columns=["+1", "-1", "@A1", "\\t=1", "\\r=1", "a"])))
    ["'+1", "'-1", "'@A1", "'\\t=1", "'\\r=1", 'a']
    """
    return table.map(disarm_cell).rename(columns=disarm_cell)
