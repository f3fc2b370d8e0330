"""What differs between two versions of a sentence, word by word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

SAME, EXTRA, MISSING = "same", "extra", "missing"


@dataclass(frozen=True)
class Difference:
    """A word of either version, and whether it is in both (same), only written (extra) or only wanted (missing)."""

    word: str
    mark: str


def compare_words(written: Sequence[str], wanted: Sequence[str]) -> list[Difference]:
    """Return the words of both versions in order, each marked; of two that differ the wanted one comes first.

    >>> [(d.word, d.mark) for d in compare_words("le chat noir dort".split(), "le chat dort".split())]
    [('le', 'same'), ('chat', 'same'), ('noir', 'extra'), ('dort', 'same')]
    """
    found = []
    matcher = SequenceMatcher(None, list(wanted), list(written), autojunk=False)
    for kind, i, j, k, m in matcher.get_opcodes():
        if kind == "equal":
            found += [Difference(word, SAME) for word in wanted[i:j]]
        else:
            found += [Difference(word, MISSING) for word in wanted[i:j]]
            found += [Difference(word, EXTRA) for word in written[k:m]]
    return found


def first_difference(written: Sequence[str], wanted: Sequence[str]) -> int | None:
    """Return the index of the first word at which two versions part; None when they are equal.

    >>> first_difference(["le", "chat"], ["le", "chien"]), first_difference(["le"], ["le"])
    (1, None)
    >>> first_difference(["le"], ["le", "chat"])
    1
    """
    same = (i for i, (one, other) in enumerate(zip(written, wanted, strict=False)) if one != other)
    return next(same, None if len(written) == len(wanted) else min(len(written), len(wanted)))


def mistakes(written: Sequence[str], wanted: Sequence[str]) -> int:
    """Return how many words of either version are not in the other at their place.

    >>> mistakes(["le", "chien"], ["le", "chat"])
    2
    """
    return sum(difference.mark != SAME for difference in compare_words(written, wanted))
