"""A few sentences, counted: what the small pictures on the lessons' cards are drawn from."""

from __future__ import annotations

from functools import cache

from core.models.n_grams.ngram_text import CountedText, count_text
from core.text.samples.microworld import microworld


@cache
def few_sentences() -> CountedText:
    """Return 300 sentences of the micro-world, counted."""
    return count_text("\n".join(microworld(300, seed=1)), order=4, hold_out=10)
