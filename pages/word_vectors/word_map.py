"""The word map: vectors of words projected to two or three dimensions, and what the projection loses."""

import pandas as pd
import streamlit as st

from core.figures.word_vectors.vector_duel import neighbour_bars
from core.figures.word_vectors.word_map import word_map
from core.lesson.break_it import break_it
from core.lesson.choices.vector_sets import choose_vectors, credits, notebook_vectors
from core.lesson.code_that_ran import code_that_ran
from core.lesson.every_number import every_number
from core.lesson.figure import show_figure
from core.lesson.lesson import Lesson
from core.lesson.plain import plain
from core.lesson.predict_first import predict_first
from core.lesson.take_away import take_away
from core.lesson.text_source import text_source
from core.lesson.try_this import try_this
from core.models.word_vectors.projection import neighbour_survival, project
from core.models.word_vectors.word_vectors import WordVectors
from pages.word_vectors.parts.mapped_words import mapped_words
from pages.word_vectors.parts.neighbour_table import neighbour_table
from pages.word_vectors.parts.pictures import word_map as card_picture
from pages.word_vectors.parts.word_choice import choose_words, click_on_map, project_afresh

LESSON = Lesson(
    __name__,
    title="The word map",
    question="How can a computer know that two words are alike?",
    icon="🗺️",
)


def picture():
    """Return the picture of the lesson's card."""
    return card_picture()


def page() -> None:
    """Show the lesson."""
    LESSON.open(
        r"\cos(x, y) = \frac{x \cdot y}{\lVert x\rVert\,\lVert y\rVert} \qquad "
        r"\text{coordinates} = (X - \bar{x})\, W^\top \qquad W = \text{the first } m \text{ principal components}",
        "$x, y$: vectors of two words. $X$: the vectors of all words on the map, a row each; $\\bar{x}$: their mean.",
    )
    document = text_source()
    controls, picture = st.columns([1, 3], gap="medium")

    with controls:
        name, vectors = choose_vectors(LESSON)
        search = st.text_input("Find a word", "king", key=f"{LESSON}_word", bind="query-params", live=True)
        words = choose_words(LESSON, document, vectors)
        metric = st.segmented_control(
            "Nearest by",
            ["cosine", "euclidean"],
            default="cosine",
            required=True,
            key=f"{LESSON}_metric",
            bind="query-params",
        )
        k = st.slider("Neighbours", 1, 20, 8, key=f"{LESSON}_k", bind="query-params")
        dimensions = 3 if st.toggle("3D", key=f"{LESSON}_3d", bind="query-params") else 2
        one_hot = break_it(
            LESSON,
            "one_hot",
            "Break it: one-hot",
            "Gives every word a dimension of its own, as a plain vocabulary does.",
        )

        mapped = mapped_words(vectors, words, search.strip(), k, metric, dimensions, one_hot)
    shown, chosen, neighbours = mapped.vectors, mapped.chosen, mapped.neighbours

    with picture:
        if neighbours and not predict_first(
            LESSON,
            f"Which of these is nearest to “{chosen}”?",
            sorted(near.word for near in neighbours[:4]),
            neighbours[0].word,
            f"{name}_{chosen}_{metric}",
        ):
            chosen, neighbours = "", []
        st.markdown(mapped.describe())
        show_figure(
            word_map(shown.words, mapped.projection, chosen, [near.word for near in neighbours]),
            f"{LESSON}_figure",
            f"Map of {len(shown)} words in {dimensions} dimensions",
            on_select=None if dimensions == 3 else click_on_map(LESSON),
        )
        if dimensions == 2:
            project_afresh(LESSON)
        mapped.show_consequence()

    if neighbours:
        st.header(f"Nearest to “{plain(chosen)}”", anchor=False)
        show_figure(
            neighbour_bars(
                neighbours, {near.word for near in neighbours}, "second", metric, 60 + 28 * len(neighbours)
            ),
            f"{LESSON}_neighbours",
            f"The {len(neighbours)} words nearest to {chosen}",
        )
        neighbour_table(LESSON, "neighbours", shown, neighbours, (chosen, shown[chosen]))
    places = pd.DataFrame(mapped.projection.coordinates, columns=[f"PC {i + 1}" for i in range(dimensions)])
    every_number(LESSON, "coordinates", places.assign(word=shown.words))
    code_that_ran(WordVectors.neighbours, project, neighbour_survival)
    take_away(
        LESSON,
        [
            notebook_vectors(name),
            "from core.models.word_vectors.projection import neighbour_survival, project\n"
            f"from core.models.word_vectors.word_vectors import WordVectors\n\nwords = {list(shown.words)!r}\n"
            f"shown = {'WordVectors.one_hot(words)' if one_hot else 'vectors.subset(words)'}\n"
            f"projection = project(shown.vectors, {dimensions})\nprojection.variance_kept",
            f"neighbour_survival(shown.vectors, projection.coordinates, {k}, {metric!r}).mean()",
            f"vectors.neighbours({(chosen or shown.words[0])!r}, {k}, {metric!r})",
        ],
    )
    try_this(
        LESSON,
        [
            (
                "Find “bank”. Which of its meanings won?",
                {"word": "bank", "source": "most frequent", "count": 300},
            ),
            ("Put 1,000 words on the map. What happens to the neighbours that survive?", {"count": 1000}),
            ("One-hot vectors: look for a word that is near another.", {"one_hot": True, "word": "king"}),
        ],
        credits(name),
    )
