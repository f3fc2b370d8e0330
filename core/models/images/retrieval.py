"""Retrieval: which picture is nearest to a sentence, which sentence nearest to a picture, and how often it is the right one.

    cosine_ij = u_i . v_j                               u_i: picture i, v_j: sentence j, both of length one
    rank_i = 1 + how many j have cosine_ij > cosine_ii
    recall@k = the share of i with rank_i <= k

Source: Radford et al. (2021), Learning Transferable Visual Models From Natural Language Supervision; recall@k is that
of image and text retrieval, as in Faghri et al. (2018), VSE++.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from torch import Tensor

from core.models.images.one_space import StoredSpace
from core.pictures.described_scenes import DescribedScene, place_groups
from core.pictures.scenes_in_words import (
    DrawnScene,
    Groups,
    draw_described_scene,
    full_sentences,
    mirrored,
    recoloured,
    said_of,
)

MEASURED_PAIRS = 400  # twins, of which the card says how many are told apart
ROUNDING = 1e-5  # of a cosine: what adding the same numbers in another order may change


@dataclass(frozen=True)
class Ranking:
    """One sentence among N scenes: u_i . v of each, (N,), the order, highest first, and the vectors, (N, E) and (E,)."""

    products: np.ndarray
    order: np.ndarray
    pictures: np.ndarray
    sentence: np.ndarray

    def rank(self, i: int) -> int:
        """Return the rank of scene i, from 0, 1 for the first."""
        return int(np.flatnonzero(self.order == i)[0]) + 1


def picture_vectors(model: StoredSpace, scenes: Sequence[DrawnScene], length_one: bool = True) -> Tensor:
    """Return the vectors of scenes' pictures, (N, E)."""
    return model.pictures(np.stack([each.picture for each in scenes]), length_one)


def rank_scenes(
    model: StoredSpace, sentence: str, u: Tensor, length_one: bool = True, positions: bool = True
) -> Ranking:
    """Return scenes, by their vectors u (N, E), in the order of their products with a sentence's vector."""
    v = model.sentences([sentence], length_one, positions)[0]  # (E,)
    products = (u @ v).numpy()
    return Ranking(products, np.argsort(-products, kind="stable"), u.numpy(), v.numpy())


def ranks(products: Tensor) -> Tensor:
    """Return the rank of each row's own column among its columns, 1 for the first, (B,).

    Equal numbers count against it: who gives all the same number has found nothing.

    >>> from torch import tensor
    >>> ranks(tensor([[0.9, 0.1, 0.2], [0.5, 0.4, 0.3], [0.0, 0.0, 0.0]])).tolist()
    [1, 2, 3]
    """
    own = products.diagonal()[:, None]
    return (products >= own).sum(1)


def recall(products: Tensor, k: int) -> int:
    """Return how many rows have their own column among their k first.

    >>> from torch import tensor
    >>> recall(tensor([[0.9, 0.1, 0.2], [0.5, 0.4, 0.3], [0.0, 0.0, 0.0]]), k=2)
    2
    """
    return int((ranks(products) <= k).sum())


def varied_sentences(scenes: Sequence[DrawnScene]) -> list[str]:
    """Return a sentence of each scene that says all of it, the four kinds by turns."""
    return [full_sentences(each.scene)[i % 4] for i, each in enumerate(scenes)]


def products_of(
    model: StoredSpace, scenes: Sequence[DrawnScene], positions: bool = True, length_one: bool = True
) -> Tensor:
    """Return each picture's product with each scene's sentence, (B, B), the pictures' rows; cosines at length one."""
    u = picture_vectors(model, scenes, length_one)
    return u @ model.sentences(varied_sentences(scenes), length_one, positions).T


@dataclass(frozen=True)
class Twins:
    """Two scenes and a sentence of each, of the same words in another order."""

    scenes: tuple[DrawnScene, DrawnScene]
    sentences: tuple[str, str]


def twins(scenes: Sequence[DrawnScene], changed: Callable[[DescribedScene], Groups]) -> list[Twins]:
    """Return each scene beside its twin, where the twin differs and is, too, of combinations that were learnt from.

    Every second pair is said from the other side: "a blue ring below a red circle".
    """
    pairs = []
    for number, one in enumerate(scenes):
        relation, groups = one.scene.relation, changed(one.scene)
        other = place_groups(groups[0], relation, groups[1], np.random.default_rng(number))
        if other.unseen or other.caption == one.scene.caption:
            continue
        sentences = [
            said_of(a, relation, b)[number % 2] for a, b in ((one.scene.first, one.scene.second), groups)
        ]
        pairs.append(Twins((one, draw_described_scene(other, number)), tuple(sentences)))
    return pairs


def twin_cosines(model: StoredSpace, pairs: Sequence[Twins], positions: bool = True) -> Tensor:
    """Return for each pair the cosines of both pictures, the rows, with both sentences, the columns, (B, 2, 2)."""
    sentences = [each for pair in pairs for each in pair.sentences]
    u = picture_vectors(model, [each for pair in pairs for each in pair.scenes]).unflatten(
        0, (-1, 2)
    )  # (B, 2, E)
    v = model.sentences(sentences, positions=positions).unflatten(0, (-1, 2))
    return u @ v.transpose(1, 2)


def told_apart(cosines: Tensor) -> Tensor:
    """Return for each pair whether each sentence is nearer to its own picture than to the other's, (B,).

    What differs by rounding alone is not told apart. Who guesses for each sentence is right on a quarter of the pairs.

    >>> from torch import tensor
    >>> told_apart(tensor([[[0.9, 0.2], [0.8, 0.3]], [[0.9, 0.2], [0.8, 0.1]]])).tolist()
    [True, False]
    """
    own, other = cosines.diagonal(dim1=1, dim2=2), cosines.flip(1).diagonal(dim1=1, dim2=2)  # (B, 2)
    return (own > other + ROUNDING).all(1)


TWINS = {"mirrored": mirrored, "recoloured": recoloured}
FOUND = "sentence to picture, recall@1, held out"  # measures of the card
FOUND_NEW = "sentence to picture, recall@1, combination never seen"
NO_POSITIONS = ", no positions"  # behind a measure: without word order
