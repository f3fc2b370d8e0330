"""Positions: sinusoids, learned ones, what their dot products say of distance, and what lies past the last one."""

import pandas as pd
import streamlit as st

from core.figures.self_attention.word_order import position_heatmap, similarity_figure, similarity_heatmap
from core.lesson.code_that_ran import code_that_ran
from core.lesson.every_number import every_number
from core.lesson.figure import show_figure
from core.lesson.lesson import Lesson
from core.lesson.predict_first import predict_first
from core.lesson.take_away import take_away
from core.lesson.text_source import text_source
from core.lesson.try_this import try_this
from core.models.self_attention.positions import similarity_by_distance, sinusoidal_positions
from core.models.self_attention.word_order import bits_by_place, with_positions_for
from pages.self_attention.parts.attention_pictures import positions as card_picture
from pages.self_attention.parts.position_tables import (
    LEARNED,
    READER,
    choose_positions,
    choose_ways,
    learned_positions,
    show_past_the_end,
)

LESSON = Lesson(
    __name__,
    title="Positions",
    question="How can a vector say where a word stands?",
    icon="📍",
)


def picture():
    """Return the picture of the lesson's card."""
    return card_picture()


def page() -> None:
    """Show the lesson."""
    LESSON.open(
        r"PE(t, 2i) = \sin\frac{t}{b^{\,2i/C}} \qquad PE(t, 2i{+}1) = \cos\frac{t}{b^{\,2i/C}} \qquad "
        r"PE(t) \cdot PE(t + k) = \sum_i \cos\frac{k}{b^{\,2i/C}}",
        "$t$: the position, counted from 0; $C$: numbers in a position; $b$: the base, 10,000 in the paper. Each pair of "
        "dimensions is the hand of a clock with its own speed. The dot product of two positions depends on their distance "
        "$k$ alone. Learned positions are a table instead: one row a position, found in training, none past the last.",
    )
    document = text_source()
    controls, picture = st.columns([1, 3], gap="medium")
    with controls:
        chosen = choose_positions(LESSON)
        positions = chosen.table
        T, C = positions.shape
        t = st.number_input("A position to look at", 0, 511, 10, key=f"{LESSON}_t", bind="query-params")
        if t >= T:
            st.caption(f"There are {T} positions: the last is {T - 1}.")
            t = T - 1

    products = (positions @ positions[t]).numpy()
    by_distance = similarity_by_distance(positions).numpy()
    with picture:
        likest = max((other for other in range(T) if other != t), key=lambda other: products[other])
        choices = ["its neighbour, before or after", "another one"]
        question = f"Which other position has the largest dot product with position {t}?"
        answer = choices[abs(likest - t) > 1]
        if not predict_first(LESSON, question, choices, answer, f"{chosen.kind}_{T}_{C}_{t}"):
            st.stop()
        left, right = st.columns(2)
        with left:
            alt = f"{T} positions of {C} numbers as a heat map"
            show_figure(position_heatmap(positions.numpy(), t), f"{LESSON}_table", alt)
        with right:
            show_figure(
                similarity_heatmap(positions.numpy()),
                f"{LESSON}_cosines",
                "The cosine of every two positions",
            )
        st.caption(
            f"Largest with position {t}: position {likest}, {products[likest]:.3f} (itself: {products[t]:.3f})."
        )

    st.header("Dot products and distance", anchor=False)
    st.markdown(
        "A head can only compare by dot products. With sinusoids the one at distance $k$ is the same everywhere, so that "
        "“three words back” means the same at every place. A learned table has to find that out, if it is of use."
    )
    lines = {f"position {t} and those after it": products[t:], "mean over all pairs": by_distance}
    show_figure(
        similarity_figure(lines), f"{LESSON}_distance", "Dot product of two positions against their distance"
    )

    st.header("Past the trained length", anchor=False)
    st.markdown(
        "A learned table has no row past its last. The course's GPT of characters has "
        f"{len(learned_positions(READER))}; to read twice as far, something must stand in the rows that were never "
        "trained. This is what it then pays for the characters of your text."
    )
    show_past_the_end(LESSON, document, choose_ways(LESSON))

    table = pd.DataFrame(positions.numpy(), columns=[str(i) for i in range(C)])
    table.insert(0, "position", range(T))
    every_number(LESSON, "positions", table, chosen.worked if chosen.base else None)
    code_that_ran(sinusoidal_positions, similarity_by_distance, with_positions_for, bits_by_place)
    take_away(
        LESSON,
        [
            chosen.cell,
            "from core.models.self_attention.positions import similarity_by_distance\n\nprint(similarity_by_distance(positions))",
        ],
    )
    try_this(
        LESSON,
        [
            (
                "A base of 10 and eight numbers: how far apart do two positions look alike again?",
                {"base": 10, "width": 8, "length": 512},
            ),
            ("Eight numbers only: can 512 positions still be told apart?", {"width": 8, "length": 512}),
            ("What the GPT learned: is distance in it?", {"kind": next(iter(LEARNED))}),
        ],
        [
            "Ashish Vaswani et al. (2017), Attention Is All You Need, section 3.5.",
            "Ofir Press, Noah Smith and Mike Lewis (2022), Train Short, Test Long: Attention with Linear Biases Enables "
            "Input Length Extrapolation.",
        ],
    )
