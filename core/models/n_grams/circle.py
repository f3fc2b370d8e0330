"""Where a text written without chance begins to repeat itself: at the first context that comes back."""

from __future__ import annotations

from collections.abc import Sequence

from core.models.n_grams.ngram import NgramModel


def first_circle(model: NgramModel, prompt: Sequence[int], tokens: Sequence[int]) -> tuple[int, int] | None:
    """Return the places in `tokens` of the first two that were written after the same context, None if no two were.

    What the model writes depends on its context alone: always the likeliest, it goes round from the second
    place on as it went from the first.

    >>> from core.models.n_grams.ngram import maximum_likelihood
    >>> from core.models.n_grams.ngram_counts import count_ngrams
    >>> model = maximum_likelihood(count_ngrams([0, 1, 2, 1, 2, 1], ("a", "b", "c"), order=2), 2)
    >>> first_circle(model, [0], [1, 2, 1, 2])
    (1, 3)
    """
    met = {}
    for place in range(len(tokens)):
        context = model.counts.look_back([*prompt, *tokens[:place]], model.order - 1)
        if context in met:
            return met[context], place
        met[context] = place
    return None
