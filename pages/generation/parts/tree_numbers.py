"""A tree of texts in numbers: each token with its path's ln p, the opened distribution, and every model's opinion."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.generation.sampling import shown
from core.figures.worked import number
from core.lesson.choices.language_model_choice import OWN, ChosenModel, language_model, model_labels
from core.lesson.every_number import every_number
from core.models.generation.generation_tree import GenerationTree, path_totals
from core.models.neural_language_model import log_softmax
from core.text.reading.documents import Document
from pages.generation.parts.grown_tree import scored


def mean_of_leaves(tree: GenerationTree, ln_p: np.ndarray) -> float:
    """Return the mean ln p of a token over all texts of a tree; 0 for the prompt alone."""
    totals, depths = path_totals(tree, ln_p)
    return float(totals[tree.leaves].sum() / max(1, depths[tree.leaves].sum()))


def tree_numbers(
    lesson: str, chosen: ChosenModel, tree: GenerationTree, ln_p: np.ndarray, logits: np.ndarray
) -> None:
    """Show each token's row and the opened distribution, with the formula of a selected cell filled in."""
    totals, depths = path_totals(tree, ln_p)
    nodes = np.arange(1, len(tree))
    table = pd.DataFrame(
        {
            "token number": nodes,
            "after": [tree.parents[i] for i in nodes],
            "token": [shown(chosen.names[tree.tokens[i]]) for i in nodes],
            "made": [tree.ways[i] for i in nodes],
            "p": np.exp(ln_p[nodes]),
            "ln p": ln_p[nodes],
            "ln p of the path": totals[nodes],
            "tokens": depths[nodes],
            "a token": totals[nodes] / depths[nodes],
        }
    )
    every_number(
        lesson, "the tree", table, lambda row, column: worked_path(tree, ln_p, totals, row + 1, column)
    )
    order, next_ln_p = np.argsort(-logits, kind="stable"), log_softmax(logits)
    opened = pd.DataFrame(
        {
            "token": [shown(chosen.names[i]) for i in order],
            "z": logits[order],
            "ln p": next_ln_p[order],
            "p": np.exp(next_ln_p[order]),
        }
    )
    every_number(
        lesson,
        "the opened distribution",
        opened,
        lambda row, column: worked_next(logits, int(order[row]), column),
    )


def worked_path(
    tree: GenerationTree, ln_p: np.ndarray, totals: np.ndarray, node: int, column: str
) -> str | None:
    """Return the formula of one number of a token's row, filled in."""
    factors = [ln_p[i] for i in tree.ancestry(node)]
    if column == "p":
        return rf"p = e^{{{number(ln_p[node])}}} = {number(float(np.exp(ln_p[node])))}"
    if column == "ln p of the path":
        terms = [f"({number(value)})" for value in factors]
        terms = terms if len(terms) < 9 else [*terms[:4], r"\dots", *terms[-3:]]
        return rf"\ln p(y) = {' + '.join(terms)} = {number(totals[node], 6)}"
    if column == "a token":
        n = len(factors)
        return rf"\frac{{\ln p(y)}}{{n}} = \frac{{{number(totals[node], 6)}}}{{{n}}} = {number(totals[node] / n)}"
    return None


def worked_next(logits: np.ndarray, token: int, column: str) -> str | None:
    """Return the formula of one number of the opened distribution; exponents are less the largest logit."""
    m = float(np.max(logits))
    total = float(np.exp(logits - m).sum())
    ln_p = float(log_softmax(logits)[token])
    if column == "ln p":
        return (
            rf"\ln p_i = z_i - m - \ln \sum_j e^{{z_j - m}} = {number(logits[token])} - ({number(m)}) - "
            rf"\ln {number(total)} = {number(ln_p)},\qquad m = \max_j z_j"
        )
    if column == "p":
        return rf"p_i = e^{{{number(ln_p)}}} = {number(float(np.exp(ln_p)))}"
    return None


def same_tokens(labels: Iterable[str], document: Document, names: Sequence[str]) -> list[ChosenModel]:
    """Return the models of some labels whose tokens are exactly these."""
    models = [language_model(label, document) for label in labels]
    return [model for model in models if tuple(model.names) == tuple(names)]


def every_model_on(
    lesson: str, document: Document, text: str, tree: GenerationTree, names: Sequence[str]
) -> None:
    """Score every text of the tree by every model with these tokens, if the learner asks for it."""
    if not st.toggle("Ask every model about these texts", key=f"{lesson}_every", bind="query-params"):
        return
    st.caption("The mean ln p of a token, under each model that has the same tokens.")
    leaves = [leaf for leaf in tree.leaves if leaf]
    models = same_tokens(model_labels(), document, names) or same_tokens(OWN, document, names)
    table: dict[str, list] = {"text": [shown(models[0].decode(tree.path(leaf))) for leaf in leaves]}
    for model in models:
        totals, depths = path_totals(tree, scored(model, document, model.encode(text), tree))
        table[model.label] = [float(totals[leaf] / depths[leaf]) for leaf in leaves]
    st.dataframe(pd.DataFrame(table), key=f"{lesson}_models_table", hide_index=True, alt="Every model's ln p")
