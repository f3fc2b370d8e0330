"""N-grams: the lessons of the subject in order."""

from pages.n_grams import (
    ngram_counts,
    ngram_generation,
    ngram_perplexity,
    ngram_probability,
    smoothing,
)

LESSONS = (
    ngram_counts,
    ngram_probability,
    smoothing,
    ngram_perplexity,
    ngram_generation,
)
