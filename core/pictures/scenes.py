"""Coloured shapes on a grey ground, drawn from a seed: pictures of which the right answer is known.

A picture is (3, S, S), red, green and blue from 0 to 1. Each shape is a set of points (u, v) around its middle, u to the
right and v down, in units of its radius; a pixel is the mean of FINER x FINER points in it, so that edges are soft.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

SIDE = 32  # pixels
FINER = 3  # points along a pixel
REACH = 1.25  # no point of a shape is farther from its middle, in radii
COLOURS = {
    "red": (0.86, 0.20, 0.18),
    "green": (0.20, 0.66, 0.30),
    "blue": (0.20, 0.40, 0.88),
    "yellow": (0.94, 0.82, 0.20),
    "purple": (0.58, 0.28, 0.76),
}
SHAPES = {
    "circle": lambda u, v: u**2 + v**2 <= 1,
    "ring": lambda u, v: (u**2 + v**2 <= 1) & (u**2 + v**2 >= 0.3),
    "square": lambda u, v: np.maximum(abs(u), abs(v)) <= 0.85,
    "diamond": lambda u, v: abs(u) + abs(v) <= 1.15,
    "triangle": lambda u, v: (v <= 0.8) & (v >= 2 * abs(u) - 1),
    "cross": lambda u, v: (np.minimum(abs(u), abs(v)) <= 0.3) & (np.maximum(abs(u), abs(v)) <= 1),
}
CLASSES = tuple(f"{colour} {shape}" for colour, shape in product(COLOURS, SHAPES))


@dataclass(frozen=True)
class Thing:
    """One shape: its middle (x, y) and radius in pixels, turned by `angle` radians."""

    colour: str
    shape: str
    x: float
    y: float
    radius: float
    angle: float = 0.0

    @property
    def name(self) -> str:
        """What it is called: colour, then shape."""
        return f"{self.colour} {self.shape}"


def covered(thing: Thing, side: int = SIDE) -> np.ndarray:
    """Return which share of each pixel a shape covers, (S, S).

    >>> covered(Thing("red", "square", x=2, y=2, radius=1 / 0.85), side=4).tolist()
    [[0.0, 0.0, 0.0, 0.0], [0.0, 1.0, 1.0, 0.0], [0.0, 1.0, 1.0, 0.0], [0.0, 0.0, 0.0, 0.0]]
    """
    column, row = (
        slice(max(0, int(middle - REACH * thing.radius)), max(0, int(middle + REACH * thing.radius) + 1))
        for middle in (thing.x, thing.y)
    )
    point = (np.arange(side * FINER) + 0.5).reshape(side, FINER) / FINER
    x, y = point[None, column].reshape(1, -1) - thing.x, point[row].reshape(-1, 1) - thing.y
    cosine, sine = np.cos(thing.angle), np.sin(thing.angle)
    inside = SHAPES[thing.shape](
        (cosine * x + sine * y) / thing.radius, (cosine * y - sine * x) / thing.radius
    )
    share = np.zeros((side, side))
    share[row, column] = inside.reshape(len(y) // FINER, FINER, -1, FINER).mean(axis=(1, 3))
    return share


def patches_touched(share: np.ndarray, patch: int) -> np.ndarray:
    """Return which patches a shape touches, (N,), row by row, from the share of each pixel that it covers, (S, S).

    >>> patches_touched(np.eye(4), 2).tolist()
    [True, False, False, True]
    """
    across = len(share) // patch
    return share.reshape(across, patch, across, patch).any(axis=(1, 3)).ravel()


def draw_things(
    things: list[Thing], ground: float, rng: np.random.Generator, noise: float = 0.03
) -> np.ndarray:
    """Return the picture of some things on a grey ground, (3, S, S), a later one over an earlier one, with noise."""
    picture = np.full((3, SIDE, SIDE), ground)
    for thing in things:
        share = covered(thing)
        colour = np.array(COLOURS[thing.colour]) * rng.uniform(0.85, 1.05) + rng.normal(0, 0.02, 3)
        picture = picture * (1 - share) + colour[:, None, None] * share
    return np.clip(picture + rng.normal(0, noise, picture.shape), 0, 1).astype(np.float32)


def shape_picture(seed: int, name: str | None = None) -> tuple[np.ndarray, Thing]:
    """Return one shape somewhere, of any size, slightly turned, (3, S, S), and what it is; the seed decides all.

    `name` is one of CLASSES, drawn too unless given.

    >>> picture, thing = shape_picture(3, "red ring")
    >>> picture.shape, thing.name
    ((3, 32, 32), 'red ring')
    """
    rng = np.random.default_rng(seed)
    chosen = CLASSES[rng.integers(len(CLASSES))]
    colour, shape = (name or chosen).split()
    radius = rng.uniform(5.5, 12.0)
    x, y = rng.uniform(radius, SIDE - radius, 2)
    thing = Thing(colour, shape, float(x), float(y), float(radius), float(rng.uniform(-0.25, 0.25)))
    return draw_things([thing], rng.uniform(0.0, 0.95), rng), thing
