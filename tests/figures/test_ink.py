"""Words in the figures: a hue's own ink, at a contrast of 4.5:1 on either background."""

import pytest

from core.figures.figure import bar
from core.figures.heat_map import STRONG
from core.figures.palette import BLUE, DARK_BACKGROUND, HUES, INKS, LIGHT_BACKGROUND, contrast_ratio, rgb
from core.lesson.browser_view import VIEWS, page_styles, styles


@pytest.mark.parametrize("hue", HUES)
def test_words_in_a_hue_can_be_read_on_light_and_on_dark(hue):
    light, dark = INKS[hue]
    assert contrast_ratio(light, LIGHT_BACKGROUND) >= 4.5
    assert contrast_ratio(dark, DARK_BACKGROUND) >= 4.5


@pytest.mark.parametrize("hue", HUES)
def test_plotly_s_words_and_the_views_take_the_ink(hue):
    light, dark = INKS[hue]
    rule = f'text[style*="rgb{rgb(HUES[hue])}"] {{ fill: light-dark({light}, {dark}) !important; }}'
    assert rule in page_styles()
    assert f"--ink-{hue}: light-dark({light}, {dark});" in styles(VIEWS / "home")


def test_a_view_s_rules_for_the_page_around_it_are_the_page_s():
    assert ".attend-look" in page_styles()
    assert ".attend-look" not in styles(VIEWS / "tour")
    assert "[data-present]" in page_styles()


def test_the_page_itself_needs_few_rules():
    css = (VIEWS.parent / "course.css").read_text(encoding="utf-8")
    rules = css[css.index("*/") + 2 :].splitlines()
    assert sum(bool(line.strip()) for line in rules) <= 65  # 22 of them fold the menu and draw its icons


@pytest.mark.parametrize("hundredths", range(0, 101, 4))
def test_a_number_in_a_blue_cell_can_be_read_in_light_and_in_dark(hundredths):
    share = hundredths / 100
    for background, ink in ((LIGHT_BACKGROUND, "#000000"), (DARK_BACKGROUND, "#EEF2F6")):
        mixed = [share * a + (1 - share) * b for a, b in zip(rgb(BLUE), rgb(background), strict=True)]
        cell = "#" + "".join(f"{round(part):02X}" for part in mixed)
        assert contrast_ratio("#FFFFFF" if share > STRONG else ink, cell) >= 4.45


@pytest.mark.parametrize("hue", HUES.values())
def test_words_inside_bars_of_one_hue_can_be_read(hue):
    assert contrast_ratio(bar(x=[1], text=["a"], marker_color=hue)["insidetextfont"]["color"], hue) >= 4.5
