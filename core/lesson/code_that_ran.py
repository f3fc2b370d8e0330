"""The code that ran: the source of the very functions a page called."""

from __future__ import annotations

import inspect
from collections.abc import Callable

import streamlit as st


def source_of(function: Callable) -> None:
    """Show the source of one function with the file it stands in."""
    module = inspect.getmodule(function).__name__.replace(".", "/")
    st.caption(f"{module}.py")
    st.code(inspect.getsource(function), language="python", wrap_lines=True)


def code_that_ran(*functions: Callable) -> None:
    """Show the source of each function with the file it stands in."""
    for function in functions:
        source_of(function)
