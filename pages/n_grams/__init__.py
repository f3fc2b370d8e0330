"""N-grams: the subject's title, and its lessons in order."""

from pages.n_grams import (
    ngram_counts,
    ngram_generation,
    ngram_perplexity,
    ngram_probability,
    smoothing,
)

TITLE = "N-grams"
LESSONS = (
    ngram_counts,
    ngram_probability,
    smoothing,
    ngram_perplexity,
    ngram_generation,
)
