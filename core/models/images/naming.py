"""Naming without classes: a picture gets the name whose sentence is nearest to it, from any list of sentences.

    p(name k | picture) = softmax_k(exp(t) u . v_k)             v_k: the sentence "a red circle", and so on

No layer was fitted to these names: another list of sentences is another classifier.

Source: Radford et al. (2021), Learning Transferable Visual Models From Natural Language Supervision, section 3.1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from torch import Tensor

from core.models.images.one_space import StoredSpace
from core.pictures.described_scenes import SHAPES
from core.pictures.scenes import COLOURS
from core.pictures.scenes_in_words import alone

NAMED_RIGHT = "named by a sentence, one shape alone"  # a measure of the card
PROMPTS = tuple(f"a {colour} {shape}" for colour, shape in product(COLOURS, SHAPES))


@dataclass(frozen=True)
class Named:
    """Sentences for one picture: their cosines with it and their probabilities, each (K,)."""

    sentences: tuple[str, ...]
    cosines: Tensor
    probabilities: Tensor

    @property
    def name(self) -> str:
        """The likeliest sentence."""
        return self.sentences[int(self.cosines.argmax())]


def score_sentences(model: StoredSpace, picture: np.ndarray, sentences: Sequence[str] = PROMPTS) -> Named:
    """Return how near each sentence is to a picture (3, S, S), and its probability among them."""
    u, v = model.pictures(picture[None])[0], model.sentences(list(sentences))
    cosines = v @ u  # (K,)
    return Named(tuple(sentences), cosines, (model.network.scale * cosines).softmax(0))


def names_by_shape(model: StoredSpace, n: int) -> dict[str, tuple[int, int]]:
    """Return of n held-out pictures of one shape alone, by shape, how many are named right, and how many there are."""
    right = names_right(model, n)
    shapes = np.array([alone(seed)[1].split()[1] for seed in range(n)])
    return {shape: (int(right[shapes == shape].sum()), int((shapes == shape).sum())) for shape in SHAPES}


def names_right(model: StoredSpace, n: int) -> np.ndarray:
    """Return of which of n held-out pictures of one shape alone the nearest prompt is the true one, (n,)."""
    pictures, kinds = zip(*(alone(seed) for seed in range(n)), strict=True)
    cosines = model.pictures(np.stack(pictures)) @ model.sentences(list(PROMPTS)).T  # (n, K)
    return np.array([PROMPTS[k] for k in cosines.argmax(1)]) == np.array([f"a {kind}" for kind in kinds])
