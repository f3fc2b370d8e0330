"""Icons: every name that the course uses is a file of assets/icons, the library's own, small, and without a colour."""

import re
from xml.etree import ElementTree

import pytest

from core.lesson.icons import (
    ICONS,
    LIBRARY,
    SHAPES,
    icon_mask,
    icon_svg,
    names_in_views,
    shapes_of,
    write_shapes,
)
from core.lesson.new_lesson import INIT
from pages import LESSONS, course

BYTES_AT_MOST = 1000
FILES = sorted(ICONS.glob("*.svg"))
OF_NEW_LESSONS = set(re.findall(r'icon="([a-z0-9-]+)"', INIT))
USED = (
    {lesson.icon for lesson in LESSONS} | set(course.ICONS.values()) | set(names_in_views()) | OF_NEW_LESSONS
)
DRAWN = {"path", "circle", "rect", "line", "polyline", "polygon", "ellipse"}
ROOT = {
    "class": None,
    "width": "24",
    "height": "24",
    "viewBox": "0 0 24 24",
    "fill": "none",
    "stroke": "currentColor",
    "stroke-width": "2",
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
}
# Faces of people and things in colour, which a system may lack; other signs are in the course's own fonts.
EMOJI = re.compile(
    r"[\U0001F000-\U0001FAFF\u2600-\u26FF\u2700-\u2712\u2714-\u2716\u2718-\u27BF\u23E9-\u23FA\uFE0F]"
)
LEARNERS = {  # texts to be read, in any script
    "pages/tokens/text_as_tokens/page.py",
    "pages/tokens/text_as_tokens/questions.py",
    "pages/tokens/text_as_tokens/words.md",
    "pages/tokens/text_as_tokens/words.es.md",
    "core/text/tokenization/tokens.py",
}


def test_every_icon_that_is_named_is_there_and_no_other():
    assert {file.stem for file in FILES} == USED


def test_no_two_lessons_have_one_icon():
    assert len({lesson.icon for lesson in LESSONS}) == len(LESSONS)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_an_icon_is_the_library_s_file_small_and_in_the_colour_of_its_text(file):
    assert file.read_bytes() == (LIBRARY / "icons" / file.name).read_bytes(), "run `make icons`"
    assert len(file.read_bytes()) <= BYTES_AT_MOST
    root = ElementTree.parse(file).getroot()
    assert {name: value if ROOT.get(name) else None for name, value in root.attrib.items()} == ROOT
    for shape in list(root.iter())[1:]:
        assert shape.tag.rpartition("}")[2] in DRAWN
        assert not {"fill", "stroke", "style", "href", "class"} & {*shape.attrib} - {"fill"}
        assert shape.get("fill", "none") in ("none", "currentColor")
        assert not any(name.startswith("on") for name in shape.attrib)


def test_the_library_s_licence_is_kept():
    assert (ICONS / "LICENSE").read_bytes() == (LIBRARY / "LICENSE").read_bytes()


def test_what_a_page_is_sent_has_all_shapes_of_the_file_and_takes_the_text_s_colour():
    for name in USED:
        ours = ElementTree.fromstring(icon_svg(name))
        theirs = ElementTree.parse(ICONS / f"{name}.svg").getroot()
        assert [each.attrib for each in list(ours.iter())[1:]] == [
            each.attrib for each in list(theirs.iter())[1:]
        ]
        assert ours.get("stroke") == "currentColor"
        assert (
            icon_mask(name).startswith('url("data:image/svg+xml,%3Csvg') and icon_mask(name).count('"') == 2
        )


def test_an_icon_that_is_not_there_is_nothing():
    assert (shapes_of("no-such-icon"), icon_svg("no-such-icon"), icon_mask("no-such-icon")) == (
        "",
        "",
        "none",
    )


def test_the_shapes_that_views_draw_are_written_anew_when_a_view_names_another():
    assert SHAPES.read_text(encoding="utf-8") == write_shapes(names_in_views()), "run `make icons`"


def sources():
    """Yield the files that say what a learner sees."""
    root = ICONS.parents[1]
    for folder, ends in (
        ("pages", (".py", ".md")),
        ("core", (".py", ".md")),
        ("assets/views", (".js", ".css")),
    ):
        for file in sorted((root / folder).rglob("*")):
            if file.suffix in ends and str(file.relative_to(root)) not in LEARNERS:
                yield str(file.relative_to(root)), file.read_text(encoding="utf-8")


def test_no_page_and_no_view_draws_an_emoji_as_an_icon():
    found = {name: sorted(set(EMOJI.findall(text))) for name, text in sources() if EMOJI.search(text)}
    assert found == {}


@pytest.mark.parametrize(
    "sign, found", [("🏠", True), ("⏹️", True), ("★", True), ("✕", True), ("✓", False), ("→", False)]
)
def test_what_finds_emoji_finds_them(sign, found):
    assert bool(EMOJI.search(f'icon="{sign}"')) == found
