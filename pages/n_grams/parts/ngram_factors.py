"""The factors p(w | h) whose product is a sentence's probability: the sentence, its measures, one factor, all."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.n_grams.ngram import bits, factors_figure
from core.lesson.break_it import written
from core.lesson.every_number import every_number
from core.lesson.figure import show_figure
from core.lesson.predict_first import predict_first
from core.lesson.stepper import stepper
from core.models.language_model import Factors
from core.models.n_grams.ngram import NgramModel
from core.models.n_grams.ngram_text import CountedText
from core.models.n_grams.ngram_worked import explain
from pages.n_grams.parts.ngram_input import type_tokens
from pages.n_grams.parts.ngram_worked import worked

ASKED = 12  # tokens among which the least expected is guessed
TOKENS_SHOWN = 60


def choose_sentence(lesson: str, counted: CountedText) -> str:
    """Draw the field for a sentence, in the address as `<lesson>_<unit>_sentence`, and return the sentence.

    Without a token in it, it is the beginning of the text: its first sentence, up to eight tokens.
    """
    first = counted.training[: min(8, int(np.flatnonzero(counted.training == counted.counts.end)[0]))]
    example = ("" if counted.unit == "characters" else " ").join(counted.vocabulary.decode(first))
    hint = "Empty, it is the beginning of your text."
    typed = type_tokens(lesson, counted, "sentence", "A sentence", example, hint, at_most=1000)
    return typed if counted.encode(typed) else example


def predict_least_expected(lesson: str, counted: CountedText, factors: Factors, about: str) -> bool:
    """Ask for the token with the smallest factor, if it is among the first; return whether it may be shown."""
    least = int(np.argmin(factors.log_probabilities))
    if least >= ASKED:
        return True
    asked = list(factors.tokens[:ASKED])
    names = [counted.name(token) for token in asked]
    return predict_first(
        lesson,
        "Which token is the least expected?",
        list(dict.fromkeys(names)),
        names[least],
        f"{asked}_{about}",
    )


def show_measures(factors: Factors) -> None:
    """Show the sentence's ln p, its perplexity, and the product as it comes out of the machine."""
    left, middle, right = st.columns(3)
    left.metric("ln p of the sentence", written(factors.log_probability, ",.2f").replace("-", "−"))
    middle.metric("Perplexity", written(factors.perplexity, ",.1f"))
    right.metric("Raw product of all factors", f"{np.prod(np.exp(factors.log_probabilities)):.3g}")


def say_impossible(factors: Factors, order: int) -> None:
    """Say how many factors are nought, if any are, and what that does to the product."""
    if np.isinf(factors.perplexity):
        p = np.exp(factors.log_probabilities)
        st.info(
            f"{int((p == 0).sum())} of {len(p)} factors are 0: your text never has these runs of {order}. One factor "
            "of 0 makes the whole product 0, and the perplexity infinite, however likely the rest is."
        )


def choose_factor(lesson: str, factors: Factors) -> int:
    """Draw the steps through the factors that are drawn, and return the place of the one chosen."""
    drawn = min(len(factors.tokens), TOKENS_SHOWN)
    return stepper(lesson, [f"factor {i} of the product" for i in range(1, drawn + 1)])


def show_factors(lesson: str, counted: CountedText, factors: Factors, step: int) -> None:
    """Draw the surprise of each token, one factor marked."""
    names = [counted.name(token) for token in factors.tokens[:TOKENS_SHOWN]]
    show_figure(
        factors_figure(names, factors.log_probabilities[:TOKENS_SHOWN], step),
        f"{lesson}_figure",
        f"The surprise of each of {len(names)} tokens; the green one is worked out below",
    )


def show_worked(counted: CountedText, model: NgramModel, factors: Factors, step: int) -> None:
    """Show one factor worked out from its counts."""
    before, token = factors.tokens[:step], factors.tokens[step]
    h = counted.counts.look_back(before, model.order - 1)
    st.text(f"p( {counted.name(token)} | {counted.write(h)} )")
    st.latex(worked(counted, model, before, token))


def factor_table(lesson: str, counted: CountedText, model: NgramModel, factors: Factors) -> None:
    """Show every factor with its counts, its logarithm and its bits, under "Every number"."""
    tokens = factors.tokens
    steps = [explain(model, tokens[:i], token) for i, token in enumerate(tokens)]
    table = pd.DataFrame(
        {
            "token": [counted.name(token) for token in tokens],
            "context": [counted.write(step.context) for step in steps],
            "c(hw)": [step.count for step in steps],
            "c(h)": [step.context_count for step in steps],
            "p": np.exp(factors.log_probabilities),
            "ln p": factors.log_probabilities,
            "bits": bits(factors.log_probabilities),
        }
    )

    def formula(row: int, column: str) -> str | None:
        """Fill in the conditional probability of a token."""
        return None if column in ("token", "context") else worked(counted, model, tokens[:row], tokens[row])

    every_number(lesson, "factors", table, formula)
