"""What both captioners share: their shape, the words they write, and what a decoder says."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor

from core.models.translation import seq2seq
from core.pictures.described_scenes import NUMBERS, PLACES, SHAPES, Group
from core.pictures.scenes import COLOURS, SIDE

PADDING, START, END = seq2seq.PADDING, seq2seq.START, seq2seq.END  # as in translation
MARKS = ("<padding>", "<start>", "<end>")
WORDS = (
    *MARKS,
    *NUMBERS,
    *COLOURS,
    *(Group(number, "", shape).words.split()[-1] for number in (1, 2) for shape in SHAPES),
    *dict.fromkeys(word for place in PLACES for word in place.split()),
)
LONGEST = 12  # words, after which a captioner is stopped


@dataclass(frozen=True)
class CaptionerConfig:
    """The shape of a captioner: pictures of `side` pixels, C numbers a state; blocks and heads of a transformer's."""

    width: int = 128
    layers: int = 3
    heads: int = 4
    side: int = SIDE
    words: int = len(WORDS)


@dataclass(frozen=True)
class Described:
    """What a decoder says at T steps: `logits` (B, T, V), and where it looks, `weights` (B, L, H, T, N)."""

    logits: Tensor
    weights: Tensor


def ids_of(caption: str) -> list[int]:
    """Return a caption's words as ids, <end> at the end.

    >>> [WORDS[i] for i in ids_of("a red ring above two blue crosses")]
    ['a', 'red', 'ring', 'above', 'two', 'blue', 'crosses', '<end>']
    """
    return [WORDS.index(word) for word in caption.split()] + [END]
