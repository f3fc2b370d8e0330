"""The bottleneck: all that an encoder-decoder without attention knows of a sentence is one vector, h̄_last.

    words kept    sum_w min(n_w in the output, n_w in the reference) / T      with repeats; order is free
    interval      of a share of sentences that are right, k of n, Wilson's at 95%:
                  (p + z²/2n ± z sqrt(p(1 - p)/n + z²/4n²)) / (1 + z²/n),   p = k/n, z = 1.96
                  of a mean: mean ± z s/sqrt(n)
    movement      ||h̄_last(x) - h̄_last(x without word s)|| / ||h̄_last(x)||

Sources: Cho et al. (2014), On the Properties of Neural Machine Translation (quality falls with length);
Wilson (1927), Probable Inference, the Law of Succession, and Statistical Inference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import torch
from torch import Tensor

from core.models.documents import held_out
from core.models.translation.fit_translation import encoded_pairs, pad_sentences
from core.models.translation.seq2seq import Encoded, Seq2Seq
from core.models.translation.translate import Translator, greedy_all
from core.text.grammar.pairs import Pair
from core.text.tokenization.word_differences import first_difference


@dataclass(frozen=True)
class Attempt:
    """A pair and what a model wrote for it: greedy search, <end> left out."""

    pair: Pair
    output: tuple[str, ...]

    @property
    def right(self) -> bool:
        """Whether it is the reference word for word."""
        return self.output == self.pair.target

    @property
    def drift(self) -> int | None:
        """The index of the first output word that is not the reference's; None when it is right."""
        return first_difference(self.output, self.pair.target)

    @cached_property
    def kept(self) -> float:
        """The share of the reference's words, repeats counted, that stand anywhere in the output."""
        return words_kept(self.output, self.pair.target)


def words_kept(output: Sequence[str], reference: Sequence[str]) -> float:
    """Return the share of the reference's words, repeats counted, that stand anywhere in the output.

    >>> words_kept("le chien dort".split(), "le chat noir dort".split())
    0.5
    """
    return (Counter(output) & Counter(reference)).total() / len(reference)


def attempts(translator: Translator, pairs: Sequence[Pair]) -> list[Attempt]:
    """Return what a model writes for each pair, all of them in one batch."""
    sources, targets = (
        pad_sentences(ids) for ids in encoded_pairs(pairs, translator.source, translator.target)
    )  # B, S; B, T
    words, _ = greedy_all(translator.model, sources, limit=targets.shape[1] + 5)
    return [
        Attempt(pair, tuple(translator.target.decode(row)))
        for pair, row in zip(pairs, words.tolist(), strict=True)
    ]


@dataclass(frozen=True)
class Estimate:
    """A share measured on n sentences, with the ends of its 95% interval."""

    value: float
    low: float
    high: float
    n: int


def exact_match_interval(right: Sequence[bool]) -> Estimate:
    """Return the share of sentences that are right, with Wilson's interval.

    >>> found = exact_match_interval([True] * 8 + [False] * 2)
    >>> found.value, round(found.low, 3), round(found.high, 3)
    (0.8, 0.49, 0.943)
    """
    return wilson(sum(right), len(right))


@lru_cache(maxsize=4096)
def wilson(k: int, n: int) -> Estimate:
    """Return the share of k among n, with Wilson's interval."""
    return Estimate(k / n, *held_out.wilson(k, n), n)


def mean_kept(kept: Sequence[float]) -> Estimate:
    """Return the mean share of words kept, mean ± 1.96 s / √n, within 0 and 1.

    >>> mean_kept([0.5, 1.0]).value
    0.75
    """
    n, mean = len(kept), float(np.mean(kept))
    reach = 1.96 * float(np.std(kept, ddof=1)) / n**0.5 if n > 1 else 1.0
    return Estimate(mean, max(0.0, mean - reach), min(1.0, mean + reach), n)


class Narrowed(Seq2Seq):
    """A copy of a model for which every n-th number of the encoder's last state becomes 0."""

    def __init__(self, model: Seq2Seq, n: int):
        super().__init__(model.config)
        self.load_state_dict(model.state_dict())
        self.n = n
        self.eval()

    def encode(self, source: Tensor) -> Encoded:
        """Read the input words as the model does, and narrow what it leaves."""
        whole = super().encode(source)
        passes = torch.arange(1, whole.last.shape[1] + 1) % self.n != 0  # H
        return Encoded(whole.states, whole.last * passes, whole.mask)


@torch.inference_mode()
def last_state(model: Seq2Seq, source: Sequence[int]) -> np.ndarray:
    """Return h̄_last of a sentence of ids, (H,)."""
    return model.encode(torch.tensor([list(source)])).last[0].numpy()


@torch.inference_mode()
def movement(model: Seq2Seq, source: Sequence[int]) -> np.ndarray:
    """Return for each input word how far h̄_last moves, as a share of its length, when the word is left out, (S,)."""
    ids = list(source)
    if len(ids) < 2:
        raise ValueError("Leaving out a word needs a sentence of two words or more.")
    versions = [ids, *(ids[:s] + ids[s + 1 :] for s in range(len(ids)))]
    last = model.encode(pad_sentences(versions)).last.numpy()  # S + 1, H
    return np.linalg.norm(last[1:] - last[0], axis=1) / np.linalg.norm(last[0])
