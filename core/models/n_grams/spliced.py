"""A sentence that a text does not have, made of two that it has: what an n-gram model must say something new about."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.models.n_grams.ngram_text import END, CountedText

HALF = {"words": 4, "characters": 10}  # tokens taken of each sentence, at most
TRIED = 2000  # sentences


def spliced(counted: CountedText) -> list[int]:
    """Return the first half of the text's first long sentence and the second half of a later one, as ids.

    The two are chosen so that the text never has the run at the joint: of two tokens if it can be, else of
    three, and so on. A text that has no such pair gives its first sentence backwards if that is new, else as it
    stands.

    >>> from core.models.n_grams.ngram_text import count_text
    >>> counted = count_text("I am Sam. Sam I am. I do not like green eggs and ham.", order=3)
    >>> counted.write(spliced(counted))
    'i i am'
    """
    half, every = HALF[counted.unit], list(take_first_sentences(counted))
    long = [sentence for sentence in every if len(sentence) >= 2 * half]
    first, *others = long if len(long) > 1 else every
    head = first[: max(1, min(half, len(first) // 2))]
    tails = [other[len(other) // 2 :][:half] for other in others]
    for k in range(2, counted.counts.order + 1):
        for tail in tails:
            if counted.counts.node([*head[-k + 1 :], tail[0]]) is None and len(head) >= k - 1:
                return [*head, *tail]
    first = first[: 2 * half]
    pairs = zip(first[1:], first[:-1], strict=True)
    return first[::-1] if any(counted.counts.node(pair) is None for pair in pairs) else first


def take_first_sentences(counted: CountedText) -> Iterator[list[int]]:
    """Yield the sentences of the counted text without their ends, the first few of them."""
    ends = np.flatnonzero(counted.training == counted.vocabulary[END])[:TRIED]
    for start, end in zip([0, *(ends[:-1] + 1)], ends, strict=True):
        yield counted.training[start:end].tolist()
