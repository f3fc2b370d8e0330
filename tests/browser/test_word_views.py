"""The views of word2vec in Chromium: words and arrows are at core's places, bars as long as core's shares."""

import json
from pathlib import Path

import pytest

from tests.browser.conftest import end_motion, mount_view

pytestmark = pytest.mark.xdist_group("browser")
VIEWS = Path(__file__).resolve().parents[2] / "assets" / "views"
CENTRE = "(each) => { const m = new DOMMatrix(getComputedStyle(each).transform); return [m.e, m.f]; }"


def example(view):
    return json.loads((VIEWS / view / "example.json").read_text(encoding="utf-8"))


def test_words_are_at_their_places_with_one_scale_for_both_axes(page):
    data = example("word_plane")
    mount_view(page, "word_plane", data)
    end_motion(page)
    points = data["panels"][0]["points"]
    drawn = [page.locator(f'circle[data-mark="point.{point["key"]}"]').evaluate(CENTRE) for point in points]
    first, *_, last = sorted(range(len(points)), key=lambda i: points[i]["x"])
    unit = (drawn[last][0] - drawn[first][0]) / (points[last]["x"] - points[first]["x"])
    assert unit > 10
    for (x, y), point in zip(drawn, points, strict=True):
        assert x - drawn[0][0] == pytest.approx(unit * (point["x"] - points[0]["x"]), abs=0.3)
        assert drawn[0][1] - y == pytest.approx(unit * (point["y"] - points[0]["y"]), abs=0.3)


def test_labels_do_not_cover_each_other_and_every_arrow_is_drawn(page):
    data = example("word_plane")
    mount_view(page, "word_plane", data)
    end_motion(page)
    boxes = [each.bounding_box() for each in page.locator(".label").all()]
    for i, one in enumerate(boxes):
        for other in boxes[:i]:
            apart = (
                one["x"] >= other["x"] + other["width"] - 3
                or other["x"] >= one["x"] + one["width"] - 3
                or one["y"] >= other["y"] + other["height"] - 9
                or other["y"] >= one["y"] + one["height"] - 9
            )
            assert apart
    assert page.locator(".arrow").count() == len(data["panels"][0]["arrows"])


def test_a_bar_is_as_long_as_its_share(page):
    data = example("word_pairs")
    mount_view(page, "word_pairs", data)
    end_motion(page)
    tracks, bars = page.locator(".track").all(), page.locator(".bar").all()
    shares = [bar["share"] for row in data["rows"] for bar in row["bars"]]
    assert len(bars) == len(shares) > 0
    for track, bar, share in zip(tracks, bars, shares, strict=True):
        assert bar.bounding_box()["width"] == pytest.approx(share * track.bounding_box()["width"], abs=0.5)


def test_an_arc_leads_to_each_word_of_the_window_where_the_sentence_is_in_one_line(page):
    data = example("word_pairs")
    data["sentences"][0]["arcs"] = True
    mount_view(page, "word_pairs", data)
    near = [token for token in data["sentences"][0]["tokens"] if token["kind"] in ("near", "focus")]
    assert page.locator(".arc").count() == page.locator(".tip").count() == len(near)
    data["sentences"][0]["arcs"] = False
    page.evaluate("(data) => window.show(data)", data)
    assert page.locator(".arc").count() == 0 and page.locator(".token").count() == 9
    data["sentences"][0]["arcs"] = True
    page.evaluate("(data) => window.show(data)", data)
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_timeout(300)
    assert page.locator(".arc").count() == 0
