"""A text coloured by surprise: pointing at a character asks every model, with core's numbers."""

import pytest
from playwright.sync_api import expect

from core.models.stored_language_models import character_models, encode, stored_language_model
from pages.generation.language_models.figures import surprise_payload
from pages.generation.shared.character_text import EXAMPLE
from tests.browser.conftest import settle


@pytest.fixture
def view(page, url):
    page.goto(f"{url}/language_models?lab=true&language_models_source=typed&language_models_surprised=true")
    page.locator(".surprise .character").first.wait_for()
    settle(page)
    return page


def answers(page):
    """Return each row's p and bits as shown."""
    script = "rows => rows.map(row => ['.p', '.bits'].map(part => row.querySelector(part).textContent))"
    return page.locator(".answer .row").evaluate_all(script)


def test_arrow_keys_go_along_the_text_and_every_model_answers(view):
    scored = {
        card.model: stored_language_model(card.model).token_log_probabilities(encode(card.model, EXAMPLE).ids)
        for card in character_models()
    }
    models = surprise_payload(EXAMPLE, scored)["models"]
    view.locator(".surprise .text").focus()
    view.keyboard.press("Home")
    for place in range(3):
        expect(view.locator(".asked")).to_contain_text(f"“{EXAMPLE[place]}” after")
        bits = [model["bits"][place] for model in models]
        assert [float(shown[1].split()[0]) for shown in answers(view)] == pytest.approx(bits, abs=0.006)
        assert [float(shown[0].replace("−", "-")) for shown in answers(view)] == pytest.approx(
            [2**-each for each in bits], rel=0.06, abs=6e-4
        )
        view.keyboard.press("ArrowRight")
    view.keyboard.press("End")
    expect(view.locator(".asked")).to_have_text("“e” after “o be or not to b”")


def test_another_model_paints_its_own_surprise(view):
    def colours():
        return view.locator(".character").evaluate_all("all => all.map(each => each.style.backgroundColor)")

    before = colours()
    view.locator(".surprise input[type=radio]").last.check()
    assert colours() != before
    expect(view.locator(".row").last).to_have_class("row chosen")
