"""The word map: vectors of words projected to two or three dimensions, and what the projection loses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pandas as pd
import streamlit as st

from core.figures import worked
from core.figures.card import small
from core.figures.figure import Figure
from core.figures.word_vectors.map_view import map_view
from core.figures.word_vectors.vector_duel import neighbour_bars
from core.figures.word_vectors.vector_rows import WRITTEN, cosine_squares, vector_rows
from core.figures.word_vectors.word_map import word_map
from core.figures.worked import signed
from core.lesson.break_it import consequence
from core.lesson.choices.vector_sets import OWN, choose_vectors, credits, notebook_vectors, shared_vectors
from core.lesson.lesson import Lesson
from core.lesson.plain import plain
from core.models.word_vectors.procrustes import procrustes
from core.models.word_vectors.projection import (
    Nearest,
    Projection,
    nearest,
    nearest_cosine,
    neighbour_survival,
    project,
    same_group,
)
from core.models.word_vectors.word_vectors import Neighbour, UnknownWordError, WordVectors
from pages.word_vectors.shared.neighbour_table import neighbour_table
from pages.word_vectors.shared.steady_map import steady_turn
from pages.word_vectors.shared.word_choice import (
    FREQUENT,
    LIST,
    LIST_AT_MOST,
    THEMES,
    choose_words,
    themes,
    themes_of,
)

LESSON = Lesson(
    __name__,
    title="The word map",
    question="How can a computer know that two words are alike?",
    icon="map",
)
HEIGHT = 420  # pixels
NEAREST = 5  # words that are named beside one that is pointed at
SQUARE_AT_MOST = 40  # words in a square of cosines, so that their names can be read


def picture() -> Figure:
    """Ten words of GloVe on their first two principal components."""
    vectors = shared_vectors("glove").subset("king queen man woman paris france rome italy cat dog".split())
    return small(word_map(vectors.words, project(vectors.vectors)))


@dataclass(frozen=True)
class Settings:
    """What the learner chose: the word to find, how neighbours are told and how many, the map's dimensions."""

    search: str
    metric: str
    k: int
    dimensions: int


def page() -> None:
    """Words as points; two of them as rows of numbers; a word's neighbours; what a map loses, and one-hot vectors."""
    LESSON.open(
        r"\cos(x, y) = \frac{x \cdot y}{\lVert x\rVert\,\lVert y\rVert} \qquad "
        r"\text{coordinates} = (X - \bar{x})\, W^\top \qquad W = \text{the first } m \text{ principal components}",
        "$x, y$: vectors of two words. $X$: the vectors of all words on the map, a row each; $\\bar{x}$: their mean; "
        "$m$: the map's dimensions.",
    )
    controls, stage = LESSON.stage()
    remarks = st.container()
    with controls:
        search = LESSON.text("word", "Find a word", "king", live=True, width=150).strip()
        k = LESSON.slider("k", "Neighbours", 1, 20, 8, width=150)
        name, vectors = choose_vectors(LESSON)
        more = LESSON.more()
        with more:
            metric = LESSON.choose("metric", "Nearest by", ["cosine", "euclidean"])
        words = choose_words(LESSON, vectors, controls, more, remarks)
        dimensions = 3 if LESSON.toggle("3d", "3D") else 2
        asked = Settings(search, metric, k, dimensions)
        one_hot = LESSON.break_it(
            "one_hot",
            "Break it: one-hot",
            "Gives every word a dimension of its own, as a plain vocabulary does.",
        )

    with stage:
        chosen, neighbours = looked_up(vectors, name, asked)
        LESSON.set_values(word=chosen or "none", nearest=neighbours[0].word if neighbours else "not shown")
        LESSON.set_values(how_near=f", {signed(neighbours[0].similarity, 4)}" if neighbours else "")
        shown = (*words, *filter(None, [chosen]), *(near.word for near in neighbours))
        source = LESSON.get_state("source")
        way = shown, source, dimensions, k, metric
        given = name == OWN or source not in (THEMES, FREQUENT)
        drawn = mapped(vectors, *way) if given else mapped_stored(name, *way)
        here = drawn.here
        if one_hot:
            draw_squares(here)
        else:
            turn = steady_turn(name, vectors, here, drawn.projection) if dimensions == 2 else None
            draw_map(drawn, turn, chosen if neighbours else "", neighbours, asked)
    st.header("A word is a row of numbers", anchor=False)
    two_rows(vectors, here, chosen, one_hot)
    if neighbours and not one_hot:
        st.header(f"Nearest to “{plain(chosen)}”", anchor=False)
        LESSON.figure(
            "neighbours",
            neighbour_bars(
                neighbours, {near.word for near in neighbours}, "second", metric, 60 + 28 * len(neighbours)
            ),
            f"The {len(neighbours)} words nearest to {chosen}",
        )
        neighbour_table(LESSON, "neighbours", here, neighbours, (chosen, here[chosen]))
    if not one_hot:
        LESSON.every_number("coordinates", coordinates, drawn)
    LESSON.closing(
        code=[
            WordVectors.neighbours,
            project,
            procrustes,
            nearest,
            neighbour_survival,
            same_group,
            nearest_cosine,
        ],
        notebook=[
            notebook_vectors(name),
            "from core.models.word_vectors.projection import nearest_cosine, neighbour_survival, project\n"
            f"from core.models.word_vectors.word_vectors import WordVectors\n\nwords = {list(here.words)!r}\n"
            f"shown = vectors.subset(words)\nprojection = project(shown.vectors, {asked.dimensions})\n"
            "projection.variance_kept",
            f"neighbour_survival(shown.vectors, projection.coordinates, {k}, {metric!r}).mean()",
            "nearest_cosine(shown), nearest_cosine(WordVectors.one_hot(words))",
            f"vectors.neighbours({(chosen or here.words[0])!r}, {k}, {metric!r})",
        ],
        plot=("from core.figures.word_vectors.word_map import word_map\n\ndraw(word_map(words, projection))"),
        try_this=[
            (
                "Find “bank”. Which of its meanings won?",
                {"word": "bank", "source": "most frequent", "count": 300},
            ),
            (
                "Put 1,000 words on the map. What happens to the neighbours that survive?",
                {"source": "most frequent", "count": 1000},
            ),
            ("One-hot vectors: look for a word that is near another.", {"one_hot": True, "word": "king"}),
        ],
        sources=credits(name),
    )


@dataclass(frozen=True, eq=False)
class Map:
    """Words on a map, each one's nearest, the share of true neighbours that survive, how many have their theme nearest."""

    here: WordVectors
    projection: Projection
    near: Nearest
    survival: float
    with_their_theme: tuple[int, int]  # of so many


def mapped(
    vectors: WordVectors, words: Sequence[str], source: str, dimensions: int, k: int, metric: str
) -> Map:
    """Return the map of some words, measured."""
    here, theme_of = vectors.subset(words), themes_of(source)
    projection = project(here.vectors, dimensions)
    listed = [word for word in here.words if theme_of(word)]
    found = 0
    if len(listed) > 1:
        found = same_group(here.subset(listed).vectors, [theme_of(word) for word in listed])
    survival = neighbour_survival(here.vectors, projection.coordinates, k, metric).mean()
    near = nearest(here.vectors, NEAREST, metric)
    return Map(here, projection, near, float(survival), (found, len(listed)))


@lru_cache(maxsize=32)  # of stored vectors and of words that are the course's own
def mapped_stored(name: str, words: tuple[str, ...], *way) -> Map:
    """Return the map of words of a stored set."""
    return mapped(shared_vectors(name), words, *way)


@lru_cache(maxsize=256)
def near_stored(name: str, word: str, k: int, metric: str) -> list[Neighbour]:
    """Return the neighbours of a word in a stored set."""
    return shared_vectors(name).neighbours(word, k, metric)


def coordinates(drawn: Map) -> pd.DataFrame:
    """Return the table of the words' places on the map."""
    places = drawn.projection.coordinates
    table = pd.DataFrame(places, columns=[f"PC {i + 1}" for i in range(places.shape[1])])
    return table.assign(word=drawn.here.words)


def looked_up(vectors: WordVectors, name: str, asked: Settings) -> tuple[str, list[Neighbour]]:
    """Return the word searched for, "" for none, and its nearest of the whole set, none before they may be shown."""
    if not asked.search:
        return "", []
    try:
        chosen = vectors.words[vectors.row(asked.search)]
    except UnknownWordError as error:
        st.text(str(error))
        return "", []
    of_word = chosen, asked.k, asked.metric
    near = vectors.neighbours(*of_word) if name == OWN else near_stored(name, *of_word)
    choices = sorted(each.word for each in near[:4])
    about = f"{name}_{chosen}_{asked.metric}"
    question = f"Which of these is nearest to “{chosen}”?"
    return chosen, near if near and LESSON.ask(question, choices, near[0].word, about) else []


def draw_map(
    drawn: Map, turn: np.ndarray | None, chosen: str, neighbours: Sequence[Neighbour], asked: Settings
) -> None:
    """Draw the map and say, measured, what it keeps of the vectors."""
    here, projection = drawn.here, drawn.projection
    label = f"Map of {len(here)} words in {asked.dimensions} dimensions"
    marked = {"chosen": chosen, "neighbours": [near.word for near in neighbours], "theme_of": themes(LESSON)}
    if asked.dimensions == 3:
        LESSON.figure("figure", word_map(here.words, projection, height=HEIGHT, **marked), label)
    else:
        near = None if LESSON.get_state("predict") else drawn.near
        can = {"clickable": True, "afresh": LIST_AT_MOST}
        data = map_view(here.words, projection, label, near, turn, **marked, **can)
        LESSON.view("map", data, "map", {"word": look_up, "afresh": keep})
    found, listed = drawn.with_their_theme
    if listed > 1:
        LESSON.caption(
            f"{found} of the {listed} words of the themes {'has' if found == 1 else 'have'} another of their own "
            "theme nearest by cosine: nobody told the vectors of themes."
        )
    k, survival = min(asked.k, len(here) - 1), drawn.survival
    LESSON.set_values(n=len(here), kept=f"{projection.variance_kept:.0%}", survive=f"{survival:.0%}", near=k)
    st.markdown(
        f"**{len(here):,} words, {here.dimension} → {asked.dimensions} dimensions.** "
        f"The map keeps **{projection.variance_kept:.0%}** of the variance. "
        + (
            f"Of the words' true nearest among these, **{survival:.0%}** survive as the nearest on the map."
            if k == 1
            else f"Of a word's {k} true neighbours among these words, **{survival:.0%}** survive as its neighbours on "
            "the map."
        )
    )


def draw_squares(here: WordVectors) -> None:
    """Draw the cosines of every two words, of their vectors and of one-hot ones, and what is lost between."""
    some = here.subset(here.words[:SQUARE_AT_MOST])
    names = WordVectors.one_hot(some.words)
    LESSON.figure(
        "squares",
        cosine_squares({"these vectors": some, "one-hot": names}, HEIGHT),
        f"The cosine of every two of {len(some)} words: of their vectors, and of one-hot vectors, where all are 0",
    )
    LESSON.caption(
        f"Any two of {len(some)} one-hot vectors have cosine 0 and distance √2: no word is nearer than any other."
    )
    st.markdown(
        "A map cannot show this: points that are all equally far from each other have no best plane, and whichever one "
        "takes makes neighbours up. So the cosines themselves are drawn, on one scale."
    )
    consequence("Cosine of a word and its nearest, on average", nearest_cosine(some), nearest_cosine(names))


def two_rows(vectors: WordVectors, here: WordVectors, chosen: str, one_hot: bool) -> None:
    """Draw two words' vectors as rows of numbers, and the cosine that they come to."""
    first = chosen or here.words[0]
    typed = LESSON.text("beside", "Beside it", "queen", live=True).strip()
    second = vectors.words[vectors.row(typed)] if typed in vectors else ""
    if not second or second == first:
        second = next(word for word in here.words if word != first)
        if typed not in vectors:
            st.text(f"There is no vector for “{typed}” in this set: beside it stands “{second}”.")
    both = vectors.subset([first, second])
    if one_hot:
        both = WordVectors.one_hot(list(dict.fromkeys([first, second, *here.words]))).subset([first, second])
    x, y = both[first], both[second]
    cosine = worked.plain_number(float(x @ y) / (float(x @ x) * float(y @ y)) ** 0.5, 4).replace("-", "−")
    LESSON.set_values(d=both.dimension, first=first, second=second, cosine=cosine)
    LESSON.figure(
        "rows",
        vector_rows({first: x, second: y}),
        f"The first numbers of the vectors of {first} and {second}",
    )
    st.markdown(
        f"The first {min(WRITTEN, both.dimension)} of {both.dimension} numbers of each. All multiplied in pairs and summed, "
        "divided by both lengths:"
    )
    st.latex(worked.cosine(x, y, first, second))
    LESSON.every_number("two vectors", products, both, first, second)


def products(both: WordVectors, first: str, second: str) -> pd.DataFrame:
    """Return the table of two vectors' numbers and their products."""
    x, y = both[first], both[second]
    return pd.DataFrame(
        {
            "dimension": range(1, both.dimension + 1),
            f"“{first}”": x,  # in quotation marks: the words themselves may be “product” or “dimension”
            f"“{second}”": y,
            "product": x * y,
        }
    )


def look_up(word: str) -> None:
    """Let the word clicked on the map be the one that is looked up."""
    LESSON.set_state("word", word)


def keep(words: Sequence[str]) -> None:
    """Make the words that are seen on the map all that is on it, and its axes those of these words."""
    LESSON.set_state("source", LIST)
    LESSON.set_state("list", " ".join(words))
