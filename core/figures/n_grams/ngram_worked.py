"""An n-gram probability written out in LaTeX: its formula, the numbers in it, and the shorter ones it rests on."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.figures.worked import number, word
from core.models.n_grams.ngram import NgramModel
from core.models.n_grams.ngram_text import CountedText
from core.models.n_grams.ngram_worked import WorkedProbability, explain

Name = Callable[[int], str]


def conditional(token: int, context: Sequence[int], name: Name) -> str:
    r"""Return p(token | context) in LaTeX.

    >>> conditional(1, [0], ["i", "am"].__getitem__)
    'p(\\text{am}\\mid \\text{i})'
    """
    given = r"\mid " + r"\,".join(word(name(each)) for each in context) if context else ""
    return f"p({word(name(token))}{given})"


def levels(top: WorkedProbability) -> list[WorkedProbability]:
    """Return the steps of a worked probability, from the highest order down."""
    found, step = [], top
    while step is not None:
        found.append(step)
        step = step.lower
    return found


def list_worked_orders(top: WorkedProbability) -> list[WorkedProbability]:
    """Return the steps that a worked probability rests on, from the highest order down.

    A back-off that saw the run itself, and a method that uses one order only, rest on nothing below.
    """
    steps = levels(top)
    for i, step in enumerate(steps):
        if "h'" not in step.formula:
            return steps[: i + 1]
    return steps


def worked_probability(top: WorkedProbability, name: Name, types: int) -> str:
    """Return the probability in letters, in numbers, and as a value, then those of the shorter contexts.

    `types` is V: where the lowest step rests on 1 / V, that stands last.
    """
    lines, steps = [], list_worked_orders(top)
    for step in steps:
        left = conditional(step.token, step.context, name)
        lines += [rf"{left} &= {step.formula}", rf"&= {step.filled} = {number(step.probability)}"]
    if "h'" in steps[-1].formula:
        lines.append(rf"p(w\mid h') &= \frac{{1}}{{V}} = \frac{{1}}{{{types}}} = {number(1 / types)}")
    # The space at the end: without it KaTeX makes the box a hair too narrow, and it scrolls.
    return r"\begin{aligned}" + r"\\[4pt] ".join(lines) + r"\end{aligned}\;"


def worked(counted: CountedText, model: NgramModel, context: Sequence[int], token: int) -> str:
    """Return p(token | context) of a model in LaTeX, written out with its numbers."""
    return worked_probability(explain(model, context, int(token)), counted.name, len(model.vocabulary))
