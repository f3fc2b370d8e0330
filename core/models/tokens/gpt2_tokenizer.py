"""GPT-2's tokenizer: the 50,000 byte pairs that OpenAI learned from eight million web pages.

It differs from our byte pairs in what it was learned from, and in how a text is first cut into pieces that no merge
crosses. It gives the 256 bytes other ids than their values: printable ones first.

Source: Radford et al. (2019), Language Models are Unsupervised Multitask Learners.
"""

from __future__ import annotations

from functools import cache

import regex

from core.models.stored import load_weights
from core.models.tokens.byte_pairs import BytePairs

NAME = "gpt2_tokenizer"
# Endings such as 's; letters, digits, or other signs, each with the space before them; white space.
GPT2_PIECES = regex.compile(r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+")
PRINTABLE = (
    *range(33, 127),
    *range(161, 173),
    *range(174, 256),
)  # bytes that are a visible character in Latin-1


@cache
def gpt2_pairs() -> BytePairs:
    """Return GPT-2's merges; raises StoredModelError where they are missing.

    >>> pairs = gpt2_pairs()
    >>> len(pairs), [pairs.tokens[i] for i in pairs.encode("To be, or not to be")]
    (50256, ['To', ' be', ',', ' or', ' not', ' to', ' be'])
    """
    merges = load_weights(NAME)["merges"]  # (50,000, 2)
    return BytePairs(tuple(map(tuple, merges.tolist())), cut=GPT2_PIECES)


def gpt2_id(token: int) -> int:
    """Return the id that GPT-2 gives a token of `gpt2_pairs`: another one for a single byte, the same for the rest.

    >>> gpt2_id(ord("!")), gpt2_id(ord(" ")), gpt2_id(256)
    (0, 220, 256)
    """
    return byte_ids()[token] if token < 256 else token


@cache
def byte_ids() -> dict[int, int]:
    """Return {byte: its id in GPT-2}, the printable bytes first."""
    others = [byte for byte in range(256) if byte not in PRINTABLE]
    return {byte: i for i, byte in enumerate((*PRINTABLE, *others))}
