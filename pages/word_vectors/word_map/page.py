"""Word embeddings: what the story shows beat by beat, and the lab of any words and any set of vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pandas as pd
import streamlit as st

from core.figures import worked
from core.figures.word_vectors.map_view import map_view
from core.figures.word_vectors.vector_duel import neighbour_bars
from core.figures.word_vectors.word_map import word_map
from core.lesson.choices.vector_sets import OWN, choose_vectors, credits, shared_vectors
from core.lesson.settings import Choice, Settings, Slider, Switch, Text
from core.lesson.story import Part, ask, do, end, look
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
from core.words.numbers import signed
from pages.word_vectors.shared.neighbour_table import neighbour_table
from pages.word_vectors.shared.steady_map import steady_turn
from pages.word_vectors.shared.word_choice import (
    FREQUENT,
    LIST,
    LIST_AT_MOST,
    SOURCE,
    THEMES,
    WORDS_OF,
    choose_words,
    themes,
    themes_of,
)
from pages.word_vectors.word_map import LESSON
from pages.word_vectors.word_map.figures import (
    cosine_squares,
    draw_groups,
    draw_neighbours,
    draw_products,
    draw_rows,
)

WORDS = LESSON.words
SET = "glove"  # the story's vectors
LISTED = tuple(word for words in WORDS_OF.values() for word in words)
PAIR, OTHER = ("king", "queen"), "bread"  # two similar words and one that is not
ASKED, CHOICES = "up", ("above", "down", "high", "upward")
LOST, BESIDE, TRUE = (
    "apple",
    "cow",
    "mouse",
)  # a word, its neighbour on the map, its nearest of the map's words
NEIGHBOURS = 8  # of the learner's word
HEIGHT = 420  # pixels
NEAREST = 5  # words that are named beside one that is pointed at
SQUARE_AT_MOST = 40  # words in a square of cosines, so that their names can be read
UNKNOWN = "?"

ANGLE = Slider("angle", 0, 0, 180, 5)
OWN_WORD = Text("own", "teacher", 60)
WORD, BESIDE_IT = Text("word", "king"), Text("beside", "queen")
K = Slider("k", 8, 1, 20)
METRIC = Choice("metric", "cosine", ("cosine", "euclidean"))
SPACE, ONE_HOT = Switch("3d"), Switch("one_hot")
LAB = (WORD, K, METRIC, SOURCE, Text("list", ""), SPACE, ONE_HOT, BESIDE_IT)


# The story: what each beat shows.


def listed() -> WordVectors:
    """Return the vectors of the words on the story's map."""
    return shared_vectors(SET).subset(LISTED)


def map_values(projection: Projection) -> dict:
    """Return what the words may say of the story's words and of a map of them."""
    return {"n": len(LISTED), "d": projection.components.shape[1], "kept": projection.variance_kept}


def show_map(settings: Settings) -> Part:
    """The words on their first two principal components, a hue for each group."""
    projection = project(listed().vectors)
    data = draw_groups(LISTED, projection.coordinates)
    return Part("word_plane", data, map_values(projection), {"word": ""})


def show_one_hot(settings: Settings) -> Part:
    """Three one-hot vectors and the products of the first with the others: all are 0."""
    names = WordVectors.one_hot(LISTED)
    data = draw_products(PAIR[0], (PAIR[1], OTHER), dict(zip(LISTED, names.vectors, strict=True)), 0)
    values = {"n": len(LISTED), "pair": PAIR, "other": OTHER, "cosine": names.similarity(*PAIR)}
    return Part("vector_rows", data, values, {"one_hot": True})


def show_vectors(settings: Settings) -> Part:
    """The stored vectors of the same three words."""
    words = (*PAIR, OTHER)
    vectors = listed()
    data = draw_rows((word, vectors[word], "") for word in words)
    signs = {word: np.sign(vectors[word]) for word in words}
    equal = [int((signs[PAIR[0]] == signs[word]).sum()) for word in words[1:]]
    return Part("vector_rows", data, {"d": vectors.dimension, "pair": PAIR, "other": OTHER, "equal": equal})


def show_cosine(settings: Settings) -> Part:
    """The same vectors scaled to length 1, and their products, which add up to the cosine."""
    units = listed().normalised()
    data = draw_products(PAIR[0], (PAIR[1], OTHER), dict(zip(LISTED, units.vectors, strict=True)))
    cosines = [units.similarity(PAIR[0], word) for word in (PAIR[1], OTHER)]
    return Part("vector_rows", data, {"pair": PAIR, "other": OTHER, "cosines": cosines})


def show_opposites(settings: Settings) -> Part:
    """A word and four others as vectors; the answer gives their cosines with it, the largest first."""
    vectors = shared_vectors(SET)
    cosines = {word: vectors.similarity(ASKED, word) for word in CHOICES}
    order = sorted(CHOICES, key=cosines.get, reverse=True) if settings.revealed else CHOICES
    texts = {
        word: WORDS.label("row.cosine", cosine=signed(cosines[word]) if settings.revealed else UNKNOWN)
        for word in CHOICES
    }
    units = vectors.subset((ASKED, *CHOICES)).normalised()
    data = draw_rows(
        [(ASKED, units[ASKED], ""), *((word, units[word], texts[word]) for word in order)], "asked"
    )
    best = max(CHOICES, key=cosines.get)
    values = {"asked": ASKED, "best": best, "cosine": cosines[best], "vocabulary": len(vectors)}
    return Part("vector_rows", data, values, {"word": ASKED, "beside": best}, CHOICES, best)


def show_lost(settings: Settings) -> Part:
    """A word on the map, its neighbour there, and its true nearest of these words."""
    vectors = listed()
    projection = project(vectors.vectors)
    cosines = [vectors.similarity(LOST, word) for word in (BESIDE, TRUE)]
    texts = [WORDS.label("link.cosine", cosine=cosine) for cosine in cosines]
    links = [(LOST, BESIDE, "link", texts[0]), (LOST, TRUE, "line", texts[1])]
    data = draw_groups(LISTED, projection.coordinates, (LOST, BESIDE, TRUE), links)
    values = map_values(projection) | {"words": (LOST, BESIDE, TRUE), "cosines": cosines}
    return Part("word_plane", data, values, {"word": LOST})


def show_turned(settings: Settings) -> Part:
    """The words on three principal components, turned about the second."""
    projection = project(listed().vectors, 3)
    seen = turn_cloud(projection.coordinates, settings.angle)
    gaps = [
        float(np.linalg.norm(each[LISTED.index(LOST)] - each[LISTED.index(BESIDE)]))
        for each in (seen, turn_cloud(projection.coordinates, 0))
    ]
    across = np.hypot(projection.coordinates[:, 0], projection.coordinates[:, 2]).max()
    height = projection.coordinates[:, 1]
    extent = np.array([[-across, height.min()], [across, height.max()]])
    said = WORDS.label("link.apart", apart=gaps[0], front=gaps[1], angle=settings.angle)
    links = [(LOST, BESIDE, "link", said)]
    data = draw_groups(LISTED, seen, (LOST, BESIDE), links, extent=extent)
    values = map_values(projection) | {"words": (LOST, BESIDE), "apart": gaps[0], "front": gaps[1]}
    return Part("word_plane", data, values, {"3d": True, "word": LOST})


def turn_cloud(places: np.ndarray, angle: float) -> np.ndarray:
    """Return where places (n, 3) are seen, (n, 2), when they are turned about the second axis, in degrees.

    >>> turn_cloud(np.array([[0.0, 1.0, 2.0]]), 90).round(6).tolist()
    [[2.0, 1.0]]
    """
    turned = np.deg2rad(angle)
    return np.stack([places[:, 0] * np.cos(turned) + places[:, 2] * np.sin(turned), places[:, 1]], axis=1)


def show_own(settings: Settings) -> Part:
    """The learner's word and its neighbours of the whole set; the example's where it has no vector."""
    vectors = shared_vectors(SET)
    typed = " ".join(settings.own.split())
    known = typed in vectors
    word = vectors.words[vectors.row(typed if known else OWN_WORD.default)]
    found = vectors.neighbours(word, NEIGHBOURS)
    shown = vectors.subset([word, *(each.word for each in found)])
    places = project(shown.vectors).coordinates
    data = draw_neighbours(shown.words, places, [each.similarity for each in found])
    values = {
        "typed": typed,
        "known": known,
        "word": word,
        "best": found[0].word,
        "cosine": found[0].similarity,
        "k": NEIGHBOURS,
        "vocabulary": len(vectors),
        "d": vectors.dimension,
    }
    return Part("word_plane", data, values, {"word": word, "source": LIST, "list": " ".join(shown.words)})


def show_answer(settings: Settings) -> Part:
    """Each word of the map joined to its nearest of them, by the cosine of the whole vectors."""
    vectors = listed()
    projection = project(vectors.vectors)
    group = {word: name for name, words in WORDS_OF.items() for word in words}
    near = [LISTED[row] for row in nearest(vectors.vectors, 1, "cosine").rows[:, 0]]
    pairs = list(zip(LISTED, near, strict=True))
    across = [pair for pair in pairs if group[pair[0]] != group[pair[1]]]
    links = [(one, other, "link" if (one, other) in across else "line", "") for one, other in pairs]
    data = draw_groups(LISTED, projection.coordinates, (), links, ("line", "link"))
    inside = len(LISTED) - len(across)
    values = map_values(projection) | {"inside": inside, "across": across, "pair": PAIR}
    return Part("word_plane", data, values, {"word": ""})


STORY = (
    look("map", show_map),
    look("names", show_one_hot),
    look("vectors", show_vectors),
    look("cosine", show_cosine),
    ask("opposites", show_opposites),
    look("lost", show_lost),
    do("turn", show_turned, ANGLE),
    do("lookup", show_own, OWN_WORD),
    end("answer", show_answer),
)


# The lab: any words, any set of vectors.


@dataclass(frozen=True)
class Asked:
    """What the learner chose: the word to find, how neighbours are found and how many, the map's dimensions."""

    search: str
    metric: str
    k: int
    dimensions: int


def lab() -> None:
    """A map of words, or one-hot vectors; two words as vectors; a word's nearest neighbours."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    remarks = st.container()
    with controls:
        search = LESSON.draw(WORD, live=True, width=150).strip()
        k = LESSON.draw(K, width=150)
        name, vectors = choose_vectors(LESSON)
        more = LESSON.options()
        with more:
            metric = LESSON.draw(METRIC)
        words = choose_words(LESSON, vectors, controls, more, remarks)
        dimensions = 3 if LESSON.draw(SPACE) else 2
        asked = Asked(search, metric, k, dimensions)
        one_hot = LESSON.draw(ONE_HOT)
    with stage:
        chosen, neighbours = looked_up(vectors, name, asked)
        shown = (*words, *filter(None, [chosen]), *(near.word for near in neighbours))
        source = LESSON.get_state(SOURCE.name)
        way = shown, source, dimensions, k, metric
        given = name == OWN or source not in (THEMES, FREQUENT)
        drawn = mapped(vectors, *way) if given else mapped_stored(name, *way)
        here = drawn.here
        if one_hot:
            draw_squares(here)
        else:
            turn = steady_turn(name, vectors, here, drawn.projection) if dimensions == 2 else None
            draw_map(drawn, turn, chosen if neighbours else "", neighbours, asked)
    if neighbours and not one_hot:
        if box := LESSON.fold("neighbours", word=chosen):
            with box:
                height = 60 + 28 * len(neighbours)
                found = {near.word for near in neighbours}
                figure = neighbour_bars(neighbours, found, "second", metric, height)
                alt = WORDS.label("alt.neighbours", k=len(neighbours), word=chosen)
                LESSON.figure("neighbour_bars", figure, alt)
        neighbour_table(LESSON, "neighbours", here, neighbours, (chosen, here[chosen]))
    if box := LESSON.fold("rows"):
        with box:
            two_rows(vectors, here, chosen, one_hot)
    if not one_hot:
        LESSON.every_number("coordinates", coordinates, drawn)
    LESSON.close_lab(
        code=[
            WordVectors.neighbours,
            project,
            procrustes,
            nearest,
            neighbour_survival,
            same_group,
            nearest_cosine,
        ],
        parameters={
            "name": name,
            "words": list(here.words),
            "dimensions": dimensions,
            "word": chosen or here.words[0],
            "k": k,
            "metric": metric,
        },
        prompts={
            "bank": {"word": "bank", "source": FREQUENT, "count": 300},
            "many": {"source": FREQUENT, "count": 1000},
            "one_hot": {"one_hot": True, "word": "king"},
        },
        credits=credits(name),
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
    return table.assign(**{WORDS.label("column.word"): drawn.here.words})


def looked_up(vectors: WordVectors, name: str, asked: Asked) -> tuple[str, list[Neighbour]]:
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
    question = WORDS.label("question", word=chosen)
    return chosen, near if near and LESSON.ask(question, choices, near[0].word, about) else []


def draw_map(
    drawn: Map, turn: np.ndarray | None, chosen: str, neighbours: Sequence[Neighbour], asked: Asked
) -> None:
    """Draw the map and say what it keeps of the vectors."""
    here, projection = drawn.here, drawn.projection
    label = WORDS.label("alt.map", n=len(here), m=asked.dimensions)
    marked = {"chosen": chosen, "neighbours": [near.word for near in neighbours], "theme_of": themes(LESSON)}
    if asked.dimensions == 3:
        LESSON.figure("figure", word_map(here.words, projection, height=HEIGHT, **marked), label)
    else:
        near = None if LESSON.get_state("predict") else drawn.near
        can = {"clickable": True, "afresh": LIST_AT_MOST}
        data = map_view(here.words, projection, label, near, turn, **marked, **can)
        LESSON.view("map", data, "map", {"word": look_up, "afresh": keep})
    values = {
        "n": len(here),
        "d": here.dimension,
        "m": asked.dimensions,
        "kept": projection.variance_kept,
        "k": min(asked.k, len(here) - 1),
        "survive": drawn.survival,
    }
    found, listed = drawn.with_their_theme
    if listed > 1:
        LESSON.say("says.groups", {"found": found, "listed": listed})
    st.markdown(WORDS.markdown("says.map", **values))


def draw_squares(here: WordVectors) -> None:
    """Draw the cosines of every two words, of their vectors and of one-hot ones, and what is lost."""
    some = here.subset(here.words[:SQUARE_AT_MOST])
    names = WordVectors.one_hot(some.words)
    squares = {WORDS.label("square.dense"): some, WORDS.label("square.one_hot"): names}
    LESSON.figure("squares", cosine_squares(squares, HEIGHT), WORDS.label("alt.squares", n=len(some)))
    LESSON.say("says.one_hot", {"n": len(some)})
    st.markdown(WORDS.markdown("says.no_map"))
    LESSON.compare("one_hot", nearest_cosine(some), nearest_cosine(names))


def two_rows(vectors: WordVectors, here: WordVectors, chosen: str, one_hot: bool) -> None:
    """Draw two words' vectors, scaled to length 1, and the products that add up to their cosine."""
    st.markdown(WORDS.markdown("fold.rows"))
    first = chosen or here.words[0]
    typed = LESSON.draw(BESIDE_IT, live=True).strip()
    second = vectors.words[vectors.row(typed)] if typed in vectors else ""
    if not second or second == first:
        second = next(word for word in here.words if word != first)
        if typed not in vectors:
            st.text(WORDS.label("note.beside", typed=typed, shown=second))
    both = vectors.subset([first, second])
    if one_hot:
        both = WordVectors.one_hot(list(dict.fromkeys([first, second, *here.words]))).subset([first, second])
    units = both.normalised()
    data = draw_products(first, [second], dict(zip(units.words, units.vectors, strict=True)), 4)
    LESSON.view("vector_rows", data, "two_rows")
    cosine = signed(units.similarity(first, second), 4)
    values = {"one": first, "other": second, "cosine": cosine, "d": both.dimension}
    st.markdown(WORDS.markdown("says.rows", **values))
    st.latex(worked.write_cosine(both[first], both[second], first, second))
    LESSON.every_number("two_vectors", products, both, first, second)


def products(both: WordVectors, first: str, second: str) -> pd.DataFrame:
    """Return the table of two vectors' numbers and their products."""
    x, y = both[first], both[second]
    return pd.DataFrame(
        {
            WORDS.label("column.dimension"): range(1, both.dimension + 1),
            f"“{first}”": x,  # in quotation marks: the words themselves may be “product” or “dimension”
            f"“{second}”": y,
            WORDS.label("column.product"): x * y,
        }
    )


def look_up(word: str) -> None:
    """Let the word clicked on the map be the one that is looked up."""
    LESSON.set_state("word", word)


def keep(words: Sequence[str]) -> None:
    """Make the words that are seen on the map all that is on it, and its axes those of these words."""
    LESSON.set_state("source", LIST)
    LESSON.set_state("list", " ".join(words))
