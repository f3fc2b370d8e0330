"""Training on pairs of sentences: which pairs are shown, and the two losses that are added.

    the pair    (A, B): A is a sentence of a text; B is the one that follows it (y = 1) or another (y = 0), half each
    L_next      = -[ y ln P(is next) + (1 - y) ln(1 - P(is next)) ]
    L_masked    = -1/|M| sum_{t in M} ln p(x_t | what is shown)          [CLS] and [SEP] are never hidden
    L           = L_masked + k L_next                                    k = 1 in BERT

The other sentence is drawn among those of as many tokens as the one that follows has: so no pair has to be padded, and
its length cannot give it away. It comes from the same book or from anywhere; from anywhere is how BERT drew, and as
most of a corpus is about something else, what the sentences are about then gives most pairs away.

Sources: Devlin, Chang, Lee and Toutanova (2019), BERT, 3.1 and A.1; Liu et al. (2019), RoBERTa, 4.2; Lan et al. (2020),
ALBERT, 3.1, for the doubts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from core.models.fit_language_model import FitConfig, Fitting
from core.models.pretraining.sentence_pairs import PairInput, PairNetwork, pair_input
from core.models.self_attention.masked_language_model import hide
from core.models.tokens.byte_pairs import PIECES, BytePairs

LEAST = 10  # tokens of a sentence that stands alone; a shorter one goes together with the next


@dataclass(frozen=True)
class Passages:
    """Sentences as ids, in the order of their texts, and the number of the book that each is from, (n,)."""

    ids: Sequence[Sequence[int]]
    books: np.ndarray

    @cached_property
    def lengths(self) -> np.ndarray:
        """How many tokens each has, (n,)."""
        return np.array([len(each) for each in self.ids])

    @cached_property
    def followed(self) -> np.ndarray:
        """The places of those that another one of the same book follows."""
        return np.flatnonzero(self.books[:-1] == self.books[1:])

    @cached_property
    def of_length(self) -> dict[int, np.ndarray]:
        """The places of the sentences of each length."""
        return {int(n): np.flatnonzero(self.lengths == n) for n in np.unique(self.lengths)}

    @cached_property
    def by_total(self) -> dict[int, np.ndarray]:
        """Of each number of tokens that a sentence and the next have together: the places of the first ones."""
        totals = self.lengths[self.followed] + self.lengths[self.followed + 1]
        return {int(n): self.followed[totals == n] for n in np.unique(totals)}


def join_short_sentences(
    sentences: Iterable[str], pairs: BytePairs, least: int, most: int
) -> list[tuple[str, list[int]]]:
    """Return sentences with their ids; one of fewer than `least` tokens goes together with what follows it.

    Of each the first `most` tokens are kept; what is too short at the end of the text is left out.

    >>> join_short_sentences(["Oh.", "It is late.", "Go."], BytePairs(()), least=6, most=12)
    [('Oh. It is late.', [79, 104, 46, 32, 73, 116, 32, 105, 115, 32, 108, 97])]
    """
    encoded = cache(lambda piece: tuple(pairs.encode(piece)))  # most pieces come again and again
    found, waiting = [], ""
    for sentence in sentences:
        waiting = f"{waiting} {sentence}".strip()
        ids = [token for piece in PIECES.findall(waiting) for token in encoded(piece)]
        if len(ids) >= least:
            found.append((waiting, ids[:most]))
            waiting = ""
    return found


def other_passage(passages: Passages, place: int, among: np.ndarray, draw: np.random.Generator) -> int | None:
    """Return the place of a sentence as long as the one after `place`, drawn from those `among` (n,) marks as True.

    Neither the one at `place` nor the one after it is drawn; None when there is no other.

    >>> passages = Passages([[1], [2], [3, 4], [5], [6]], np.array([0, 0, 0, 1, 1]))
    >>> other_passage(passages, 0, passages.books == 1, np.random.default_rng(0)) in (3, 4)
    True
    >>> other_passage(passages, 1, passages.books == 1, np.random.default_rng(0)) is None
    True
    """
    same = passages.of_length[int(passages.lengths[place + 1])]
    found = same[among[same] & (same != place) & (same != place + 1)]
    return int(draw.choice(found)) if len(found) else None


class PairFitting(Fitting):
    """Fitting a network to both tasks; which pairs are read depends on the seed and the step alone.

    All pairs of a step have the same number of tokens. `same_book` is the share of the drawn sentences that come from
    the book of the first one, `hidden_share` the share of tokens that are hidden, `next_weight` is k.
    """

    def __init__(
        self,
        model: PairNetwork,
        passages: Passages,
        config: FitConfig,
        marks: tuple[int, int, int],
        hidden_share: float,
        same_book: float,
        next_weight: float = 1.0,
    ):
        super().__init__(model, torch.zeros(0), config)
        self.passages, self.hidden_share = passages, hidden_share
        self.same_book, self.next_weight = same_book, next_weight
        self.mask, self.cls, self.sep = marks
        self.anywhere = np.ones(len(passages.books), dtype=bool)

    def pairs(self) -> tuple[list[PairInput], Tensor]:
        """Return the pairs of the step to come, and y, 1 where the second sentence follows the first."""
        draw = np.random.default_rng(self.draw)
        first = draw.choice(self.passages.followed)
        total = int(self.passages.lengths[first] + self.passages.lengths[first + 1])
        places = self.passages.by_total[total]
        chosen = draw.permutation(places)[: self.config.batch]
        pairs, y = [], []
        for place in chosen.tolist():
            second, follows = place + 1, draw.random() < 0.5
            if not follows:
                near = draw.random() < self.same_book
                among = self.passages.books == self.passages.books[place] if near else self.anywhere
                other = other_passage(self.passages, place, among, draw)
                second, follows = (second, True) if other is None else (other, False)
            a, b = self.passages.ids[place], self.passages.ids[second]
            pairs.append(pair_input(a, b, self.cls, self.sep))
            y.append(float(follows))
        return pairs, torch.tensor(y)

    def loss(self) -> Tensor:
        """Return the loss of the step to come, L_masked + k L_next."""
        pairs, y = self.pairs()
        ids = torch.tensor([each.ids for each in pairs])  # (B, T)
        segments = torch.tensor([each.segments for each in pairs])
        masked, next_sentence = pair_losses(
            self.model,
            ids,
            segments,
            y,
            self.hidden_share,
            self.mask,
            torch.Generator().manual_seed(self.draw),
        )
        return masked + self.next_weight * next_sentence


def pair_losses(
    model: PairNetwork,
    ids: Tensor,
    segments: Tensor,
    y: Tensor,
    share: float,
    mask: int,
    generator: torch.Generator,
) -> tuple[Tensor, Tensor]:
    """Return L_masked and L_next of pairs (B, T) of one length, in nats; ids above `mask` are marks, never hidden."""
    hidden = hide(ids, share, mask, generator)
    marks = ids > mask
    places = hidden.places & ~marks
    h = model(torch.where(marks, ids, hidden.shown), segments)  # (B, T, C)
    masked = functional.cross_entropy(model.token_logits(h[places]).float(), ids[places])
    next_sentence = functional.binary_cross_entropy_with_logits(model.next_logit(h).float(), y)
    return masked, next_sentence
