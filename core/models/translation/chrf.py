r"""chrF: the F-score of character n-grams, so that a word with another ending still counts for most of its letters.

White space is left out. For n = 1 to 6, with the counts of character n-grams summed over all sentences,

    P_n = matches / n-grams of the hypotheses      R_n = matches / n-grams of the references
    P, R = the means of P_n and of R_n over those n of which both sides have n-grams
    chrF = (1 + b^2) P R / (b^2 P + R)             with b = 2: recall counts twice as much as precision

Matches are clipped as in BLEU. As in sacrebleu, the n-grams of a hypothesis count only where its reference is long enough to
have one. chrF is between 0 and 1.

M. Popovic (2015), chrF: character n-gram F-score for automatic MT evaluation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.models.translation.bleu import count_ngrams

LONGEST, BETA = 6, 2


@dataclass(frozen=True)
class Chrf:
    """A chrF score with its counts by n: matches, n-grams of the hypotheses, n-grams of the references."""

    matches: tuple[int, ...]
    hypothesis_totals: tuple[int, ...]
    reference_totals: tuple[int, ...]

    @property
    def orders(self) -> tuple[int, ...]:
        """Return the n - 1 of those n of which both sides have n-grams."""
        both = zip(self.hypothesis_totals, self.reference_totals, strict=True)
        return tuple(n for n, totals in enumerate(both) if all(totals))

    @property
    def precision(self) -> float:
        """Return P, the mean of P_n."""
        return sum(self.matches[n] / self.hypothesis_totals[n] for n in self.orders) / max(
            1, len(self.orders)
        )

    @property
    def recall(self) -> float:
        """Return R, the mean of R_n."""
        return sum(self.matches[n] / self.reference_totals[n] for n in self.orders) / max(1, len(self.orders))

    @property
    def score(self) -> float:
        """Return chrF, from 0 to 1."""
        p, r, weight = self.precision, self.recall, BETA**2
        return (1 + weight) * p * r / (weight * p + r) if p + r else 0.0


def letters_of(sentence: str) -> str:
    """Return a sentence without its white space.

    >>> letters_of("the cat ")
    'thecat'
    """
    return "".join(sentence.split())


def corpus_chrf(hypotheses: Sequence[str], references: Sequence[str]) -> Chrf:
    """Return chrF of a corpus, one reference for each hypothesis. Raises ValueError where their numbers differ.

    >>> round(corpus_chrf(["the cats sat"], ["the cat sat"]).score, 3)
    0.748
    """
    pairs = [(letters_of(h), letters_of(r)) for h, r in zip(hypotheses, references, strict=True)]
    matches, of_hypotheses, of_references = [], [], []
    for n in range(1, LONGEST + 1):
        counted = [(count_ngrams(h, n), count_ngrams(r, n)) for h, r in pairs]
        matches.append(sum((h & r).total() for h, r in counted))
        of_hypotheses.append(sum(h.total() for h, r in counted if r))
        of_references.append(sum(r.total() for _, r in counted))
    return Chrf(tuple(matches), tuple(of_hypotheses), tuple(of_references))
