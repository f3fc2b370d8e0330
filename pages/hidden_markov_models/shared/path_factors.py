"""Every number of one or more paths: each factor of p(path, words), and their product."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import pandas as pd

from core.figures.hidden_markov_models.formulas import factor_names, worked_factors
from core.lesson.every_number import Formula
from core.lesson.lesson import Lesson
from core.models.hidden_markov_models.hmm import HiddenMarkovModel, joint_log_probability
from pages.hidden_markov_models.shared import WORDS


def path_factors(
    lesson: Lesson, words: Sequence[str], paths: Mapping[str, tuple[HiddenMarkovModel, Sequence[int]]]
) -> None:
    """Promise the factors of named paths, each through its model's lattice, under "Every number"."""
    lesson.every_number(WORDS.label("table.factors"), factors_table, words, paths)


def factors_table(
    words: Sequence[str], paths: Mapping[str, tuple[HiddenMarkovModel, Sequence[int]]]
) -> tuple[pd.DataFrame, Formula]:
    """Return the factors of named paths."""
    factors = {}
    for label, (model, path) in paths.items():
        log_emission = model.emissions(words).log_emission
        tables = (model.log_initial, model.log_transition, log_emission, model.log_end)
        factors[label] = joint_log_probability(path, *tables)
    names = [WORDS.label(f"column.{key}") for key in ("path", "factor", "probability", "ln")]
    rows = [
        (label, name, f"{math.exp(value):.6g}", float(value))
        for label, (model, path) in paths.items()
        for name, value in zip(factor_names(model, words, path), factors[label], strict=True)
    ]

    def formula(row: int, column: str) -> str | None:
        return worked_factors(factors[rows[row][0]]) if column in names[2:] else None

    return pd.DataFrame(rows, columns=names), formula
