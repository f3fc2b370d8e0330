"""Contextual embeddings: what the story shows of one word in ten sentences, and the lab."""

from __future__ import annotations

from functools import cache

import numpy as np
import streamlit as st
import torch

from core.figures.pretraining.uses import (
    cosine_table,
    cosines_figure,
    in_all,
    name_layers,
    named_uses,
    nearest_sense_figure,
    nearest_sense_table,
    pair_means,
    uses_map,
    what_layers_do,
    what_nearest_says,
    what_was_measured,
    what_words_do,
)
from core.lesson.cached import cached, is_sample, no_typed_words
from core.lesson.choices.transformer_choice import LABELS
from core.lesson.choices.vector_sets import STORED, name_set, shared_vectors
from core.lesson.settings import Choice, Settings, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.lesson.text_source import text_source
from core.models.pretraining.uses import (
    ROUNDING,
    SenseMeasure,
    Use,
    cosines,
    counted_context,
    interval,
    mean_of_context,
    measure_senses,
    on_one_map,
    place_of,
    read_alone,
    right_by_nearest,
    use_vectors,
    uses_of,
    words_at_sides,
)
from core.models.self_attention.attentive_models import BACK, BOTH, AttentiveModel, attentive_model
from core.models.word_vectors.projection import Projection
from core.text.reading.documents import Document
from core.text.samples.senses import SENSES
from core.text.tokenization.tokens import sentences, words
from core.words.numbers import signed
from core.words.plain import plain
from pages.pretraining.words_in_context import LESSON
from pages.pretraining.words_in_context.figures import draw_bars, draw_neighbours, draw_uses, short_name

WORDS = LESSON.words
WORD = "bear"  # of the story
ONE, SAME_SENSE, OTHER = 2, 4, 9  # two uses of one sense, and one of the other
OWN = "The mother bear came near to her young"
EXAMPLES = (OWN,)
LAYERS = ("static", "0", "1", "2", "3", "4")
VECTORS = ("one", "two", "ten")
LEFT = ("ten", "chance", "none")
ALL_NEIGHBOURS = 5
NAMED_FROM = 1  # place in LAYERS: until there all points are close together, without room for names
BEYOND = 1.1  # how far the map of an own use reaches, of its farthest point

LAYER = Choice("layer", "static", LAYERS)
LINE = Text("line", OWN, 120)

# The lab's settings.
MODELS = {LABELS[name]: name for name in (BOTH, BACK[0])}
FROM_TEXT = 6  # uses of the learner's text that stand on the map
SEARCHED = 100_000  # characters of it
LONGEST = 300  # characters of a sentence
NEAREST_WORDS = 6
LOOKED_UP = Choice("word", next(iter(SENSES)), tuple(SENSES))
ALONE = Switch("alone")
LAB = (LOOKED_UP, ALONE, Text("own", "", LONGEST), *map(Switch, ("pair", "one_vector", "right")))


# The story: what each beat shows.


@cache
def story_uses() -> tuple[Use, ...]:
    """Return the uses of the story's word."""
    return tuple(uses_of(WORD, SENSES))


@cache
def story_vectors(alone: bool = False) -> np.ndarray:
    """Return their vectors, layer by layer (L + 2, n, C)."""
    torch.set_num_threads(1)
    return use_vectors(attentive_model(BOTH), read_alone(story_uses()) if alone else story_uses())


def right_of_story(layer: int, alone: bool = False) -> float:
    """Return how many of the uses have one of their sense nearest at a layer, 0 for the static vectors."""
    senses = [use.sense for use in story_uses()]
    return float(right_by_nearest(cosines(story_vectors(alone)[layer]), senses).sum())


@cache
def story_map() -> tuple[Projection, np.ndarray]:
    """Return the map of the last layer, and the places of the uses on it, layer by layer (L + 2, n, 2)."""
    return on_one_map(story_vectors())


def story_places() -> np.ndarray:
    """Return the places of the uses on the map of the last layer (L + 2, n, 2)."""
    return story_map()[1]


def extent() -> np.ndarray:
    """Return places that the map has room for: with some room around the uses at the last layer."""
    last = story_places()[-1]
    least, most = last.min(axis=0), last.max(axis=0)
    pad = 0.15 * (most - least)
    return np.stack([least - pad, most + pad])


def base() -> dict[str, object]:
    """Return what all beats name: the word, its senses, how many uses are right at the ends."""
    uses = story_uses()
    last = len(story_vectors()) - 1
    return {
        "word": WORD,
        "n": len(uses),
        "senses": list(SENSES[WORD]),
        "right": right_of_story(last),
        "static": right_of_story(0),
        "layers": last - 1,
    }


def ask_vectors(settings: Settings) -> Part:
    """The uses as one point, their static vector; the answer shows them after the last layer."""
    layer = -1 if settings.revealed else 0
    picture = draw_uses(story_uses(), story_places()[layer], extent())
    values = base() | {"revealed": settings.revealed, "kept": story_map()[0].variance_kept}
    different = len(np.unique(story_vectors()[-1].round(6), axis=0))
    answer = "ten" if different == len(story_uses()) else "two" if different == 2 else "one"
    return Part("word_plane", picture, values, {"word": WORD}, choices=VECTORS, answer=answer)


def show_static(settings: Settings) -> Part:
    """The words nearest to the word's one vector in two sets of word vectors."""
    panels = {
        name: [(each.word, each.similarity) for each in shared_vectors(name).neighbours(WORD, ALL_NEIGHBOURS)]
        for name in ("glove", "skipgram")
    }
    values = base() | {name: [word for word, _ in near] for name, near in panels.items()}
    return Part("layer_bars", draw_neighbours(panels), values, {"word": WORD, "one_vector": True})


def do_layers(settings: Settings) -> Part:
    """The uses after the chosen layer."""
    at = LAYERS.index(settings.layer)
    values = base() | {"at": at - 1, "now": in_all(right_of_story(at)), "shared": right_of_story(at) % 1 > 0}
    picture = draw_uses(story_uses(), story_places()[at], extent(), names=at > NAMED_FROM)
    return Part("word_plane", picture, values, {"word": WORD})


def show_cosines(settings: Settings) -> Part:
    """The cosines of one use with another of its sense, and with one of the other sense."""
    similarity, uses = cosines(story_vectors()[-1]), story_uses()
    same, different = float(similarity[ONE, SAME_SENSE]), float(similarity[ONE, OTHER])
    senses = [use.sense for use in uses]
    means = [float(each[-1]) for each in pair_means(cosines(story_vectors()), senses)]
    between = float(sense_measure(BOTH, False).between[-1])
    values = base() | {
        "one_name": short_name(uses[ONE]),
        "other": short_name(uses[SAME_SENSE]),
        "third": short_name(uses[OTHER]),
        "same": same,
        "different": different,
        "mean_same": means[0],
        "mean_different": means[1],
        "between": between,
    }
    bars = {
        "mean_same": (means[0], f"{means[0]:.2f}"),
        "mean_different": (means[1], f"{means[1]:.2f}"),
        "between": (between, f"{between:.2f}"),
    }
    hues = {"mean_same": "green", "mean_different": "ochre", "between": "grey"}
    picture = draw_bars(WORDS.label("title.cosines"), bars, 1.0, hues)
    return Part("layer_bars", picture, values, {"word": WORD, "pair": True})


def ask_alone(settings: Settings) -> Part:
    """How many uses are right with their sentences; the answer adds those without."""
    last = len(story_vectors()) - 1
    alone = right_of_story(last, True)
    values = base() | {"revealed": settings.revealed, "alone": alone}
    right = values["right"]
    bars = {
        "with": (right, in_all(right)),
        "alone": (alone, in_all(alone)) if settings.revealed else (0.0, WORDS.label("hidden")),
    }
    picture = draw_bars(WORDS.label("title.right"), bars, 13, {"alone": "grey"})
    answer = "chance" if abs(alone - values["static"]) < 1e-9 else "ten" if alone == right else "none"
    return Part("layer_bars", picture, values, {"word": WORD, "alone": True}, choices=LEFT, answer=answer)


def show_all(settings: Settings) -> Part:
    """How many uses of all words are right: by two models, and by three ways without one."""
    measure = sense_measure(BOTH, False)
    n = int(measure.sizes.sum())
    found = {
        "model": float(measure.right[-1].sum()),
        "gpt": float(sense_measure(BACK[0], False).right[-1].sum()),
        "sides": float(measure.sides.sum()),
        "averaged": float(measure.averaged.sum()),
        "counted": float(measure.counted.sum()),
        "draw": float(measure.right[0].sum()),
    }
    low, high = interval(found["model"], n)
    shares = {name: right / n for name, right in found.items()}
    values = base() | shares | {"all": n, "words": len(measure.words), "low": low, "high": high}
    bars = {name: (share, f"{share:.0%}") for name, share in shares.items()}
    hues = {"sides": "green", "averaged": "green", "counted": "green", "draw": "grey"}
    picture = draw_bars(WORDS.label("title.all"), bars, 1.2, hues, "model")
    return Part("layer_bars", picture, values, {"right": True})


def show_words(settings: Settings) -> Part:
    """How many uses of each word are right."""
    measure = sense_measure(BOTH, False)
    right = dict(zip(measure.words, measure.right[-1].tolist(), strict=True))
    order = sorted(right, key=right.get, reverse=True)
    values = base() | {
        "bank": right["bank"],
        "spring": right["spring"],
        "least": order[-1],
        "fewest": right[order[-1]],
    }
    values |= {"most": [word for word in order if right[word] == right[order[0]]]}
    bars = {word: (right[word], in_all(right[word])) for word in order}
    picture = draw_bars(WORDS.label("title.words"), bars, 12, {"bank": "vermillion"}, "bank")
    return Part("layer_bars", picture, values, {"word": "bank"})


def do_own(settings: Settings) -> Part:
    """The learner's use on the map of ours, joined to the nearest."""
    model, line = attentive_model(BOTH), settings.line
    use = Use(WORD, line)
    known = place_of(model, use) is not None
    own = use if known else Use(WORD, OWN)
    uses = [*story_uses(), own]
    torch.set_num_threads(1)
    vectors = np.concatenate([story_vectors(), use_vectors(model, [own])], axis=1)
    similarity = cosines(vectors[-1])[-1, :-1]
    near = int(similarity.argmax())
    places = on_one_map(vectors, len(story_uses()))[1][-1]
    cosine = float(similarity[near])
    picture = draw_uses(uses, places, np.vstack([extent(), places * BEYOND]), near=(near, cosine))
    values = base() | {
        "known": known,
        "near": short_name(uses[near]),
        "sense": uses[near].sense,
        "cosine": cosine,
    }
    return Part("word_plane", picture, values, {"word": WORD, "own": line})


def show_answer(settings: Settings) -> Part:
    """The uses after the last layer."""
    measure = sense_measure(BOTH, False)
    n = float(measure.sizes.sum())
    shares = {"model": measure.right[-1].sum() / n, "draw": measure.right[0].sum() / n}
    picture = draw_uses(story_uses(), story_places()[-1], extent())
    return Part("word_plane", picture, base() | shares, {"word": WORD})


STORY = (
    ask("vectors", ask_vectors),
    look("static", show_static),
    do("layers", do_layers, LAYER),
    look("cosine", show_cosines),
    ask("no_sentence", ask_alone),
    look("measured_all", show_all),
    look("each_word", show_words),
    do("own_use", do_own, LINE),
    end("answer", show_answer),
)


# The lab: the uses of a word on a map, layer by layer; two of them compared; all words measured.


def lab() -> None:
    """The uses of a word on a map, layer by layer; two of them compared; all words measured."""
    torch.set_num_threads(1)
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    notes = st.container()
    with controls:
        document = text_source()
        word = LESSON.draw(LOOKED_UP, width=120)
        model = attentive_model(MODELS[LESSON.select("model", WORDS.label("model"), list(MODELS), width=210)])
        with st.popover(WORDS.label("own_sentence")):
            typed = LESSON.text("own", WORDS.label("own", word=word), max_chars=LONGEST, width=300)
        alone = LESSON.draw(ALONE)
        LESSON.options()
    labelled = uses_of(word, SENSES)
    own = own_uses(document, word, typed, model)
    uses = tuple(labelled + own)
    similarity = cosines_of(model.name, uses, alone)
    layers = name_layers(len(similarity))
    right = right_at(similarity, labelled)
    with stage:
        about = f"{model.name}_{word}_{alone}"
        question = WORDS.label("guess", n=len(labelled), word=word, layer=layers[-1])
        choices = numbers_to_choose(right[-1], len(labelled))
        if revealed := LESSON.ask(question, choices, in_all(right[-1]), about):
            alt = WORDS.label("uses.alt", n=len(uses), word=word)
            LESSON.view("map", map_of(model.name, uses, alone, alt), "map")
            counted = right_by_counting(word)
            said = what_nearest_says(word, layers[-1], right[-1], len(labelled), right[0], counted)
            LESSON.caption(plain(said))
            say_own(labelled, own, similarity)
    say_notes(notes, model, word, typed, own)
    if alone and revealed:
        show_without(model, labelled, right)
    if revealed:
        if box := LESSON.fold("pair"):
            with box:
                show_pair(model, uses, similarity, layers, alone)
        LESSON.every_number(WORDS.label("table.cosines"), pair_table, uses, similarity, layers)
        if box := LESSON.fold("one_vector"):
            with box:
                show_one_vector(word)
    if box := LESSON.fold("right"):
        with box:
            show_measure(model, layers, alone)
    LESSON.close_lab(
        code=[
            *(place_of, use_vectors, cosines, right_by_nearest, counted_context, mean_of_context),
            *(words_at_sides, on_one_map, measure_senses, interval),
        ],
        parameters={
            "uses": [
                (use.word, use.sentence, use.sense) for use in (read_alone(labelled) if alone else labelled)
            ],
            "name": model.name,
        },
        prompts={"bank": {"word": "bank"}, "left": {"model": LABELS[BACK[0]]}, "alone": {"alone": True}},
    )


# The uses: ours with their senses, the learner's without.


def own_uses(document: Document, word: str, typed: str, model: AttentiveModel) -> list[Use]:
    """Return the learner's uses of a word: the sentence that was typed, then the first ones of their text."""
    found = [Use(word, typed.strip()), *(Use(word, each) for each in sentences_with(document, word))]
    return [use for use in found if use.sentence and is_read(model.name, use)]


@cached(200, 50, shared=no_typed_words)
def is_read(name: str, use: Use) -> bool:
    """Return whether a model reads the word in its sentence."""
    return place_of(attentive_model(name), use) is not None


@cached(64, 16, shared=is_sample)
def sentences_with(document: Document, word: str) -> list[str]:
    """Return the first sentences of a text that have a word, each as one line; long ones are left out."""
    found = [" ".join(each.split()) for each in sentences(document.text[:SEARCHED])]
    having = [each for each in dict.fromkeys(found) if len(each) <= LONGEST and word in words(each)]
    return having[:FROM_TEXT]


@cached(48, 12, shared=no_typed_words)
def vectors_of(name: str, uses: tuple[Use, ...], alone: bool) -> np.ndarray:
    """Return the vectors of uses, (L + 2, n, C); `alone`: the model reads the word without its sentence."""
    torch.set_num_threads(1)
    return use_vectors(attentive_model(name), read_alone(uses) if alone else uses)


@cached(48, 12, shared=no_typed_words)
def cosines_of(name: str, uses: tuple[Use, ...], alone: bool) -> np.ndarray:
    """Return the cosine of each two uses, layer by layer, (L + 2, n, n)."""
    return cosines(vectors_of(name, uses, alone))


@cached(48, 12, shared=no_typed_words)
def map_of(name: str, uses: tuple[Use, ...], alone: bool, alt: str) -> dict:
    """Return the map of uses over the layers; it is made of all their vectors, and the same on most moves."""
    vectors = vectors_of(name, uses, alone)
    return uses_map(uses, vectors, name_layers(len(vectors)), alt)


def right_at(similarity: np.ndarray, labelled: list[Use]) -> list[float]:
    """Return at each layer how many of the uses with a sense have one of the same sense nearest, among themselves."""
    senses, n = [use.sense for use in labelled], len(labelled)
    return [float(right_by_nearest(layer, senses).sum()) for layer in similarity[:, :n, :n]]


@cache
def right_by_counting(word: str) -> float:
    """Return how many of our uses of a word have one of the same sense nearest by the words around it, counted."""
    labelled = uses_of(word, SENSES)
    return float(right_by_nearest(cosines(counted_context(labelled)), [use.sense for use in labelled]).sum())


def numbers_to_choose(right: float, n: int) -> list[str]:
    """Return the answers to choose from: every number of uses, so that none of them gives the right one away."""
    return sorted({in_all(right), *map(str, range(n + 1))}, key=float)


def say_own(labelled: list[Use], own: list[Use], similarity: np.ndarray) -> None:
    """Say of each of the learner's uses which of ours is nearest at the last layer; similarity (L + 2, n, n)."""
    names, n = named_uses([*labelled, *own]), len(labelled)
    for i in range(n, len(names)):
        near = int(similarity[-1, i, :n].argmax())
        values = {
            "name": plain(names[i]),
            "near": plain(names[near]),
            "sense": labelled[near].sense,
            "cosine": float(similarity[-1, i, near]),
            "equal": bool(np.ptp(similarity[-1, i, :n]) < ROUNDING),
            "other_tokens": bool(
                similarity[0, i, 0] < 1 - ROUNDING
            ),  # a capital letter, or no space before it
        }
        st.caption(WORDS.markdown("says.own", **values))


def say_notes(notes, model: AttentiveModel, word: str, typed: str, own: list[Use]) -> None:
    """Say what of the learner's is on the map, and how the model reads the word."""
    values = {"causal": bool(model.causal), "word": word, "pieces": len(model.encode(f" {word}").ids)}
    with notes:
        st.caption(WORDS.markdown("says.model", **values))
        if typed.strip() and not any(use.sentence == typed.strip() for use in own):
            st.info(WORDS.markdown("no_such_word", word=word))
        if not own:
            st.caption(WORDS.markdown("only_ours", word=word))


# What context is worth.


def show_without(model: AttentiveModel, labelled: list[Use], right: list[float]) -> None:
    """Compare how many uses are right with their sentences and without."""
    with_sentence = right_at(cosines_of(model.name, tuple(labelled), False), labelled)[-1]
    LESSON.compare("alone", with_sentence, right[-1], ".1f")
    st.markdown(WORDS.label("says.alone"))


def show_pair(
    model: AttentiveModel, uses: tuple[Use, ...], similarity: np.ndarray, layers: list[str], alone: bool
) -> None:
    """Draw the cosine of two chosen uses by layer, between the means of one sense, of two, and of other words."""
    names, senses = named_uses(uses), [use.sense for use in uses]
    n = sum(bool(sense) for sense in senses)
    columns = st.columns(2)
    with columns[0]:
        one = LESSON.select("one", WORDS.label("one"), names)
    with columns[1]:
        other = LESSON.select("other", WORDS.label("other"), names, n - 1)
    i, j = (names.index(each) if each in names else 0 for each in (one, other))
    same, apart = pair_means(similarity[:, :n, :n], senses[:n])
    between = sense_measure(model.name, alone).between
    figure = cosines_figure(layers, similarity[:, i, j], same, apart, between)
    LESSON.figure("cosines", figure, WORDS.label("cosines.alt"))
    LESSON.caption(what_layers_do(same, apart, between, layers[-1]))


def pair_table(uses: tuple[Use, ...], similarity: np.ndarray, layers: list[str]):
    """Return the cosine of each pair of uses at every layer."""
    return cosine_table(named_uses(uses), [use.sense for use in uses], similarity, layers)


def show_one_vector(word: str) -> None:
    """Say which words are nearest to the word's one vector in each of the course's sets."""
    st.markdown(WORDS.markdown("says.one_vector", word=word))
    for name in STORED:
        title = name_set(name)
        near = shared_vectors(name).neighbours(word, NEAREST_WORDS)
        listed = [f"{each.word} ({signed(each.similarity)})" for each in near]
        st.markdown(plain(WORDS.label("says.neighbours", title=title, near=listed)))


@cached(4, 0, shared=True)
def sense_measure(name: str, alone: bool) -> SenseMeasure:
    """Return how often the nearest use has the same sense, over all words of the course's sentences."""
    torch.set_num_threads(1)
    return measure_senses(attentive_model(name), SENSES, shared_vectors("glove"), alone)


def show_measure(model: AttentiveModel, layers: list[str], alone: bool) -> None:
    """Draw how many of all uses are right by layer, beside three ways that need no model."""
    measure = sense_measure(model.name, alone)
    LESSON.figure("right_drawn", nearest_sense_figure(measure, layers), WORDS.label("right_drawn.alt"))
    LESSON.caption(what_was_measured(measure, layers[-1]))
    values = {"words": len(measure.words), "uses": int(measure.sizes.sum())}
    st.markdown(f"{WORDS.markdown('says.measure', **values)} {what_words_do(measure)}")
    LESSON.every_number(WORDS.label("table.nearest"), nearest_sense_table, measure, layers)
