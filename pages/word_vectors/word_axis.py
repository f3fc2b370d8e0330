"""An axis of meaning: words placed along the line between two lists of words, and the bias this shows."""

import streamlit as st

from core.figures.word_vectors.word_map import axis_figure
from core.lesson.break_it import break_it, consequence
from core.lesson.choices.vector_sets import NAMES, choose_vectors, credits, notebook_vectors
from core.lesson.code_that_ran import code_that_ran
from core.lesson.figure import show_figure
from core.lesson.lesson import Lesson
from core.lesson.plain import plain
from core.lesson.predict_first import predict_first
from core.lesson.take_away import take_away
from core.lesson.try_this import try_this
from core.models.word_vectors.word_axis import Axis, axis
from core.models.word_vectors.word_vectors import UnknownWordError
from pages.word_vectors.parts.pictures import word_axis as card_picture
from pages.word_vectors.parts.word_choice import word_list
from pages.word_vectors.parts.word_placements import placement_table

LESSON = Lesson(
    __name__,
    title="An axis of meaning",
    question="What do vectors learn about people from the text they read?",
    icon="🧭",
)
PROFESSIONS = (
    "nurse teacher librarian dancer artist doctor lawyer scientist engineer programmer soldier pilot farmer boss "
    "secretary president"
)


def picture():
    """Return the picture of the lesson's card."""
    return card_picture()


def page() -> None:
    """Show the lesson."""
    LESSON.open(
        r"u = \frac{\bar{x}_{+} - \bar{x}_{-}}{\lVert \bar{x}_{+} - \bar{x}_{-} \rVert} \qquad "
        r"\text{position}(x) = \left(x - \tfrac{1}{2}(\bar{x}_{+} + \bar{x}_{-})\right) \cdot u",
        "$\\bar{x}_{-}, \\bar{x}_{+}$: the means of the left and of the right list. $x$: the vector of the word placed.",
    )
    controls, picture = st.columns([1, 3], gap="medium")
    with controls:
        name, vectors = choose_vectors(LESSON)
        unit = not break_it(
            LESSON,
            "raw",
            "Break it: vectors at full length",
            "Frequent words have other lengths than rare ones.",
        )
        if unit:
            vectors = vectors.normalised()
        left = word_list(LESSON, "left", "Left end", "he him man", vectors)
        right = word_list(LESSON, "right", "Right end", "she her woman", vectors)
        placed = word_list(LESSON, "placed", "Words to place", PROFESSIONS, vectors)

    try:
        line = axis(vectors, left, right)
    except (ValueError, UnknownWordError) as error:
        picture.warning(plain(str(error)))
        st.stop()
    if not placed:
        picture.warning("Write at least one word to place on the axis.")
        st.stop()
    placements = line.place(vectors, placed)
    extreme = max(placements, key=lambda placement: abs(placement.position))
    with picture:
        revealed = predict_first(
            LESSON,
            "Which word lies furthest from the middle?",
            sorted({extreme.word, *(placement.word for placement in placements[:5])}),
            extreme.word,
            f"{name}_{left}_{right}_{placed}_{unit}",
        )
        if revealed:
            show_figure(
                axis_figure(line, placements, line.place(vectors, [*left, *right])),
                f"{LESSON}_figure",
                f"{len(placements)} words between {', '.join(left)} and {', '.join(right)}",
            )
            st.markdown(
                "Zero is halfway between the two lists (diamonds). Nobody told the model about people: positions far from "
                "zero repeat how the text it read speaks of them."
            )
    if not unit:
        lengths = vectors.subset(placed).lengths
        consequence(
            "Longest ÷ shortest vector", 1.0, float(lengths.max() / lengths.min()), more_is_better=False
        )

    if revealed:
        placement_table(LESSON, vectors, line, placements)
    code_that_ran(axis, Axis.place)
    take_away(
        LESSON,
        [
            notebook_vectors(name) + ("\nvectors = vectors.normalised()" if unit else ""),
            "from core.models.word_vectors.word_axis import axis\n\n"
            f"line = axis(vectors, {left!r}, {right!r})\nline.place(vectors, {placed!r})",
        ],
    )
    try_this(
        LESSON,
        [
            (
                "From bad to good: where do foods, animals and feelings lie?",
                {
                    "left": "bad terrible awful",
                    "right": "good great excellent",
                    "placed": "war peace cake poison puppy spider love fear",
                },
            ),
            (
                "From small to large: is the order right?",
                {
                    "left": "small tiny little",
                    "right": "large huge big",
                    "placed": "mouse cat dog horse elephant whale ant city planet",
                },
            ),
            ("The same question to our own vectors, trained on other text", {"vectors": NAMES["skipgram"]}),
        ],
        [
            *credits(name),
            "Tolga Bolukbasi and others (2016), Man is to Computer Programmer as Woman is to Homemaker? "
            "Debiasing Word Embeddings.",
        ],
    )
