"""Small texts for exercises, whose words can be counted by hand: sentences that end with a full stop."""

from __future__ import annotations

from collections.abc import Sequence

from core.exercises.draws import Draws
from core.models.n_grams.ngram_counts import NgramCounts, count_ngrams

DETERMINERS, NOUNS, VERBS = ("the", "a"), ("cat", "dog", "bird"), ("sees", "hears")
START, STOP = "<s>", "."


def draw_sentence(draws: Draws) -> list[str]:
    """Return a sentence with its full stop."""
    return [draws.choose(words) for words in (DETERMINERS, NOUNS, VERBS, DETERMINERS, NOUNS)] + [STOP]


def draw_text(draws: Draws, sentences: int) -> list[str]:
    """Return the tokens of a small text."""
    return [token for _ in range(sentences) for token in draw_sentence(draws)]


def count_small_text(
    tokens: Sequence[str], order: int = 2, end: str | None = None, others: Sequence[str] = ()
) -> NgramCounts:
    """Return the counts of a text, whose vocabulary is in the order of the alphabet; with `end`, sentence by sentence.

    Words of `others` are in the vocabulary too.

    >>> counts = count_small_text(["a", "b", ".", "a", "a", "."], end=".")
    >>> counts.vocabulary, counts.count((1, 2)), counts.count((0, 1))
    (('.', 'a', 'b'), 1, 0)
    """
    vocabulary = tuple(sorted({*tokens, *others}))
    last = None if end is None else vocabulary.index(end)
    return count_ngrams([vocabulary.index(token) for token in tokens], vocabulary, order, last)


def sentences_of(tokens: list[str]) -> list[str]:
    """Return a text's sentences, each with its full stop."""
    return [f"{sentence.strip()} {STOP}" for sentence in " ".join(tokens).split(STOP)[:-1]]
