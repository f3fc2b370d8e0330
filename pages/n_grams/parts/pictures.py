"""The cards' pictures of the lessons on n-grams."""

from __future__ import annotations

import plotly.graph_objects as go

from core.figures.card import small
from core.figures.n_grams.ngram import (
    draw_figure,
    factors_figure,
    moved_mass_figure,
    perplexity_by_order,
    window_figure,
)
from core.models.generation.sampling import Settings, generate
from core.models.n_grams.few_sentences import few_sentences
from core.models.n_grams.ngram import add_alpha, held_out, katz_backoff, kneser_ney, moved_mass


def ngram_counts() -> go.Figure:
    """A window of three words on a sentence."""
    return small(window_figure("<s> <s> the king sees the queen </s>".split(), 4, 3))


def ngram_probability() -> go.Figure:
    """The surprise of each word of a sentence, from bigrams."""
    counted = few_sentences()
    tokens = counted.encode("the king sees the old dog")
    model = kneser_ney(counted.counts, 2, 0.75)
    return small(
        factors_figure([counted.name(token) for token in tokens], model.token_log_probabilities(tokens))
    )


def smoothing() -> go.Figure:
    """What add-one moves from the words seen after "the" to those that were not."""
    counted = few_sentences()
    moved = moved_mass(add_alpha(counted.counts, 2), counted.encode("the", end=False))
    return small(moved_mass_figure(moved, [counted.name(token) for token in moved.tokens], most=3))


def ngram_perplexity() -> go.Figure:
    """Perplexity against n for three smoothings."""
    counted, orders = few_sentences(), (1, 2, 3, 4)
    lines = {
        fit.__name__: [held_out(fit(counted.counts, n), counted.held_out).perplexity for n in orders]
        for fit in (add_alpha, kneser_ney, katz_backoff)
    }
    return small(perplexity_by_order(orders, lines, len(counted.vocabulary)))


def ngram_generation() -> go.Figure:
    """What may follow "the king", and where a random number fell."""
    counted = few_sentences()
    prompt = counted.encode("the king", end=False)
    step = next(generate(kneser_ney(counted.counts, 3, 0.75), prompt, 1, Settings(), seed=1))
    return small(draw_figure(step, [counted.name(token) for token in step.trace.order[:6]]))
