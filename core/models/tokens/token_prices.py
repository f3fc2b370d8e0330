r"""What the same sentence costs in several languages: its characters, its bytes in UTF-8, and its tokens.

    premium of a language = tokens of the sentence in it / tokens of the sentence in the reference language

What is paid by the token, or must fit into a context of so many tokens, costs that many times as much.

A. Petrov, E. La Malfa, P. Torr and A. Bibi (2023), Language model tokenizers introduce unfairness between languages. O. Ahia
et al. (2023), Do all languages cost the same? Tokenization in the era of commercial language models.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.models.tokens.byte_pairs import BytePairs
from core.text.tokenization.tokens import characters


@dataclass(frozen=True)
class SentenceCost:
    """The size of a sentence: characters as a reader counts them, bytes in UTF-8, tokens."""

    characters: int
    bytes: int
    tokens: int

    @property
    def bytes_per_token(self) -> float:
        """Return how many bytes a token holds."""
        return self.bytes / self.tokens if self.tokens else 0.0


def measure_sentence(sentence: str, pairs: BytePairs) -> SentenceCost:
    """Return what a sentence costs by some byte pairs.

    >>> measure_sentence("né", BytePairs(()))
    SentenceCost(characters=2, bytes=3, tokens=3)
    """
    return SentenceCost(len(characters(sentence)), len(sentence.encode()), len(pairs.encode(sentence)))


def measure_sentences(sentences: Mapping[str, str], pairs: BytePairs) -> dict[str, SentenceCost]:
    """Return what each of several sentences costs, by its language."""
    return {language: measure_sentence(sentence, pairs) for language, sentence in sentences.items()}


def premiums(costs: Mapping[str, SentenceCost], reference: str) -> dict[str, float]:
    """Return each language's tokens as a multiple of those of the reference language.

    >>> costs = {"en": SentenceCost(9, 9, 2), "fr": SentenceCost(9, 10, 5)}
    >>> premiums(costs, "en")
    {'en': 1.0, 'fr': 2.5}
    """
    return {language: cost.tokens / costs[reference].tokens for language, cost in costs.items()}


def sentences_in_context(cost: SentenceCost, window: int) -> int:
    """Return how many times a sentence fits into a context of `window` tokens.

    >>> sentences_in_context(SentenceCost(63, 63, 13), 1024)
    78
    """
    return window // cost.tokens if cost.tokens else 0
