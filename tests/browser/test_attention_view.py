"""The view "attention" by itself in Chromium: what it shows is what Python computed."""

import csv
from pathlib import Path

import numpy as np

from core.figures.alignment import attention_view

VIEW = Path(__file__).resolve().parents[2] / "assets" / "views" / "attention"
OUTPUTS, INPUTS = ["la", "voiture", "<b>blanche</b>"], ["the", "white", "car", "."]
WEIGHTS = np.array([[0.7, 0.1, 0.1, 0.1], [0.05, 0.15, 0.7, 0.1], [0.0, 0.9, 0.0625, 0.0375]])
GOLD = {(0, 0), (1, 2), (2, 1)}

MOUNT = """async ({code, css, data}) => {
  const { default: view } = await import("data:text/javascript;base64," + btoa(unescape(encodeURIComponent(code))));
  const root = document.body.appendChild(document.createElement("div")).attachShadow({ mode: "open" });
  root.appendChild(document.createElement("style")).textContent = css;
  const parentElement = root.appendChild(document.createElement("div"));
  window.returned = {};
  const setStateValue = (name, value) => { window.returned[name] = value; };
  window.show = (data) => { window.leave = view({ data, parentElement, setStateValue, setTriggerValue() {} }); };
  window.show(data);
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""


def mounted(page, data):
    page.set_content("<body></body>")
    code, css = (VIEW / "view.js").read_text("utf-8"), (VIEW / "view.css").read_text("utf-8")
    page.evaluate(MOUNT, {"code": code, "css": css, "data": data})
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
