"""A character model trained in the browser: stopped, replayed by slider, keys and play, with core's numbers."""

import pytest
from playwright.sync_api import expect

from core.models.generation.fit_characters import fit_characters, looking_back
from pages.generation.character_training.figures import replay_payload
from tests.browser.conftest import settle
from tests.browser.test_your_text import upload

LESSON = "character_training"
TEXT = "the cat sat on the mat and the dog sat on the log\n" * 40


@pytest.fixture
def lesson(page, url):
    def opened(**settings):
        query = "&".join(f"{LESSON}_{name}={value}" for name, value in settings.items())
        page.goto(f"{url}/{LESSON}?{query}")
        settle(page)
        upload(page, "cats.txt", TEXT.encode())
        page.get_by_role("button", name="Train", exact=True).click()
        return page

    return opened


def test_the_slider_shows_each_snapshot_as_core_computed_it(lesson):
    view = lesson(network="feed-forward", window=8, steps=50)
    config = looking_back("feed-forward", 8, steps=50, seed=1)
    fit = fit_characters(lambda _: True, TEXT, config)
    expected = fit.expected(fit.encode("the "))
    payload = replay_payload(fit, expected, "the ", None, 1)
    slider = view.locator(".play-bar .step")
    slider.wait_for(timeout=120_000)
    slider.focus()
    for at in (len(payload["steps"]) - 1, 0, 4):
        view.keyboard.press("Home")
        for _ in range(at):
            view.keyboard.press("ArrowRight")
        loss, held_out = payload["loss"][at], payload["heldOut"][at]
        readout = f"step {payload['steps'][at]} of 50: training {loss:.3f} nats, held out {held_out:.3f} nats"
        expect(view.locator(".readout")).to_contain_text(readout)
        expect(view.locator(".sample")).to_have_text(payload["samples"][at], use_inner_text=False)
        assert view.locator(".bar .share").all_text_contents() == [
            f"{p:.3f}" for p in payload["expected"][at]
        ]
    view.get_by_role("button", name="Play").click()
    expect(view.get_by_role("button", name="Pause")).to_be_visible()
    expect(view.locator(".readout")).to_contain_text("step 50 of 50")
    expect(view.get_by_role("button", name="Play")).to_be_visible()


def test_a_stopped_training_is_replayed_up_to_where_it_came(lesson):
    view = lesson(network="GPT", window=128, steps=3200)
    expect(view.get_by_text("characters per second")).to_be_visible(timeout=120_000)
    view.get_by_role("button", name="Stop").click()
    view.locator(".training-replay").wait_for(timeout=120_000)
    expect(view.get_by_text("of 3,200 steps")).to_be_visible()
    steps = int(view.locator(".readout").text_content().split(" of ")[0].split()[-1].replace(",", ""))
    assert steps < 3200
