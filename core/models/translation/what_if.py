"""What if a translator looked elsewhere: attention, a word or a beginning is forced, and what that changes is found.

    forced     a_ts = 1 for the input word s that step t is made to look at, 0 for all others
    changed    what an edit script that makes the one output into the other puts in place of something else
    wrong look one step of a sentence, drawn at random, looks at an input word other than the one it looks at most

Source: Strobelt et al. (2018), Seq2Seq-Vis.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import zip_longest

import numpy as np
import torch

from core.models.translation.fit_translation import pad_sentences
from core.models.translation.seq2seq import END
from core.models.translation.translate import Translated, Translator, greedy, greedy_all, onto
from core.text.grammar.pairs import MOST_WORDS


@dataclass(frozen=True)
class WhatIf:
    """What is changed: the input words, the output words to begin with, and {output: input} that is looked at."""

    words: tuple[str, ...]
    prefix: tuple[str, ...] = ()
    forced: Mapping[int, int] = field(default_factory=dict)

    def translated(self, translator: Translator) -> Translated:
        """Return what the model writes then."""
        rows = {t: onto(s, len(self.words)) for t, s in self.forced.items()}
        prefix = translator.target.encode(self.prefix)
        made = greedy(translator.model, translator.source.encode(self.words), prefix, rows)
        return Translated(translator, self.words, made)


def aligned_places(before: Sequence[str], after: Sequence[str]) -> list[tuple[int | None, int | None]]:
    """Return the rows in which two outputs stand beside each other, as places in each; None where one has no word.

    >>> aligned_places(["le", "chat", "dort"], ["le", "beau", "chat", "dort"])
    [(0, 0), (None, 1), (1, 2), (2, 3)]
    """
    blocks = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return [row for _, i, j, k, n in blocks for row in zip_longest(range(i, j), range(k, n))]


def changed_places(before: Sequence[str], after: Sequence[str]) -> set[int]:
    """Return the places of `after` that hold another word than `before`, or one that `before` has not.

    >>> changed_places(["le", "chat", "dort"], ["le", "chien", "noir", "dort"])
    {1, 2}
    """
    rows = aligned_places(before, after)
    return {j for i, j in rows if j is not None and (i is None or before[i] != after[j])}


def kept_places(before: Sequence[str], after: Sequence[str]) -> dict[int, int]:
    """Return the words that stayed, as {place in `before`: place in `after`}.

    >>> kept_places(["le", "chat", "dort"], ["le", "beau", "chat", "dort"])
    {0: 0, 1: 2, 2: 3}
    """
    rows = aligned_places(before, after)
    return {i: j for i, j in rows if i is not None and j is not None and before[i] == after[j]}


def changes(before: Sequence[str], after: Sequence[str]) -> int:
    """Return in how many rows two outputs differ: a word put in another's place, one more, or one less.

    >>> changes(["le", "chat", "dort"], ["le", "dort"]), changes(["le", "chat"], ["le", "chien"])
    (1, 1)
    """
    return sum(i is None or j is None or before[i] != after[j] for i, j in aligned_places(before, after))


def wrong_look(weights: np.ndarray, chance: np.random.Generator) -> tuple[int, int] | None:
    """Return a random step and a random input word other than the one it looks at most; None where there is no other.

    `weights` is (T, S).

    >>> wrong_look(np.array([[0.9, 0.1]]), np.random.default_rng(1))
    (0, 1)
    """
    steps, inputs = weights.shape
    if inputs < 2:
        return None
    t = int(chance.integers(steps))
    others = [s for s in range(inputs) if s != int(weights[t].argmax())]
    return t, int(chance.choice(others))


@dataclass(frozen=True)
class WrongLooks:
    """What one wrong look in each of many inputs leaves: the share of outputs that stay as they are, and two more.

    `same_word` is the share in which that step's word stays, `same_others` that in which all other words do.
    """

    unchanged: float
    same_word: float
    same_others: float


def wrong_looks(translator: Translator, inputs: Sequence[Sequence[str]], seed: int = 1) -> WrongLooks:
    """Measure one wrong look: at a random step of each input, all weight on a random other input word."""
    sources = pad_sentences([translator.source.encode(words) for words in inputs])
    words, weights = greedy_all(translator.model, sources, MOST_WORDS)
    whole = [_until_end(row) for row in words.tolist()]
    forced = torch.full((len(inputs), MOST_WORDS, sources.shape[1]), torch.nan)
    chance, steps = np.random.default_rng(seed), []
    for i, (read, written) in enumerate(zip(inputs, whole, strict=True)):
        t, s = wrong_look(weights[i, : len(written), : len(read)].numpy(), chance)
        forced[i, t] = onto(s, sources.shape[1])
        steps.append(t)
    made = greedy_all(translator.model, sources, MOST_WORDS, forced)[0].tolist()
    rows = list(_kept(whole, map(_until_end, made), steps))
    return WrongLooks(*(float(share) for share in np.mean(rows, axis=0)))


def _kept(whole, made, steps) -> Iterator[tuple[bool, bool, bool]]:
    for before, after, t in zip(whole, made, steps, strict=True):
        others = before[:t] + before[t + 1 :] == after[:t] + after[t + 1 :]
        yield before == after, before[t : t + 1] == after[t : t + 1], others


def _until_end(words: list[int]) -> list[int]:
    return words[: words.index(END) + 1] if END in words else words
