"""Every number of naive Bayes: what each word of a document says of the classes, and the words that tell them apart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from core.figures.documents import WORDS
from core.figures.documents.naive_bayes import latex_log, logarithm, worked_likelihood, worked_prior
from core.figures.worked import word
from core.models.documents.bag_of_words import Bags
from core.models.documents.naive_bayes import NaiveBayes, NaiveBayesReading

ROWS_AT_MOST = 2_000


def say(what: str, **values: object) -> str:
    """Return one of the words of these tables."""
    return WORDS.label(f"naive_bayes_tables.{what}", **values)


def document_table(
    model: NaiveBayes, reading: NaiveBayesReading, classes: Sequence[str], shown: Sequence[int]
) -> tuple:
    """Return what each word of the document says of the classes shown, and the formula of its cells."""
    sums = reading.sums
    terms = np.vstack([reading.log_prior, reading.log_likelihoods])
    table: dict[str, list] = {say("word"): [say("prior"), *reading.tokens]}
    by_name = {say(kind, name=classes[c]): (kind, c) for c in shown for kind in ("times", "ln_p", "sum")}
    for name, (kind, c) in by_name.items():
        if kind == "times":
            table[name] = [None, *map(int, model.counts_[c, reading.columns])]
        else:
            values = terms[:, c] if kind == "ln_p" else sums[:, c]
            table[name] = [logarithm(value, 4) for value in values]

    def formula(row: int, column: str) -> str | None:
        kind, c = by_name.get(column, ("", 0))
        if kind == "ln_p":
            prior = worked_prior(model, classes, c)
            return worked_likelihood(model, reading, classes, c, row - 1) if row else prior
        if kind == "sum":
            added = " + ".join(f"({latex_log(value)})" for value in terms[: row + 1, c])
            return f"{added} = {latex_log(sums[row, c])}"
        return None

    return pd.DataFrame(table), formula


def vocabulary_table(model: NaiveBayes, learnt: Bags) -> tuple:
    """Return the words whose probability differs most between two classes, and the formula of its cells."""
    logs = model.log_likelihood_  # (C, V)
    best, least = logs.argmax(axis=0), logs.argmin(axis=0)
    with np.errstate(invalid="ignore"):
        ratios = np.nan_to_num(logs.max(axis=0) - logs.min(axis=0), nan=0.0, posinf=np.inf)
    order = np.argsort(-ratios, kind="stable")[:ROWS_AT_MOST]
    ratio = say("ratio")
    table = pd.DataFrame(
        {
            say("word"): [learnt.vocabulary[v] for v in order],
            say("best"): [learnt.classes[best[v]] for v in order],
            say("least"): [learnt.classes[least[v]] for v in order],
            ratio: ["∞" if np.isinf(ratios[v]) else f"{ratios[v]:.4f}" for v in order],
            **{
                say("times", name=name): model.counts_[c, order].astype(int)
                for c, name in enumerate(learnt.classes)
            },
        }
    )

    def formula(row: int, column: str) -> str | None:
        if column != ratio:
            return None
        v, name = order[row], word(learnt.vocabulary[order[row]][:30])
        pair = best[v], least[v]
        one, other = (rf"p({name} \mid {word(learnt.classes[c])})" for c in pair)
        filled = " - ".join(f"({latex_log(logs[c, v])})" for c in pair)
        return rf"\ln \frac{{{one}}}{{{other}}} = {filled} = {table[column][row].replace('∞', chr(92) + 'infty')}"

    return table, formula
