"""Change the world: edit a model's tables and watch the best path flip."""

import numpy as np
import streamlit as st

from core.figures.worked import signed
from core.lesson.break_it import break_it, consequence
from core.lesson.code_that_ran import code_that_ran
from core.lesson.lesson import Lesson
from core.lesson.predict_first import predict_first
from core.lesson.take_away import take_away
from core.lesson.try_this import try_this
from core.models.hidden_markov_models.hmm import decode
from core.models.hidden_markov_models.hmm_tables import from_probabilities
from core.models.hidden_markov_models.what_if import sweep, with_probability, without_words
from pages.hidden_markov_models.parts.flip import where_it_flips
from pages.hidden_markov_models.parts.hmm_choice import (
    choose_model,
    choose_sentence,
    keep_own_model,
    model_of,
    no_such_path,
)
from pages.hidden_markov_models.parts.hmm_paths import show_paths
from pages.hidden_markov_models.parts.hmm_pictures import hmm_tables as card_picture
from pages.hidden_markov_models.parts.hmm_take_away import SOURCES, tables_cell
from pages.hidden_markov_models.parts.path_factors import path_factors
from pages.hidden_markov_models.parts.table_editor import edit_tables

LESSON = Lesson(
    __name__,
    title="Change the world",
    question="Which probability must change before the best path flips?",
    icon="🎛️",
)


def picture():
    """Return the picture of the lesson's card."""
    return card_picture()


def page() -> None:
    """Show the lesson."""
    LESSON.open(
        r"\sum_j \pi_j = 1 \qquad \sum_j a_{ij} + a_{i,\text{end}} = 1 \qquad \sum_w b_i(w) = 1",
        "$\\pi$: how likely each state is first. $a_{ij}$: how likely state $j$ follows $i$. $b_i(w)$: how likely state "
        "$i$ emits the word $w$. Each row is everything that can happen, so it sums to one.",
    )
    controls, picture = st.columns([1, 3], gap="medium")
    with controls:
        name = choose_model(LESSON, without=("tagger",))
        words = choose_sentence(LESSON, name)
        broken = break_it(
            LESSON, "mute", "Break it: the words say nothing", "Every state emits every word equally often."
        )
    place = picture.container()
    with picture:
        st.caption("Change any number: a row that does not sum to one is refused.")
        original = model_of(name)
        edited = edit_tables(LESSON, name, original)
    model = without_words(edited) if broken else edited
    before, now = decode(original, words), decode(model, words)
    flipped = before.viterbi.path != now.viterbi.path
    with place:
        if no_such_path(now):
            st.stop()
        tables = now.model.log_transition.tobytes() + now.model.log_emission.tobytes()
        if not predict_first(
            LESSON,
            "Is the best path still the one of the tables before you changed them?",
            ["the same", "another"],
            "another" if flipped else "the same",
            f"{name}_{hash((tuple(words), tables))}",
        ):
            st.stop()
        show_paths(
            LESSON,
            now,
            {"your tables": now.viterbi.path, "original tables": before.viterbi.path},
            f"The best path of your tables is {'another than' if flipped else 'the same as'} that of the original ones",
        )
        ln_p, before_ln_p = (signed(each.viterbi.log_probability, 4) for each in (now, before))
        st.text(
            f"{'The path flipped' if flipped else 'The path is the same'}: ln p = {ln_p} (original {before_ln_p}). "
            f"It has {now.posterior:.1%} of the probability of all paths."
        )
    if broken:
        true = decode(edited, words).viterbi.path
        same = np.mean(np.array(true) == np.array(now.viterbi.path))
        consequence("Words that keep their state", 1.0, float(same), ".0%")
    st.button(
        "Use these tables in the other lessons, as “yours”",
        key=f"{LESSON}_keep",
        on_click=keep_own_model,
        args=(edited,),
    )

    where_it_flips(LESSON, name, model, words)
    path_factors(
        LESSON, words, {"your tables": (model, now.viterbi.path), "original": (original, before.viterbi.path)}
    )
    code_that_ran(from_probabilities, with_probability, sweep)
    take_away(
        LESSON,
        [
            tables_cell(edited),
            f"from core.models.hidden_markov_models.hmm import decode\n\ndecode(model, {words!r}).viterbi",
        ],
    )
    try_this(
        LESSON,
        [
            (
                "Make p(cold | hot) 0.9 and p(hot | hot) 0.1: what happens to 3 3 3?",
                {"diary_sentence": "3 3 3"},
            ),
            (
                "How likely must “fish” be as a verb before “they can fish” flips?",
                {"model": "toy", "toy_sentence": "they can fish", "toy_cell": "p(fish | VERB)"},
            ),
            ("The words say nothing: which path remains?", {"mute": True}),
        ],
        SOURCES,
    )
