"""Likely texts measured: circles, word pairs, ln p of a token, in one table and pooled for each way to write."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.generation.sampling import shown
from core.figures.worked import number, signed
from core.lesson.choices.language_model_choice import ChosenModel, model_labels
from core.lesson.every_number import every_number
from core.models.generation.degeneration import Cycle, distinct, repeated_cycle
from core.models.stored import load_card
from core.text.tokenization.tokens import words
from pages.generation.parts.passages import Measured, Passage


@dataclass(frozen=True)
class Judged:
    """One text: who wrote it after which passage, its words, ln p of its tokens, the circle it ends in, if any."""

    way: str
    source: str
    text: str
    words: tuple[str, ...]
    ln_p: np.ndarray
    cycle: Cycle | None

    @property
    def pairs(self) -> tuple[int, int]:
        """Different word pairs, and word pairs in all."""
        return distinct([self.words], 2)


def judged(chosen: ChosenModel, passage: Passage, texts: dict[str, Measured]) -> list[Judged]:
    """Return what is to be said of the texts that were written after a passage."""
    found = []
    for way, measured in texts.items():
        text = chosen.decode(measured.tokens)
        cycle = repeated_cycle(measured.tokens)
        ln_p = np.array(measured.ln_p)
        found.append(Judged(way, passage.source, text, tuple(words(text)), ln_p, cycle))
    return found


def pooled(every: list[Judged]) -> tuple[dict[str, float], dict[str, float], dict[str, int]]:
    """Return each way's mean ln p of a token, share of different word pairs, and number of texts with a circle."""
    means, varied, circles = {}, {}, {}
    for way in dict.fromkeys(each.way for each in every):
        texts = [each for each in every if each.way == way]
        different, pairs = distinct([each.words for each in texts], 2)
        means[way] = float(np.concatenate([each.ln_p for each in texts]).mean())
        varied[way] = different / max(1, pairs)
        circles[way] = sum(each.cycle is not None for each in texts)
    return means, varied, circles


def usual(chosen: ChosenModel) -> float | None:
    """Return a stored model's mean ln p of a held-out token, from its card; None for a model of the learner's text."""
    name = model_labels().get(chosen.label)
    quality = load_card(name).quality if name else {}
    nats = [value for measure, value in quality.items() if measure.startswith("nats per")]
    return -nats[0] if nats else None


def circle(cycle: Cycle | None) -> str:
    """Say since when a text runs in a circle.

    >>> circle(Cycle(12, 5, 4.0)), circle(None)
    ('from token 13 on the same 5 tokens, 4.0 times', 'no circle')
    """
    if cycle is None:
        return "no circle"
    return f"from token {cycle.start + 1} on the same {cycle.length} tokens, {cycle.times:.1f} times"


def show_texts(prompt: str, texts: list[Judged]) -> None:
    """Write the prompt, then each text with its numbers, two beside each other."""
    st.code(prompt or " ", language=None, wrap_lines=True)
    for start in range(0, len(texts), 2):
        for column, each in zip(st.columns(2), texts[start : start + 2], strict=False):
            different, pairs = each.pairs
            with column:
                st.markdown(f"**{each.way}** · ln p {signed(float(each.ln_p.mean()))} a token")
                st.code(each.text or " ", language=None, wrap_lines=True)
                st.caption(f"{different} of {pairs} word pairs differ; {circle(each.cycle)}.")


def verdict(
    means: dict[str, float], varied: dict[str, float], circles: dict[str, int], passages: int
) -> None:
    """Say in numbers what was found, whichever way it went."""
    real, beam = next(iter(means)), next(way for way in means if way.startswith("beam"))
    times = float(np.exp(means[beam] - means[real]))
    nearest = min((way for way in means if way != real), key=lambda way: abs(means[way] - means[real]))
    st.markdown(
        f"To the model a token of the **{beam}** is {times:.1f} times as likely as one of {real} (geometric mean). "
        f"Of the beam's word pairs **{varied[beam]:.0%}** differ, of the real text's **{varied[real]:.0%}**. "
        f"Sampled text has ln p {signed(means['sampled'])} a token, {real} {signed(means[real])}; the nearest to "
        f"{real} is **{nearest}** with {signed(means[nearest])}."
    )
    counts = ", ".join(f"{way} {circles[way]}" for way in means)
    st.markdown(
        f"Texts that end in a circle, the same tokens three times or more, of {passages} each: {counts}."
        + ("" if circles["greedy"] else " Greedy search did not close a circle here; longer texts may.")
    )


def numbers_of_texts(lesson: str, every: list[Judged]) -> None:
    """Show each text's row, with the mean and the share of a selected cell filled in."""
    table = pd.DataFrame(
        {
            "after": [each.source for each in every],
            "written by": [each.way for each in every],
            "tokens": [len(each.ln_p) for each in every],
            "ln p": [float(each.ln_p.sum()) for each in every],
            "ln p / tokens": [float(each.ln_p.mean()) for each in every],
            "different pairs": [each.pairs[0] for each in every],
            "word pairs": [each.pairs[1] for each in every],
            "distinct-2": [each.pairs[0] / max(1, each.pairs[1]) for each in every],
            "circle": [circle(each.cycle) for each in every],
            "text": [shown(each.text) for each in every],
        }
    )

    def formula(row: int, column: str) -> str | None:
        """Fill in the sum, the mean or the share of one text."""
        each = every[row]
        if column == "ln p":
            terms = [f"({number(value)})" for value in each.ln_p[:5]]
            return rf"{' + '.join(terms)} + \dots = {number(float(each.ln_p.sum()), 6)}"
        if column == "ln p / tokens":
            total = number(float(each.ln_p.sum()), 6)
            return rf"\frac{{{total}}}{{{len(each.ln_p)}}} = {number(float(each.ln_p.mean()))}"
        if column == "distinct-2":
            different, pairs = each.pairs
            return rf"\frac{{{different}}}{{{pairs}}} = {number(different / max(1, pairs))}"
        return None

    every_number(lesson, "the texts", table, formula)
