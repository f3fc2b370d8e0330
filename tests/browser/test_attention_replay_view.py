"""The replay shows each snapshot's own weights; and a translator is trained, stopped and taken away in the browser."""

import numpy as np
from playwright.sync_api import expect

from core.models.translation.fit_translation import Snapshot
from core.models.translation.kept_translator import from_safetensors
from pages.translation.translation_training.figures import replay_payload
from tests.browser.conftest import downloaded, mount_view, settle

LESSON = "translation_training"
INPUTS = ["<b>the</b>", "cat", "."]
SHOTS = [
    Snapshot(0.0, 0, float("nan"), INPUTS, ["a", "b"], np.float32([[0.3, 0.3, 0.4], [0.2, 0.2, 0.6]])),
    Snapshot(
        0.5,
        10,
        2.5,
        INPUTS,
        ["le", "chat", "<end>"],
        np.float32([[0.9, 0.1, 0], [0.25, 0.5, 0.25], [0, 0, 1]]),
    ),
    Snapshot(1.0, 20, 0.5, INPUTS, ["le", "chat"], np.float32([[1, 0, 0], [0, 1, 0]])),
]


def show(page):
    mount_view(page, "attention_replay", replay_payload(SHOTS))


def test_every_snapshot_shows_its_own_weights_words_and_loss(page):
    show(page)
    for at, shot in enumerate(SHOTS):
        page.locator("input.shot").evaluate(
            "(input, at) => { input.value = at; input.dispatchEvent(new Event('input')); }", at
        )
        read = "cells => cells.map(cell => Number(cell.style.getPropertyValue('--weight')))"
        weights = page.locator("td.cell").evaluate_all(read)
        np.testing.assert_allclose(np.reshape(weights, shot.weights.shape), shot.weights, atol=5e-5)
        assert page.locator("th.row").all_text_contents() == shot.output
        assert page.locator("th.col").all_text_contents() == INPUTS
        expect(page.locator(".label")).to_contain_text(
            f"loss {shot.loss:.3f}" if at else "nothing is learned yet"
        )
    assert page.locator("b").count() == 0


def test_arrow_keys_read_out_a_weight(page):
    show(page)
    page.locator(".heat").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".readout")).to_have_text("output word 2 “chat” → input word 2 “cat”: 1.0000")


def test_play_goes_from_the_first_snapshot_to_the_last_and_stops(page):
    show(page)
    note = """label => { window.said = []; new MutationObserver(() => window.said.push(label.textContent))
        .observe(label, {childList: true, characterData: true, subtree: true}); }"""
    page.locator(".label").evaluate(note)  # a busy machine may look too late for the first
    page.get_by_role("button", name="Play").click()
    expect(page.locator(".label")).to_contain_text("loss 0.500")
    assert "nothing is learned yet" in page.evaluate("window.said[0]")
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_a_translator_is_trained_on_dates_and_taken_away(page, url, tmp_path):
    page.goto(f"{url}/{LESSON}?lab=true&{LESSON}_pairs=200&{LESSON}_epochs=1&{LESSON}_hidden_dates=16")
    settle(page)
    page.get_by_role("button", name="Train", exact=True).click()
    expect(page.get_by_role("heading", name="Translate with it")).to_be_visible(timeout=180_000)
    expect(page.get_by_text("Trained on 200 pairs")).to_be_visible()
    settle(page)  # a run that is still on its way would replace the file behind the button
    page.get_by_text("Take it away").click()
    downloaded(page, "Weights (safetensors)").save_as(tmp_path / "weights")
    assert len(from_safetensors((tmp_path / "weights").read_bytes()).target) > 4
