"""The numbers of generated texts: as tables, with the formula of each cell filled in (LaTeX), and in a sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from core.figures.generation.sampling import shown
from core.figures.worked import number, plain_number, signed
from core.models.generation.beam_search import Node
from core.models.generation.generation_tree import GenerationTree, path_totals
from core.models.neural_language_model import log_softmax

Formula = Callable[[int, str], str | None]  # (row, column) -> LaTeX


def tree_table(tree: GenerationTree, ln_p: np.ndarray, names: Sequence[str]) -> tuple[pd.DataFrame, Formula]:
    """Return a row for each token of a tree, and the rows' formulas.

    >>> tree, _ = GenerationTree().grown(0, [0, 1], "greedy")
    >>> table, formula = tree_table(tree, np.array([0.0, -1.0, -2.0]), "ab")
    >>> table["a token"].tolist(), formula(1, "a token")[-4:]
    ([-1.0, -1.5], '-1.5')
    """
    totals, depths = path_totals(tree, ln_p)
    nodes = np.arange(1, len(tree))
    table = pd.DataFrame(
        {
            "token number": nodes,
            "after": [tree.parents[i] for i in nodes],
            "token": [shown(names[tree.tokens[i]]) for i in nodes],
            "made": [tree.ways[i] for i in nodes],
            "p": np.exp(ln_p[nodes]),
            "ln p": ln_p[nodes],
            "ln p of the path": totals[nodes],
            "tokens": depths[nodes],
            "a token": totals[nodes] / depths[nodes],
        }
    )
    return table, lambda row, column: worked_node(ln_p[tree.ancestry(row + 1)], column)


def choices_table(logits: np.ndarray, names: Sequence[str]) -> tuple[pd.DataFrame, Formula]:
    """Return a row for each token that may come next, the likeliest first, and the rows' formulas.

    >>> choices_table(np.log([0.25, 0.75]), "ab")[0]["p"].round(2).tolist()
    [0.75, 0.25]
    """
    order, ln_p = np.argsort(-logits, kind="stable"), log_softmax(logits)
    table = {"token": [shown(names[i]) for i in order], "z": logits[order], "ln p": ln_p[order]}
    table["p"] = np.exp(ln_p[order])
    return pd.DataFrame(table), lambda row, column: worked_choice(logits, int(order[row]), column)


def texts_said(tree: GenerationTree, ln_p: np.ndarray) -> str:
    """Say which text of a tree is the likeliest, and by how much.

    >>> tree, _ = GenerationTree().grown(0, [0], "greedy")
    >>> texts_said(tree, np.array([0.0, -1.0]))
    'This text has ln p −1.00: the model writes it once in 2.72 times.'
    """
    totals, _ = path_totals(tree, ln_p)
    leaves = [leaf for leaf in tree.leaves if leaf]
    if not leaves:
        return "Nothing is written yet: press Greedy, Sample or Beam, or click a token."
    best, worst = max(leaves, key=totals.__getitem__), min(leaves, key=totals.__getitem__)
    if best == worst:
        return f"This text has ln p {signed(totals[best])}: the model writes it once in {times(-totals[best])} times."
    return (
        f"Of these {len(leaves)} texts a {tree.ways[best]} one is the likeliest, ln p {signed(totals[best])}: "
        f"{times(totals[best] - totals[worst])} times as likely as the least likely, {tree.ways[worst]}, "
        f"ln p {signed(totals[worst])}."
    )


def times(ln: float) -> str:
    """Return e^ln as plain text.

    >>> times(0.0), times(2000.0)
    ('1', 'e^2000.00')
    """
    return plain_number(float(np.exp(ln))) if ln < 700 else f"e^{signed(ln)}"


def worked_sum(ln_p: Sequence[float]) -> str:
    r"""Return ln p of a text as the sum of its tokens', the middle of a long one left out.

    >>> worked_sum([-1.0, -0.5])
    '\\ln p(y) = (-1) + (-0.5) = -1.5'
    """
    terms = [f"({number(value)})" for value in ln_p]
    terms = terms if len(terms) < 9 else [*terms[:4], r"\dots", *terms[-3:]]
    return rf"\ln p(y) = {' + '.join(terms)} = {number(float(np.sum(ln_p)), 6)}"


def worked_mean(total: float, n: int) -> str:
    r"""Return ln p of a token as that of the text divided by its tokens.

    >>> worked_mean(-6.0, 4)
    '\\frac{\\ln p(y)}{n} = \\frac{-6}{4} = -1.5'
    """
    return rf"\frac{{\ln p(y)}}{{n}} = \frac{{{number(total, 6)}}}{{{n}}} = {number(total / n)}"


def worked_score(total: float, n: int, penalty: float) -> str:
    r"""Return beam search's score of a text of n tokens.

    >>> worked_score(-6.0, 4, 0.5)
    '\\frac{-6}{4^{0.5}} = -3'
    """
    return rf"\frac{{{number(total, 6)}}}{{{n}^{{{number(penalty)}}}}} = {number(total / n**penalty)}"


def worked_candidate(node: Node, column: str, penalty: float) -> str | None:
    """Return one number of a candidate of beam search: its ln p, which adds its token's, or its score."""
    if column == "ln p":
        before = node.total - node.log_probability
        return rf"{number(before)} + ({number(node.log_probability)}) = {number(node.total)}"
    return worked_score(node.total, node.depth, penalty) if column == "score" else None


def worked_text(ln_p: np.ndarray, column: str, penalty: float = 1.0) -> str | None:
    """Return one number of a text's row: its ln p, a token's, or its score."""
    total, n = float(ln_p.sum()), len(ln_p)
    if column == "ln p":
        return worked_sum(ln_p)
    if column == "ln p / tokens":
        return worked_mean(total, n)
    return worked_score(total, n, penalty) if column == "score" else None


def worked_node(factors: np.ndarray, column: str) -> str | None:
    """Return one number of a tree's node, of whose path `factors` are the ln p."""
    if column == "p":
        return rf"p = e^{{{number(factors[-1])}}} = {number(float(np.exp(factors[-1])))}"
    if column == "ln p of the path":
        return worked_sum(factors)
    return worked_mean(float(factors.sum()), len(factors)) if column == "a token" else None


def worked_choice(logits: np.ndarray, token: int, column: str) -> str | None:
    """Return one number of a next-token distribution; exponents are less the largest logit."""
    m = float(np.max(logits))
    total = float(np.exp(logits - m).sum())
    ln_p = float(log_softmax(logits)[token])
    if column == "ln p":
        return (
            rf"\ln p_i = z_i - m - \ln \sum_j e^{{z_j - m}} = {number(logits[token])} - ({number(m)}) - "
            rf"\ln {number(total)} = {number(ln_p)},\qquad m = \max_j z_j"
        )
    return rf"p_i = e^{{{number(ln_p)}}} = {number(float(np.exp(ln_p)))}" if column == "p" else None
