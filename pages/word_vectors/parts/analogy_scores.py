"""The micro-world's analogies put to a set of vectors: how many of each kind it solves."""

from __future__ import annotations

from itertools import permutations

import pandas as pd
import streamlit as st

from core.lesson.break_it import consequence
from core.lesson.training_job import bench_of
from core.models.word_vectors.vector_tests import AnalogyScore, analogies
from core.models.word_vectors.word_vectors import WordVectors
from core.text.samples.microworld import PAIRS

QUESTIONS = {kind: [(*a, *b) for a, b in permutations(pairs, 2)] for kind, pairs in PAIRS.items()}


def solved(vectors: WordVectors, leave_question_out: bool = True) -> list[AnalogyScore]:
    """Return how many of the micro-world's analogies the vectors solve, by kind."""
    return analogies(vectors, QUESTIONS, leave_question_out)


@st.cache_data(scope="session", max_entries=8, show_spinner=False)
def scores_of(name: tuple, _vectors: WordVectors, leave_question_out: bool) -> list[AnalogyScore]:
    """Return `solved` for the set of this name and training, computed once a session."""
    return solved(_vectors, leave_question_out)


def share(scores: list[AnalogyScore]) -> float:
    """Return the share solved of all that could be asked."""
    return sum(score.right for score in scores) / max(1, sum(score.asked for score in scores))


def show_scores(name: str, vectors: WordVectors, broken: bool) -> None:
    """Show the share solved of each kind; when `broken`, also what is left when the question may answer itself."""
    training = (name, bench_of("word_vector_training").number)
    fair = scores_of(training, vectors, True)
    st.markdown(
        f"Asked all {sum(score.asked for score in fair)} analogies of the micro-world whose four words have vectors, "
        "these vectors solve so many of each kind:"
    )
    st.dataframe(
        pd.DataFrame(
            [{"kind": score.category, "asked": score.asked, "solved": score.accuracy} for score in fair]
        ),
        hide_index=True,
        column_config={"solved": st.column_config.ProgressColumn(format="percent", min_value=0, max_value=1)},
        alt="Analogies solved by kind",
    )
    if broken:
        consequence("Analogies solved", share(fair), share(scores_of(training, vectors, False)), ".0%")


def known_analogies(vectors: WordVectors) -> str:
    """Return, in words, the first analogy whose four words the vectors know."""
    every = (question for questions in QUESTIONS.values() for question in questions)
    a, b, c, d = next(question for question in every if all(word in vectors for word in question))
    return f"*{a}* is to *{b}* as *{c}* is to *{d}*"
