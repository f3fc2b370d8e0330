"""What counting reaches on a text's characters: the n-grams that a network has to be better than."""

from __future__ import annotations

from collections.abc import Mapping

from core.models.generation.character_split import hold_out, measured_loss, start_of, vocabulary_of
from core.models.n_grams.ngram import kneser_ney
from core.models.n_grams.ngram_counts import count_ngrams
from core.models.stored_language_models import CountedLanguageModel


def ngram_losses(text: str, orders: range) -> dict[int, float]:
    """Return the loss of modified Kneser-Ney n-grams for each n, {n: nats a character}: what counting reaches.

    Counted on the same nine tenths, measured on the same held-out characters, with the same vocabulary as the
    networks. Raises TrainingError for a text with too little in it.
    """
    vocabulary = vocabulary_of(text)
    training, held_out = hold_out(text).encode(vocabulary)
    counts = count_ngrams(training, vocabulary.types, max(orders))
    start = start_of(vocabulary.types)
    return {n: measured_loss(CountedLanguageModel(kneser_ney(counts, n), start), held_out) for n in orders}


def best_order(losses: Mapping[int, float]) -> int:
    """Return the n whose n-gram foresees the held-out text best, the smallest of equals.

    >>> best_order({1: 2.0, 2: 1.5, 3: 1.5})
    2
    """
    return min(losses, key=losses.get)
