"""Tokens drawn one by one from an n-gram model: what is asked for, one draw, and how much of a text is copied."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pandas as pd
import streamlit as st

from core.figures.n_grams.ngram import draw_figure
from core.lesson.break_it import consequence
from core.lesson.choices.ngram_choice import ORDER_AT_MOST, ChosenSmoothing
from core.lesson.every_number import every_number
from core.lesson.figure import show_figure
from core.lesson.predict_first import predict_first
from core.models.generation.sampling import Settings, Step, generate
from core.models.n_grams.longest_copy import longest_copy
from core.models.n_grams.ngram import NgramModel
from core.models.n_grams.ngram_text import CountedText
from pages.n_grams.parts.ngram_worked import worked

ROWS_AT_MOST = 200
DRAWN_AT_MOST, ASKED_AT_MOST = 12, 5  # tokens beside the one that was drawn


@dataclass(frozen=True)
class Request:
    """What is to be written, by whichever model: after which tokens, how many, how they are drawn, the seed."""

    prompt: Sequence[int]
    length: int
    settings: Settings
    seed: int

    def steps(self, model: NgramModel) -> list[Step]:
        """Return each token that a model writes, with the distribution it was drawn from."""
        return list(generate(model, self.prompt, self.length, self.settings, self.seed))

    def tokens(self, model: NgramModel) -> list[int]:
        """Return the tokens that a model writes."""
        return [step.token for step in self.steps(model)]


def predict_drawn(lesson: str, counted: CountedText, step: Step, about: str) -> bool:
    """Ask for the token that is drawn, among the likeliest; return whether it may be shown."""
    drawn = counted.name(step.token)
    likeliest = [counted.name(token) for token in step.trace.order[:ASKED_AT_MOST]]
    choices = list(dict.fromkeys([*likeliest, drawn]))
    return predict_first(lesson, "Which token comes next?", choices, drawn, about)


def show_draw(
    lesson: str, counted: CountedText, h: tuple[int, ...], step: Step, place: int, greedy: bool
) -> None:
    """Draw the distribution after h that step number `place` was drawn from, and say where the random number fell."""
    trace, drawn = step.trace, counted.name(step.token)
    how = "the likeliest is taken," if greedy else f"u = {step.u:.3f} falls into"
    st.text(
        f"After {counted.write(h) or 'anything'}: {how} “{drawn}”, p = {trace.probabilities[step.token]:.3g}; by "
        f"rank number {trace.rank[step.token]} of {int((trace.probabilities > 0).sum()):,} that can come."
    )
    names = [counted.name(token) for token in trace.order[:DRAWN_AT_MOST]]
    show_figure(
        draw_figure(step, names, not greedy, 360),
        f"{lesson}_figure",
        f"The next-token distribution of step {place}: {how} {drawn}",
    )


def show_circles(request: Request, model: NgramModel, greedy: Sequence[int]) -> None:
    """Show how many different tokens a model writes when it draws, against those it wrote greedily."""
    st.markdown("Without chance the model runs in circles: after the same context it always says the same.")
    drawn = replace(request, settings=Settings()).tokens(model)
    consequence("Different tokens", len(set(drawn)), len(set(greedy)), "d")


def show_orders(counted: CountedText, smoothing: ChosenSmoothing, request: Request) -> None:
    """Show the text that every order writes, and how long a run of it stands in the learner's text."""
    for n in range(1, ORDER_AT_MOST + 1):
        model = smoothing.fit(counted.counts, n)
        tokens = request.tokens(model) if model.scores(request.prompt).any() else []
        copied = longest_copy(tokens, counted.training)[1]
        st.caption(f"n = {n}: longest copy {copied} of {len(tokens)} tokens")
        st.code(counted.write(tokens) or "no next token (0 / 0)", language=None, wrap_lines=True)


def next_table(lesson: str, counted: CountedText, model: NgramModel, context: list[int], step: Step) -> None:
    """Show every token that can come next with its probability, under "Every number"."""
    tokens = step.trace.order[:ROWS_AT_MOST]
    table = pd.DataFrame(
        {
            "token": [counted.name(token) for token in tokens],
            "p": step.trace.probabilities[tokens],
            "cumulative": step.trace.cumulative[tokens],
            "drawn": tokens == step.token,
        }
    )

    def formula(row: int, column: str) -> str | None:
        """Fill in the probability of a token."""
        return worked(counted, model, context, tokens[row]) if column == "p" else None

    every_number(lesson, "next tokens", table, formula)
