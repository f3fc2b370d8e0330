"""Words in plotly's figures: dark ink, or their hue's own, at a contrast of 4.5:1 on either background."""

import re
from pathlib import Path

import pytest

from core.figures.palette import DARK_BACKGROUND, HUES, LIGHT_BACKGROUND, contrast, rgb

CSS = (Path(__file__).resolve().parents[2] / "assets" / "course.css").read_text()
INKS = re.findall(
    r'text\[style\*="rgb\(([\d, ]+)\)"\] \{\s*fill: light-dark\((#\w+), (#\w+)\) !important', CSS
)


@pytest.mark.parametrize(("_", "light", "dark"), INKS)
def test_words_can_be_read_on_light_and_on_dark(_, light, dark):
    assert contrast(light, LIGHT_BACKGROUND) >= 4.5
    assert contrast(dark, DARK_BACKGROUND) >= 4.5


def test_every_hue_has_its_ink():
    written = {tuple(map(int, found.split(", "))) for found, _, _ in INKS}
    assert {rgb(colour) for colour in HUES.values()} <= written
