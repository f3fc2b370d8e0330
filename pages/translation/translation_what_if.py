"""What if the translator looked elsewhere: force attention, a word or a beginning, and compare before and after."""

import streamlit as st

from core.lesson.break_it import break_it, consequence
from core.lesson.code_that_ran import code_that_ran
from core.lesson.lesson import Lesson
from core.lesson.predict_first import predict_first
from core.lesson.take_away import take_away
from core.lesson.try_this import try_this
from core.models.translation.translate import greedy, onto, rescored
from pages.translation.parts.attention_picture import gold_of, show_attention, translated
from pages.translation.parts.translation_pictures import translation_what_if as card_picture
from pages.translation.parts.translator_choice import (
    DATES,
    Sentence,
    choose_model,
    choose_sentence,
    choose_task,
    translator_of,
)
from pages.translation.parts.what_if_translation import (
    MEASURED,
    WhatIf,
    changed_places,
    choose_forced,
    choose_prefix,
    choose_replacement,
    compare_probabilities,
    marked_sentence,
    take_cell,
    what_if_cells,
    wrong_looks,
)

LESSON = Lesson(
    __name__,
    title="What if it looked elsewhere?",
    question="What changes when a translator is made to look at another word?",
    icon="🔀",
)
GUESSES = ["nothing", "only that word", "other words too"]


def picture():
    """Return the picture of the lesson's card."""
    return card_picture()


def page() -> None:
    """Show the lesson."""
    LESSON.open(
        r"a_{ts} = \begin{cases} 1 & s = \text{the word that step } t \text{ is made to look at} \\ 0 & \text{else}"
        r"\end{cases} \qquad c_t = \sum_s a_{ts}\, \bar h_s \qquad y_t = \operatorname*{argmax}_y\, p(y \mid y_{<t}, x)",
        r"A step that is forced onto one word has that word's state as its context: $c_t = \bar h_s$. Nothing before step "
        r"$t$ can change. What follows does change, because every later step reads the words $y_{<t}$ that were written.",
    )
    take_cell(LESSON, f"{LESSON}_before")
    controls, pictures = st.columns([1, 3], gap="medium")
    with controls:
        task = choose_task(LESSON)
        name = choose_model(LESSON, task)
        translator = translator_of(name)
        sentence = choose_sentence(LESSON, task)
        force = st.container()
        before = translated(translator, sentence.words)
        other = st.toggle(
            "Compare with another sentence", key=f"{LESSON}_compare", bind="query-params", wrap=True
        )
        changed = (
            choose_sentence(LESSON, task, "_2", "The women do not buy the red cars.") if other else sentence
        )
        words = choose_replacement(LESSON, changed, translator)
        with force:
            forced = choose_forced(LESSON, before, words)
            prefix = choose_prefix(LESSON, task, translator)
    what_if = WhatIf(words, prefix, forced)
    after = what_if.translated(translator)
    places = changed_places(before.outputs, after.outputs)

    with pictures:
        answer = GUESSES[min(len(places), 2)]
        about = f"{name}_{sentence.words}_{what_if}"
        revealed = predict_first(LESSON, "What changes in the output?", GUESSES, answer, about)
        left, right = st.columns(2)
        with left:
            st.markdown("**Before.** Click a cell, then “Force it”.")
            st.markdown(marked_sentence(before.outputs, before.outputs))
            show_attention(LESSON, task, before, gold_of(task, sentence, before), "before")
        with right:
            st.markdown("**After.** What changed is marked.")
            if revealed:
                st.markdown(marked_sentence(before.outputs, after.outputs))
                gold = gold_of(task, Sentence(words, task.reference(words)), after)
                show_attention(LESSON, task, after, gold, "after", marked=forced.items())

    if words != sentence.words and not other:
        st.text(f"The input is now: {task.write(words, output=False)}")
    if revealed:
        compare_probabilities(LESSON, before, after)

    if break_it(
        LESSON,
        "wrong",
        "Break it: one wrong look in every sentence",
        "In each held-out sentence one step, drawn at random, must look at a random input word.",
    ):
        shares = wrong_looks(task.label, name)
        st.caption(
            f"Measured on {MEASURED} held-out inputs, in each of which one step looks at a random {task.unit}:"
        )
        consequence("Output unchanged", 1.0, shares.unchanged, ".0%")
        consequence(f"All other {task.unit}s unchanged", 1.0, shares.same_others, ".0%")

    code_that_ran(greedy, onto, rescored)
    take_away(LESSON, what_if_cells(name, sentence.words, what_if))
    try_this(
        LESSON,
        [
            ("Make the verb look at “does”", {"forced": "4:3"}),
            ("Woman becomes women: what follows?", {"replace": "2 woman", "by": "women"}),
            ("Force the beginning “elle”", {"prefix": "elle"}),
            ("A digit that looks at its neighbour", {"task": DATES, "forced": "2:18"}),
        ],
        [
            "Hendrik Strobelt et al. (2018), Seq2Seq-Vis: a visual debugging tool for sequence-to-sequence models.",
            "Minh-Thang Luong, Hieu Pham and Christopher Manning (2015), Effective approaches to attention-based neural "
            "machine translation.",
        ],
    )
