r"""BLEU: which share of a translation's n-grams is in the reference, for n = 1 to 4, and whether it is long enough.

For a corpus of hypotheses with one reference each, with counts over all sentences:

    p_n = sum of min(count in hypothesis, count in reference) / sum of counts in hypothesis     (clipped precision)
    BP  = 1 if c > r, else exp(1 - r / c)     (brevity penalty; c and r are the words of all hypotheses and references)
    BLEU = BP * (p_1 p_2 p_3 p_4)^(1/4)

A corpus has one BLEU, which is not the mean of its sentences' scores. If any p_n is 0, BLEU is 0. A single sentence often
has no matching 4-gram, so its score is smoothed: the k-th zero among its matches is read as 2^-k (Chen and Cherry's third
method, as sacrebleu has it). All scores are between 0 and 1.

K. Papineni, S. Roukos, T. Ward and W.-J. Zhu (2002), BLEU: a method for automatic evaluation of machine translation. B. Chen
and C. Cherry (2014), A systematic comparison of smoothing techniques for sentence-level BLEU. M. Post (2018), A call for
clarity in reporting BLEU scores.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log

LONGEST = 4  # the longest n-gram


@dataclass(frozen=True)
class Bleu:
    """A BLEU score with what it is made of: matches and totals by n, the lengths, and whether it is smoothed."""

    matches: tuple[int, ...]  # clipped, for n = 1, 2, ...
    totals: tuple[int, ...]
    hypothesis_length: int  # c
    reference_length: int  # r
    smoothed: bool = False

    @property
    def precisions(self) -> tuple[float, ...]:
        """Return p_n for each n; with smoothing none is 0, unless no word matches at all."""
        found, zeros = [], 0
        smoothed = self.smoothed and any(self.matches)
        for matched, total in zip(self.matches, self.totals, strict=True):
            zeros += matched == 0 and total > 0
            least = 2.0**-zeros if smoothed and matched == 0 else 0
            found.append(max(matched, least) / total if total else 0.0)
        return tuple(found)

    @property
    def brevity_penalty(self) -> float:
        """Return BP: 1 for what is longer than its reference."""
        c, r = self.hypothesis_length, self.reference_length
        return 1.0 if c > r else exp(1 - r / c) if c else 0.0

    @property
    def mean_precision(self) -> float:
        """Return the geometric mean of the precisions: BLEU without the brevity penalty."""
        if min(self.precisions, default=0.0) == 0:
            return 0.0
        return exp(sum(map(log, self.precisions)) / len(self.precisions))

    @property
    def score(self) -> float:
        """Return BLEU, from 0 to 1."""
        return self.brevity_penalty * self.mean_precision


def count_ngrams(words: Sequence[str], n: int) -> Counter:
    """Return how often each n-gram occurs.

    >>> count_ngrams("to be or not to be".split(), 2)["to", "be"]
    2
    """
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def match_ngrams(
    hypothesis: Sequence[str], reference: Sequence[str], n: int, clipped: bool = True
) -> list[int | None]:
    """Return for each n-gram of a hypothesis, from left to right, the place of its match in the reference, None for none.

    Clipped: each n-gram of the reference is matched once, by the equal one that is nearest to its place. Without clipping it
    is matched again and again.

    >>> match_ngrams("the the the".split(), "see the cat".split(), 1)
    [None, 1, None]
    >>> match_ngrams("the the the".split(), "see the cat".split(), 1, clipped=False)
    [1, 1, 1]
    """
    written, known = (
        [tuple(words[i : i + n]) for i in range(len(words) - n + 1)] for words in (hypothesis, reference)
    )
    equal = [(i, j) for i, ngram in enumerate(written) for j, other in enumerate(known) if ngram == other]
    matched: list[int | None] = [None] * len(written)
    used = set()
    for i, j in sorted(equal, key=lambda places: (abs(places[0] - places[1]), places)):
        if matched[i] is None and not (clipped and j in used):
            matched[i] = j
            used.add(j)
    return matched


def corpus_bleu(
    hypotheses: Sequence[Sequence[str]], references: Sequence[Sequence[str]], clipped: bool = True
) -> Bleu:
    """Return BLEU of a corpus, one reference for each hypothesis. Raises ValueError where their numbers differ.

    >>> bleu = corpus_bleu([["a", "b", "c", "d", "x"]], [["a", "b", "c", "d", "e"]])
    >>> bleu.matches, bleu.totals, round(bleu.score, 3)
    ((4, 3, 2, 1), (5, 4, 3, 2), 0.669)
    """
    pairs = list(zip(hypotheses, references, strict=True))
    matched = [[match_ngrams(h, r, n, clipped) for h, r in pairs] for n in range(1, LONGEST + 1)]
    return Bleu(
        tuple(sum(len(places) - places.count(None) for places in each) for each in matched),
        tuple(sum(map(len, each)) for each in matched),
        sum(len(h) for h, _ in pairs),
        sum(len(r) for _, r in pairs),
    )


def sentence_bleu(hypothesis: Sequence[str], reference: Sequence[str], clipped: bool = True) -> Bleu:
    """Return the smoothed BLEU of one sentence; n goes up to the length of a shorter hypothesis.

    >>> round(sentence_bleu("the cat sat".split(), "the cat sat down".split()).score, 3)
    0.717
    """
    whole = corpus_bleu([hypothesis], [reference], clipped)
    n = max(1, sum(total > 0 for total in whole.totals))
    return Bleu(whole.matches[:n], whole.totals[:n], len(hypothesis), len(reference), smoothed=True)
