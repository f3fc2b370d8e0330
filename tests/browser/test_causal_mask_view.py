"""The view "causal_mask" in Chromium: every stage it shows is core's, edits and steps work by hand and by key."""

import csv
import re

import numpy as np
import pytest
import torch
from playwright.sync_api import expect

from core.models.self_attention.attention import causal_mask
from core.models.self_attention.peeking import TOO_LATE, ZERO
from core.models.self_attention.score_matrix import attend_by_scores, mask_of, replace_scores
from pages.self_attention.causal_mask.figures import causal_mask_payload
from tests.browser.conftest import mount_view, settle

CAT = ["c", "a", "t"]
ORDER = ["scores", "scaled", "masked", "exponentials", "sums", "softmax"]
LATE_ORDER = ["scores", "scaled", "exponentials", "sums", "softmax", "cut"]


def mounted(page, data):
    mount_view(page, "causal_mask", data)


def lecture(page, edits=None, way=None, tokens=CAT, d_k=4):
    T = len(tokens)
    mounted(page, causal_mask_payload(tokens, torch.zeros(T, T), edits or {}, d_k, causal_mask(T), way))


def shown(page, name):
    """Return the texts of the cells of the stage of a name, row by row, the sums left out."""
    script = (
        "rows => rows.map(row => [...row.querySelectorAll('.cell[data-t]')].map(cell => cell.textContent))"
    )
    return page.locator(f".panel.{name} .row[data-t]").evaluate_all(script)


def number(text):
    return float(text.replace("−", "-").replace("∞", "inf"))


def assert_shows(texts, expected, hidden):
    """Compare cells with two decimals, or one figure and a power, with what core computed."""
    for row, values, covers in zip(texts, expected.tolist(), hidden.tolist(), strict=True):
        for text, value, covered in zip(row, values, covers, strict=True):
            if covered:
                assert text == ("−∞" if value == -np.inf else "0")
            elif "e" in text:
                assert number(text) == pytest.approx(value, rel=0.51)
            else:
                assert number(text) == pytest.approx(value, rel=6e-3, abs=5.1e-3)


def last_of(page):
    """Go to the first stage, then yield the name of each as it is reached."""
    page.get_by_role("button", name="First").click()
    for _ in ORDER:
        yield page.locator(".panel.current").get_attribute("class").split()[1]
        following = page.get_by_role("button", name="Next")
        if following.is_enabled():
            following.click()


def test_the_lecture_s_three_characters(page):
    lecture(page)
    assert shown(page, "scores") == [["0", "0", "0"]] * 3
    assert shown(page, "masked") == [["0", "−∞", "−∞"], ["0", "0", "−∞"], ["0", "0", "0"]]
    assert shown(page, "softmax") == [["1", "0", "0"], ["0.50", "0.50", "0"], ["0.33", "0.33", "0.33"]]
    sums = page.locator(".panel.sums .sum").all_text_contents()
    assert sums == ["1", "2", "3"]


@pytest.mark.parametrize("kind", ["causal", "bidirectional", "padding", "causal_padding", "window"])
@pytest.mark.parametrize("way", [None, ZERO, TOO_LATE])
def test_every_stage_is_the_attention_trace_s(page, kind, way):
    T, d_k, edits = 5, 7, {(3, 1): -2.25, (4, 4): 9.0}
    base = 6 * torch.randn(T, T, generator=torch.Generator().manual_seed(3))
    mask = mask_of(kind, T, padding=1, window=2)
    mounted(page, causal_mask_payload(list("abcde"), base, edits, d_k, mask, way, learned=True))
    trace, hidden = attend_by_scores(replace_scores(base, edits), d_k, mask, way), mask < 0
    before = attend_by_scores(replace_scores(base, edits), d_k, torch.zeros(T, T))
    never = torch.zeros_like(hidden)
    after_mask = hidden if way is None else never
    expected = {
        "scores": (trace.scores, never),
        "scaled": (trace.scaled, never),
        "masked": (trace.masked, after_mask),
        "exponentials": (trace.exponentials, after_mask),
        "sums": (trace.exponentials, after_mask),
        "softmax": (before.weights if way == TOO_LATE else trace.weights, after_mask),
        "cut": (trace.weights, hidden),
    }
    reached = []
    for name in last_of(page):
        reached.append(name)
        assert_shows(shown(page, name), *expected[name])
        if name == "sums":
            sums = [number(text) for text in page.locator(".panel.sums .sum").all_text_contents()]
            np.testing.assert_allclose(sums, trace.row_sums[:, 0], rtol=6e-3, atol=6e-3)
    assert reached == (LATE_ORDER if way == TOO_LATE else ORDER)


def test_huge_scores_neither_overflow_nor_vanish(page):
    lecture(page, {(1, 0): 900.0, (2, 2): -900.0, (2, 0): -800.0, (2, 1): -900.0}, d_k=1)
    texts = shown(page, "softmax")
    assert texts[1][:2] == ["1", "0"]
    assert texts[2][0] == "1"


def test_the_csv_holds_core_s_numbers(page, tmp_path):
    base = 9 * torch.randn(4, 4, generator=torch.Generator().manual_seed(5))
    mounted(page, causal_mask_payload(list("<b>c"), base, {}, 32, causal_mask(4), learned=True))
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as CSV").click()
    download.value.save_as(tmp_path / "m.csv")
    rows = list(csv.DictReader((tmp_path / "m.csv").open(encoding="utf-8")))
    trace = attend_by_scores(base, 32, causal_mask(4))
    for name in ("scores", "scaled", "masked", "exponentials", "weights"):
        column = [float(row[name]) for row in rows]
        np.testing.assert_allclose(column, getattr(trace, name).flatten(), rtol=1e-5)
    np.testing.assert_allclose([float(row["row_sum"]) for row in rows[::4]], trace.row_sums[:, 0], rtol=1e-5)


def test_the_saved_svg_is_text_not_markup_and_a_png_comes_too(page, tmp_path):
    lecture(page, tokens=["<b>", "a", "t"])
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as SVG").click()
    download.value.save_as(tmp_path / "m.svg")
    svg = (tmp_path / "m.svg").read_text("utf-8")
    assert "&#60;b&#62;" in svg
    assert svg.count("url(#hatch)") == 3 * 4 and "−∞" in svg  # three cells from the mask on
    assert "<b>" not in svg
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as PNG").click()
    assert download.value.suggested_filename == "causal_mask.png"


def test_a_cell_s_formula_has_its_numbers_and_follows_arrow_keys(page):
    lecture(page, {(2, 0): 2.0})
    page.locator(".panel.softmax .cell[data-t='2'][data-s='0']").click()
    expect(page.locator(".now")).to_contain_text("“t” (3) → “c” (1):")
    expect(page.locator(".now .fraction").nth(1)).to_have_text("2.7184.718")  # e and e + 1 + 1
    expect(page.locator(".now")).to_contain_text("= 0.5761")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowUp")
    expect(page.locator(".now")).to_contain_text("“a” (2) → “a” (2):")
    page.keyboard.press("ArrowRight")  # masked
    expect(page.locator(".now")).to_contain_text("e−∞")
    assert page.locator(".panel.softmax .cell:focus").get_attribute("aria-label") == "masked: 0"


def test_pointing_lights_the_row_in_every_panel(page):
    lecture(page)
    page.locator(".panel.exponentials .cell[data-t='1'][data-s='0']").hover()
    assert page.locator(".row.lit").count() == 6
    expect(page.locator(".now")).to_contain_text("“a” (2) → “c” (1):")


def test_typing_a_number_edits_the_score_and_enter_commits_it(page):
    lecture(page)
    page.locator(".panel.scores .cell[data-t='2'][data-s='0']").click()
    page.keyboard.press("Control+A")
    page.keyboard.type("2")
    page.keyboard.press("Enter")
    assert shown(page, "scores")[2] == ["2", "0", "0"]
    assert shown(page, "softmax")[2] == ["0.58", "0.21", "0.21"]
    assert page.evaluate("returned.edits.cells") == [[2, 0, 2]]
    page.keyboard.press("ArrowRight")  # on by key, and typing begins at once
    page.keyboard.type("-1.5")
    page.keyboard.press("Tab")
    assert page.evaluate("returned.edits.cells") == [[2, 0, 2], [2, 1, -1.5]]
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Delete")
    assert page.evaluate("returned.edits.cells") == [[2, 0, 2]]
    page.get_by_role("button", name="Undo edits").click()
    assert page.evaluate("returned.edits.cells") == []
    assert shown(page, "softmax")[2] == ["0.33", "0.33", "0.33"]


@pytest.mark.parametrize("typed", ["abc", "1e99", "--2", "2000"])
def test_what_is_no_score_is_refused_in_a_sentence(page, typed):
    lecture(page)
    page.locator(".panel.scores .cell[data-t='1'][data-s='0']").click()
    page.keyboard.press("Control+A")
    page.keyboard.type(typed)
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("as it was")
    assert shown(page, "scores")[1][0] == "0"
    assert page.evaluate("returned") == {}


def test_escape_leaves_a_score_as_it_was(page):
    lecture(page)
    page.locator(".panel.scores .cell[data-t='1'][data-s='0']").click()
    page.keyboard.type("7")
    page.keyboard.press("Escape")
    assert shown(page, "scores")[1][0] == "0"
    assert page.evaluate("returned") == {}


def test_stepping_opens_one_stage_after_the_other(page):
    lecture(page)
    page.get_by_role("button", name="First").click()
    filled = lambda: page.locator(".panel:not(.ahead)").count()  # noqa: E731
    assert filled() == 1
    assert shown(page, "softmax") == [["", "", ""]] * 3
    page.get_by_role("button", name="Next").click(click_count=2)
    assert filled() == 3
    expect(page.locator(".place")).to_contain_text("3 of 6")
    page.get_by_role("button", name="Back").click()
    assert filled() == 2
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_text("6 of 6")).to_be_visible(timeout=15_000)
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_new_data_keeps_the_edits_and_the_stage_of_the_same_scores(page):
    lecture(page)
    page.get_by_role("button", name="Back").click()
    page.locator(".panel.scores .cell[data-t='2'][data-s='0']").click()
    page.keyboard.press("Control+A")
    page.keyboard.type("2")
    page.keyboard.press("Enter")
    data = causal_mask_payload(CAT, torch.zeros(3, 3), {(2, 0): 2.0}, 4, mask_of("bidirectional", 3))
    page.evaluate("show", data)
    assert page.locator(".panel.current").get_attribute("class").split()[1] == "sums"
    assert shown(page, "scores")[2][0] == "2"
    assert page.locator(".stages").count() == 1
    page.evaluate("leave()")
    assert page.locator(".stages").count() == 0


@pytest.mark.parametrize("T", [3, 8, 12])
@pytest.mark.parametrize("width", [390, 760])
def test_it_fits_the_screen_and_its_numbers_are_large(page, T, width):
    page.set_viewport_size({"width": width, "height": 800})
    base = 20 * torch.randn(T, T, generator=torch.Generator().manual_seed(1))
    mounted(
        page, causal_mask_payload([f"token{i}" for i in range(T)], base, {}, 32, causal_mask(T), learned=True)
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    size = page.locator(".panel.softmax .cell").first.evaluate(
        "cell => parseFloat(getComputedStyle(cell).fontSize)"
    )
    assert size >= (16 if width == 760 else 13)


def test_dark_numbers_stand_in_the_page_s_own_colour(page):
    lecture(page)
    page.evaluate("document.body.style.setProperty('--st-text-color', 'rgb(238, 242, 246)')")
    for name in (".panel.softmax .cell", ".now .of", ".panel.scores .label"):
        colour = page.locator(name).first.evaluate("each => getComputedStyle(each).color")
        assert colour == "rgb(238, 242, 246)"


def test_an_edit_stands_in_the_address_which_brings_it_back(page, url):
    page.goto(f"{url}/causal_mask?causal_mask_source=by+hand")  # as old links have it
    settle(page)
    page.locator(".panel.scores .cell[data-t='2'][data-s='1']").click()
    page.keyboard.press("Control+A")
    page.keyboard.type("3.5")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"causal_mask_edits=3(\+|%20)2(\+|%20)3\.5"))
    before = shown(page, "softmax")
    page.goto(page.url)
    settle(page)
    assert shown(page, "softmax") == before
    assert before[2] == ["0.13", "0.74", "0.13"]


def test_no_row_s_label_is_cut(page):
    lecture(page, tokens=["W", "m", "␣", "↵", "i"])
    cut = "labels => labels.filter(each => each.scrollWidth > each.clientWidth).map(each => each.textContent)"
    assert page.locator(".label:not(.column)").evaluate_all(cut) == []
