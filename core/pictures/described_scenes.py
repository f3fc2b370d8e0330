"""Two groups of coloured shapes in three rows and three columns, and the one sentence that is true of them.

    scene     number colour shape   relation   number colour shape       two red circles above a blue square
    above     every shape of the first group stands in a higher row than every shape of the second
    left of   likewise for columns; exactly one of the four relations holds in a scene
    first     the larger group is named first; of two as large, the upper or the left one

So every scene has one right caption, to the word. A combination is a colour, a shape and where its group stands: above,
below, left of or right of the other. Those in UNSEEN are never drawn for training; their colours, shapes and places all
are, in other combinations. A picture is (3, S, S), from 0 to 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

from core.pictures.scenes import COLOURS, SIDE, Thing, draw_things

ACROSS = 3  # rows, and columns
NUMBERS = ("a", "two", "three")
SHAPES = ("circle", "ring", "square", "triangle", "cross")
OPPOSITE = {"above": "below", "below": "above", "left of": "right of", "right of": "left of"}
PLACES = tuple(OPPOSITE)
CELLS = tuple(product(range(ACROSS), repeat=2))  # (row, column)
COMBINATIONS = tuple(product(COLOURS, SHAPES, PLACES))
UNSEEN = tuple(
    (colour, shape, PLACES[(i + 2 * j) % len(PLACES)])
    for (i, colour), (j, shape) in product(enumerate(COLOURS), enumerate(SHAPES))
    if (i + j) % 5 in (0, 2)
)
FIRST_LEARNT = 10_000_000_000  # the first seed that is learnt from: far above those held out
Cells = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Group:
    """One to three shapes of one kind."""

    number: int
    colour: str
    shape: str

    @property
    def words(self) -> str:
        """The group in words.

        >>> Group(1, "red", "cross").words, Group(3, "blue", "cross").words
        ('a red cross', 'three blue crosses')
        """
        ending = "" if self.number == 1 else "es" if self.shape.endswith("s") else "s"
        return f"{NUMBERS[self.number - 1]} {self.colour} {self.shape}{ending}"


@dataclass(frozen=True)
class DescribedScene:
    """Two groups of different kinds, the cells in which their shapes stand, and how the first stands to the second."""

    first: Group
    relation: str
    second: Group
    first_cells: Cells
    second_cells: Cells

    @property
    def caption(self) -> str:
        """The one sentence that is true of the scene."""
        return f"{self.first.words} {self.relation} {self.second.words}"

    @property
    def combinations(self) -> tuple[tuple[str, str, str], ...]:
        """Colour, shape and place of both groups."""
        one, other = self.first, self.second
        return (one.colour, one.shape, self.relation), (other.colour, other.shape, OPPOSITE[self.relation])

    @property
    def unseen(self) -> bool:
        """Whether one of its combinations is never drawn for training."""
        return any(each in UNSEEN for each in self.combinations)


def relations(first: Cells, second: Cells) -> tuple[str, ...]:
    """Return every relation that holds between the shapes in two sets of cells.

    >>> relations(((0, 0), (0, 2)), ((1, 1),)), relations(((0, 0),), ((2, 2),))
    (('above',), ('above', 'left of'))
    """
    (up, left), (down, right) = np.array(first).T, np.array(second).T
    holds = up.max() < down.min(), up.min() > down.max(), left.max() < right.min(), left.min() > right.max()
    return tuple(name for name, true in zip(PLACES, holds, strict=True) if true)


def first_named(one: Group, relation: str, other: Group) -> bool:
    """Return whether a caption begins with `one`, which stands in this relation to `other`.

    >>> first_named(Group(1, "red", "ring"), "above", Group(2, "blue", "cross"))
    False
    """
    return one.number > other.number or (one.number == other.number and relation in ("above", "left of"))


def place_groups(one: Group, relation: str, other: Group, rng: np.random.Generator) -> DescribedScene:
    """Return the two groups in cells drawn so that this relation holds and no other does."""
    while True:
        split = int(rng.integers(1, ACROSS))
        sides = [[], []]
        for row, column in CELLS:
            along = row if relation in PLACES[:2] else column
            sides[int(along >= split)].append((row, column))
        if relation in ("below", "right of"):
            sides.reverse()
        cells = [
            tuple(sorted(side[i] for i in rng.permutation(len(side))[: group.number]))
            for side, group in zip(sides, (one, other), strict=True)
        ]
        if relations(*cells) == (relation,):
            break
    if first_named(one, relation, other):
        return DescribedScene(one, relation, other, *cells)
    return DescribedScene(other, OPPOSITE[relation], one, cells[1], cells[0])


def group(rng: np.random.Generator) -> Group:
    """Return a group drawn from all there are."""
    colour, shape = list(COLOURS)[rng.integers(len(COLOURS))], SHAPES[rng.integers(len(SHAPES))]
    return Group(int(rng.integers(len(NUMBERS))) + 1, colour, shape)


def described_scene(seed: int, unseen: bool = False) -> DescribedScene:
    """Return the scene of a seed: all its combinations are drawn for training or, if `unseen`, one at least never is.

    >>> described_scene(3).caption, described_scene(3).unseen, described_scene(3, unseen=True).unseen
    ('three green circles left of a purple circle', False, True)
    """
    rng = np.random.default_rng((seed, int(unseen)))
    while True:
        one, other = group(rng), group(rng)
        relation = PLACES[rng.integers(len(PLACES))]
        if unseen:
            colour, shape, relation = UNSEEN[rng.integers(len(UNSEEN))]
            one = Group(one.number, colour, shape)
        if (one.colour, one.shape) == (other.colour, other.shape):
            continue
        scene = place_groups(one, relation, other, rng)
        if scene.unseen == unseen:
            return scene


def built_scene(one: Group, relation: str, other: Group, seed: int) -> DescribedScene:
    """Return the scene of two groups that somebody chose, their places drawn from the seed.

    Raises ValueError where both are of one kind: no caption could tell them apart.

    >>> built_scene(Group(1, "red", "ring"), "above", Group(2, "blue", "cross"), seed=1).caption
    'two blue crosses below a red ring'
    """
    if (one.colour, one.shape) == (other.colour, other.shape):
        raise ValueError("Both groups are of one kind. Choose another colour or shape for one of them.")
    return place_groups(one, relation, other, np.random.default_rng((seed, 3)))


def scene_picture(scene: DescribedScene, seed: int) -> np.ndarray:
    """Return the scene's picture, (3, S, S): the seed decides sizes, turns, shades and the ground.

    >>> scene_picture(described_scene(3), 3).shape
    (3, 32, 32)
    """
    rng = np.random.default_rng((seed, 2))
    things = []
    for each, cells in ((scene.first, scene.first_cells), (scene.second, scene.second_cells)):
        for row, column in cells:
            y, x = ((np.array([row, column]) + 0.5) * SIDE / ACROSS + rng.uniform(-0.5, 0.5, 2)).tolist()
            radius, angle = float(rng.uniform(4.0, 4.7)), float(rng.uniform(-0.15, 0.15))
            things.append(Thing(each.colour, each.shape, x, y, radius, angle))
    return draw_things(things, float(rng.uniform(0.0, 0.3)), rng, noise=0.02)


def empty_picture(ground: float = 0.15) -> np.ndarray:
    """Return a picture of the ground alone, (3, S, S): no image."""
    return np.full((3, SIDE, SIDE), ground, dtype=np.float32)
