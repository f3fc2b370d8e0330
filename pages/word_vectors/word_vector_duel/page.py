"""Comparing two embeddings: what the story shows beat by beat, and the lab of any word and any two sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.word_vectors.vector_duel import neighbour_bars
from core.lesson.cache import shared_lru_cache
from core.lesson.cached import cached, no_typed_words
from core.lesson.choices.vector_sets import OWN, choose_vectors, credits, name_set, shared_vectors
from core.lesson.settings import Settings, Slider, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.models.stored import load_card
from core.models.word_vectors.procrustes import procrustes
from core.models.word_vectors.projection import project
from core.models.word_vectors.shoot_out import PARTS, load_recorded_run
from core.models.word_vectors.vector_agreement import (
    Agreement,
    agreement,
    mean_overlap,
    neighbour_ranks,
    shared_places,
    shared_words,
)
from core.models.word_vectors.word_vectors import Neighbour, UnknownWordError, WordVectors
from pages.word_vectors.shared.aligned_maps import SetMap, aligned, draw_maps
from pages.word_vectors.shared.steady_map import steady_turn
from pages.word_vectors.shared.word_choice import choose_words, themes
from pages.word_vectors.word_vector_duel import LESSON
from pages.word_vectors.word_vector_duel.figures import (
    OPEN,
    PAIRS_AT_MOST,
    SIDES,
    bar_row,
    draw_bars,
    draw_lists,
    draw_overlay,
    draw_ranks,
    draw_two_maps,
    similarity_scatter,
)

WORDS = LESSON.words
STORY_K = 10  # neighbours
MILLION = 1_000_000
SIMILAR, APART, STRICT = "red", "web", "water"  # a word whose lists agree, and two whose lists share nothing
FAR, CLOSE = "spider", "moisture"  # of our lists of these two
EXAMPLES = ("king queen prince dog cat horse france italy spain bread cheese butter",)
MAPPED = tuple(EXAMPLES[0].split())
NAMED = ("two three", "as also", "were president", "us him")  # pairs with their words
TELLING = ("three", "red", "web")  # with many, with fewer and with no shared neighbours
GROUP = 3  # of the mapped words belong together
FREQUENT, RARE = 1000, 500  # words that are no rare ones, and how many others stand for all of these
MIX = "mix"  # the recorded text of the lesson on five methods, which is our skip-gram's text
FEWEST = 4  # words that two sets must share
NEAR_RANK = 100  # up to which a neighbour just misses a list
TURNED = "dog"  # a word that is elsewhere on the other map
SOME = 2  # words beside a count
REACH = 1.3  # of a bar's scale beyond its longest bar
STOPS = frozenset(WORDS.label("stops").split())

ANGLE, MIRROR = Slider("angle", 0, 0, 355, 5), Switch("mirror")
OWN_WORD = Text("own", "music", 60)
WORD, K = Text("word", "king"), Slider("k", 10, 1, 20)
LAB = (WORD, K)


# The story: what each beat shows.


def near_each(word: str) -> dict[str, list[str]]:
    """Return a word's nearest words in either set of the story."""
    both = zip(SIDES, shared_stored(*SIDES), strict=True)
    return {name: [each.word for each in vectors.neighbours(word, STORY_K)] for name, vectors in both}


def shared_of(near: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the words that both lists have, in the order of the first."""
    return [word for word in near[SIDES[0]] if word in near[SIDES[1]]]


def list_values(word: str, near: Mapping[str, Sequence[str]]) -> dict:
    """Return what the words may say of two lists."""
    both = shared_of(near)
    return {"word": word, "k": STORY_K, "both": both, "shared": len(both), "near": near}


def show_colours(settings: Settings) -> Part:
    """The nearest words of a colour in both sets."""
    near = near_each(SIMILAR)
    values = list_values(SIMILAR, near)
    values |= {"millions": sum(each["tokens"] for each in load_card(SIDES[1]).corpus.values()) / MILLION}
    values |= {"vocabulary": len(shared_stored(*SIDES)[0])}
    values |= {"billions": load_card(SIDES[0]).corpus["GloVe 6B 50d"]["tokens"] / MILLION / 1000}
    return Part("word_board", draw_lists(WORDS.label("asked", word=SIMILAR), near), values, {"word": SIMILAR})


def show_apart(settings: Settings) -> Part:
    """The nearest words of another word, the second set's only behind the answer."""
    near = near_each(APART)
    values = list_values(APART, near)
    data = draw_lists(WORDS.label("asked", word=APART), near, hidden="" if settings.revealed else SIDES[1])
    choices = [str(each) for each in (STORY_K - 2, STORY_K // 2, values["shared"])]
    return Part("word_board", data, values, {"word": APART}, choices, choices[-1])


@cache
def ranks_each(word: str) -> dict[str, list[int]]:
    """Return for a word's nearest words in either set their ranks in the other."""
    first, second = shared_stored(*SIDES)
    near = near_each(word)
    return {
        SIDES[0]: neighbour_ranks(second, word, near[SIDES[0]]),
        SIDES[1]: neighbour_ranks(first, word, near[SIDES[1]]),
    }


def middle_rank(word: str) -> float:
    """Return the median rank of a word's neighbours in the other set."""
    return float(np.median(np.concatenate(list(ranks_each(word).values()))))


def show_ranks(settings: Settings) -> Part:
    """Two lists that share nothing, each word with its rank in the other set."""
    near, ranks = near_each(STRICT), ranks_each(STRICT)
    values = list_values(STRICT, near)
    values |= {"close": CLOSE, "rank": ranks[SIDES[1]][near[SIDES[1]].index(CLOSE)]}
    values |= {"far": FAR, "far_rank": ranks_each(APART)[SIDES[1]][near_each(APART)[SIDES[1]].index(FAR)]}
    values |= {
        "most": NEAR_RANK,
        "apart": APART,
        "middle": middle_rank(STRICT),
        "middle_apart": middle_rank(APART),
    }
    vocabulary = len(shared_stored(*SIDES)[0])
    values |= {"vocabulary": vocabulary, "half": round(vocabulary / 2, -2)}
    data = draw_ranks(WORDS.label("asked.ranked", word=STRICT), near, ranks, NEAR_RANK)
    return Part("word_board", data, values, {"word": STRICT})


@cache
def counts_shared() -> np.ndarray:
    """Return for each of the most frequent words how many neighbours both sets have."""
    return shared_places(*shared_stored(*SIDES), STORY_K).sum(axis=1)


@cache
def rare_mean() -> float:
    """Return how many neighbours both sets have of a rarer word on average."""
    first, second = shared_stored(*SIDES)
    rows = np.linspace(FREQUENT, len(first) - 1, RARE).round().astype(int)
    return float(shared_places(first, second, STORY_K, rows).sum(axis=1).mean())


def mean_values() -> dict:
    """Return what the words may say of the mean."""
    counts, vocabulary = counts_shared(), len(shared_stored(*SIDES)[0])
    chance = STORY_K / (vocabulary - 1)
    mean = float(counts.mean())
    values = {"k": STORY_K, "n": len(counts), "mean": mean, "share": mean / STORY_K, "chance": chance}
    rare = {"rare": rare_mean(), "rare_share": rare_mean() / STORY_K, "rare_n": RARE, "frequent": FREQUENT}
    return values | rare | {"vocabulary": vocabulary}


def show_counts(settings: Settings) -> Part:
    """How many of the most frequent words share so many neighbours."""
    counts, words = counts_shared(), shared_stored(*SIDES)[0].words
    sizes = np.bincount(counts)
    common = int(sizes.argmax())
    rows = []
    for count, size in enumerate(sizes):
        some = [words[i] for i in np.flatnonzero(counts == count)]
        told = [word for word in some if word not in STOPS][:SOME] or some[:SOME]
        text = WORDS.label("count.words", n=int(size))
        name = WORDS.label("count.name", count=count, k=STORY_K)
        kind = "best" if count == common else "plain"
        rows.append(bar_row(name, str(count), float(size), text, ", ".join(told), kind))
    values = mean_values() | {"none": int(sizes[0]), "common": common, "most": len(sizes) - 1}
    values |= {"top": words[int(counts.argmax())]}
    title = WORDS.label("panel.counts", n=len(counts))
    return Part("layer_bars", draw_bars(title, rows, REACH * float(sizes.max())), values)


@cache
def story_maps() -> dict[str, np.ndarray]:
    """Return the map of the same words in either set, each of size 1: its squared coordinates add up to 1."""
    maps = {}
    for name, vectors in zip(SIDES, shared_stored(*SIDES), strict=True):
        places = project(vectors.subset(MAPPED).vectors).coordinates
        maps[name] = places / np.linalg.norm(places)
    return maps


def turn_map(places: np.ndarray, angle: float, mirror: bool) -> np.ndarray:
    """Return a map (n, 2), mirrored left to right if asked, then turned anticlockwise by an angle in degrees.

    >>> (turn_map(np.array([[1.0, 0.0]]), 90, True).round(6) + 0.0).tolist()
    [[0.0, -1.0]]
    """
    turned = np.deg2rad(angle)
    rotation = np.array([[np.cos(turned), np.sin(turned)], [-np.sin(turned), np.cos(turned)]])
    return (places * [-1 if mirror else 1, 1]) @ rotation


def fit_of(turned: np.ndarray) -> float:
    """Return the correlation of the first map's coordinates and a turned second one's."""
    return float((story_maps()[SIDES[0]] * turned).sum())


def map_values() -> dict:
    """Return what the words may say of the two maps."""
    first, second = story_maps().values()
    first_group, animals, countries, *others = np.split(second, len(second) // GROUP)
    exchanged = np.concatenate([first_group, countries, animals, *others])
    best, other = (places @ procrustes(places, first) for places in (second, exchanged))
    return {
        "n": len(MAPPED),
        "word": TURNED,
        "d": [vectors.dimension for vectors in shared_stored(*SIDES)],
        "raw": fit_of(second),
        "best": fit_of(best),
        "exchanged": fit_of(other),
        "flipped": fit_of(second * [1, -1]),
        "unmirrored": max(fit_of(turn_map(second, angle, False)) for angle in range(0, 360, ANGLE.step)),
    }


def show_two_maps(settings: Settings) -> Part:
    """The same words on the map of either set, as they come."""
    return Part("word_plane", draw_two_maps(MAPPED, story_maps(), TURNED), map_values())


def show_overlay(settings: Settings) -> Part:
    """The second map upon the first, turned and mirrored as the learner sets it."""
    first, second = story_maps().values()
    turned = turn_map(second, settings.angle, settings.mirror)
    values = map_values() | {"fit": fit_of(turned)}
    return Part("word_plane", draw_overlay(MAPPED, first, turned, values["fit"]), values)


def show_cosines(settings: Settings) -> Part:
    """The cosine of every pair of frequent words in one set against the other."""
    found = agreement_stored(*SIDES, SIMILAR, STORY_K)
    names = [WORDS.label(f"set.{name}") for name in SIDES]
    figure = similarity_scatter(found.pairs, *found.cosines, names, NAMED)
    values = {
        "n": len(found.pairs),
        "words": len(found.sampled),
        "rho": found.correlation,
        "middle": [float(each) for each in np.median(found.cosines, axis=1)],
        "larger": float((found.cosines[0] > found.cosines[1]).mean()),
        "drawn": PAIRS_AT_MOST,
    }
    return Part("figure", {"figure": figure.to_dict()}, values)


@cache
def overlaps_by_cause() -> tuple[dict[str, float], int]:
    """Return the mean overlap of sets that differ in one thing, and over how many words, which all sets know."""
    runs = {each.method: each.vectors for each in load_recorded_run(MIX)[PARTS[0]]}
    sets = {
        "glove": shared_vectors("glove"),
        "skipgram": shared_vectors("skipgram"),
        "glove_mix": runs["GloVe"],
        "skipgram_mix": runs["skip-gram"],
    }
    words = [word for word in sets["glove"].words if all(word in each.index for each in sets.values())]
    cut = {name: vectors.subset(words) for name, vectors in sets.items()}
    pairs = {
        "size": ("skipgram_mix", "skipgram"),
        "method": ("skipgram_mix", "glove_mix"),
        "text": ("glove", "glove_mix"),
        "both": ("glove", "skipgram"),
    }
    found = {name: mean_overlap(cut[one], cut[other], STORY_K) for name, (one, other) in pairs.items()}
    return found, len(words)


def show_causes(settings: Settings) -> Part:
    """The mean overlap by what differs; that of two sets of one text and method only behind the answer."""
    overlaps, size = overlaps_by_cause()
    rows = []
    for name, share in overlaps.items():
        hidden = name == "size" and not settings.revealed
        to, text = (1.0, OPEN) if hidden else (share, f"{share:.0%}")
        kind = "open" if hidden else "best" if name == "size" else "plain"
        label, note = WORDS.label(f"cause.{name}"), WORDS.label(f"cause.{name}.note")
        rows.append(bar_row(label, name, to, text, note, kind))
    values = {"overlap": overlaps, "k": STORY_K, "size": size, **mean_values()}
    values |= {
        "dimensions": [
            runs.dimension
            for runs in (load_recorded_run(MIX)[PARTS[0]][0].vectors, *shared_stored(*SIDES)[1:])
        ]
    }
    right = str(round(STORY_K * overlaps["size"]))
    choices = (str(STORY_K), right, str(round(STORY_K * overlaps["method"])))
    data = draw_bars(WORDS.label("panel.causes"), rows, 1.0)
    return Part("layer_bars", data, values, choices=choices, answer=right)


def show_own(settings: Settings) -> Part:
    """The learner's word in both sets; the example's where one of the two lacks it."""
    typed = " ".join(settings.own.split())
    first, second = (shared_vectors(name) for name in SIDES)
    lacking = [name for name, vectors in zip(SIDES, (first, second), strict=True) if typed not in vectors]
    known = typed in shared_stored(*SIDES)[0]
    both = shared_stored(*SIDES)[0]
    word = both.words[both.row(typed if known else OWN_WORD.default)]
    near = near_each(word)
    values = list_values(word, near) | {"typed": typed, "known": known, **mean_values()}
    values["lacking"] = [WORDS.label(f"set.{name}") for name in lacking]
    return Part("word_board", draw_lists(WORDS.label("asked", word=word), near), values, {"word": word})


def show_answer(settings: Settings) -> Part:
    """How many neighbours the sets share of single words, on average, and by chance."""
    values = mean_values()
    counts = [len(shared_of(near_each(word))) for word in TELLING]
    *some, last = [
        bar_row(word, word, float(count), str(count)) for word, count in zip(TELLING, counts, strict=True)
    ]
    means = [
        bar_row(WORDS.label(f"mean.{key}"), key, values[key], f"{values[key]:.1f}", kind="best")
        for key in ("mean", "rare")
    ]
    chance = STORY_K * values["chance"]
    by_chance = bar_row(WORDS.label("chance"), "chance", chance, f"{chance:.3f}", kind="faint", hue="grey")
    rows = [*some, *means, last, by_chance]
    values |= {"first": TELLING[0], "last": TELLING[-1], "most": counts[0]}
    title = WORDS.label("panel.answer", k=STORY_K)
    return Part("layer_bars", draw_bars(title, rows, float(STORY_K)), values)


STORY = (
    look("colours", show_colours),
    ask("apart", show_apart),
    look("ranks", show_ranks),
    look("counts", show_counts),
    look("two_maps", show_two_maps),
    do("overlay", show_overlay, ANGLE, MIRROR),
    look("cosines", show_cosines),
    ask("causes", show_causes),
    do("lookup", show_own, OWN_WORD),
    end("answer", show_answer),
)


# The lab: any word, any two sets.


def lab() -> None:
    """A word's neighbours in two sets, how far these agree on all words, both maps, and all pairs' cosines."""
    LESSON.open_lab()
    controls, stage = LESSON.stage()
    with controls:
        word = LESSON.draw(WORD, live=True, width=150).strip() or WORD.default
        k = LESSON.draw(K, width=150)
        first_name, first_set = choose_vectors(LESSON, "first", label=WORDS.label("first"))
        second_name, second_set = choose_vectors(LESSON, "second", SIDES[1], WORDS.label("second"))
    names = name_set(first_name), name_set(second_name)
    stored = OWN not in (first_name, second_name)
    first, second = shared_stored(first_name, second_name) if stored else shared_words(first_set, second_set)
    k = min(k, max(1, len(first) - 1))
    with stage:
        overlap = compared(first, second, word, k, (first_name, second_name) if stored else ())
        if overlap is not None:
            show_neighbours(overlap, word, names)
    if overlap is not None:
        say_overlap(overlap, k, len(first))
        sides = {
            names[0]: (first_name, first_set, overlap.first),
            names[1]: (second_name, second_set, overlap.second),
        }
        for name, (key, own, near) in sides.items():
            say_odd(key, name, own, [each.word for each in near], word, set(first.words), k)
        show_maps(first_name, second_name, first_set, first, second)
        show_pairs(overlap, names)
        LESSON.every_number(
            "neighbours", neighbour_tables, {name: near for name, (*_, near) in sides.items()}
        )
    LESSON.close_lab(
        code=[agreement, mean_overlap, shared_words, procrustes],
        parameters={"first_name": first_name, "second_name": second_name, "word": word, "k": k},
        prompts={"apple": {"word": "apple"}, "gay": {"word": "gay"}, "three": {"word": "three"}},
        credits=list(dict.fromkeys([*credits(first_name), *credits(second_name)])),
    )


def show_neighbours(overlap: Agreement, word: str, names: Sequence[str]) -> None:
    """Draw each set's neighbours of the word; those that both sets have are filled."""
    both = set(overlap.shared)
    columns = st.container(key=LESSON.key("bars")).columns(2)
    for column, side, near, name in zip(
        columns, ("first", "second"), (overlap.first, overlap.second), names, strict=True
    ):
        figure = neighbour_bars(near, both, side).update_xaxes(title=WORDS.label("axis.cosine", name=name))
        alt = WORDS.label("alt.neighbours", k=len(near), word=word, name=name)
        with column:
            LESSON.figure(f"{side}_neighbours", figure, alt)


def say_overlap(overlap: Agreement, k: int, size: int) -> None:
    """Say how many neighbours are shared, of this word and on average."""
    LESSON.say("says.shared", {"shared": len(overlap.shared), "k": k, "vocabulary": size})
    values = {"n": len(overlap.sampled), "mean": overlap.mean, "chance": 100 * k / (size - 1)}
    st.markdown(WORDS.markdown("says.mean", **values))


def show_maps(
    first_name: str, second_name: str, first_set: WordVectors, first: WordVectors, second: WordVectors
) -> None:
    """Draw the maps of the same words in both sets, once opened."""
    box = LESSON.fold("maps")
    if not box:
        return
    with box:
        strip, remarks = st.container(horizontal=True), st.container()
        with strip:
            more = LESSON.options()
            words = choose_words(LESSON, first_set, strip, more, remarks)
        known = [each for each in words if each in first]
        if len(known) > 1:
            pair = both_maps(first_name, second_name, first_set, first, second, known)
            draw_maps(LESSON, pair, (name_set(first_name), name_set(second_name)), themes(LESSON))
        else:
            st.info(WORDS.markdown("note.maps"))


def show_pairs(overlap: Agreement, names: Sequence[str]) -> None:
    """Draw the cosines of all pairs in one set against the other, once opened."""
    if box := LESSON.fold("pairs"):
        with box:
            figure = similarity_scatter(overlap.pairs, *overlap.cosines, names)
            LESSON.figure("pairs_figure", figure, WORDS.label("alt.pairs"))
            n = len(overlap.pairs)
            values = {"n": n, "drawn": min(n, PAIRS_AT_MOST), "rho": overlap.correlation}
            st.markdown(WORDS.markdown("says.pairs", **values))


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
        pd.DataFrame([vars(each) for each in near]).rename(
            columns=lambda column, name=name: WORDS.label(f"column.{column}", name=name)
        )
        for name, near in sides.items()
    ]
    return pd.concat(tables, axis=1)


def compared(
    first: WordVectors, second: WordVectors, word: str, k: int, stored: tuple[str, ...]
) -> Agreement | None:
    """Return how far two sets agree; None, and a sentence, where they cannot be compared.

    `stored` are their names where everybody has them.
    """
    if len(first) < FEWEST:
        st.warning(WORDS.label("note.few"))
        return None
    try:
        return agreement_stored(*stored, word, k) if stored else agreement(first, second, word, k)
    except UnknownWordError as error:
        st.text(WORDS.label("note.lacking", error=str(error)))
        return None


def nearest_of_all(key: str, vectors: WordVectors, word: str, k: int) -> list[Neighbour]:
    """Return a word's neighbours in all of a set, kept where everybody has the set."""
    return vectors.neighbours(word, k) if key == OWN else _nearest_of_all(key, word, k)


@cached(200, 20, shared=no_typed_words)
def _nearest_of_all(key: str, word: str, k: int) -> list[Neighbour]:
    return shared_vectors(key).neighbours(word, k)


def say_odd(
    key: str, name: str, vectors: WordVectors, near: Sequence[str], word: str, shared: set[str], k: int
) -> None:
    """Say which neighbours are function words, how frequent, and which nearer words the other set lacks."""
    found = [each for each in near if each in STOPS]
    if not found or word in STOPS:
        return
    lacking = [each.word for each in nearest_of_all(key, vectors, word, k) if each.word not in shared]
    odd = [{"word": each, "place": vectors.index[each] + 1} for each in found]
    st.markdown(WORDS.markdown("says.odd", name=name, odd=odd, word=word, k=k, lacking=lacking))


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
