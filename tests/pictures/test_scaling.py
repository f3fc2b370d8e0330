"""A learner's picture in a model's size: each pixel the mean of what it covers, digits as light ink on dark."""

import numpy as np
import pytest

from core.pictures.reading import Picture
from core.pictures.scaling import as_ink, scaled


def test_each_new_pixel_is_the_mean_of_its_area_in_the_middle_square():
    pixels = np.random.default_rng(0).integers(0, 256, (64, 96, 3), dtype=np.uint8)
    expected = pixels[:, 16:80].reshape(8, 8, 8, 8, 3).mean(axis=(1, 3)).transpose(2, 0, 1) / 255
    np.testing.assert_allclose(scaled(Picture(pixels), 8), expected, atol=1e-5)


def test_a_small_picture_is_enlarged_and_keeps_its_range():
    pixels = np.zeros((8, 8, 3), dtype=np.uint8)
    pixels[:, 4:] = 255
    big = scaled(Picture(pixels), 32)
    assert big.shape == (3, 32, 32) and set(np.unique(big)) == {0.0, 1.0}


def test_dark_ink_on_light_paper_is_turned_over_and_light_on_dark_is_not():
    paper = np.full((3, 8, 8), 0.9)
    paper[:, 2:6, 3:5] = 0.2
    ink, notes = as_ink(paper)
    assert (ink[0, 2:6, 3:5] == pytest.approx(1)) and ink[0, 0, 0] == pytest.approx(0)
    assert any("turned over" in note for note in notes)
    same, notes = as_ink(1 - paper)
    np.testing.assert_allclose(same, ink, atol=1e-6)
    assert not any("turned over" in note for note in notes)


@pytest.mark.parametrize("level", [0.0, 0.3, 1.0])
def test_a_picture_of_one_colour_is_not_stretched(level):
    ink, notes = as_ink(np.full((3, 8, 8), level))
    assert np.isfinite(ink).all() and np.ptp(ink) < 1e-6
    assert not any("stretched" in note for note in notes)
    assert ink[0, 0, 0] == pytest.approx(min(level, 1 - level))
