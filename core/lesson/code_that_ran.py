"""The code that ran: the source of the very functions a page called."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache

import streamlit as st


@cache
def source_of(function: Callable) -> tuple[str, str]:
    """Return the file that a function stands in, and its source."""
    return f"{inspect.getmodule(function).__name__.replace('.', '/')}.py", inspect.getsource(function)


def code_that_ran(*functions: Callable) -> None:
    """Show the source of each function with the file it stands in."""
    for function in functions:
        file, source = source_of(function)
        st.caption(file)
        st.code(source, language="python", wrap_lines=True)
