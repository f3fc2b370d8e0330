"""Units worth looking at: those whose value follows something that can be said about the text read so far.

    r(u, v) = sum_t (u_t - mean u)(v_t - mean v) / sqrt(sum_t (u_t - mean u)^2  sum_t (v_t - mean v)^2)

Among hundreds of units one correlates with anything by chance. So the unit is chosen on the first half of a text,
and its correlation is measured on the second.

Source: Karpathy, Johnson and Fei-Fei (2016), Visualizing and Understanding Recurrent Networks.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate

import numpy as np

VOWELS = frozenset("aeiouyAEIOUY")
LEAST = 200  # characters; on fewer a correlation says little


@dataclass(frozen=True)
class TellingUnit:
    """The unit that follows a feature best: r where it was chosen, and r on the half that had no part in it."""

    feature: str
    unit: int
    chosen: float
    measured: float


def features(text: str) -> dict[str, np.ndarray]:
    """Return the value of each feature after each character of a text, {feature: (T,)}.

    >>> found = features("An owl")
    >>> found["place_in_word"].tolist(), found["capital_word"].tolist()
    ([1.0, 2.0, 0.0, 1.0, 2.0, 3.0], [1.0, 1.0, 0.0, 0.0, 0.0, 0.0])
    """
    in_word = [character.isalpha() or character == "'" for character in text]
    place = list(accumulate(in_word, lambda n, inside: n + 1 if inside else 0, initial=0))[1:]
    starts = (i - n + 1 for i, n in enumerate(place))
    found = {
        "inside_word": in_word,
        "place_in_word": place,
        "capital_word": [
            inside and text[start].isupper() for inside, start in zip(in_word, starts, strict=True)
        ],
        "place_in_line": _since(text, "\n"),
        "place_in_sentence": _since(text, ".!?"),
        "vowel": [character in VOWELS for character in text],
    }
    return {name: np.array(values, dtype=float) for name, values in found.items()}


def _since(text: str, ends: str) -> list[int]:
    """Return how many characters have been read since the last of `ends`."""
    return list(accumulate(text, lambda n, character: 0 if character in ends else n + 1, initial=0))[1:]


def correlations(hidden: np.ndarray, feature: np.ndarray) -> np.ndarray:
    """Return Pearson's r of each unit (T, H) with a feature (T,), (H,); 0 where either never changes.

    >>> correlations(np.array([[1.0, 5.0], [2.0, 5.0], [3.0, 5.0]]), np.array([0.0, -1.0, -2.0])).tolist()
    [-1.0, 0.0]
    """
    U, v = hidden - hidden.mean(0), feature - feature.mean()
    length = np.sqrt((U**2).sum(0) * (v**2).sum())
    return np.divide(v @ U, length, out=np.zeros(U.shape[1]), where=length > 1e-12)


def telling_units(hidden: np.ndarray, text: str) -> list[TellingUnit]:
    """Return for each feature of a text (T characters) the unit of `hidden` (T, H) that follows it best.

    A feature that never changes in either half is left out. Raises ValueError for a text shorter than LEAST.
    """
    if len(text) < LEAST:
        raise ValueError(f"To choose units by measuring, a text of at least {LEAST} characters is needed.")
    half, found = len(text) // 2, []
    for name, feature in features(text).items():
        if np.ptp(feature[:half]) and np.ptp(feature[half:]):
            r = correlations(hidden[:half], feature[:half])
            unit = int(np.abs(r).argmax())
            measured = correlations(hidden[half:, [unit]], feature[half:])
            found.append(TellingUnit(name, unit, float(r[unit]), float(measured[0])))
    return found
