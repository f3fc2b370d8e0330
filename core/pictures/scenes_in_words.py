"""Described scenes in more sentences than their caption, and scenes that differ from one another in word order alone.

    there   two red circles above a blue square            and      two red circles and a blue square
    back    a blue square below two red circles            part     a blue square
    front   above a blue square are two red circles

The first three say all that is true of a scene, the last two leave something open. A scene mirrored has its groups in each
other's places; recoloured, its shapes have each other's colours: what is said of it has the same words in another order.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from core.pictures.described_scenes import (
    ACROSS,
    FIRST_LEARNT,
    OPPOSITE,
    DescribedScene,
    Group,
    described_scene,
    group,
    place_groups,
    scene_picture,
)
from core.pictures.scenes import SIDE, Thing, draw_things

Groups = tuple[Group, Group]


@dataclass(frozen=True, eq=False)
class DrawnScene:
    """A described scene with its picture, (3, S, S)."""

    scene: DescribedScene
    picture: np.ndarray


def said_of(one: Group, relation: str, other: Group) -> tuple[str, ...]:
    """Return four sentences that say how one group stands to another.

    >>> said_of(Group(2, "red", "circle"), "above", Group(1, "blue", "ring"))[1:3]
    ('a blue ring below two red circles', 'above a blue ring are two red circles')
    """
    there, back = relation, OPPOSITE[relation]
    return (
        f"{one.words} {there} {other.words}",
        f"{other.words} {back} {one.words}",
        f"{there} {other.words} {verb(one)} {one.words}",
        f"{back} {one.words} {verb(other)} {other.words}",
    )


def verb(group: Group) -> str:
    """Return the verb that agrees with a group."""
    return "is" if group.number == 1 else "are"


def full_sentences(scene: DescribedScene) -> tuple[str, ...]:
    """Return the four sentences that say all that is true of a scene; its caption is the first."""
    return said_of(scene.first, scene.relation, scene.second)


def open_sentences(scene: DescribedScene) -> tuple[str, ...]:
    """Return sentences that are true of a scene, and of others: without the relation, without a group."""
    one, other = scene.first.words, scene.second.words
    return f"{one} and {other}", f"{other} and {one}", one, other


SAYINGS = {  # the ways in which a page says a scene, by name
    "caption": lambda scene: scene.caption,
    "from the other side": lambda scene: full_sentences(scene)[1],
    "relation first": lambda scene: full_sentences(scene)[2],
    "no relation": lambda scene: open_sentences(scene)[0],
    "one group alone": lambda scene: open_sentences(scene)[2],
}


def drawn_sentence(scene: DescribedScene, rng: np.random.Generator, open_share: float) -> str:
    """Return one of a scene's sentences; of so many, on average, one that leaves something open."""
    choices = open_sentences(scene) if rng.random() < open_share else full_sentences(scene)
    return choices[rng.integers(len(choices))]


def is_true(sentence: str, scene: DescribedScene) -> bool:
    """Return whether a sentence is one of those that are true of a scene, letter case and articles aside.

    >>> is_true("Three green circles", described_scene(3)), is_true("two green circles", described_scene(3))
    (True, False)
    """
    return strip_articles(sentence) in true_sentences(scene)


@lru_cache(maxsize=4096)
def true_sentences(scene: DescribedScene) -> frozenset[str]:
    """Return the sentences that are true of a scene, as plain as `strip_articles` makes them."""
    return frozenset(map(strip_articles, (*full_sentences(scene), *open_sentences(scene))))


def strip_articles(sentence: str) -> str:
    """Return a sentence in lower case without articles and full stop."""
    return " ".join(word for word in sentence.lower().rstrip(". ").split() if word not in ("a", "an", "the"))


def mirrored(scene: DescribedScene) -> Groups:
    """Return a scene's two groups in each other's places."""
    return scene.second, scene.first


def recoloured(scene: DescribedScene) -> Groups:
    """Return a scene's two groups in each other's colours.

    >>> [each.words for each in recoloured(described_scene(3))]
    ['three purple circles', 'a green circle']
    """
    one, other = scene.first, scene.second
    return replace(one, colour=other.colour), replace(other, colour=one.colour)


def twin(scene: DescribedScene, seed: int) -> DescribedScene:
    """Return a scene of the same groups mirrored, recoloured, or in another relation; a new one where each is unseen."""
    rng = np.random.default_rng((seed, 4))
    relation = next(each for each in OPPOSITE if each not in (scene.relation, OPPOSITE[scene.relation]))
    changes = (
        (mirrored(scene), scene.relation),
        (recoloured(scene), scene.relation),
        ((scene.first, scene.second), relation),
    )
    for place in rng.permutation(len(changes)):
        (one, other), how = changes[place]
        found = place_groups(one, how, other, rng)
        if not found.unseen and found.caption != scene.caption:
            return found
    return described_scene(seed + FIRST_LEARNT)


def draw_described_scene(scene: DescribedScene, seed: int) -> DrawnScene:
    """Return a scene with the picture that a seed draws of it."""
    return DrawnScene(scene, scene_picture(scene, seed))


def learned_pair(place: int, n: int) -> tuple[DrawnScene, DrawnScene]:
    """Return pair `place` of n scenes that a model learns from: one, of a seed far above those held out, and its twin.

    >>> [each.scene.caption for each in learned_pair(0, 16_000)]
    ['three green circles above two blue squares', 'three green circles left of two blue squares']
    """
    seed = FIRST_LEARNT + place
    scene = described_scene(seed)
    return draw_described_scene(scene, seed), draw_described_scene(twin(scene, seed), seed + n)


def gallery(n: int, start: int, unseen: bool = False) -> list[DrawnScene]:
    """Return n scenes from the seed `start` on, no two of which have the same caption.

    >>> [each.scene.caption for each in gallery(2, start=3)]
    ['three green circles left of a purple circle', 'two purple rings below a green cross']
    """
    found: dict[str, DrawnScene] = {}
    seed = start
    while len(found) < n:
        scene = described_scene(seed, unseen)
        if scene.caption not in found:
            found[scene.caption] = draw_described_scene(scene, seed)
        seed += 1
    return list(found.values())


def alone(seed: int) -> tuple[np.ndarray, str]:
    """Return a picture of one shape in one of the nine cells, (3, S, S), as no scene shows it, and what it is.

    >>> picture, kind = alone(3)
    >>> picture.shape, kind
    ((3, 32, 32), 'green circle')
    """
    rng = np.random.default_rng((seed, 3))
    one = group(rng)
    y, x = ((rng.integers(ACROSS, size=2) + 0.5) * SIDE / ACROSS).tolist()
    thing = Thing(one.colour, one.shape, x, y, float(rng.uniform(4.0, 4.7)), float(rng.uniform(-0.15, 0.15)))
    return draw_things([thing], float(rng.uniform(0.0, 0.3)), rng, noise=0.02), f"{one.colour} {one.shape}"
