"""One n-gram probability worked by hand: its counts, its formula, and the formula with the numbers in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.models.n_grams.ngram import Level, NgramModel


@dataclass(frozen=True)
class WorkedProbability:
    """p(token | context) worked at one order; `lower` is the same at the order below.

    `formula` and `filled` are LaTeX, in letters and in numbers. A context that was never seen has a
    `context_count` of nought. In `context` V stands for the start of a text.
    """

    order: int
    context: tuple[int, ...]
    token: int
    count: float  # c(hw), or N1+(. hw) in the lower orders of Kneser-Ney
    context_count: float  # c(h)
    types: int  # N1+(h .)
    discount: float  # d
    own: float  # what the run keeps for itself
    weight: float  # lambda(h) or alpha(h), what the context leaves to the shorter one
    probability: float
    formula: str
    filled: str
    lower: WorkedProbability | None


def explain(model: NgramModel, context: Sequence[int], token: int) -> WorkedProbability:
    """Return p(token | context) worked at the highest order, with all lower orders inside it.

    >>> from core.models.n_grams.ngram import kneser_ney
    >>> from core.models.n_grams.ngram_counts import count_ngrams
    >>> worked = explain(kneser_ney(count_ngrams([0, 1, 0, 2], "abc", 2), 2, 0.75), [0], 1)
    >>> print(worked.formula, worked.filled, worked.lower.filled, sep="\\n")
    \\frac{c(hw)-d}{c(h)}+\\lambda(h)\\,p(w\\mid h')
    \\frac{1-0.75}{2}+0.75\\cdot 0.25
    \\frac{1-0.75}{4}+0.5625\\cdot 0.33333
    """
    worked, p = None, model.floor
    for level in model.levels:
        worked = one_order(model, level, model.counts.look_back(context, level.order - 1), token, p, worked)
        p = worked.probability
    return worked


def one_order(
    model: NgramModel, level: Level, h: tuple[int, ...], token: int, p: float, lower: WorkedProbability | None
) -> WorkedProbability:
    """Return p(token | h) worked, given the probability `p` of the order below."""
    node, run = model.counts.node(h), model.counts.node((*h, token))
    if node is None or level.totals[node] == 0:
        formula, filled = unseen_context(model, p, lower is None)
        value = model.unseen * p
        return WorkedProbability(
            level.order, h, token, 0, 0, 0, 0, 0, model.unseen, value, formula, filled, lower
        )
    count, own, d = (0.0 if run is None else float(x[run]) for x in (level.counted, level.own, level.removed))
    total, weight = float(level.totals[node]), float(level.weight[node])
    value = own + (0.0 if model.backoff and run is not None else weight * p)
    types = int(model.counts.types[level.order - 1][node])
    formula, filled = formulas(model, level, count, total, d, weight, p)
    return WorkedProbability(
        level.order, h, token, count, total, types, d, own, weight, value, formula, filled, lower
    )


def unseen_context(model: NgramModel, p: float, lowest: bool) -> tuple[str, str]:
    """Return the formula after a context that was never seen: the shorter one takes its place."""
    if lowest and p == 0:
        return "0/0", "0"
    if model.unseen == 1:
        return r"p(w\mid h')", format_formula_number(p)
    return r"\alpha\,p(w\mid h')", rf"{format_formula_number(model.unseen)}\cdot {format_formula_number(p)}"


def formulas(
    model: NgramModel, level: Level, count: float, total: float, discount: float, weight: float, p: float
) -> tuple[str, str]:
    """Return this order's equation in LaTeX, in letters and with these numbers in it."""
    c, t, d, w, q = (format_formula_number(value) for value in (count, total, discount, weight, p))
    if model.smoothing == "add-alpha":
        V, alpha = len(model.vocabulary), format_formula_number(model.parameters["alpha"])
        return r"\frac{c(hw)+\alpha}{c(h)+\alpha V}", rf"\frac{{{c}+{alpha}}}{{{t}+{alpha}\cdot {V}}}"
    letters = (r"c(hw)", r"c(h)")
    if level.counted is not model.counts.counts[level.order]:
        letters = (r"N_{1+}(\cdot\,hw)", r"N_{1+}(\cdot\,h\,\cdot)")
    own, filled = (
        write_discounted_share(*letters, "d" if discount else ""),
        write_discounted_share(c, t, d if discount else ""),
    )
    if model.smoothing == "maximum likelihood":
        return own, filled
    if model.smoothing == "linear interpolation":
        return (
            rf"\lambda{own}+(1-\lambda)\,p(w\mid h')",
            rf"{format_formula_number(1 - weight)}\cdot {filled}+{w}\cdot {q}",
        )
    if model.backoff:
        return (own, filled) if count else (r"\alpha(h)\,p(w\mid h')", rf"{w}\cdot {q}")
    if count == 0:
        own, filled = "0", "0"
    return rf"{own}+\lambda(h)\,p(w\mid h')", rf"{filled}+{w}\cdot {q}"


def write_discounted_share(count: str, total: str, discount: str) -> str:
    """Return (count - discount) / total in LaTeX."""
    return rf"\frac{{{count}-{discount}}}{{{total}}}" if discount else rf"\frac{{{count}}}{{{total}}}"


def format_formula_number(value: float) -> str:
    """Return a number as it stands in a formula: whole numbers as they are, others to five figures.

    >>> print(format_formula_number(12.0), format_formula_number(1 / 3), format_formula_number(0.0000123456))
    12 0.33333 1.2346\\cdot 10^{-5}
    """
    if value == int(value):
        return f"{value:.0f}"
    digits, _, exponent = f"{value:.5g}".partition("e")
    return rf"{digits}\cdot 10^{{{int(exponent)}}}" if exponent else digits
