"""Rows of tokens in Chromium: a token is explained by mouse and by key, and no text is read as mark-up."""

import pytest
from playwright.sync_api import expect

from core.figures.tokens.token_rows import token_rows
from core.models.tokens.byte_pairs import learn_merges
from core.models.tokens.three_ways import three_ways
from tests.browser.conftest import mount_view, settle

pytestmark = pytest.mark.xdist_group("browser")


@pytest.fixture
def view(page):
    ways = three_ways("the cat <b> the hat", learn_merges("the cat the hat", 5))
    cuts = {name: way.cut("the <b> zebra") for name, way in ways.items()}
    mount_view(page, "token_rows", token_rows(cuts, dict.fromkeys(cuts, "here")))
    return page.locator(".token-rows")


def test_a_token_pointed_at_is_explained(view):
    view.get_by_text("zebra", exact=True).hover()
    expect(view.locator(".pointed")).to_have_text(
        "“zebra” is not in the vocabulary: <unk>, id 0; in UTF-8 7a 65 62 72 61"
    )
    view.locator(".boxes").nth(2).get_by_text("the", exact=True).hover()
    expect(view.locator(".pointed")).to_contain_text("“the” has id 1; in UTF-8 74 68 65")


def test_arrows_go_from_token_to_token(view):
    view.locator(".boxes").first.focus()
    for key, said in (
        ("ArrowRight", "“t” has id"),
        ("ArrowRight", "“h” has id"),
        ("End", "“a”"),
        ("Home", "“t”"),
    ):
        view.page.keyboard.press(key)
        expect(view.locator(".pointed")).to_contain_text(said)


def test_words_that_look_like_mark_up_are_words(view):
    assert view.locator("b").count() == 3  # the names of the rows alone
    assert "<" in view.locator(".boxes").first.inner_text()


def test_a_merge_s_tokens_are_marked_and_the_keys_step_through_the_merges(page, url):
    page.goto(f"{url}/byte_pairs?lab=true")
    settle(page)
    page.locator(".steps .picture").focus()
    expect(page.locator(".steps .readout")).to_contain_text("Step 2 of 21: merge 1")
    marked = page.locator(".steps .passage .token.next").all_inner_texts()
    assert marked and set(marked) == {"␣t"}
    page.keyboard.press("ArrowRight")
    expect(page.locator(".steps .readout")).to_contain_text("Step 3 of 21: merge 2")
    assert page.locator(".steps .bars .bar").count() == 6
