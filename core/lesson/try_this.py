"""Try this: prompts that open the lesson in an interesting state; and where its ideas and data come from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import streamlit as st

if TYPE_CHECKING:
    from core.lesson.lesson import Lesson


def try_this(
    lesson: Lesson, prompts: Sequence[tuple[str, Mapping[str, object]]], sources: Sequence[str]
) -> None:
    """Write each prompt as a link to this lesson with its settings, then the sources as Markdown lines.

    Settings are named without the lesson's prefix: {"k": 20} opens /<lesson>?<lesson>_k=20. A list is for a choice of
    several.
    """
    st.header("Try this", anchor=False)
    for text, settings in prompts:
        link = {
            lesson.key(name): [str(each) for each in value] if isinstance(value, list) else str(value)
            for name, value in settings.items()
        }
        st.page_link(lesson.streamlit_page, label=text, icon="👉", query_params=link)
    with st.expander("Sources"):
        st.markdown("\n".join(f"- {source}" for source in sources))
