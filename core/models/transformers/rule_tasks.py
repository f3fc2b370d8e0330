r"""Tasks that only the context tells: words, labels, a rule drawn for each sequence; and the exact Bayes predictor.

    rule       a place a of the word (its first, second or third letter), and a label l(v) for each letter v at that place
    y = l(x_a)                                             A letters at each of P places, K labels: P K^A rules
    p(a | D) ~ p(D | a)                                    D: the examples so far, all places equally probable at first
    p(D | a) = K^-(letters seen at a), 0 where two examples with the same letter at a have different labels
    p(y | D, x) = sum_a p(a | D) p(y | a, D, x)            1 for the label of x_a where D has this letter, else 1 / K

Sums over rules factorise, because the labels of a rule's letters are independent: no rule need be listed. What no rule can
have made (examples that contradict each other at every place) leaves the uniform distribution.

Sources: Xie et al. (2022), An Explanation of In-context Learning as Implicit Bayesian Inference; Garg et al. (2022), What
Can Transformers Learn In-Context? for tasks drawn for each sequence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np
import torch
from torch import Tensor

LETTERS = ("zmk", "aou", "plf")  # at each place of a word
PLACES, CHOICES = len(LETTERS), len(LETTERS[0])  # P and A
WORDS = tuple("".join(letters) for letters in product(*LETTERS))
LABELS = tuple("ABCDEFGHIJKL")
KINDS = len(LABELS)  # K
SPELLED = np.array(list(product(range(CHOICES), repeat=PLACES)))  # (A^P, P), each word's letters as numbers
HELD_OUT, SPLIT_SEED = 8, 1  # one of so many rules is never trained on; which ones is drawn once

Example = tuple[int, int]  # a word and its label


@dataclass(frozen=True)
class Tasks:
    """Sequences of examples: `words` (B, n), their `labels` (B, n), and the rules: `places` (B,), `rules` (B, A)."""

    words: np.ndarray
    labels: np.ndarray
    places: np.ndarray
    rules: np.ndarray


@cache
def held_out_rules() -> np.ndarray:
    """Return for each combination of labels whether its rules are kept from training, (K, ..., K), at all places alike."""
    drawn = np.random.default_rng(SPLIT_SEED).permutation(KINDS**CHOICES)
    return (drawn < KINDS**CHOICES // HELD_OUT).reshape((KINDS,) * CHOICES)


def is_held_out(rules: np.ndarray) -> np.ndarray:
    """Return whether rules, (..., A) labels, are kept from training.

    >>> int(is_held_out(np.array(list(product(range(KINDS), repeat=CHOICES)))).sum())  # of 1728
    216
    """
    return held_out_rules()[tuple(np.moveaxis(rules, -1, 0))]


def every_rule() -> list[tuple[int, tuple[int, ...]]]:
    """Return all P K^A rules: the place, and a label for each of its letters.

    >>> len(every_rule())
    5184
    """
    return list(product(range(PLACES), product(range(KINDS), repeat=CHOICES)))


def apply_rule(place: int, rule: Sequence[int], words: np.ndarray) -> np.ndarray:
    """Return the labels that a rule gives to words.

    >>> apply_rule(0, (5, 6, 7), np.array([WORDS.index("zap"), WORDS.index("kup")])).tolist()
    [5, 7]
    """
    return np.asarray(rule)[SPELLED[words, place]]


def draw_tasks(tasks: int, examples: int, generator: torch.Generator, held_out: bool) -> Tasks:
    """Return sequences of words under rules of one side of the split; each rule and each word is drawn uniformly."""
    places = torch.randint(PLACES, (tasks,), generator=generator)
    listed = np.argwhere(held_out_rules() == held_out)  # (n, A)
    rules = listed[torch.randint(len(listed), (tasks,), generator=generator).numpy()]  # (B, A)
    words = torch.randint(len(WORDS), (tasks, examples), generator=generator).numpy()
    letters = np.take_along_axis(SPELLED[words], places.numpy()[:, None, None], axis=2)[..., 0]  # (B, n)
    return Tasks(words, np.take_along_axis(rules, letters, axis=1), places.numpy(), rules)


def as_tokens(words: np.ndarray, labels: np.ndarray) -> Tensor:
    """Return examples as a model reads them, word and label in turn, (..., 2 n); labels come after the words.

    >>> as_tokens(np.array([3, 4]), np.array([0, 1])).tolist()
    [3, 27, 4, 28]
    """
    pairs = np.stack([words, len(WORDS) + labels], axis=-1)
    return torch.from_numpy(pairs.reshape(*words.shape[:-1], -1))


@dataclass(frozen=True)
class Belief:
    """What Bayes' rule makes of examples: p(a | D), (P,), all 0 where no rule fits, and p(y | D, x), (K,)."""

    places: np.ndarray
    labels: np.ndarray


def predict_bayes(examples: Sequence[Example], word: int, kinds: int = KINDS) -> Belief:
    """Return the posterior of the deciding place, and the probabilities of a word's label, one of so many kinds.

    >>> one = predict_bayes([(WORDS.index("zap"), 2)], WORDS.index("zul"))  # of its letters only z was seen
    >>> one.places.round(3).tolist(), one.labels.round(3).tolist()[:4]
    ([0.333, 0.333, 0.333], [0.056, 0.056, 0.389, 0.056])
    """
    evidence, given = np.zeros(PLACES), np.full((PLACES, kinds), 1 / kinds)
    for a in range(PLACES):
        seen: dict[int, int] = {}
        fits = all(seen.setdefault(int(SPELLED[x, a]), y) == y for x, y in examples)
        evidence[a] = float(kinds) ** -len(seen) if fits else 0.0
        if (letter := int(SPELLED[word, a])) in seen:
            given[a] = np.eye(kinds)[seen[letter]]
    if not evidence.any():
        return Belief(evidence, np.full(kinds, 1 / kinds))
    places = evidence / evidence.sum()
    return Belief(places, places @ given)


def count_rules(examples: Sequence[Example], kinds: int = KINDS) -> int:
    """Return how many rules make all examples: at each place that fits, any label for each letter not seen yet.

    >>> count_rules([]), count_rules([(0, 2)]), count_rules([(0, 2), (0, 3)])
    (5184, 432, 0)
    """
    places = predict_bayes(examples, 0, kinds).places
    seen = [len({int(SPELLED[x, a]) for x, _ in examples}) for a in range(PLACES)]
    return sum(kinds ** (CHOICES - seen[a]) for a in range(PLACES) if places[a] > 0)


def predict_nearest(examples: Sequence[Example], word: int) -> np.ndarray:
    """Return the shares of labels among the examples that share most letters with a word, (K,); uniform without any.

    >>> close = [(WORDS.index("zap"), 2), (WORDS.index("kol"), 5)]
    >>> predict_nearest(close, WORDS.index("zal"))[[2, 5]].tolist()  # two letters of zap, one of kol
    [1.0, 0.0]
    """
    if not examples:
        return np.full(KINDS, 1 / KINDS)
    shared = np.array([(SPELLED[x] == SPELLED[word]).sum() for x, _ in examples])
    labels = np.array([y for _, y in examples])[shared == shared.max()]
    return np.bincount(labels, minlength=KINDS) / len(labels)


def predict_along(predict, words: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Return what a predictor gives each word of sequences (B, n) from the examples before it, (B, n, K)."""
    found = np.empty((*words.shape, KINDS))
    for b, (xs, ys) in enumerate(zip(words.tolist(), labels.tolist(), strict=True)):
        examples = list(zip(xs, ys, strict=True))
        for t, x in enumerate(xs):
            answer = predict(examples[:t], x)
            found[b, t] = answer.labels if isinstance(answer, Belief) else answer
    return found
