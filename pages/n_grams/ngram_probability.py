"""The probability of a typed sentence, factor by factor, from the n-grams of the learner's text."""

import streamlit as st

from core.lesson.break_it import break_it, consequence
from core.lesson.choices.ngram_choice import NO_SMOOTHING, choose_counts, choose_order, choose_smoothing
from core.lesson.code_that_ran import code_that_ran
from core.lesson.lesson import Lesson
from core.lesson.take_away import take_away
from core.lesson.text_source import text_source
from core.lesson.try_this import try_this
from core.models.language_model import sequence_log_probability
from core.models.n_grams.ngram import NgramModel
from core.models.n_grams.ngram_worked import explain
from pages.n_grams.parts.ngram_factors import (
    TOKENS_SHOWN,
    choose_factor,
    choose_sentence,
    factor_table,
    predict_least_expected,
    say_impossible,
    show_factors,
    show_measures,
    show_worked,
)
from pages.n_grams.parts.ngram_input import say_unknown
from pages.n_grams.parts.ngram_take_away import SOURCES, model_cells
from pages.n_grams.parts.pictures import ngram_probability as card_picture

LESSON = Lesson(
    __name__,
    title="The probability of a sentence",
    question="How likely is a sentence, and which word makes it unlikely?",
    icon="✖️",
)


def picture():
    """Return the picture of the lesson's card."""
    return card_picture()


def page() -> None:
    """Show the lesson."""
    LESSON.open(
        r"p(w_1 \dots w_m) = \prod_{i=1}^{m} p(w_i \mid w_{i-n+1} \dots w_{i-1}) \qquad "
        r"\text{perplexity} = p(w_1 \dots w_m)^{-1/m}",
        "$w_i$: the $i$-th token; $m$: how many there are, `</s>` among them; $n$: the order of the model. $h$: the "
        "context, the $n-1$ tokens before; $h'$: the same without its oldest token; $c$: how often your text has it.",
    )
    document = text_source("hamlet")
    controls, picture = st.columns([1, 3], gap="medium")
    with controls:
        counted = choose_counts(LESSON, document)
        sentence = choose_sentence(LESSON, counted)
        order = choose_order(LESSON)
        chosen = choose_smoothing(LESSON)
        broken = break_it(
            LESSON, "raw", "Break it: no smoothing", "Then all that was never seen is impossible: p = 0."
        )

    tokens = counted.encode(sentence)
    smoothing = NO_SMOOTHING if broken else chosen
    model = smoothing.fit(counted.counts, order)
    factors = sequence_log_probability(model, tokens)
    with picture:
        revealed = predict_least_expected(LESSON, counted, factors, f"{order}_{chosen.name}_{broken}")
        if revealed:
            show_measures(factors)
            drawing = st.container()  # filled when the step is known
    say_unknown(counted, sentence, "scored")
    if len(tokens) > TOKENS_SHOWN:
        st.caption(
            f"All {len(tokens)} tokens are in the numbers; the picture shows the first {TOKENS_SHOWN}."
        )
    say_impossible(factors, order)
    if revealed:
        st.header("One factor, worked out", anchor=False)
        step = choose_factor(LESSON, factors)
        with drawing:
            show_factors(LESSON, counted, factors, step)
        show_worked(counted, model, factors, step)
    if broken:
        whole = sequence_log_probability(chosen.fit(counted.counts, order), tokens)
        consequence("Perplexity", whole.perplexity, factors.perplexity, ",.1f", more_is_better=False)
    if revealed:
        factor_table(LESSON, counted, model, factors)
    code_that_ran(sequence_log_probability, NgramModel.token_log_probabilities, explain)
    take_away(
        LESSON,
        [
            *model_cells(counted.unit, smoothing, order),
            "from core.models.language_model import sequence_log_probability\n\n"
            f"factors = sequence_log_probability(model, counted.encode({sentence!r}))\n"
            "factors.log_probability, factors.perplexity",
        ],
    )
    try_this(
        LESSON,
        [
            ("Take the smoothing away: does the sentence survive five-grams?", {"raw": True, "n": 5}),
            ("Unigrams: word order no longer matters. Change it and see.", {"n": 1}),
            ("Letter by letter: where is spelling surprising?", {"unit": "characters", "n": 4}),
        ],
        SOURCES,
    )
