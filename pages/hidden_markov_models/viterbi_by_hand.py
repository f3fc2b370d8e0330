"""Viterbi by hand: the student fills in one column at a time; cells are marked, hinted, revealed and scored."""

import pandas as pd
import streamlit as st

from core.figures.hidden_markov_models.hmm import hand_figure, table_figure, worked_candidates
from core.lesson.break_it import break_it, consequence
from core.lesson.code_that_ran import code_that_ran
from core.lesson.every_number import every_number
from core.lesson.figure import show_figure
from core.lesson.lesson import Lesson
from core.lesson.stepper import stepper
from core.lesson.take_away import take_away
from core.lesson.try_this import try_this
from core.models.hidden_markov_models.hmm import check_column, decode, underflow, viterbi_of_products
from core.models.hidden_markov_models.what_if import without_neighbours
from pages.hidden_markov_models.parts.hand_table import (
    attempt_at,
    column_form,
    probabilities_of,
    problem_of,
    score_of,
)
from pages.hidden_markov_models.parts.hmm_choice import choose_model, choose_sentence, model_of, no_such_path
from pages.hidden_markov_models.parts.hmm_pictures import viterbi_by_hand as card_picture
from pages.hidden_markov_models.parts.hmm_take_away import SOURCES, model_cell

LESSON = Lesson(
    __name__,
    title="Viterbi by hand",
    question="Can you fill in the table yourself?",
    icon="✍️",
)
WORDS_AT_MOST = 10


def picture():
    """Return the picture of the lesson's card."""
    return card_picture()


def page() -> None:
    """Show the lesson."""
    LESSON.open(
        r"v_1(j) = \pi_j\, b_j(o_1) \qquad v_t(j) = \max_i\; v_{t-1}(i)\, a_{ij}\, b_j(o_t)",
        "$\\pi_j$: the initial probability of state $j$; $a_{ij}$: the transition from $i$ to $j$; $b_j(o_t)$: the "
        "emission of word $t$ in state $j$; $v_t(j)$: the probability of the best path that ends in $j$ at word $t$.",
    )
    controls, picture = st.columns([1, 3], gap="medium")
    with controls:
        name = choose_model(LESSON, without=("tagger",))
        words = choose_sentence(LESSON, name)
        if len(words) > WORDS_AT_MOST:
            st.info(f"By hand, the first {WORDS_AT_MOST} of the {len(words)} words are enough.")
            words = words[:WORDS_AT_MOST]
        broken = break_it(
            LESSON,
            "even",
            "Break it: every transition equally likely",
            "Then the best state of each word can be chosen on its own, and there is nothing to trace back.",
        )
    whole = model = model_of(name)
    if broken:
        model = without_neighbours(model)
    decoded, lattice = decode(model, words), underflow(model, words)
    n, states = len(words), model.states
    with picture:
        if no_such_path(decoded):
            st.stop()
        fill = [f"fill in column {t}" for t in range(1, n + 1)]
        column = stepper(LESSON, [*fill, "trace the best path back"])
        attempt = attempt_at(problem_of(name, decoded), column, len(states))
        place = st.container()
        attempt = column_form(LESSON, name, decoded, lattice, column)
        right, checked = score_of(problem_of(name, decoded))
        with place:
            show_figure(
                hand_figure(decoded, lattice, column, attempt.right, attempt.revealed),
                f"{LESSON}_figure",
                f"The table of scores, filled in up to column {min(column + 1, n)} of {n}",
            )
        st.text(
            f"Right at the first check, without a hint: {right} of {checked}."
            if checked
            else "Type a number or a product, such as 0.6 * 0.5. One per cent off still counts as right."
        )
    with controls:
        for title, (values, rows, columns) in probabilities_of(decoded, column).items():
            st.caption(title)
            show_figure(table_figure(values, rows, columns, ".4g"), f"{LESSON}_{title[:5]}", title)

    if broken:
        path = decode(whole, words).viterbi.path
        same = sum(a == b for a, b in zip(path, decoded.viterbi.path, strict=True)) / n
        consequence("Words with the state of the true model's best path", 1.0, same, ".0%")

    filled = range(min(column + (attempt.revealed or all(attempt.right)), n))
    table = pd.DataFrame(
        [
            {
                "word": words[t],
                "state": states[j],
                "score": f"{lattice.scores[t, j]:.6g}",
                "came from": states[lattice.backpointers[t, j]] if t else "",
            }
            for t in filled
            for j in range(len(states))
        ],
        columns=["word", "state", "score", "came from"],
    )

    def formula(row: int, column: str) -> str | None:
        """Write out the candidates of a cell that is filled in."""
        t, j = divmod(row, len(states))
        return worked_candidates(decoded, lattice, t, j, True) if column in ("score", "came from") else None

    every_number(LESSON, "scores", table, formula)
    code_that_ran(viterbi_of_products, check_column)
    take_away(
        LESSON,
        [
            model_cell(name),
            f"from core.models.hidden_markov_models.hmm import underflow\n\nlattice = underflow(model, {words!r})\n"
            "lattice.scores, lattice.backpointers, lattice.path",
        ],
    )
    try_this(
        LESSON,
        [
            ("A diary of two days: four numbers, and greedy is already wrong", {"diary_sentence": "2 1"}),
            ("Three states: they can fish", {"model": "toy", "toy_sentence": "they can fish"}),
            ("Every transition equal: why is “came from” the same everywhere?", {"even": True}),
        ],
        SOURCES,
    )
