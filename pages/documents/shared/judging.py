"""How a classifier does on held-out documents: confusion, accuracy with its interval, what it misread most."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.documents.held_out import NO_CLASS, accuracy_table, class_confusion_figure
from core.lesson.lesson import Lesson
from core.models.documents.held_out import Confusion
from core.words.numbers import percent

MISREAD = 8
CHARACTERS = 300  # of a document in the table


def show_judged(
    lesson: Lesson, method: str, texts: Sequence[str] | None, judged: Confusion, classes: Sequence[str]
) -> None:
    """Draw the confusion of held-out `texts`, say how often the `method` is right, and list what it misread most.

    Without `texts` only the confusion is known.
    """
    (low, high), n, right = judged.interval, judged.documents, judged.right
    alt = f"{right:,} of {n:,} held-out documents lie on the diagonal."
    lesson.figure("confusion", class_confusion_figure(judged, classes), alt)
    documents = "document" if n == 1 else "documents"
    lesson.caption(
        f"{method} is right on {right:,} of {n:,} held-out {documents}: {judged.accuracy:.1%}, "
        f"95% interval {low:.1%} to {high:.1%}."
    )
    lesson.set_values(
        accuracy=f"{judged.accuracy:.1%}",
        low=f"{low:.1%}",
        high=f"{high:.1%}",
        n=f"{n:,}",
        largest=f"{judged.largest:.1%}",
    )
    lesson.every_number("the held-out documents", accuracy_table, judged)
    if texts is None:
        st.markdown(
            "Which documents it misread cannot be shown: no document is stored, only how many there were of each kind."
        )
        return
    wrong = judged.most_misread(MISREAD)
    if not len(wrong):
        st.markdown("No held-out document was misread.")
        return
    names = [*classes, NO_CLASS]
    rows = {
        "document": [texts[i][:CHARACTERS] for i in wrong],
        "its label": [classes[judged.y[i]] for i in wrong],
        "given": [names[judged.given[i]] for i in wrong],
        "p(its label)": [percent(float(np.nan_to_num(judged.posteriors[i, judged.y[i]]))) for i in wrong],
    }
    every = n - right
    listed = (
        f"{len(wrong)} of the {every:,} misread documents" if every > len(wrong) else "All that was misread"
    )
    st.markdown(f"{listed}, first where the document's own label got the least probability:")
    lesson.table("misread", pd.DataFrame(rows), "The held-out documents that were misread most")
