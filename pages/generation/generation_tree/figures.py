"""The lab of a tree of texts: its sentence, its choices, its tables."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from core.figures.generation.generation_tree import CHOICES, shorten_probability
from core.figures.generation.text_numbers import Formula, format_exponential, worked_mean, worked_sum
from core.figures.token_label import label_token
from core.figures.worked import number
from core.models.generation.generation_tree import GenerationTree, path_totals
from core.models.neural_language_model import log_softmax
from core.words.numbers import signed
from pages.generation.generation_tree import LESSON
from pages.generation.shared import WORDS as SHARED

WORDS = LESSON.words


def say_texts(tree: GenerationTree, ln_p: np.ndarray) -> str:
    """Return the sentence below the lab's tree: which text is the most probable, and by how much."""
    totals, _ = path_totals(tree, ln_p)
    leaves = [leaf for leaf in tree.leaves if leaf]
    if not leaves:
        return WORDS.label("says.empty")
    best, worst = max(leaves, key=totals.__getitem__), min(leaves, key=totals.__getitem__)
    return WORDS.label(
        "says.texts",
        n=len(leaves),
        best=SHARED.label(f"way.{tree.ways[best]}"),
        worst=SHARED.label(f"way.{tree.ways[worst]}"),
        total=signed(totals[best]),
        least=signed(totals[worst]),
        once=format_exponential(-totals[best]),
        times=format_exponential(totals[best] - totals[worst]),
    )


def choices_payload(
    ln_p: np.ndarray, names: Sequence[str], taken: Sequence[int], after: str, most: int = CHOICES
) -> dict:
    """Return the opened distribution, the most probable tokens first; those already `taken` are always among them."""
    order = np.argsort(-ln_p, kind="stable")
    listed = [int(i) for i in order[:most]] + [i for i in taken if i not in order[:most]]
    rest = 1.0 - float(np.exp(ln_p[listed]).sum())
    rows = [
        {
            "id": token,
            "token": label_token(names[token]),
            "p": float(np.exp(ln_p[token])),
            "numbers": [shorten_probability(float(np.exp(ln_p[token])))],
            "taken": token in taken,
            "kept": True,
        }
        for token in listed
    ]
    left = len(ln_p) - len(listed)
    more = WORDS.label("choices.more", n=left, p=shorten_probability(max(0.0, rest))) if left else ""
    return {
        "title": WORDS.label("choices.title", after=after),
        "head": WORDS.label("choices.head"),
        "rows": rows,
        "rest": more,
    }


def label_columns(table: dict[str, object], *, of: str) -> tuple[pd.DataFrame, dict[str, str]]:
    """Return a table whose columns have their labels, and the id of each label."""
    ids = {WORDS.label(f"column.{of}.{column}"): column for column in table}
    return pd.DataFrame(dict(zip(ids, table.values(), strict=True))), ids


def tree_table(tree: GenerationTree, ln_p: np.ndarray, names: Sequence[str]) -> tuple[pd.DataFrame, Formula]:
    """Return a row for each token of a tree, and the rows' formulas.

    >>> tree, _ = GenerationTree().grown(0, [0, 1], "greedy")
    >>> table, formula = tree_table(tree, np.array([0.0, -1.0, -2.0]), "ab")
    >>> table["ln p per token"].tolist(), formula(1, "ln p per token")[-4:]
    ([-1.0, -1.5], '-1.5')
    """
    totals, depths = path_totals(tree, ln_p)
    nodes = np.arange(1, len(tree))
    table, ids = label_columns(
        {
            "node": nodes,
            "after": [tree.parents[i] for i in nodes],
            "token": [label_token(names[tree.tokens[i]]) for i in nodes],
            "way": [SHARED.label(f"way.{tree.ways[i]}") for i in nodes],
            "p": np.exp(ln_p[nodes]),
            "ln_p": ln_p[nodes],
            "total": totals[nodes],
            "length": depths[nodes],
            "mean": totals[nodes] / depths[nodes],
        },
        of="tree",
    )
    return table, lambda row, column: worked_node(ln_p[tree.ancestry(row + 1)], ids[column])


def choices_table(logits: np.ndarray, names: Sequence[str]) -> tuple[pd.DataFrame, Formula]:
    """Return a row for each token that may come next, the most probable first, and the rows' formulas.

    >>> choices_table(np.log([0.25, 0.75]), "ab")[0]["p"].round(2).tolist()
    [0.75, 0.25]
    """
    order, ln_p = np.argsort(-logits, kind="stable"), log_softmax(logits)
    table, ids = label_columns(
        {
            "token": [label_token(names[i]) for i in order],
            "logit": logits[order],
            "ln_p": ln_p[order],
            "p": np.exp(ln_p[order]),
        },
        of="choices",
    )
    return table, lambda row, column: worked_choice(logits, int(order[row]), ids[column])


def worked_node(factors: np.ndarray, column: str) -> str | None:
    """Return one number of a tree's node, of whose path `factors` are the ln p."""
    if column == "p":
        return rf"p = e^{{{number(factors[-1])}}} = {number(float(np.exp(factors[-1])))}"
    if column == "total":
        return worked_sum(factors)
    return worked_mean(float(factors.sum()), len(factors)) if column == "mean" else None


def worked_choice(logits: np.ndarray, token: int, column: str) -> str | None:
    """Return one number of a next-token distribution; exponents are less the largest logit."""
    m = float(np.max(logits))
    total = float(np.exp(logits - m).sum())
    ln_p = float(log_softmax(logits)[token])
    if column == "ln_p":
        letters = r"z_i - m - \ln \sum_j e^{z_j - m}"
        return (
            rf"\ln p_i = {letters} = {number(logits[token])} - ({number(m)}) - "
            rf"\ln {number(total)} = {number(ln_p)},\qquad m = \max_j z_j"
        )
    return rf"p_i = e^{{{number(ln_p)}}} = {number(float(np.exp(ln_p)))}" if column == "p" else None
