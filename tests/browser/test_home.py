"""The home page in a browser: cards are links, the sentence is read as it is typed, visits leave a tick."""

import pytest
from playwright.sync_api import expect

from core.lesson.tour import minutes
from pages import LESSONS
from tests.browser.conftest import settle
from tests.browser.test_shell import violations


@pytest.fixture
def home(page, url):
    page.goto(url)
    settle(page)
    return page


def test_every_card_is_a_link_with_a_picture(home):
    cards = home.locator(".card")
    expect(cards).to_have_count(len(LESSONS))
    assert cards.evaluate_all("all => all.map(one => one.getAttribute('href'))") == [
        each.name for each in LESSONS
    ]
    assert home.locator(".card svg").count() == len(LESSONS)
    order = [each.name for each in LESSONS]
    card = home.locator('.card[href="viterbi"] .path')
    expect(card).to_have_text(f"{minutes('viterbi')} minutes, after {order.index('hidden_markov_model') + 1}")
    expect(home.get_by_role("link", name=LESSONS[1].question)).to_have_count(1)


def test_a_card_opens_its_lesson_in_the_same_session_and_is_ticked_afterwards(home):
    home.evaluate("window.same = true")
    home.locator(".card").nth(1).focus()
    home.keyboard.press("Enter")
    expect(home.get_by_role("heading", name=LESSONS[1].title)).to_be_visible()
    settle(home)
    assert home.evaluate("window.same") is True
    assert home.url.endswith(f"/{LESSONS[1].name}")
    home.go_back()
    expect(home.locator(".tick")).to_have_count(1)
    expect(home.locator(".start")).to_contain_text(f"1 of {len(LESSONS)} lessons visited")


def test_the_sentence_is_read_while_it_is_typed(home):
    field = home.get_by_label("Type a sentence")
    field.fill("the dqg")
    expect(home.locator(".says")).to_contain_text("most surprised by “q”")
    expect(field).to_be_focused()
    expect(home.locator(".read")).to_have_text("the dqg")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violation_on_the_home_page(home, scheme):
    home.emulate_media(color_scheme=scheme)
    settle(home)
    assert violations(home) == []
