"""The view "attention" in Chromium, by itself and in the app: what it shows is what Python computed."""

import csv
from urllib.parse import urlencode

import numpy as np
from playwright.sync_api import expect

from core.figures.alignment import attention_view
from core.models.translation.translate import greedy, stored_translator
from tests.browser.conftest import mount_view, settle

OUTPUTS, INPUTS = ["la", "voiture", "<b>blanche</b>"], ["the", "white", "car", "."]
WEIGHTS = np.array([[0.7, 0.1, 0.1, 0.1], [0.05, 0.15, 0.7, 0.1], [0.0, 0.9, 0.0625, 0.0375]])
GOLD = {(0, 0), (1, 2), (2, 1)}


def mounted(page, data):
    mount_view(page, "attention", data)
    return page.locator("canvas.heatmap")


def test_arrow_keys_read_out_the_very_weights_and_enter_pins_a_cell(page):
    heatmap = mounted(page, attention_view(WEIGHTS, OUTPUTS, INPUTS, GOLD))
    status = page.get_by_role("status")
    heatmap.focus()
    page.keyboard.press("ArrowDown")
    for t, row in enumerate(WEIGHTS):
        for s, weight in enumerate(row):
            expected = f"output word “{OUTPUTS[t]}” → input word “{INPUTS[s]}”: {weight:.4f}"
            page.wait_for_function(
                "text => document.querySelector('div').shadowRoot"
                ".querySelector('[role=status]').textContent === text",
                arg=expected,
            )
            assert status.text_content() == expected
            page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowDown")
        for _ in INPUTS:
            page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    assert page.evaluate("returned") == {"cell": {"output": 2, "input": 0}}
    page.keyboard.press("Enter")
    assert page.evaluate("returned") == {"cell": None}


def test_the_csv_holds_every_weight_with_its_gold_link(page, tmp_path):
    mounted(page, attention_view(WEIGHTS, OUTPUTS, INPUTS, GOLD, file="car"))
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as CSV").click()
    assert download.value.suggested_filename == "car.csv"
    download.value.save_as(tmp_path / "car.csv")
    rows = list(csv.DictReader((tmp_path / "car.csv").open(encoding="utf-8")))
    assert np.allclose([float(row["weight"]) for row in rows], WEIGHTS.flatten(), atol=1e-7)
    linked = {(int(row["output_position"]), int(row["input_position"])) for row in rows if row["gold"] == "1"}
    assert linked == GOLD


def test_the_saved_svg_is_text_not_markup_from_the_words(page, tmp_path):
    mounted(page, attention_view(WEIGHTS, OUTPUTS, INPUTS))
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as SVG").click()
    download.value.save_as(tmp_path / "a.svg")
    svg = (tmp_path / "a.svg").read_text("utf-8")
    assert "&#60;b&#62;" in svg
    assert "<b>" not in svg


def test_heads_can_be_switched_off_but_not_all(page):
    heads = {f"head {i}": np.roll(WEIGHTS, i, axis=1) for i in range(3)}
    heatmap = mounted(page, attention_view(heads, OUTPUTS, INPUTS))
    buttons = page.locator("button.head")
    for i in range(3):
        buttons.nth(i).click()
    pressed = [buttons.nth(i).get_attribute("aria-pressed") for i in range(3)]
    assert pressed == ["false", "false", "true"]
    heatmap.focus()
    page.keyboard.press("ArrowDown")
    page.get_by_text(f"{heads['head 2'][0, 0]:.4f}").wait_for()


def test_a_masked_cell_is_called_masked_not_zero(page):
    weights = np.array([[1.0, np.nan], [0.5, 0.5]])
    heatmap = mounted(
        page, attention_view(weights, ["a", "b"], ["a", "b"], from_label="query", to_label="key")
    )
    heatmap.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.get_by_text("query “a” → key “b”: masked").wait_for()


def test_new_data_is_drawn_without_a_second_view_and_leaving_takes_all_away(page):
    mounted(page, attention_view(WEIGHTS, OUTPUTS, INPUTS))
    page.evaluate("show", attention_view(WEIGHTS[:2], OUTPUTS[:2], INPUTS, file="other"))
    assert page.locator("canvas").count() == 2
    page.evaluate("leave()")
    assert page.locator("canvas").count() == 0


def test_it_fits_a_telephone(page):
    page.set_viewport_size({"width": 390, "height": 800})
    words = [f"word{i}" for i in range(40)]
    mounted(page, attention_view(np.full((40, 40), 1 / 40), words, words))
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_long_texts_are_a_heatmap_alone(page):
    words = [str(i) for i in range(512)]
    mounted(page, attention_view(np.full((512, 512), 1 / 512), words, words))
    assert page.locator("canvas.lines").is_hidden()
    assert page.get_by_text("Lines are drawn for at most 40 tokens a side.").is_visible()


# ------------------------------------------------------------------------------------------------- in the app

SENTENCE = "the old man sold two white cars ."


def opened(page, url, **query):
    fields = {"lab": "true"} | {f"translation_{name}": value for name, value in query.items()}
    page.goto(f"{url}/translation?{urlencode(fields)}")
    heatmap = page.locator("canvas.heatmap")
    heatmap.wait_for()
    settle(page)
    return heatmap


def status(page):
    return page.locator(".attention .status").first


def test_in_the_app_a_cell_pinned_by_keyboard_has_core_s_weight_and_opens_its_step(page, url):
    translator = stored_translator("translate_french_additive")
    made = greedy(translator.model, translator.source.encode(SENTENCE.split()))
    outputs = translator.target.decode(made.words)
    heatmap = opened(page, url, text_fr=SENTENCE)
    heatmap.focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight"):
        page.keyboard.press(key)
    weight = float(made.steps.weights[0, 3, 1])
    said = f"output word “{outputs[3]}” → input word “old”: {weight:.4f}"
    expect(status(page)).to_have_text(said)
    page.keyboard.press("Enter")
    page.get_by_text(f"Step 4 of {len(outputs) + 1}: writing “{outputs[3]}”").wait_for()
    settle(page)
    assert "translation_step=4" in page.url
    expect(status(page)).to_have_text(said)


def test_in_the_app_the_view_follows_the_step_of_the_decoder_s_own_view(page, url):
    opened(page, url, text_fr=SENTENCE)
    page.locator(".steps .picture").focus()
    page.keyboard.press("ArrowRight")
    page.get_by_text("Step 2 of").wait_for()
    translator = stored_translator("translate_french_additive")
    made = greedy(translator.model, translator.source.encode(SENTENCE.split()))
    word = translator.target.decode(made.words)[1]
    heaviest = SENTENCE.split()[int(made.steps.weights[0, 1].argmax())]
    weight = float(made.steps.weights[0, 1].max())
    expect(status(page)).to_have_text(f"output word “{word}” → input word “{heaviest}”: {weight:.4f}")


def test_in_the_app_words_are_text_and_never_run(page, url):
    hostile = "<img src=x onerror=window.harm=1> <b>old</b> cat"
    opened(page, url, text_fr=hostile)
    assert page.locator(".attention img, .attention b").count() == 0
    assert page.evaluate("window.harm") is None
    assert page.get_by_label("Type it here").input_value() == hostile


def test_in_the_app_the_picture_has_the_dark_theme_s_colours_on_a_telephone_too(chromium, url, tmp_path):
    context = chromium.new_context(viewport={"width": 390, "height": 844}, color_scheme="dark")
    page = context.new_page()
    opened(page, url, text_fr=SENTENCE)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    width = page.locator("canvas.heatmap").bounding_box()["width"]
    assert 300 <= width <= 390
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as SVG").click()
    download.value.save_as(tmp_path / "a.svg")
    svg = (tmp_path / "a.svg").read_text("utf-8").lower()
    assert 'fill="#10161d"' in svg
    assert 'fill="#eef2f6"' in svg
    context.close()
