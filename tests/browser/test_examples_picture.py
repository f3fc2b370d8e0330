"""Training examples as steps: a row sees its prefix, is asked for the next token, and shows no more unless it peeks."""

import pytest

from core.figures.frame import frame
from pages.self_attention.parallel_training.figures import shared_examples
from tests.browser.conftest import mount_view

TOKENS, LOSSES = ["↵", "<b>", "o", "␣"], [3.456, 10.5, 0.0]


def mounted(page, tokens=TOKENS, losses=LOSSES, **changes):
    shared = shared_examples(tokens, losses) | changes
    frames = [
        frame(f"{t}", {"kind": "examples", "at": t}, "examples", "") for t in range(len(shared["losses"]))
    ]
    mount_view(page, "steps", {"frames": frames, "total": len(frames), "start": 1, "shared": shared})


def rows(page):
    script = "rows => rows.map(row => [...row.querySelectorAll('.each')].map(cell => cell.textContent))"
    return page.locator(".example[data-t]").evaluate_all(script)


def test_every_prefix_its_target_and_its_numbers(page):
    mounted(page)
    assert rows(page) == [
        ["t = 1", "↵", "<b>", "", "", "0.032", "3.46"],
        ["t = 2", "↵", "<b>", "o", "", "2.8·10⁻⁵", "10.50"],
        ["t = 3", "↵", "<b>", "o", "␣", "1.000", "0.00"],
    ]
    assert page.locator(".y").all_text_contents() == ["<b>", "o", "␣"]


def test_a_row_that_peeks_sees_the_rest_of_x(page):
    mounted(page, peek=True)
    assert rows(page)[0] == ["t = 1", "↵", "<b>", "o", "", "0.032", "3.46"]
    assert page.locator(".later").all_text_contents() == ["o"]


def test_the_chosen_row_is_lit_and_keys_move_on(page):
    mounted(page)
    assert page.locator(".lit").get_attribute("data-t") == "1"
    page.locator(".steps .picture").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert page.locator(".lit").get_attribute("data-t") == "2"
    page.keyboard.press("Home")
    assert page.locator(".lit").get_attribute("data-t") == "0"
    page.evaluate("leave()")
    assert page.locator(".example").count() == 0


@pytest.mark.parametrize("width", [390, 1440])
def test_it_scrolls_within_itself(page, width):
    page.set_viewport_size({"width": width, "height": 800})
    mounted(page, tokens=["token"] * 12, losses=[1.0] * 11)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
