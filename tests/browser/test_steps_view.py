"""Steps scrubbed in the browser: core's numbers by key and link, no visit to the server, and no answer before a guess."""

import pytest
from playwright.sync_api import expect

from core.figures.frame import frame, matrices, panel
from core.figures.packed import packed
from core.figures.translation.decoder_step import decoder_step, shared_states, step_picture
from core.models.self_attention.attentive_models import attentive_model
from core.models.transformers.logit_lens import logit_lens
from core.models.translation.translate import greedy, stored_translator
from core.words.numbers import signed
from pages.transformers.logit_lens.figures import candidates, grid, lens_picture
from pages.word_vectors.co_occurrence.figures import window_frames
from tests.browser.conftest import mount_view, settle

LESSON = "growing_attention"


@pytest.fixture
def lesson(page, url):
    def opened(query=""):
        page.goto(f"{url}/{LESSON}?lab=true&{query}")
        settle(page)
        page.locator(".steps .picture").wait_for()
        return page

    return opened


def test_keys_step_and_the_link_brings_the_step_back(lesson, page):
    view = lesson()
    view.locator(".steps .picture").focus()
    for key, step in (("ArrowRight", 2), ("End", 7), ("ArrowLeft", 6), ("Home", 1), ("ArrowRight", 2)):
        view.keyboard.press(key)
        expect(view.locator(".steps .readout")).to_contain_text(f"Step {step} of 7")
    said = view.locator(".steps .said").text_content()
    assert "attend most to" in said
    expect(view.locator(".steps .code")).to_contain_text("def dot_product_attention")
    assert f"{LESSON}_step=2" in view.url
    link = view.url
    page.goto("about:blank")
    page.goto(link)
    settle(page)
    expect(page.locator(".steps .readout")).to_contain_text("Step 2 of 7: Dot products")
    assert page.locator(".steps .said").text_content() == said


def test_a_step_asks_nothing_of_the_server(lesson):
    view = lesson()
    view.evaluate(
        "() => { const send = WebSocket.prototype.send; window.asked = 0;"
        "WebSocket.prototype.send = function (data) { window.asked += 1; return send.call(this, data); } }"
    )
    view.locator(".steps .picture").focus()
    for _ in range(6):
        view.keyboard.press("ArrowRight")
    view.wait_for_timeout(600)
    assert view.evaluate("window.asked") == 0


def test_a_prompt_opens_its_step(lesson):
    view = lesson()
    view.get_by_text("Go to the last step. Are these the numbers of the layer itself?").click()
    expect(view.locator(".steps .readout")).to_contain_text("Step 7 of 7")


def test_each_guess_brings_one_step_and_the_view_goes_to_it(page, url):
    page.goto(f"{url}/{LESSON}?lab=true&{LESSON}_predict=true")
    settle(page)
    assert not page.locator(".steps .said").count()
    for step in (1, 2):
        page.locator("[data-testid=stRadio] label").filter(has_text="yes").last.click()
        expect(page.locator(".steps .readout")).to_contain_text(f"Step {step} of 7")
    page.locator(".steps .picture").focus()
    page.keyboard.press("End")
    expect(page.locator(".steps .readout")).to_contain_text("Step 2 of 7")


def test_numbers_stand_in_a_small_matrix_and_are_read_by_pointing(page):
    shown = matrices([panel("", [[0.5, 0.75], [1.0, 0.0]])], ["a", "b"], ["a", "b"])
    only = [frame("one", shown, "weights", "It looks.", formulas=[r"\frac{1}{2} = 0.5"])]
    data = {"total": 1, "frames": only, "start": 0, "predicting": False}
    mount_view(page, "steps", data)
    assert page.locator(".steps .number").all_text_contents() == ["0.50", "0.75", "1", "0"]
    page.locator(".steps .cell").nth(1).hover()
    expect(page.locator(".steps .pointed")).to_have_text("a → b: 0.7500")
    assert page.locator("math mfrac").text_content() == "12"


def test_a_masked_cell_is_struck_through_and_a_panel_may_show_what_all_steps_share(page):
    own = {"rows": ["c"], "columns": ["d", "e"], "room": {"rows": 3, "columns": 3, "letters": 1}}
    shown = matrices(
        [{**panel("", [[0.5, float("nan")]]), **own}, {"title": "", "width": 2, **own}], "c", "de"
    )
    data = {
        "total": 1,
        "frames": [frame("one", shown, "weights", "It looks.")],
        "start": 0,
        "predicting": False,
    }
    mount_view(page, "steps", {**data, "shared": {"values": packed([[0.25, 0.75]])}})
    assert page.locator(".steps line.masked").count() == 1
    read = []
    for cell in range(4):
        page.locator(".steps .cell").nth(cell).hover()
        read.append(page.locator(".steps .pointed").text_content())
    assert read == ["c → d: 0.5000", "c → e: masked", "c → d: 0.2500", "c → e: 0.7500"]


def test_the_decoder_s_step_is_core_s_and_its_weighted_states_are_read_by_pointing(page):
    translator = stored_translator("translate_french_additive")
    words = "the old man sleeps .".split()
    made = greedy(translator.model, translator.source.encode(words))
    step = decoder_step(made, 1)
    picture = step_picture(step, 2, translator.target.words, made.words[1])
    mount_view(
        page,
        "steps",
        {
            "total": 1,
            "frames": [frame("one", picture, "a step", "It looks.")],
            "shared": shared_states(step.states, words),
            "start": 0,
            "predicting": False,
        },
    )
    numbers = page.locator(".steps .bars").first.locator(".number").all_text_contents()
    expected = [(signed(e), f"{a:.3f}") for e, a in zip(step.scores, step.weights, strict=True)]
    assert numbers == [each for pair in expected for each in pair]
    assert page.locator(".steps .bars").last.locator(".row").first.text_content() in translator.target.words
    context = page.locator(".steps .cell").nth(len(words) * len(step.context))
    context.hover()
    expect(page.locator(".steps .pointed")).to_have_text(
        f"context c → number 1: {signed(step.context[0], 3)}"
    )


def test_a_sliding_window_outlines_the_cells_that_it_adds_to(page):
    steps, shared = window_frames("the cat saw the dog".split(), 2, {"the", "cat", "saw", "dog"})
    mount_view(
        page, "steps", {"frames": steps, "total": 5, "start": 2, "shared": shared, "address": "sliding"}
    )
    view = page.locator(".steps")
    expect(view.locator(".token.next")).to_have_text("saw")
    expect(view.locator(".token.context")).to_have_text(["the", "cat", "the", "dog"])
    expect(view.locator(".cell.marked")).to_have_count(3)
    expect(view.locator(".said")).to_contain_text("adds 4 to 3 entries of its row")
    numbers = view.locator("svg .number").all_text_contents()
    counts = [int(each) for each in numbers]
    assert len(counts) == 16 and sum(counts) == 9  # 2 + 3 + 4 words in the first three windows


def test_the_lens_writes_the_words_of_the_layers_so_far_and_the_answer_in_bold(page):
    model = attentive_model("word_gpt")
    read = model.read("He gave")
    found, rows, place = logit_lens(model.network, read.ids), list(read.tokens), 1
    shared = grid(found, rows, model.vocabulary, place, len(found.log_p), True)
    tokens = candidates(found, place, len(found.log_p), None)
    picture = lens_picture(found, tokens, model.vocabulary, place, 2, int(found.answers[place]))
    only = [frame("one", picture, "a reading", "It says.")]
    mount_view(page, "steps", {"total": 1, "frames": only, "shared": shared, "start": 0, "predicting": False})
    said = [model.vocabulary[i] for i in found.says[:3].T.flatten().tolist()]
    assert page.locator(".steps .cells .number").all_text_contents() == said
    settled = [[t, layer] for t in range(len(rows)) for layer in range(3) if found.settled[t] <= layer]
    expect(page.locator(".steps .number.bold")).to_have_count(len(settled))
    expect(page.locator(".steps .cell.marked")).to_have_count(1)
    expect(page.locator(".steps .bars .row")).to_have_count(len(tokens))
