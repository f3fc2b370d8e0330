"""The sampling view computes in the browser what core.models.generation.sampling computes, with whatever settings."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from core.figures.token_label import label_token
from core.lesson.choices.language_model_choice import model_labels
from core.models.generation.sampling import (
    SamplingSettings,
    count_sampled_tokens,
    distribution,
    draw_next_token,
    generate,
    not_renormalised,
)
from core.models.neural_language_model import read
from core.models.stored_language_models import encode, stored_language_model
from pages.generation.sampling.figures import DRAWS, TEMPERATURES
from tests.browser.conftest import settle

PROMPT, SEED = "The king of ", 3
MOVED = [
    SamplingSettings(0.8, 0, 0.8),
    SamplingSettings(0),
    SamplingSettings(0, 0, 0.5),
    SamplingSettings(1000),
    SamplingSettings(2, 5, 1),
    SamplingSettings(1.3, 12, 0.6),
    SamplingSettings(1, 1, 1),
    SamplingSettings(0.5, 0, 0),
]


@pytest.fixture
def name():
    return next(name for name in model_labels().values() if name.startswith("char"))


@pytest.fixture
def view(page, url, name):
    label = next(label for label, each in model_labels().items() if each == name)
    page.goto(f"{url}/sampling?sampling_model={label}&sampling_typed={PROMPT}&sampling_seed={SEED}")
    page.locator(".body .row").first.wait_for()
    settle(page)
    return page


def move(page, settings):
    """Move the three sliders as a hand does before it lets go: the server hears nothing."""
    stops = int(page.locator("input.top-k").get_attribute("max"))
    places = {
        "temperature": TEMPERATURES.index(settings.temperature),
        "top-k": settings.top_k - 1 if settings.top_k else stops,
        "top-p": round(100 * settings.top_p),
    }
    for slider, place in places.items():
        page.locator(f"input.{slider}").evaluate(
            "(input, place) => { input.value = place; input.dispatchEvent(new Event('input')); }", place
        )


def table(page):
    """Return the view's rows as texts, the likeliest first."""
    script = "rows => rows.map(row => [...row.querySelectorAll('.cell')].slice(0, 9).map(cell => cell.textContent))"
    return page.locator(".body .row").evaluate_all(script)


def numbers(texts):
    return np.array([float(text.replace("−", "-").replace("∞", "inf")) for text in texts])


def test_every_column_is_what_core_computes_for_every_setting(view, name):
    model = stored_language_model(name)
    logits = read(model, encode(name, PROMPT).ids).logits
    for settings in MOVED:
        move(view, settings)
        trace, rows = distribution(logits, settings), table(view)
        order = trace.order
        rank, token, z, scaled, full, cut, p, cumulative, drawn = zip(*rows, strict=True)
        assert list(token) == [label_token(model.vocabulary[i]) for i in order]
        assert list(cut) == list(trace.cut_by[order])
        assert [int(n) for n in drawn] == count_sampled_tokens(trace, DRAWS, SEED)[order].tolist()
        assert [int(n) for n in rank] == trace.rank[order].tolist()
        columns = (z, trace.logits), (scaled, trace.scaled), (full, trace.softmax)
        for texts, computed in (*columns, (p, trace.probabilities), (cumulative, trace.cumulative)):
            np.testing.assert_allclose(numbers(texts), computed[order], rtol=6e-3, atol=1e-12)
        figure = {
            each: view.locator(f".figure.{each} .value").text_content()
            for each in ("entropy", "tail", "pick")
        }
        assert float(figure["entropy"].split()[0]) == pytest.approx(trace.entropy, abs=6e-4)
        assert float(figure["tail"]) == pytest.approx(trace.tail_mass, abs=6e-5)
        u = float(np.random.default_rng(SEED).random())
        assert figure["pick"] == label_token(model.vocabulary[draw_next_token(trace, u)])


def test_what_is_not_renormalised_is_lost_as_core_loses_it(page, url, name):
    label = next(label for label, each in model_labels().items() if each == name)
    address = f"{url}/sampling?sampling_model={label}&sampling_typed={PROMPT}&sampling_seed={SEED}"
    page.goto(f"{address}&sampling_broken=true&sampling_top_p=0.5")
    page.locator(".body .row").first.wait_for()
    settle(page)
    model = stored_language_model(name)
    logits = read(model, encode(name, PROMPT).ids).logits
    trace = not_renormalised(distribution(logits, SamplingSettings(1, 0, 0.5)))
    rows, order = table(page), trace.order
    np.testing.assert_allclose(
        numbers([row[6] for row in rows]), trace.probabilities[order], rtol=6e-3, atol=1e-12
    )
    assert [int(row[8]) for row in rows] == count_sampled_tokens(trace, DRAWS, SEED)[order].tolist()
    total = page.locator(".figure.total .value").text_content()
    assert float(total) == pytest.approx(trace.probabilities.sum(), abs=6e-5)


def test_the_address_and_the_exact_fields_follow_a_slider_that_is_let_go(view):
    view.locator("input.temperature").focus()
    view.keyboard.press("Home")
    expect(view.locator(".slider .value").first).to_have_text("0: greedy")
    expect(view).to_have_url(re.compile("sampling_temperature=0"))
    view.get_by_role("button", name="Options").click()
    expect(view.get_by_label("T (0 is greedy)")).to_have_value("0.00")
    expect(view.locator("input.temperature")).to_have_value("0")


def test_arrow_keys_point_at_a_row_and_fill_in_its_formula(view):
    view.locator(".table").focus()
    view.keyboard.press("Home")
    first = table(view)[0][1]
    expect(view.locator(".formula .of")).to_have_text(f"“{first}”, rank 1")
    view.keyboard.press("ArrowDown")
    expect(view.locator(".formula .of")).to_contain_text("rank 2")
    expect(view.locator(".formula")).to_contain_text("p = softmax / mass kept")
    view.keyboard.press("End")
    move(view, SamplingSettings(1, 0, 0.5))  # it opens with nothing cut
    expect(view.locator(".formula")).to_contain_text("p = 0: those before it already have the mass")


def test_keys_step_to_the_next_new_token_with_core_s_bars_and_the_link_brings_it_back(view, name):
    model = stored_language_model(name)
    steps = list(generate(model, encode(name, PROMPT).ids, 3, SamplingSettings(), SEED))
    view.locator(".likeliest").focus()
    view.keyboard.press("ArrowRight")
    view.keyboard.press("ArrowRight")
    expect(view.locator(".readout")).to_have_text("Step 3 of 40: the distribution of new token 3")
    trace = steps[2].trace
    drawn = view.locator(".likeliest .token").all_text_contents()
    assert drawn == [label_token(model.vocabulary[i]) for i in trace.order[: len(drawn)]]
    assert view.locator(".figure.pick .value").text_content() == label_token(model.vocabulary[steps[2].token])
    assert f"p = {trace.probabilities.max():.3f}" in view.locator(".said").text_content()
    assert "sampling_step=3" in view.url
    said, link = view.locator(".said").text_content(), view.url
    view.goto("about:blank")
    view.goto(link)
    settle(view)
    expect(view.locator(".said")).to_have_text(said)


def test_the_bars_follow_a_slider_and_the_sentence_of_other_settings_is_hidden_meanwhile(view):
    before = view.locator(".likeliest").inner_html()
    move(view, SamplingSettings(1, 5, 1))
    assert view.locator(".likeliest").inner_html() != before
    assert view.locator(".likeliest .own").count()
    expect(view.locator(".legend")).to_contain_text("the model's own (T = 1, nothing cut)")
    expect(view.locator(".said")).to_be_hidden()
