"""The tree of n-gram counts in the browser: what it shows, how it is walked by mouse and by keyboard."""

import pytest

from core.models.n_grams.ngram_text import count_text
from core.text.samples.shelf import sample
from pages.n_grams.ngram_counts.figures import tree_columns
from pages.n_grams.ngram_counts.page import ROWS
from tests.browser.conftest import settle


@pytest.fixture
def tree(page, url):
    page.goto(f"{url}/ngram_counts?lab=true&text_source_sample=The micro-world&ngram_counts_words_path=the")
    page.locator(".column").nth(1).wait_for()
    settle(page)
    return page


def shown(page, column):
    rows = page.locator(".column").nth(column).locator(".row")
    return [tuple(row.locator("span").all_text_contents()) for row in rows.all()]


def test_the_rows_are_the_counts_that_core_computed(tree):
    counted = count_text(sample("micro-world").read().text, order=3)
    columns = tree_columns(counted, counted.read("the"), 3, ROWS)["columns"]
    for place, column in enumerate(columns):
        assert [row[:2] for row in shown(tree, place)] == [
            (child["token"], f"{child['count']:,}") for child in column["children"]
        ]


def test_a_click_walks_on_and_the_address_follows(tree):
    word = shown(tree, 1)[2][0]
    tree.locator(".column").nth(1).locator(".row").nth(2).click()
    tree.locator(".column").nth(2).wait_for()
    assert tree.locator(".column").nth(2).locator(".context").text_content() == f"after the {word}"
    assert tree.get_by_role("textbox", name="Walk to").input_value() == f"the {word}"
    assert "words_path=the" in tree.url
    assert tree.locator(".row[aria-pressed=true]").count() == 2


def test_the_same_step_can_be_taken_again_after_another_way(tree):
    tree.locator(".column").nth(1).locator(".row").nth(0).click()
    tree.locator(".column").nth(2).wait_for()
    tree.get_by_role("textbox", name="Walk to").fill("of")
    tree.get_by_text("after of", exact=True).wait_for()
    tree.locator(".column").nth(0).locator(".row").nth(0).click()
    tree.get_by_text("after the", exact=True).wait_for()


def test_arrow_keys_walk_the_tree(tree):
    tree.locator(".column").nth(0).locator(".row").nth(0).focus()
    focused = """() => {
        let at = document.activeElement;
        while (at.shadowRoot) at = at.shadowRoot.activeElement;
        return at.innerText;
    }"""
    tree.keyboard.press("ArrowRight")
    first = shown(tree, 1)[0][0]
    assert tree.evaluate(focused).startswith(first)
    tree.keyboard.press("ArrowDown")
    second = shown(tree, 1)[1][0]
    assert tree.evaluate(focused).startswith(second)
    tree.keyboard.press("ArrowRight")
    tree.get_by_text(f"after the {second}", exact=True).wait_for()
    settle(tree)
    assert tree.evaluate(focused).startswith(shown(tree, 2)[0][0])
    tree.keyboard.press("ArrowLeft")
    assert tree.evaluate(focused).startswith(second)


def test_text_is_drawn_as_text(page, url):
    page.goto(f"{url}/ngram_counts?lab=true&text_source_sample=The micro-world&ngram_counts_unit=characters")
    page.locator(".tree").wait_for()
    settle(page)
    assert page.locator(".tree img, .tree script, .tree iframe").count() == 0
    assert page.locator(".token", has_text="␣").count() >= 1


def test_a_thread_ends_at_the_middle_of_its_row(tree):
    ends = """() => {
      const root = [...document.querySelectorAll("*")].find((e) => e.shadowRoot?.querySelector(".links")).shadowRoot;
      const rows = root.querySelectorAll(".column")[1].querySelectorAll(".row");
      const top = root.querySelector(".links").getBoundingClientRect().top;
      return [...root.querySelectorAll(".links path")].map((path, i) => {
        const { y, height } = rows[i].getBoundingClientRect();
        return top + path.getPointAtLength(path.getTotalLength()).y - y - height / 2;
      });
    }"""
    assert all(abs(off) < 1 for off in tree.evaluate(ends))
