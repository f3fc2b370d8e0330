"""One step of word2vec on the learner's own sentence: the window, its pairs, and the numbers of a step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.word_vectors.training_step import STAGES, stage_formula, step_table
from core.figures.word_vectors.word_training import window_figure
from core.lesson.every_number import every_number
from core.lesson.figure import show_figure
from core.lesson.stepper import stepper
from core.lesson.text_source import reading
from core.models.word_vectors.cbow import Cbow
from core.models.word_vectors.negative_sampling import Pair, noise_distribution, pairs, training_step, window
from core.models.word_vectors.word2vec import Word2Vec
from core.text.reading.documents import Document
from core.text.tokenization.tokens import words

SHORTEST, LONGEST = 3, 40
EXAMPLE = "The king loves his crown and his throne."


def sentence_tokens(lesson: str, document: Document) -> list[str]:
    """Draw the field for the sentence to look at, at first one of the text's own; return its tokens."""
    lines = (line for line in reading(document).first_lines.splitlines() if len(words(line)) >= SHORTEST)
    default = next(lines, EXAMPLE)
    # The text is part of the key: another text brings a sentence of its own.
    key = f"{lesson}_sentence_{document.digest[:8]}"
    typed = st.text_input("A sentence", default, key=key, max_chars=400)
    tokens = words(typed)[:LONGEST]
    if len(tokens) < SHORTEST:
        st.info(f"Write a sentence of {SHORTEST} words or more. Until then you see one of your text's own.")
        tokens = words(default)[:LONGEST]
    return tokens


def window_pairs(tokens: list[str], centre: int, counts: Mapping[str, int], model: Word2Vec) -> list[Pair]:
    """Return the pairs of a window: in skip-gram a true one for each word around, in CBOW one for the centre."""
    noise, random = noise_distribution(counts), np.random.default_rng(model.seed)
    if not isinstance(model, Cbow):
        return pairs(tokens, centre, model.window, model.negatives, random, noise)
    drawn = random.choice(list(noise), model.negatives, p=list(noise.values()))
    others = [Pair("mean of the window", str(word), False, None) for word in drawn]
    return [Pair("mean of the window", tokens[centre], True, centre), *others]


def show_window(
    lesson: str, tokens: list[str], counts: Mapping[str, int], model: Word2Vec
) -> tuple[int, list[Pair]]:
    """Draw the window at a place that the learner moves; return that place and the pairs it is trained on."""
    start = min(3, len(tokens))
    centre = st.slider("Centre word", 1, len(tokens), start, key=f"{lesson}_centre", bind="query-params") - 1
    contexts = window(tokens, centre, model.window)
    show_figure(
        window_figure(tokens, centre, contexts),
        f"{lesson}_window_figure",
        f"The window around {tokens[centre]} holds {', '.join(tokens[place] for place in contexts)}",
    )
    found = window_pairs(tokens, centre, counts, model)
    true = sum(pair.positive for pair in found)
    makes = "1 true pair" if true == 1 else f"{true} true pairs, each"
    st.text(
        f"The window around “{tokens[centre]}” makes {makes} with {model.negatives} words drawn as noise:"
    )
    rows = [(pair.centre, pair.other, "true" if pair.positive else "noise") for pair in found]
    table = pd.DataFrame(rows, columns=["given", "to be found", "pair"])
    st.dataframe(table, height=180, hide_index=True, key=f"{lesson}_pairs", alt="The pairs of this window")
    return centre, found


def show_step(
    lesson: str, tokens: list[str], centre: int, found: list[Pair], model: Word2Vec, learnt: Word2Vec | None
) -> None:
    """Step through the numbers of one training step on the window's first true pair and its noise.

    The vectors are those of the model `learnt`; where there is none, those before any training: small random
    numbers for the input, zeros for the output.
    """
    target, noise = found[0].other, [pair.other for pair in found[1 : 1 + model.negatives]]
    inputs, outputs = vectors_of(learnt or model, [*tokens, *noise])
    cbow = isinstance(model, Cbow)
    around = [inputs[tokens[near]] for near in window(tokens, centre, model.window)]
    given = np.array(around) if cbow else inputs[tokens[centre]]
    step = training_step(
        given, outputs[target], np.array([outputs[word] for word in noise]), model.learning_rate
    )
    stage = stepper(lesson, STAGES)
    st.latex(stage_formula(step, stage, "mean" if cbow else tokens[centre], target))
    every_number(lesson, "one training step", step_table(step, target, noise))


def vectors_of(model: Word2Vec, tokens: Iterable[str]) -> tuple[dict, dict]:
    """Return the input and output vectors of some words: as learnt, or as before training where not learnt."""
    random = np.random.default_rng(model.seed)
    known = getattr(model, "vocabulary_", None)
    inputs, outputs = {}, {}
    for token in dict.fromkeys(tokens):
        if known is not None and token in known.ids:
            inputs[token], outputs[token] = (
                matrix[known.ids[token]] for matrix in (model.input_, model.output_)
            )
        else:
            inputs[token] = (random.random(model.dimension) - 0.5) / model.dimension
            outputs[token] = np.zeros(model.dimension)
    return inputs, outputs
