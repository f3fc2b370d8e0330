"""How much of a text a vocabulary lacks: the share of its tokens that become <unk>.

u(k) = the share of a text's tokens that are not among the k most frequent types of the text learned from.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

OWN, HALF_WORDS = "words, on the text they were learned from", "words of its first half, on the second"
HALF_CHARACTERS, ALL_BYTES = "characters of its first half, on the second", "byte pairs, on any text"


def unknown_by_size(learned: Sequence[str], used: Sequence[str]) -> np.ndarray:
    """Return u(k) for k = 0 ... V (V + 1,): tokens of `used` that the k most frequent types of `learned` are not.

    Of types of equal frequency the one that the text has first comes first. A text without tokens lacks nothing.

    >>> unknown_by_size("to be or not to be to".split(), "to see or be seen".split()).tolist()
    [1.0, 0.8, 0.6, 0.4, 0.4]
    """
    occurs = Counter(used)
    known = np.array([0] + [occurs[token] for token, _ in Counter(learned).most_common()])
    return (len(used) - known.cumsum()) / max(1, len(used))


def halves(tokens: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """Return the first and the second half of a text's tokens; of an odd number the middle one is in the second.

    >>> halves("to be or".split())
    (['to'], ['be', 'or'])
    """
    middle = len(tokens) // 2
    return tokens[:middle], tokens[middle:]


def unknown_curves(characters: Sequence[str], words: Sequence[str]) -> dict[str, np.ndarray]:
    """Return u(k) of a text's words on itself, and of its first half's words and characters on its second half.

    Byte pairs lack nothing, however few they are: the 256 bytes are among them.

    >>> curves = unknown_curves("to be", "to be or not to be".split())
    >>> curves[HALF_WORDS].tolist(), curves[ALL_BYTES].tolist()
    ([1.0, 0.6666666666666666, 0.3333333333333333, 0.3333333333333333], [0.0])
    """
    return {
        OWN: unknown_by_size(words, words),
        HALF_WORDS: unknown_by_size(*halves(words)),
        HALF_CHARACTERS: unknown_by_size(*halves(characters)),
        ALL_BYTES: np.zeros(1),
    }
