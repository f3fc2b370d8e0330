"""One step of word2vec on the learner's own sentence: the window, its pairs, and the numbers of a step."""

from __future__ import annotations

import numpy as np
import streamlit as st

from core.figures.training_step import STAGES, stage_formula, step_table
from core.figures.word_training import window_figure
from core.lesson.every_number import every_number
from core.lesson.figure import show_figure
from core.lesson.stepper import stepper
from core.models.cbow import Cbow
from core.models.negative_sampling import Pair, noise_distribution, pairs, training_step, window
from core.models.word2vec import Word2Vec
from core.text.tokens import words

SHORTEST, LONGEST = 3, 40


def sentence_tokens(lesson: str, default: str) -> list[str]:
    """Draw the field for the sentence to look at, and return its tokens (three at least)."""
    typed = st.text_input("A sentence", default, key=f"{lesson}_sentence", max_chars=400)
    tokens = words(typed)[:LONGEST]
    if len(tokens) < SHORTEST:
        st.info(
            f"Write a sentence of {SHORTEST} words or more. Until then you see the first one of your text."
        )
        tokens = words(default)[:LONGEST]
    return tokens


def show_window(
    lesson: str, tokens: list[str], counts: dict[str, int], model: Word2Vec
) -> tuple[int, list[Pair]]:
    """Draw the window at a place that the learner moves; return that place and the pairs it is trained on."""
    centre = st.slider("Centre word", 1, len(tokens), min(3, len(tokens)), key=f"{lesson}_centre") - 1
    contexts = window(tokens, centre, model.window)
    show_figure(
        window_figure(tokens, centre, contexts),
        f"{lesson}_window_figure",
        f"The window around {tokens[centre]} holds {', '.join(tokens[place] for place in contexts)}",
    )
    noise = noise_distribution(counts)
    found = pairs(tokens, centre, model.window, model.negatives, np.random.default_rng(model.seed), noise)
    rows = [(pair.other, "true" if pair.positive else "noise") for pair in found]
    true = sum(pair.positive for pair in found)
    st.text(f"“{tokens[centre]}” makes {true} true pairs, each with {model.negatives} drawn as noise:")
    st.dataframe(
        {
            "centre": [tokens[centre]] * len(rows),
            "other": [row[0] for row in rows],
            "pair": [row[1] for row in rows],
        },
        height=180,
        key=f"{lesson}_pairs",
    )
    return centre, found


def show_step(lesson: str, tokens: list[str], centre: int, found: list[Pair], model: Word2Vec) -> None:
    """Step through the numbers of one training step on the window's first true pair and its noise.

    With a fitted model the vectors are those learnt; without, those before any training: small random numbers for
    the input, zeros for the output.
    """
    place = found[0].position if not isinstance(model, Cbow) else centre
    noise = [pair.other for pair in found[1 : 1 + model.negatives]]
    inputs, outputs = vectors_of(model, tokens, noise)
    if isinstance(model, Cbow):
        given = np.array([inputs[tokens[near]] for near in window(tokens, centre, model.window)])
    else:
        given = inputs[tokens[centre]]
    target = tokens[place]
    step = training_step(
        given, outputs[target], np.array([outputs[word] for word in noise]), model.learning_rate
    )
    stage = stepper(lesson, STAGES)
    st.latex(stage_formula(step, stage, tokens[centre], target))
    every_number(lesson, "one training step", step_table(step, target, noise))


def vectors_of(model: Word2Vec, tokens: list[str], noise: list[str]) -> tuple[dict, dict]:
    """Return the input and output vectors of some words: as learnt, or as before training where not learnt."""
    random = np.random.default_rng(model.seed)
    inputs, outputs = {}, {}
    known = getattr(model, "vocabulary_", None)
    for token in dict.fromkeys([*tokens, *noise]):
        if known is not None and token in known.ids:
            row = known.ids[token]
            inputs[token], outputs[token] = model.input_[row], model.output_[row]
        else:
            inputs[token] = (random.random(model.dimension) - 0.5) / model.dimension
            outputs[token] = np.zeros(model.dimension)
    return inputs, outputs
