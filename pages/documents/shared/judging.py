"""How a classifier does on held-out documents: confusion, accuracy with its interval, what it misread most."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.documents.held_out import accuracy_table, class_confusion_figure, no_class
from core.lesson.lesson import Lesson
from core.models.documents.held_out import Confusion
from core.words.numbers import percent
from pages.documents.shared import WORDS

MISREAD = 8
CHARACTERS = 300  # of a document in the table


def show_judged(
    lesson: Lesson, method: str, texts: Sequence[str] | None, judged: Confusion, classes: Sequence[str]
) -> None:
    """Draw the confusion of held-out `texts`, say how often the `method` is right, and list what it misread most.

    Without `texts` only the confusion is known.
    """
    (low, high), n, right = judged.interval, judged.documents, judged.right
    alt = WORDS.label("judged.alt", right=right, n=n)
    lesson.figure("confusion", class_confusion_figure(judged, classes), alt)
    values = {"accuracy": f"{judged.accuracy:.1%}", "low": f"{low:.1%}", "high": f"{high:.1%}"}
    lesson.caption(WORDS.label("judged.said", method=method, right=right, n=n, **values))
    lesson.set_values(**values, n=f"{n:,}", largest=f"{judged.largest:.1%}")
    lesson.every_number(WORDS.label("judged.table"), accuracy_table, judged)
    if texts is None:
        st.markdown(WORDS.label("judged.not_stored"))
        return
    wrong = judged.most_misread(MISREAD)
    if not len(wrong):
        st.markdown(WORDS.label("judged.none"))
        return
    names = [*classes, no_class()]
    rows = {
        WORDS.label("judged.document"): [texts[i][:CHARACTERS] for i in wrong],
        WORDS.label("judged.label"): [classes[judged.y[i]] for i in wrong],
        WORDS.label("judged.given"): [names[judged.given[i]] for i in wrong],
        WORDS.label("judged.p"): [
            percent(float(np.nan_to_num(judged.posteriors[i, judged.y[i]]))) for i in wrong
        ],
    }
    st.markdown(WORDS.label("judged.listed", shown=len(wrong), all=n - right))
    lesson.table("misread", pd.DataFrame(rows), WORDS.label("judged.misread"))
