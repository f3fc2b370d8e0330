"""The hidden state in Chromium: a cell clicked or walked to by key is worked out; text is never mark-up."""

import pytest
import torch

from core.models.recurrent_language_model import trace_recurrent
from core.models.stored_language_models import encode, stored_language_model
from tests.browser.conftest import settle

pytestmark = pytest.mark.xdist_group("browser")
SENTENCE = "My lord"


def opened(page, url, sentence=SENTENCE):
    page.goto(f"{url}/hidden_state?hidden_state_cell=RNN&hidden_state_step=3&hidden_state_typed={sentence}")
    settle(page)
    return page.locator(".hidden-state")


def hidden():
    model = stored_language_model("char_rnn")
    return trace_recurrent(
        model.network, torch.tensor((model.start, *encode("char_rnn", SENTENCE).ids))
    ).hidden


def test_the_arrows_walk_over_cells_whose_values_are_core_s(page, url):
    view = opened(page, url)
    canvas, status = view.locator("canvas"), view.locator(".status")
    canvas.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    said = status.inner_text()
    assert "(step 4)" in said
    unit = int(said.split("unit ")[1].split(",")[0].split(" ")[0])
    assert said.endswith(f"{hidden()[3, unit].item():.3f}".replace("-", "−"))
    page.get_by_text("Step 4 of 8").wait_for()  # once the learner rests, the page follows


def test_a_character_that_is_clicked_is_the_step_worked_out(page, url):
    view = opened(page, url)
    view.locator(".strip span").nth(6).click()
    page.get_by_text("Step 7 of 8").wait_for()
    assert "hidden_state_step=7" in page.url


def test_a_sentence_that_looks_like_mark_up_is_text(page, url):
    view = opened(page, url, "<img src=x onerror=alert(1)>")
    assert view.locator("img").count() == 0
    assert view.locator(".strip span").count() > 10
