"""How many numbers a language model learns, and how that grows with the window it looks back at.

    feed-forward   grows by C (M + V) with each further token: its first layer has weights of their own for each place
    recurrent      does not grow: the same weights are used at every step
    GPT            grows by C: one position embedding for each further token

Tied embeddings, E for reading and again for writing, save V C numbers (Press and Wolf, 2017).
"""

from __future__ import annotations

from collections.abc import Sequence

import torch

from core.models.stored_language_models import build

UNTIED = ("feed-forward",)  # the networks with an output matrix of their own


def parameter_count(network: str, shape: dict) -> int:
    """Return how many numbers a network of this shape learns, without giving it any.

    >>> parameter_count("recurrent", {"vocabulary_size": 10, "cell": "rnn", "width": 4})  # 10*4 + 2*4*4 + 2*4 + 10
    90
    """
    with torch.device("meta"):
        return sum(parameter.numel() for parameter in build(network, shape).parameters())


def counts_by_window(network: str, shape: dict, windows: Sequence[int]) -> list[int]:
    """Return the number of parameters for each window, everything else as in `shape`; a recurrent one has none.

    >>> counts_by_window("feed-forward", {"vocabulary_size": 10, "embedding": 2, "hidden": 3}, [1, 2, 3])
    [91, 117, 143]
    >>> counts_by_window("gpt", {"vocabulary_size": 10, "layers": 1, "heads": 1, "width": 4}, [1, 2])
    [260, 264]
    """
    if network == "recurrent":
        return [parameter_count(network, shape)] * len(windows)
    return [parameter_count(network, {**shape, "context": window}) for window in windows]


def saved_by_tying(network: str, shape: dict) -> int:
    """Return how many numbers a network saves by using its embedding twice, V C, or 0 where it does not.

    >>> saved_by_tying("gpt", {"vocabulary_size": 50_000, "width": 768})
    38400000
    """
    return 0 if network in UNTIED else shape["vocabulary_size"] * shape["width"]


def first_above(windows: Sequence[int], counts: Sequence[int], other: int) -> int | None:
    """Return the first window, up to the last of `windows`, whose count is above `other`; the counts are a line.

    >>> first_above([1, 8], [10, 80], other=35), first_above([1, 8], [10, 80], other=80)
    (4, None)
    """
    slope = (counts[-1] - counts[0]) // (windows[-1] - windows[0])
    first = max(windows[0], windows[0] + (other - counts[0]) // slope + 1)
    return first if first <= windows[-1] else None
