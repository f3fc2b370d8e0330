"""Drawn shapes have the colour, the place and the size that they are said to have, and a seed decides all."""

import numpy as np
import pytest

from core.pictures.scenes import CLASSES, COLOURS, SHAPES, SIDE, Thing, covered, shape_picture

AREAS = {  # in units of the radius squared
    "circle": np.pi,
    "ring": 0.7 * np.pi,
    "square": 1.7**2,
    "diamond": 2 * 1.15**2,
    "triangle": 1.8**2 / 2,
    "cross": 2 * 0.6 * 2 - 0.6**2,
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("angle", [0.0, 0.3])
def test_a_shape_covers_its_area_around_its_middle(shape, angle):
    share = covered(Thing("red", shape, 15.0, 17.0, 9.0, angle))
    assert share.sum() == pytest.approx(81 * AREAS[shape], rel=0.03)
    y, x = np.mgrid[:SIDE, :SIDE] + 0.5
    if shape != "triangle":
        middle = [(share * each).sum() / share.sum() for each in (x, y)]
        assert middle == pytest.approx([15, 17], abs=0.1)


def test_a_triangle_points_up():
    rows = covered(Thing("red", "triangle", 16, 16, 10)).sum(axis=1)
    wide = rows[rows > 0]
    assert wide[0] < 2 and wide[-1] > 14


def test_a_picture_holds_its_colour_and_only_its_seed_decides_it():
    for seed, name in enumerate(CLASSES):
        picture, thing = shape_picture(seed, name)
        assert thing.name == name
        assert picture.shape == (3, SIDE, SIDE) and picture.min() >= 0 and picture.max() <= 1
        inside = picture[:, covered(thing) == 1].mean(axis=1)
        distance = {colour: np.abs(inside - rgb).sum() for colour, rgb in COLOURS.items()}
        assert min(distance, key=distance.get) == thing.colour
        np.testing.assert_array_equal(picture, shape_picture(seed, name)[0])
    assert not np.array_equal(shape_picture(1)[0], shape_picture(2)[0])


def test_every_class_is_drawn_about_as_often():
    names = [shape_picture(seed)[1].name for seed in range(600)]
    counts = [names.count(name) for name in CLASSES]
    assert min(counts) > 5 and max(counts) < 40
