"""Beam search: several beginnings of a translation kept at once, drawn as a tree."""

import streamlit as st

from core.figures.translation.beam_tree import beam_tree_figure
from core.figures.worked import signed
from core.lesson.break_it import break_it, consequence
from core.lesson.code_that_ran import code_that_ran
from core.lesson.figure import show_figure
from core.lesson.lesson import Lesson
from core.lesson.predict_first import predict_first
from core.lesson.take_away import take_away
from core.lesson.try_this import try_this
from core.models.translation.translate import beam, candidates, greedy, rescored
from pages.translation.parts.beam_steps import MEASURED, search_quality, show_candidates, show_hypotheses
from pages.translation.parts.translation_pictures import translation_beam as card_picture
from pages.translation.parts.translator_choice import (
    DUTCH,
    SCORES,
    choose_model,
    choose_sentence,
    choose_task,
    translator_of,
)

LESSON = Lesson(
    __name__,
    title="A beam of translations",
    question="Is the likeliest word at every step the way to the likeliest translation?",
    icon="🌿",
)


def picture():
    """Return the picture of the lesson's card."""
    return card_picture()


def page() -> None:
    """Show the lesson."""
    LESSON.open(
        r"\ln p(y \mid x) = \sum_t \ln p(y_t \mid y_{<t}, x) \qquad \text{keep the } k \text{ beginnings } "
        r"y_1 \dots y_t \text{ with the largest } \ln p(y_1 \dots y_t \mid x)",
        "$k$: the width of the beam. With $k = 1$ this is greedy search, which takes the likeliest word at every step. A "
        "word that looks best now may leave only poor words to follow it; the beam can still change its mind.",
    )
    controls, picture = st.columns([1, 3], gap="medium")
    with controls:
        task = choose_task(LESSON)
        name = choose_model(LESSON, task, ("none", *SCORES))
        sentence = choose_sentence(
            LESSON,
            task,
            example="I think that the ill boy gave a green coat to the beautiful woman ."
            if task.language == "fr"
            else "",
        )
        chosen = st.slider("Beam width k", 2, 8, 4, key=f"{LESSON}_width", bind="query-params")
        narrow = break_it(
            LESSON, "narrow", "Break it: keep one beginning only", "This is greedy search: it cannot go back."
        )
    width = 1 if narrow else chosen
    translator = translator_of(name)
    source = translator.source.encode(sentence.words)
    history = beam(translator.model, source, width)
    best, alone = history[-1][0], greedy(translator.model, source)
    wide = beam(translator.model, source, chosen)[-1][0] if narrow else best

    def said(words) -> str:
        """Return output words as a sentence."""
        return task.write(translator.target.decode(words))

    with picture:
        differ = list(wide.words) != alone.words
        about = f"{name}_{chosen}_{sentence.words}"
        question = f"Does a beam of {chosen} end with another translation than greedy search?"
        revealed = predict_first(LESSON, question, ["yes", "no"], "yes" if differ else "no", about)
        if revealed:
            st.text(f"Greedy, ln p = {signed(alone.log_probability, 3)}: {said(alone.words)}")
            st.text(f"Beam of {chosen}, ln p = {signed(wide.log_probability, 3)}: {said(wide.words)}")
            if sentence.pair:
                st.text(f"Right: {task.write(sentence.pair.target)}")
            show_figure(
                beam_tree_figure(history, translator.target.words),
                f"{LESSON}_tree",
                f"The tree of a beam of width {width}; the best path writes: {said(best.words)}",
            )
    if narrow:
        st.caption(
            f"Measured on {MEASURED} held-out inputs. Likelier does not always mean right: compare the two."
        )
        one, many = search_quality(task.label, name, 1), search_quality(task.label, name, chosen)
        consequence("Mean ln p of what was found", many.log_probability, one.log_probability, ".3f")
        consequence("Exact match", many.exact_match, one.exact_match, ".1%")
    if revealed:
        st.header("One step of the search", anchor=False)
        show_candidates(LESSON, task, translator, source, history, width)
        show_hypotheses(LESSON, task, translator, source, history[-1])
    code_that_ran(beam, candidates, greedy, rescored)
    take_away(
        LESSON,
        [
            "from core.models.translation.translate import beam, greedy, stored_translator\n\n"
            f"translator = stored_translator({name!r})\nsource = translator.source.encode({list(sentence.words)!r})",
            "alone = greedy(translator.model, source)\n"
            "print(alone.log_probability, translator.target.decode(alone.words))",
            f"for found in beam(translator.model, source, width={width})[-1]:\n"
            "    print(found.log_probability, translator.target.decode(found.words))",
        ],
    )
    try_this(
        LESSON,
        [
            ("With attention: does greedy search do?", {"score": "additive"}),
            ("A width of 8: how many are given up?", {"width": 8}),
            ("Dutch, whose verb comes last", {"task": DUTCH}),
        ],
        [
            "Alex Graves (2012), Sequence transduction with recurrent neural networks.",
            "Ilya Sutskever, Oriol Vinyals and Quoc Le (2014), Sequence to sequence learning with neural networks.",
            "Felix Stahlberg and Bill Byrne (2019), On NMT search errors and model errors: cat got your tongue?",
        ],
    )
