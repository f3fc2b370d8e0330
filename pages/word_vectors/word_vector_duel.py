"""Two sets of word vectors on the same words: their maps, a word's neighbours in each, and how far they agree."""

import pandas as pd
import streamlit as st

from core.figures.word_vectors.vector_duel import neighbour_bars, similarity_scatter
from core.figures.word_vectors.word_map import word_map
from core.lesson.choices.vector_sets import NAMES, choose_vectors, credits, notebook_vectors
from core.lesson.code_that_ran import code_that_ran
from core.lesson.every_number import every_number
from core.lesson.figure import show_figure
from core.lesson.lesson import Lesson
from core.lesson.take_away import take_away
from core.lesson.text_source import text_source
from core.lesson.try_this import try_this
from core.models.word_vectors.projection import project
from core.models.word_vectors.vector_agreement import agreement, shared_words
from core.models.word_vectors.word_vectors import UnknownWordError
from pages.word_vectors.parts.pictures import word_vector_duel as card_picture
from pages.word_vectors.parts.word_choice import choose_words

LESSON = Lesson(
    __name__,
    title="Two maps, one language",
    question="Do two models agree on which words are neighbours?",
    icon="👯",
)


def picture():
    """Return the picture of the lesson's card."""
    return card_picture()


def page() -> None:
    """Show the lesson."""
    LESSON.open(
        r"\text{overlap}(w) = \frac{\lvert N_k^{A}(w) \cap N_k^{B}(w) \rvert}{k}",
        "$N_k^{A}(w)$: the $k$ nearest words to $w$ in the set $A$, among the words that both sets know.",
    )
    document = text_source()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        word = st.text_input(
            "A word", "king", key=f"{LESSON}_word", bind="query-params", live=True, width=240
        )
        k = st.slider("Neighbours", 1, 20, 10, key=f"{LESSON}_k", bind="query-params", width=240)
    left, right = st.columns(2)
    with left:
        first_name, first = choose_vectors(LESSON, "first")
    with right:
        second_name, second = choose_vectors(LESSON, "second", default="skipgram")
    with st.expander("Words on the maps"):
        words = choose_words(LESSON, document, first)

    first, second = shared_words(first, second)
    word = word.strip() or "king"
    if len(first) < 4:
        st.warning(
            "The two sets share fewer than four words, too few to compare. Choose another pair of sets."
        )
        st.stop()
    k = min(k, len(first) - 1)
    try:
        overlap = agreement(first, second, word, k)
    except UnknownWordError as error:
        st.text(f"One of the two sets lacks it. {error}")
        st.stop()
    both = set(overlap.shared)
    mapped = [word for word in words if word in first]
    for column, name, neighbours, colour in (
        (left, first_name, overlap.first, "first"),
        (right, second_name, overlap.second, "second"),
    ):
        with column:
            show_figure(
                neighbour_bars(neighbours, both, colour),
                f"{LESSON}_{colour}_neighbours",
                f"The {k} words nearest to {word} in {NAMES[name]}",
            )
    st.markdown(
        f"**{len(both)} of {k} neighbours are shared** (filled bars) among the {len(first):,} words that both sets know. "
        f"Over the {len(overlap.sampled)} most frequent of them the mean overlap is **{overlap.mean:.0%}**; by chance it "
        f"would be {k / (len(first) - 1):.1%}."
    )
    maps = st.columns(2)
    for column, name, vectors, colour in (
        (maps[0], first_name, first, "first"),
        (maps[1], second_name, second, "second"),
    ):
        if len(mapped) > 1:
            subset = vectors.subset(mapped)
            with column:
                show_figure(
                    word_map(subset.words, project(subset.vectors), height=420),
                    f"{LESSON}_{colour}_map",
                    f"The same {len(subset)} words in {NAMES[name]}",
                )
    show_figure(
        similarity_scatter(
            overlap.pairs, overlap.cosines[0], overlap.cosines[1], (NAMES[first_name], NAMES[second_name])
        ),
        f"{LESSON}_pairs",
        "Cosine of word pairs in one set against the other",
    )
    st.caption(
        f"{len(overlap.pairs):,} pairs among the most frequent shared words. Rank correlation of their cosines: "
        f"{overlap.correlation:.2f}. The dotted line is equality."
    )

    sides = [
        pd.DataFrame([vars(near) for near in side]).add_suffix(f" in {NAMES[name]}")
        for side, name in ((overlap.first, first_name), (overlap.second, second_name))
    ]
    every_number(LESSON, "neighbours", pd.concat(sides, axis=1))
    code_that_ran(agreement, shared_words)
    take_away(
        LESSON,
        [
            notebook_vectors(first_name).replace("vectors =", "first ="),
            notebook_vectors(second_name).replace("vectors =", "second ="),
            "from core.models.word_vectors.vector_agreement import agreement, shared_words\n\n"
            f"agreement(*shared_words(first, second), {word!r}, {k}).shared",
        ],
    )
    try_this(
        LESSON,
        [
            ("“apple”: one set read the news, the other old books.", {"word": "apple"}),
            ("“gay”: what did each set's text mean by it?", {"word": "gay"}),
            ("Which words do the two agree on? Try a number.", {"word": "three"}),
        ],
        list(dict.fromkeys([*credits(first_name), *credits(second_name)])),
    )
