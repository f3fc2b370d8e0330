"""Words in context: one vector a word against one a use, layer by layer, and whether the nearest use has its sense."""

from __future__ import annotations

from functools import cache

import numpy as np
import streamlit as st
import torch

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.pretraining.uses import (
    cosine_table,
    cosines_figure,
    in_all,
    named_uses,
    pair_means,
    right_figure,
    right_table,
    small_map,
    uses_map,
    what_layers_do,
    what_nearest_says,
    what_was_measured,
    what_words_do,
)
from core.figures.worked import signed
from core.lesson.break_it import consequence
from core.lesson.cached import cached, is_sample, no_typed_words
from core.lesson.choices.transformer_choice import LABELS
from core.lesson.choices.vector_sets import STORED, shared_vectors
from core.lesson.lesson import Lesson
from core.lesson.plain import plain
from core.lesson.text_source import text_source
from core.models.pretraining.uses import (
    ALIKE,
    SenseMeasure,
    Use,
    cosines,
    counted_context,
    interval,
    layers_of,
    mean_of_context,
    measure_senses,
    on_one_map,
    place_of,
    read_alone,
    right_by_nearest,
    use_vectors,
    uses_of,
)
from core.models.self_attention.attentive_models import BACK, BOTH, AttentiveModel, attentive_model
from core.text.reading.documents import Document
from core.text.samples.senses import SENSES
from core.text.tokenization.tokens import sentences, words

LESSON = Lesson(
    __name__,
    title="Words in context",
    question="Does a word that means two things have one vector or two?",
    icon="drama",
)
MODELS = {LABELS[name]: name for name in (BOTH, BACK[0])}
FROM_TEXT = 6  # uses of the learner's text that stand on the map
SEARCHED = 100_000  # characters of it
LONGEST = 300  # characters of a sentence
NEAREST_WORDS = 6


def picture() -> Figure:
    """The uses of a word on the map of the last layer."""
    uses = uses_of(next(iter(SENSES)), SENSES)
    _, places = on_one_map(use_vectors(attentive_model(BOTH), uses))
    return small(small_map(uses, places[-1]))


def page() -> None:
    """The uses of a word on a map, layer by layer; two of them compared; all words measured."""
    torch.set_num_threads(1)
    LESSON.open(
        r"\text{static: } e(w) \qquad \text{in context: } h^{(l)}_t = h^{(l-1)}_t + \text{what layer } l "
        r"\text{ gathers from the sentence and makes of it} \qquad "
        r"\cos(a, b) = \frac{a \cdot b}{\lVert a \rVert \lVert b \rVert}",
        "$e(w)$: the word's row of the model's embedding, the same in every sentence. $h^{(0)}_t$: $e(w)$ and its place "
        "in the sentence; $h^{(l)}_t$: the stream at the word after layer $l$; a word of several tokens is the mean of "
        "theirs.",
    )
    controls, stage = LESSON.stage()
    notes = st.container()
    with controls:
        document = text_source()
        word = LESSON.select("word", "Word", list(SENSES), width=120)
        model = attentive_model(MODELS[LESSON.select("model", "Model", list(MODELS), width=210)])
        with st.popover("Your own sentence"):
            typed = LESSON.text("own", f"A sentence with “{word}”", max_chars=LONGEST, width=300)
        broken = LESSON.break_it("alone", "Break it: no sentence", "The model reads the word by itself.")
    labelled, layers = uses_of(word, SENSES), layers_of(model)
    own = own_uses(document, word, typed, model)
    uses = tuple(labelled + own)
    alike = cosines_of(model.name, uses, broken)
    right = right_at(alike, labelled)
    with stage:
        about = f"{model.name}_{word}_{broken}"
        question = f"How many of {len(labelled)} uses of “{word}” have a use of the same sense nearest, at {layers[-1]}?"
        if revealed := LESSON.ask(
            question, numbers_to_choose(right[-1], len(labelled)), in_all(right[-1]), about
        ):
            alt = f"{len(uses)} uses of “{word}” from the static vector to the last layer"
            LESSON.view("map", map_of(model.name, uses, broken, alt), "map")
            say_nearest(word, layers[-1], right, labelled)
            say_own(labelled, own, alike)
    say_notes(notes, model, word, typed, own)
    if broken and revealed:
        show_alone(model, labelled, right)
    if revealed:
        st.header("Two uses, layer by layer", anchor=False)
        show_pair(model, uses, alike, layers, broken)
        st.header("What one vector a word holds", anchor=False)
        show_static(word)
    st.header("Is the nearest use of the same sense?", anchor=False)
    measure = show_measure(model, layers, broken)
    LESSON.set_values(words=len(measure.words), all_uses=int(measure.sizes.sum()))
    LESSON.closing(
        code=[
            place_of,
            use_vectors,
            cosines,
            right_by_nearest,
            counted_context,
            mean_of_context,
            on_one_map,
            measure_senses,
            interval,
        ],
        notebook=[
            "from core.models.pretraining.uses import Use, cosines, on_one_map, right_by_nearest, use_vectors\n"
            "from core.models.self_attention.attentive_models import attentive_model\n\n"
            f"uses = {list(read_alone(labelled) if broken else labelled)!r}\n"
            f"vectors = use_vectors(attentive_model({model.name!r}), uses)  # static, then layer by layer",
            "senses = [use.sense for use in uses]\n"
            "print([right_by_nearest(layer, senses).sum() for layer in cosines(vectors)])",
        ],
        plot="from core.figures.pretraining.uses import small_map\n\ndraw(small_map(uses, on_one_map(vectors)[1][-1]))",
        try_this=[
            ("A river's bank or a money bank: the model has no token for the word", {"word": "bank"}),
            ("A model that looks back only: what can it know of the word?", {"model": LABELS[BACK[0]]}),
            ("No sentence at all: do the points part?", {"alone": True}),
        ],
        sources=[
            "Matthew Peters et al. (2018), Deep Contextualized Word Representations.",
            "Kawin Ethayarajh (2019), How Contextual are Contextualized Word Representations? Comparing the Geometry of "
            "BERT, ELMo, and GPT-2 Embeddings.",
            "The sentences are this course's own: core/text/samples/senses.py.",
        ],
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


@cached(64, 16, False, shared=is_sample)
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
    return uses_map(uses, vectors_of(name, uses, alone), layers_of(attentive_model(name)), alt)


def right_at(alike: np.ndarray, labelled: list[Use]) -> list[float]:
    """Return at each layer how many of the uses with a sense have one of the same sense nearest, among themselves."""
    senses, n = [use.sense for use in labelled], len(labelled)
    return [float(right_by_nearest(layer, senses).sum()) for layer in alike[:, :n, :n]]


@cache
def right_by_counting(word: str) -> float:
    """Return how many of our uses of a word have one of the same sense nearest by the words around it, counted."""
    labelled = uses_of(word, SENSES)
    return float(right_by_nearest(cosines(counted_context(labelled)), [use.sense for use in labelled]).sum())


def numbers_to_choose(right: float, n: int) -> list[str]:
    """Return the answers to choose from: every number of uses, so that none of them gives the right one away."""
    return sorted({in_all(right), *map(str, range(n + 1))}, key=float)


def say_nearest(word: str, layer: str, right: list[float], labelled: list[Use]) -> None:
    """Say what the map shows: how many uses have their sense nearest, and what one vector a word would get."""
    counted = right_by_counting(word)
    n, senses = len(labelled), list(dict.fromkeys(use.sense for use in labelled))
    LESSON.caption(plain(what_nearest_says(word, layer, right[-1], n, right[0], counted)))
    LESSON.set_values(word=word, senses=" and ".join(f"“{sense}”" for sense in senses), layer=layer, uses=n)
    LESSON.set_values(right=in_all(right[-1]), right_static=in_all(right[0]), right_counted=in_all(counted))
    LESSON.set_values(right_placed=in_all(right[1]))


def say_own(labelled: list[Use], own: list[Use], alike: np.ndarray) -> None:
    """Say of each of the learner's uses which of ours is nearest at the last layer; alike (L + 2, n, n)."""
    names, n = named_uses([*labelled, *own]), len(labelled)
    for i in range(n, len(names)):
        near = int(alike[-1, i, :n].argmax())
        cosine = signed(float(alike[-1, i, near]))
        said = f"nearest of the labelled uses is “{names[near]}” ({labelled[near].sense}), cosine {cosine}."
        if np.ptp(alike[-1, i, :n]) < ALIKE:
            said = f"all labelled uses are equally near, cosine {cosine}."
        if alike[0, i, 0] < 1 - ALIKE:  # a capital letter, or no space before it
            said += " It is written otherwise than in ours, so the model has other tokens and another static vector for it."
        st.caption(plain(f"Of your text, “{names[i]}”: {said}"))


def say_notes(notes, model: AttentiveModel, word: str, typed: str, own: list[Use]) -> None:
    """Say what of the learner's is on the map, and how the model reads the word."""
    pieces = len(model.encode(f" {word}").ids)
    looks = "looks back only, so what follows the word cannot reach it" if model.causal else "looks both ways"
    read = "one token" if pieces == 1 else f"{pieces} tokens, whose mean stands for it"
    with notes:
        st.caption(f"This model {looks}. It reads “{word}” as {read}.")
        if typed.strip() and not any(use.sentence == typed.strip() for use in own):
            st.info(plain(f"Your sentence does not have the word “{word}”, so it is not on the map."))
        if not own:
            st.caption(
                f"Neither a sentence of yours nor your text's beginning has “{word}”: only ours are shown."
            )


# What context is worth.


def show_alone(model: AttentiveModel, labelled: list[Use], right: list[float]) -> None:
    """Compare how many uses are right with their sentences and without."""
    whole = right_at(cosines_of(model.name, tuple(labelled), False), labelled)[-1]
    consequence("Uses with their sense nearest, last layer", whole, right[-1], ".1f")
    st.markdown(
        "Without a sentence every use is read alike: all points coincide, all are equally near, and only a draw is left."
    )


def show_pair(
    model: AttentiveModel, uses: tuple[Use, ...], alike: np.ndarray, layers: list[str], broken: bool
) -> None:
    """Draw the cosine of two chosen uses by layer, between the means of one sense, of two, and of other words."""
    names, senses = named_uses(uses), [use.sense for use in uses]
    n = sum(bool(sense) for sense in senses)
    columns = st.columns(2)
    with columns[0]:
        one = LESSON.select("one", "One use", names)
    with columns[1]:
        other = LESSON.select("other", "Another use", names, n - 1)
    i, j = (names.index(each) if each in names else 0 for each in (one, other))
    same, apart = pair_means(alike[:, :n, :n], senses[:n])
    between = sense_measure(model.name, broken).between
    alt = "Cosines by layer: of the two uses, the means within a sense and between senses, and between other words"
    LESSON.figure("cosines", cosines_figure(layers, alike[:, i, j], same, apart, between), alt)
    LESSON.caption(what_layers_do(same, apart, between, layers[-1]))
    LESSON.set_values(
        same=signed(float(same[-1])), apart=signed(float(apart[-1])), between=signed(float(between[-1]))
    )
    LESSON.every_number("cosines of the uses", cosine_table, names, senses, alike, layers)


@cached(24, 24, shared=no_typed_words)
def static_neighbours(word: str) -> str:
    """Return the words that are nearest to a word's one vector in each of the course's sets, in a sentence."""
    told = []
    for name, title in STORED.items():
        near = shared_vectors(name).neighbours(word, NEAREST_WORDS)
        listed = ", ".join(f"{each.word} ({signed(each.similarity)})" for each in near)
        told.append(f"In {title} it is nearest to {listed}")
    return ". ".join(told)


def show_static(word: str) -> None:
    """Say which words are nearest to the word's one vector."""
    told = static_neighbours(word)
    LESSON.set_values(static=told)
    said = f"“{word}” has one row in a set of word vectors, learned from all its uses together. {told}."
    st.markdown(plain(f"{said} Which of its senses do these belong to?"))


@cached(4, 0, "The model reads all sentences", shared=True)
def sense_measure(name: str, alone: bool) -> SenseMeasure:
    """Return how often the nearest use has the same sense, over all words of the course's sentences."""
    torch.set_num_threads(1)
    return measure_senses(attentive_model(name), SENSES, shared_vectors("glove"), alone)


def show_measure(model: AttentiveModel, layers: list[str], broken: bool) -> SenseMeasure:
    """Draw how many of all uses are right by layer, beside two ways that need no model; return the measure."""
    measure = sense_measure(model.name, broken)
    alt = "How many uses have their sense nearest, by layer, with 95% intervals, beside two ways without a model"
    LESSON.figure("right", right_figure(measure, layers), alt)
    said = what_was_measured(measure, layers[-1])
    LESSON.caption(said)
    LESSON.set_values(measured=said)
    st.markdown(
        f"{len(measure.words)} words, two senses each, {int(measure.sizes.sum())} sentences of our own. "
        f"{what_words_do(measure)} The senses of many are different parts of speech, which the words right beside can give "
        "away; the sentences are short and plain, and others would give other counts. An interval takes the uses as "
        "independent; those of one word are not quite."
    )
    LESSON.every_number("the nearest use", right_table, measure, layers)
    return measure
