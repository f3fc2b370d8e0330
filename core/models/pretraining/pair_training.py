"""Training on pairs of sentences: which pairs are shown, and the two losses that are added.

    the pair    (A, B): A is a sentence of a text; B is the one that follows it (y = 1) or not (y = 0), half each
    not next    B is from another book, or from the same book, or A and B are swapped
    L_next      = -[ y ln p(is next) + (1 - y) ln(1 - p(is next)) ]
    L_masked    = -1/|M| sum_{t in M} ln p(x_t | what is shown)          [CLS] and [SEP] are never hidden
    L           = L_masked + k L_next                                    k = 1 in BERT

BERT drew B from another document, so what the sentences are about gives most pairs away. Within a book the topic is the
same, and swapped pairs hold the same words: only their order is wrong.

A sentence of another book is drawn among those of as many tokens as the one that follows has: its length cannot give it
away. Within a book any sentence is drawn, because a short story has none of the same length.

Sources: Devlin, Chang, Lee and Toutanova (2019), BERT, 3.1 and A.1; Liu et al. (2019), RoBERTa, 4.2; Lan et al. (2020),
ALBERT, 3.1, for the swapped order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from core.models.fit_language_model import FitConfig, Fitting
from core.models.pretraining.sentence_pairs import PairInput, PairNetwork, longest_read, pair_input, read_of
from core.models.self_attention.masked_language_model import hide
from core.models.tokens.byte_pairs import PIECES, BytePairs

KINDS = OTHER_BOOK, SAME_BOOK, SWAPPED = (  # of pairs in which the second sentence does not follow
    "one of another book",
    "another of the same book",
    "the two swapped",
)
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
    def ends(self) -> np.ndarray:
        """Where the book of each begins, and where the next one does, (n, 2)."""
        borders = np.flatnonzero(np.diff(self.books)) + 1
        starts, stops = np.r_[0, borders], np.r_[borders, len(self.books)]
        return np.repeat(np.stack([starts, stops], axis=1), stops - starts, axis=0)


def join_short_sentences(
    sentences: Iterable[str], pairs: BytePairs, least: int
) -> list[tuple[str, list[int]]]:
    """Return sentences with their ids; one of fewer than `least` tokens goes together with what follows it.

    What is too short at the end of the text is left out.

    >>> join_short_sentences(["Oh.", "It is.", "Go."], BytePairs(()), least=6)
    [('Oh. It is.', [79, 104, 46, 32, 73, 116, 32, 105, 115, 46])]
    """
    encoded = cache(lambda piece: tuple(pairs.encode(piece)))  # most pieces come again and again
    found, waiting = [], ""
    for sentence in sentences:
        waiting = f"{waiting} {sentence}".strip()
        ids = [token for piece in PIECES.findall(waiting) for token in encoded(piece)]
        if len(ids) >= least:
            found.append((waiting, ids))
            waiting = ""
    return found


def other_passage(
    passages: Passages,
    place: int,
    same_book: bool,
    draw: np.random.Generator,
    inside: np.ndarray | None = None,
) -> int | None:
    """Return the place of a sentence that does not follow the one at `place`; None when there is no such sentence.

    From the same book: any but the sentence itself, the one before it and the one after it. From another book: one that
    has as many tokens as the next sentence; only from where `inside` (n,) is True, when it is given.

    >>> passages = Passages([[1], [2], [3], [4], [5, 6], [7]], np.array([0, 0, 0, 0, 1, 1]))
    >>> other_passage(passages, 1, True, np.random.default_rng(0))
    3
    >>> other_passage(passages, 1, False, np.random.default_rng(0))
    5
    """
    start, stop = passages.ends[place]
    if same_book:
        found = np.r_[start : max(start, place - 1), min(stop, place + 2) : stop]
    else:
        found = passages.of_length[int(passages.lengths[place + 1])]
        found = found[(found < start) | (found >= stop)]
        found = found if inside is None else found[inside[found]]
    return int(draw.choice(found)) if len(found) else None


@dataclass(frozen=True)
class DrawnPairs:
    """Pairs to train on: the places of A and B, and y, 1 where B follows A, (n,) each."""

    first: np.ndarray
    second: np.ndarray
    y: np.ndarray


def draw_pairs(
    passages: Passages, places: np.ndarray, shares: Mapping[str, float], draw: np.random.Generator
) -> DrawnPairs:
    """Return each sentence at `places` with its next one, and with one that does not follow, of a kind drawn by `shares`.

    Where there is no sentence of the drawn kind, the two are swapped.
    """
    n = len(places)
    kinds = draw.choice(len(KINDS), n, p=[shares[kind] for kind in KINDS])
    first, second = places.copy(), places + 1
    for row, (place, kind) in enumerate(zip(places.tolist(), kinds.tolist(), strict=True)):
        other = None
        if KINDS[kind] != SWAPPED:
            other = other_passage(passages, place, KINDS[kind] == SAME_BOOK, draw)
        first[row], second[row] = (place + 1, place) if other is None else (place, other)
    y = np.repeat([1.0, 0.0], n)
    return DrawnPairs(np.concatenate([places, first]), np.concatenate([places + 1, second]), y)


class PairFitting(Fitting):
    """Fitting a network to both tasks; which pairs are read depends on the seed and the step alone.

    `places` are those of the first sentences of the true pairs. All pairs of a step have the same number of tokens, so
    that none has to be padded. At least half of them come with the pair of the same first sentence and the other answer,
    where that is as long: the two differ in little but what decides. `shares` says how many of the pairs that do not
    follow are of each kind, `hidden_share` is the share of tokens that are hidden, `next_weight` is k.
    """

    def __init__(
        self,
        model: PairNetwork,
        passages: Passages,
        places: np.ndarray,
        config: FitConfig,
        marks: tuple[int, int, int],
        hidden_share: float,
        shares: Mapping[str, float],
        next_weight: float = 1.0,
    ):
        super().__init__(model, torch.zeros(0), config)
        self.passages, self.hidden_share, self.next_weight = passages, hidden_share, next_weight
        self.mask, self.cls, self.sep = marks
        self.drawn = draw_pairs(passages, places, shares, np.random.default_rng(config.seed))
        read = np.minimum(passages.lengths, longest_read(model))
        self.totals = read[self.drawn.first] + read[self.drawn.second]
        self.of_total = {int(n): np.flatnonzero(self.totals == n) for n in np.unique(self.totals)}

    def pairs(self) -> tuple[list[PairInput], Tensor]:
        """Return the pairs of the step to come, and y, 1 where the second sentence follows the first."""
        draw, drawn = np.random.default_rng(self.draw), self.drawn
        total = int(draw.choice(self.totals))
        rows = self.of_total[total]
        half = draw.choice(rows, min(self.config.batch // 2, len(rows)), replace=False)
        partners = (half + len(drawn.y) // 2) % len(drawn.y)  # the same first sentence with the other answer
        chosen = np.union1d(half, partners[self.totals[partners] == total])
        if len(chosen) < self.config.batch < len(rows):
            others = np.setdiff1d(rows, chosen)
            more = draw.choice(others, min(len(others), self.config.batch - len(chosen)), replace=False)
            chosen = np.concatenate([chosen, more])
        longest, ids = longest_read(self.model), self.passages.ids
        pairs = [
            pair_input(*read_of(ids[i], ids[j], longest), self.cls, self.sep)
            for i, j in zip(drawn.first[chosen].tolist(), drawn.second[chosen].tolist(), strict=True)
        ]
        return pairs, torch.tensor(drawn.y[chosen], dtype=torch.float32)

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
