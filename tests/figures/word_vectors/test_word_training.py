"""The window on a sentence: its arcs stay in the picture, and leave no hole above them."""

import re

import pytest

from core.figures.word_vectors.word_training import window_figure


@pytest.mark.parametrize("reach", [1, 4, 10])
def test_the_widest_arc_of_a_window_reaches_the_top_of_the_picture_and_not_beyond(reach):
    figure = window_figure(["a"] * 21, 10, [10 - reach, 10 + reach])
    low, high = figure.layout.yaxis.range
    for arc in figure.layout.shapes:
        foot, bend = (float(y) for y in re.findall(r"[\d.]+ ([\d.]+)(?= C|,)", arc.path)[:2])
        top = 0.25 * foot + 0.75 * bend  # of a cubic curve whose two control points are as high
        assert low < foot < top < high
        assert reach < 3 or top > 0.9 * high
