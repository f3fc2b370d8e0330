"""What the lesson on beam search shows below its tree: hypotheses, one step's candidates, and the price of greed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.translation.beam_tree import candidates_figure, worked_log_probability
from core.lesson.every_number import every_number
from core.lesson.figure import show_figure
from core.lesson.stepper import stepper
from core.models.translation.translate import Beginning, Translator, beam, candidates, rescored
from pages.translation.parts.translator_choice import Task, held_out_pairs, translator_of

MEASURED = 40  # held-out inputs on which a width is measured


def show_candidates(
    lesson: str, task: Task, translator: Translator, source: Sequence[int], history, width: int
) -> None:
    """Step through the search: all candidates of a step, of which the best stay."""
    t = stepper(lesson, [f"output {task.unit} {i + 1}" for i in range(len(history))])
    parents = history[t - 1] if t else [Beginning((), 0.0, None)]
    found = candidates(translator.model, source, parents, width)
    kept = len(history[t])
    st.text(
        f"Beginnings kept before this step: {len(parents)}. Each is lengthened by its {width} likeliest "
        f"{task.unit}s; a finished one stays as it is. Candidates: {len(found)}. Kept, in blue: {kept}."
    )
    figure = candidates_figure(found, kept, translator.target.words)
    show_figure(figure, f"{lesson}_candidates", "The candidates of this step, the likeliest first")


def show_hypotheses(lesson: str, task: Task, translator: Translator, source: Sequence[int], last) -> None:
    """Show the hypotheses with their probabilities, each the product over its words."""
    table = pd.DataFrame(
        {
            "rank": range(1, len(last) + 1),
            "translation": [task.write(translator.target.decode(b.words)) for b in last],
            "ln p": [b.log_probability for b in last],
            "p": [float(np.exp(b.log_probability)) for b in last],
            f"{task.unit}s": [len(b.words) for b in last],
            f"ln p a {task.unit}": [b.log_probability / len(b.words) for b in last],
        }
    )

    def formula(row: int, column: str) -> str | None:
        """Add up the logarithms of a hypothesis' words."""
        if column != "ln p":
            return None
        words = list(last[row].words)
        log_p = rescored(translator.model, source, words).steps.logits[0].log_softmax(-1)
        return worked_log_probability(log_p[range(len(words)), words].numpy(), f"{row + 1}.")

    every_number(lesson, "hypotheses", table, formula)


@dataclass(frozen=True)
class SearchQuality:
    """Over held-out inputs: the share translated right, and the mean ln p of what the search found."""

    exact_match: float
    log_probability: float


@lru_cache(maxsize=64)
def search_quality(label: str, name: str, width: int) -> SearchQuality:
    """Return how well a width does; a width of 1 is greedy search."""
    translator, right, log_p = translator_of(name), [], []
    for pair in held_out_pairs(label, seed=3, count=MEASURED):
        best = beam(translator.model, translator.source.encode(pair.source), width)[-1][0]
        right.append(translator.target.decode(best.words) == list(pair.target))
        log_p.append(best.log_probability)
    return SearchQuality(float(np.mean(right)), float(np.mean(log_p)))
