"""The formula of an n-gram probability on the learner's text, with its counts filled in."""

from __future__ import annotations

from collections.abc import Sequence

from core.figures.n_grams.ngram_worked import worked_probability
from core.models.n_grams.ngram import NgramModel, maximum_likelihood
from core.models.n_grams.ngram_text import CountedText
from core.models.n_grams.ngram_worked import explain


def worked(counted: CountedText, model: NgramModel, context: Sequence[int], token: int) -> str:
    """Return p(token | context) of a model in LaTeX, written out with its numbers."""
    return worked_probability(explain(model, context, int(token)), counted.name, len(model.vocabulary))


def worked_run(counted: CountedText, run: Sequence[int]) -> str:
    """Return c(hw) / c(h) of a run, written out with its counts."""
    return worked(counted, maximum_likelihood(counted.counts, len(run)), run[:-1], run[-1])
