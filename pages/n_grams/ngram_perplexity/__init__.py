"""Perplexity: a story of sentences of Hamlet that no model has read, and a lab on the learner's own text."""

from core.figures.card import small
from core.figures.figure import Figure
from core.lesson.lesson import Lesson
from core.models.n_grams.few_sentences import few_sentences
from core.models.n_grams.held_out import evaluate_ngrams
from core.models.n_grams.ngram import add_alpha, katz_backoff, kneser_ney

LESSON = Lesson(__name__, icon="ruler")


def picture() -> Figure:
    """Perplexity against n for three smoothings."""
    from pages.n_grams.ngram_perplexity.figures import perplexity_by_order

    counted, orders = few_sentences(), (1, 2, 3, 4)
    lines = {
        fit.__name__: [evaluate_ngrams(fit(counted.counts, n), counted.held_out).perplexity for n in orders]
        for fit in (add_alpha, kneser_ney, katz_backoff)
    }
    return small(perplexity_by_order(orders, lines, len(counted.vocabulary)))
