"""What a view writes can be read from the back row: 16 pixels or more, less on a phone or where very many share a line."""

import re

from core.figures.blank import FONT_SIZE
from core.lesson.browser_view import VIEWS

NARROW = re.compile(r"@(?:media|container) \(max-(?:width|aspect-ratio)[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}")
RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
SIZE = re.compile(r"font(?:-size)?: *(?:\d+ )?([\d.]+)(px|rem)")
CROWDED = {".word.upright", ".steps .shifted .many .id", ".steps .symbol"}  # a line of 24 or more
BESIDE = {
    "home",
    "causal_mask",
}  # the home page's cards hold the same pictures small; a stage's number stands in a ring


def small_type(css):
    """Return the selectors of a stylesheet whose words are smaller than a figure's."""
    for selector, rules in RULE.findall(NARROW.sub("", re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL))):
        for number, unit in SIZE.findall(rules):
            narrow = selector.strip().startswith(".narrow")  # a view's own name for a phone
            if not narrow and float(number) * (16 if unit == "rem" else 1) < FONT_SIZE:
                yield selector.strip()


def test_what_finds_small_type_finds_it_but_on_a_phone():
    assert list(small_type(".a { font-size: 15px; } .b { font: 600 0.9rem/1 x; }")) == [".a", ".b"]
    assert (
        list(small_type("@media (max-width: 640px) { .a { font-size: 13px; } } .b { font-size: 16px; }"))
        == []
    )


def test_no_view_s_words_are_smaller_than_a_figure_s():
    found = {
        f"{file.parent.name}: {selector}"
        for file in VIEWS.glob("*/*.css")
        if file.parent.name not in BESIDE
        for selector in set(small_type(file.read_text(encoding="utf-8"))) - CROWDED
    }
    assert found == set()


STAYS = {"layer_mix: .around", "lattice: .panel"}  # its outer columns stay in sight; a ground of its own


def test_a_box_that_scrolls_sideways_shows_that_there_is_more():
    rules = [
        (f"{file.parent.name}: {selector.strip()}", rule)
        for file in VIEWS.glob("*/*.css")
        for selector, rule in RULE.findall(
            re.sub(r"/\*.*?\*/", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)
        )
    ]
    shaded = {name.rpartition(" ")[2] for name, rule in rules if "var(--sideways)" in rule} | {
        ".formula",
        ".bars",
        ".scrolls",
        ".examples",
    }
    assert any("var(--sideways)" in rule for name, rule in rules if name.startswith("steps:"))
    scrolling = {name for name, rule in rules if "overflow-x: auto" in rule} - STAYS
    assert {name for name in scrolling if name.rpartition(" ")[2] not in shaded} == set()
