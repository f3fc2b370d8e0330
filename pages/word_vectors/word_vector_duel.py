"""Two sets of word vectors on the same words: their maps, a word's neighbours in each, and how far they agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.word_vectors.vector_duel import PAIRS_AT_MOST, neighbour_bars, similarity_scatter
from core.figures.worked import plain_number, signed
from core.lesson.cache import shared_lru_cache
from core.lesson.cached import cached, no_typed_words
from core.lesson.choices.vector_sets import (
    NAMES,
    OWN,
    choose_vectors,
    credits,
    notebook_vectors,
    shared_vectors,
)
from core.lesson.lesson import Lesson
from core.lesson.plain import plain
from core.models.word_vectors.procrustes import procrustes
from core.models.word_vectors.vector_agreement import Agreement, agreement, mean_overlap, shared_words
from core.models.word_vectors.word_vectors import Neighbour, UnknownWordError, WordVectors
from pages.word_vectors.shared.aligned_maps import SetMap, aligned, draw_maps
from pages.word_vectors.shared.steady_map import steady_turn
from pages.word_vectors.shared.word_choice import TEXT, choose_words, themes

LESSON = Lesson(
    __name__,
    title="Two maps, one language",
    question="Do two models agree on which words are neighbours?",
    icon="blend",
)
TOLD = (  # what the tour says, where two sets can be compared
    *("first", "second", "shared", "V", "near_first", "near_second", "sampled", "mean", "chance"),
    *("pairs", "correlation"),
)
# Words that hold sentences together, and say little of what these are about.
FUNCTION_WORDS = set(
    "a about after again all also am an and any are as at be because been before being between both but by can could did "
    "do does else ever for from had has have he her here him his how i if in into is it its may me might more most much "
    "must my no nor not now of on only or other our out over own shall she should so some such than that the their them "
    "then there these they this those through thus to too under until up upon us very was we were what when where which "
    "while who whom why will with would yet you your".split()
)


def picture() -> Figure:
    """The neighbours of king in GloVe; filled are those that our own vectors share."""
    found = agreement(*shared_words(shared_vectors("glove"), shared_vectors("skipgram")), "king", 6)
    figure = small(neighbour_bars(found.first, set(found.shared), "first"))
    return figure.update_yaxes(showticklabels=True)


def page() -> None:
    """A word's neighbours in two sets, how far these agree on all words, both maps, and all pairs' cosines."""
    LESSON.open(
        r"\text{overlap}(w) = \frac{\lvert N_k^{A}(w) \cap N_k^{B}(w) \rvert}{k}",
        "$N_k^{A}(w)$: the $k$ nearest words to $w$ in the set $A$, among the words that both sets know.",
        asks=False,
    )
    controls, stage = LESSON.stage()
    remarks = st.container()
    with controls:
        word = LESSON.text("word", "A word", "king", live=True, width=150).strip() or "king"
        k = LESSON.slider("k", "Neighbours", 1, 20, 10, width=150)
        first_name, first_set = choose_vectors(LESSON, "first", label="Vectors on the left")
        second_name, second_set = choose_vectors(LESSON, "second", "skipgram", "Vectors on the right")
        more = LESSON.more()
        with more:
            words = choose_words(LESSON, first_set, controls, more, remarks, first=TEXT)
    names = NAMES[first_name], NAMES[second_name]
    stored = OWN not in (first_name, second_name)
    first, second = shared_stored(first_name, second_name) if stored else shared_words(first_set, second_set)
    k = min(k, max(1, len(first) - 1))
    LESSON.set_values(word=word, k=k, **dict.fromkeys(TOLD, "(nothing to compare)"))
    with stage:
        overlap = compared(first, second, word, k, (first_name, second_name) if stored else ())
        if overlap is not None:
            both = set(overlap.shared)
            left, right = st.container(key=LESSON.key("bars")).columns(2)
            with left:
                neighbours("first", overlap.first, both, word, names[0])
            with right:
                neighbours("second", overlap.second, both, word, names[1])
            LESSON.set_values(
                first=names[0],
                second=names[1],
                shared=len(both),
                V=f"{len(first):,}",
                near_first=nearest_four(overlap.first),
                near_second=nearest_four(overlap.second),
                sampled=len(overlap.sampled),
                mean=f"{overlap.mean:.0%}",
                chance=f"{plain_number(100 * k / (len(first) - 1), 2)}%",
                pairs=f"{len(overlap.pairs):,}",
                correlation=signed(overlap.correlation),
            )
            LESSON.caption(
                f"{len(both)} of {k} {'neighbour' if k == 1 else 'neighbours'} {'is' if 1 in (k, len(both)) else 'are'} "
                f"shared (filled bars) among the {len(first):,} words that both sets know."
            )
    if overlap is not None:
        st.markdown(
            f"Over the {len(overlap.sampled)} most frequent of them the mean overlap is **{overlap.mean:.0%}**; by chance "
            f"it would be {plain_number(100 * k / (len(first) - 1), 2)}%."
        )
        sides = {
            names[0]: (first_name, first_set, overlap.first),
            names[1]: (second_name, second_set, overlap.second),
        }
        for name, (key, own, near) in sides.items():
            odd_neighbours(key, name, own, [each.word for each in near], word, set(first.words), k)
        known = [each for each in words if each in first]
        if len(known) > 1:
            pair = both_maps(first_name, second_name, first_set, first, second, known)
            draw_maps(LESSON, pair, names, themes(LESSON))
        LESSON.figure(
            "pairs",
            similarity_scatter(overlap.pairs, overlap.cosines[0], overlap.cosines[1], names),
            "Cosine of word pairs in one set against the other",
        )
        drawn = f", of which {PAIRS_AT_MOST:,} are drawn" if len(overlap.pairs) > PAIRS_AT_MOST else ""
        st.caption(
            f"{len(overlap.pairs):,} pairs among the most frequent shared words{drawn}. Rank correlation of all their "
            f"cosines: {overlap.correlation:.2f}. The dotted line is equality."
        )
        LESSON.every_number(
            "neighbours", neighbour_tables, {name: near for name, (*_, near) in sides.items()}
        )
    LESSON.closing(
        code=[agreement, mean_overlap, shared_words, procrustes],
        notebook=[
            notebook_vectors(first_name).replace("vectors =", "first ="),
            notebook_vectors(second_name).replace("vectors =", "second ="),
            "from core.models.word_vectors.vector_agreement import agreement, shared_words\n\n"
            f"overlap = agreement(*shared_words(first, second), {word!r}, {k})\noverlap.shared",
        ],
        plot=(
            "from core.figures.word_vectors.vector_duel import similarity_scatter\n\n"
            'draw(similarity_scatter(overlap.pairs, *overlap.cosines, ("first", "second")))'
        ),
        try_this=[
            (
                "“apple”: one set read news and encyclopedia, the other definitions, plays and old books.",
                {"word": "apple"},
            ),
            ("“gay”: what did each set's text mean by it?", {"word": "gay"}),
            ("Which words do the two agree on? Try a number.", {"word": "three"}),
        ],
        sources=list(dict.fromkeys([*credits(first_name), *credits(second_name)])),
    )


@shared_lru_cache(2)
def shared_stored(first_name: str, second_name: str) -> tuple[WordVectors, WordVectors]:
    """Return two stored sets cut to the words that both know."""
    return shared_words(shared_vectors(first_name), shared_vectors(second_name))


@shared_lru_cache(48)
def agreement_stored(first_name: str, second_name: str, word: str, k: int) -> Agreement:
    """Return how far two stored sets agree."""
    return agreement(*shared_stored(first_name, second_name), word, k)


def neighbour_tables(sides: Mapping[str, Sequence[Neighbour]]) -> pd.DataFrame:
    """Return each set's neighbours beside each other; by name, so that a set beside itself stands there once."""
    tables = [
        pd.DataFrame([vars(each) for each in near]).add_suffix(f" in {name}") for name, near in sides.items()
    ]
    return pd.concat(tables, axis=1)


def compared(
    first: WordVectors, second: WordVectors, word: str, k: int, stored: tuple[str, ...]
) -> Agreement | None:
    """Return how far two sets agree; None, and a sentence, where they cannot be compared.

    `stored` are their names where everybody has them.
    """
    if len(first) < 4:
        st.warning(
            "The two sets share fewer than four words, too few to compare. Choose another pair of sets."
        )
        return None
    try:
        return agreement_stored(*stored, word, k) if stored else agreement(first, second, word, k)
    except UnknownWordError as error:
        st.text(f"One of the two sets lacks it. {error}")
        return None


def nearest_four(near: Sequence[Neighbour]) -> str:
    """Return the nearest four of a word's neighbours as they stand in a sentence."""
    return ", ".join(f"“{each.word}”" for each in near[:4])


def neighbours(side: str, near: Sequence, both: set[str], word: str, name: str) -> None:
    """Draw one set's neighbours of the word; those that both sets have are filled."""
    LESSON.figure(
        f"{side}_neighbours",
        neighbour_bars(near, both, side).update_xaxes(title=f"cosine similarity in {name}"),
        f"The {len(near)} words nearest to {word} in {name}",
    )


def nearest_of_all(key: str, vectors: WordVectors, word: str, k: int) -> list[Neighbour]:
    """Return a word's neighbours in all of a set, kept where everybody has the set."""
    return vectors.neighbours(word, k) if key == OWN else _nearest_of_all(key, word, k)


@cached(200, 20, shared=no_typed_words)
def _nearest_of_all(key: str, word: str, k: int) -> list[Neighbour]:
    return shared_vectors(key).neighbours(word, k)


def odd_neighbours(
    key: str, name: str, vectors: WordVectors, near: Sequence[str], word: str, shared: set[str], k: int
) -> None:
    """Say which neighbours are function words, how frequent, and which nearer words the other set lacks."""
    found = [each for each in near if each in FUNCTION_WORDS]
    if not found or word in FUNCTION_WORDS:
        return
    listed = ", ".join(f"“{plain(each)}” (number {vectors.index[each] + 1:,} by frequency)" for each in found)
    is_one = "is a function word" if len(found) == 1 else "are function words"
    sentence = (
        f"In {name}, {listed} {is_one}: such words stand beside almost everything, so that their vectors come near many "
        "words that a text often sets beside them, and tell little of meaning."
    )
    lacking = [each.word for each in nearest_of_all(key, vectors, word, k) if each.word not in shared]
    if lacking and k == 1:
        sentence += (
            f" The word that is really nearest to “{plain(word)}” there, “{plain(lacking[0])}”, the other set lacks, so "
            "that another moves up."
        )
    elif lacking:
        sentence += (
            f" Of the {k} words that are really nearest to “{plain(word)}” there, the other set lacks "
            f"{len(lacking)} ({plain(', '.join(lacking[:6]))}{', …' if len(lacking) > 6 else ''}), so that others move up."
        )
    st.markdown(sentence)


def both_maps(
    first_name: str,
    second_name: str,
    first_set: WordVectors,
    first: WordVectors,
    second: WordVectors,
    known: Sequence[str],
) -> tuple[SetMap, SetMap]:
    """Return the maps of the same words in both sets; the second is turned to lie nearest to the first."""
    compute = _both_maps.__wrapped__ if OWN in (first_name, second_name) else _both_maps
    return compute(first_name, second_name, tuple(known), first_set, first, second)


@cached(24, 4, shared=no_typed_words)
def _both_maps(
    first_name: str,
    second_name: str,
    known: tuple[str, ...],
    _first_set: WordVectors,
    _first: WordVectors,
    _second: WordVectors,
) -> tuple[SetMap, SetMap]:
    here = [vectors.subset(known) for vectors in (_first, _second)]
    return aligned(here, lambda chart: steady_turn(first_name, _first_set, here[0], chart))
