"""The palette shows on both backgrounds, differs for every kind of colour vision, and is Streamlit's too."""

import re
import tomllib
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from core.figures.palette import CATEGORIES, DARK_BACKGROUND, GREY, LIGHT_BACKGROUND, contrast_ratio, rgb

VIEWS = Path(__file__).parents[2] / "assets" / "views"
DARK_TRACK = "#3B3B3B"  # of Chromium's sliders; beside an accent that is too dark they turn white
THEME = tomllib.loads((Path(__file__).parents[2] / ".streamlit" / "config.toml").read_text())["theme"]
# How people without one kind of cone see linear RGB: Vienot, Brettel and Mollon (1999).
PROTAN = np.array([[0.11238, 0.88762, 0.0], [0.11238, 0.88762, 0.0], [0.00401, -0.00401, 1.0]])
DEUTAN = np.array([[0.29275, 0.70725, 0.0], [0.29275, 0.70725, 0.0], [-0.02234, 0.02234, 1.0]])


@pytest.mark.parametrize("colour", CATEGORIES)
def test_each_colour_stands_out_from_both_backgrounds(colour):
    assert contrast_ratio(colour, LIGHT_BACKGROUND) >= 3
    assert contrast_ratio(colour, DARK_BACKGROUND) >= 3


@pytest.mark.parametrize(
    "vision", [np.eye(3), PROTAN, DEUTAN], ids=["all cones", "protanopia", "deuteranopia"]
)
def test_no_two_of_the_first_three_colours_look_alike(vision):
    seen = [vision @ (np.array(rgb(colour)) / 255) ** 2.2 for colour in CATEGORIES[:3]]
    assert min(np.linalg.norm(one - other) for one, other in combinations(seen, 2)) > 0.1


def test_streamlit_draws_with_the_same_colours():
    assert tuple(THEME["chartCategoricalColors"]) == CATEGORIES
    assert THEME["light"]["backgroundColor"] == LIGHT_BACKGROUND
    assert THEME["dark"]["backgroundColor"] == DARK_BACKGROUND


def test_grey_is_for_what_is_not_chosen():
    assert CATEGORIES[-1] == GREY


@pytest.mark.parametrize("view", [path.parent.name for path in VIEWS.glob("*/view.css")])
def test_a_view_s_sliders_stand_out_from_their_dark_track(view):
    css = (VIEWS / view / "view.css").read_text(encoding="utf-8")
    for light, dark in re.findall(r"accent-color: (?:light-dark\()?(#\w+)(?:, (#\w+)\))?", css):
        assert contrast_ratio(dark or light, DARK_TRACK) >= 3
