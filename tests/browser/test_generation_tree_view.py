"""The tree of texts in the browser: what its boxes show, how it is grown by mouse and by keys, who sees it again."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from core.figures.generation.generation_tree import shorten_probability
from core.figures.token_label import label_token
from core.lesson.choices.language_model_choice import model_labels
from core.models.generation.beam_search import beam_search
from core.models.generation.generation_tree import GenerationTree, continuation_log_probabilities, write_tree
from core.models.neural_language_model import read
from core.models.stored_language_models import encode, stored_language_model
from core.words.numbers import signed
from tests.browser.conftest import settle

LABEL = next(label for label, name in model_labels().items() if name == "char_feedforward")
NAME, PROMPT = model_labels()[LABEL], "The king "
MODEL = stored_language_model(NAME)
V, IDS = len(MODEL.vocabulary), encode(NAME, PROMPT).ids
WORD = list(encode(NAME, "of").ids)


def address(url, tree, opened=0, lesson="generation_tree"):
    line = write_tree(tree, V)
    return (
        f"{url}/{lesson}?{lesson}_model={LABEL}&{lesson}_typed={PROMPT}"
        f"&{lesson}_tree={line}&{lesson}_open={opened}"
    )


@pytest.fixture
def view(page, url):
    tree, _ = GenerationTree().grown(0, WORD, "forced")
    page.goto(address(url, tree))
    page.locator(".texts .node").nth(2).wait_for()
    settle(page)
    return page


def boxes(page):
    script = "nodes => nodes.map(node => [...node.querySelectorAll('span')].map(span => span.textContent))"
    return page.locator(".texts .node").evaluate_all(script)


def choices(page):
    return [tuple(row.locator("span").all_text_contents()) for row in page.locator("button.choice").all()]


def likeliest(context, n=12):
    p = np.exp(read(MODEL, context).log_probabilities)
    order = np.argsort(-p, kind="stable")[:n]
    return [(label_token(MODEL.vocabulary[i]), shorten_probability(float(p[i]))) for i in order]


def test_boxes_ends_and_choices_show_what_core_computes(view):
    ln_p = continuation_log_probabilities(MODEL, IDS, WORD)
    assert boxes(view)[1:] == [
        ["o", shorten_probability(float(np.exp(ln_p[0])))],
        ["f", shorten_probability(float(np.exp(ln_p[1])))],
    ]
    assert signed(float(ln_p.sum())) in view.locator(".end").text_content()
    assert f"{signed(float(ln_p.mean()))} per token" in view.locator(".end").text_content()
    assert [row for row in choices(view) if row[0] != "o"] == [row for row in likeliest(IDS) if row[0] != "o"]


def test_a_click_opens_a_token_and_another_forces_one_after_it(view):
    view.locator(".node[data-node='1']").click()
    expect(view.locator(".node.open .token")).to_have_text("o")
    expect(view.locator(".choices .title")).to_contain_text("␣o”")
    assert [row for row in choices(view) if row[0] != "f"] == [
        row for row in likeliest([*IDS, WORD[0]]) if row[0] != "f"
    ]
    other = next(row[0] for row in choices(view) if row[0] != "f")
    view.locator("button.choice", has_text=re.compile(f"^{re.escape(other)}0")).first.click()
    expect(view.locator(".texts .node")).to_have_count(4)
    expect(view.locator(".node.open .token")).to_have_text(other)
    expect(view.locator(".end")).to_have_count(2)
    expect(view).to_have_url(re.compile("generation_tree_open=3"))


def test_the_address_opens_the_same_tree_for_somebody_else(view, chromium):
    other = next(row[0] for row in choices(view) if row[0] != "o")  # "o" is in the tree already
    view.locator("button.choice", has_text=re.compile(f"^{re.escape(other)}0")).first.click()
    expect(view.locator(".texts .node")).to_have_count(4)
    settle(view)
    before, context = boxes(view), chromium.new_context()
    theirs = context.new_page()
    theirs.goto(view.url)
    theirs.locator(".texts .node").nth(3).wait_for()
    assert boxes(theirs) == before
    context.close()


def test_the_tree_is_grown_by_keys_alone(view):
    focused = """() => { let at = document.activeElement;
        while (at.shadowRoot) at = at.shadowRoot.activeElement; return at.innerText; }"""
    view.locator(".node.open").focus()
    view.keyboard.press("ArrowRight")
    assert view.evaluate(focused).startswith("o")
    view.keyboard.press("Enter")
    expect(view.locator(".node.open .token")).to_have_text("o")
    settle(view)
    assert view.evaluate(focused).startswith("o"), "the focus stays where the learner is"
    view.locator("button.choice").first.focus()
    view.keyboard.press("ArrowRight")
    second = view.evaluate(focused)
    assert second.startswith(choices(view)[1][0])
    view.keyboard.press("Enter")
    expect(view.locator(".node.open .token")).to_have_text(second.split()[0])
    settle(view)
    assert view.evaluate(focused).startswith(choices(view)[0][0]), "and goes on with the next choices"
    view.keyboard.press("ArrowLeft")
    view.keyboard.press("ArrowLeft")
    assert view.evaluate(focused).startswith("o")


def test_a_beam_s_boxes_and_candidates_are_core_s(page, url):
    page.goto(
        f"{url}/beam_search?beam_search_model={LABEL}&beam_search_typed={PROMPT}&beam_search_width=2"
        "&beam_search_length=6&beam_search_end=its full length&beam_search_step=6"
    )
    page.locator(".texts .node").nth(10).wait_for()
    settle(page)
    tree = beam_search(MODEL, IDS, 2, 6)
    first = page.locator(".texts").first
    kept = sum(node.kept for node in tree.nodes) - 1
    assert first.locator(".node:not(.pruned):not(.prompt)").count() == kept
    assert first.locator(".node.pruned").count() == len(tree.nodes) - 1 - kept
    assert first.locator(".node.on .token").all_text_contents()[1:] == [
        label_token(MODEL.vocabulary[token]) for token in tree.winning_path
    ]
    best = tree.nodes[tree.best]
    numbers = first.locator(".choice").first.locator(".number").all_text_contents()
    assert numbers == [signed(best.total), signed(best.score, 3)]


def test_on_a_telephone_the_tree_scrolls_and_the_page_does_not(page, url):
    page.set_viewport_size({"width": 390, "height": 844})
    tree, _ = GenerationTree().grown(0, [*WORD, *WORD, *WORD, *WORD, *WORD], "forced")
    page.goto(address(url, tree, opened=10))
    page.locator(".texts .node").nth(10).wait_for()
    settle(page)
    main = page.locator("[data-testid=stMain]")
    assert main.evaluate("main => main.scrollWidth - main.clientWidth") <= 0
    seen = page.locator(".node.open").bounding_box()
    assert 0 <= seen["x"] <= 390 - seen["width"], "the opened token is in sight"
