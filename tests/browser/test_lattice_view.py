"""The lattice in a real browser: it shows core's numbers, and only those that were computed so far."""

import numpy as np
import pytest

from core.models.hidden_markov_models.decoding import decode, underflow
from core.models.hidden_markov_models.hmm_tables import ice_cream_diary, noun_verb_toy
from pages.hidden_markov_models.viterbi.figures import lattice_payload
from tests.browser.conftest import mount_view

DIARY = "31321"


def payload(model, words, first=0, width=60):
    return lattice_payload(decode(model, words), underflow(model, words), first, width)


@pytest.fixture
def mounted(page):
    """The page with the view on the diary 3 1 3 2 1, and what fails it: an error in the view."""
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))

    def mount(data):
        mount_view(page, "lattice", data)
        return page

    yield mount
    assert errors == []


def shown(page) -> list[list[str]]:
    """The scores in the lattice's cells, by word."""
    texts = page.locator(".cell").evaluate_all("cells => cells.map(c => [c.dataset.t, c.textContent])")
    words = {}
    for t, text in texts:
        words.setdefault(int(t), []).append(text)
    return [words[t] for t in sorted(words)]


def click(page, name):
    page.get_by_role("button", name=name, exact=False).first.click()


def as_shown(scores) -> list[list[str]]:
    return [[f"{score:.2f}".replace("-", "−") for score in row] for row in scores]


def test_the_finished_lattice_shows_the_scores_that_core_computed(mounted):
    page = mounted(payload(ice_cream_diary(), DIARY))
    click(page, "Last step")
    lattice = decode(ice_cream_diary(), DIARY).viterbi
    assert shown(page) == as_shown(lattice.scores)
    pointers = page.locator("table.back td").all_text_contents()
    names = np.array(["hot", "cold"])[lattice.backpointers[1:].T]
    assert pointers == [text for row in names for text in ["start", *row]]


def test_future_cells_are_empty_at_every_step(mounted):
    data = payload(ice_cream_diary(), DIARY)
    page = mounted(data)
    for step, (kind, t, j) in enumerate(data["steps"]):
        flat = [text for row in shown(page) for text in row]
        done = 2 * t + j + (kind != "compare")
        if kind in ("initialise", "compare", "keep"):
            assert all(flat[:done]) and not any(flat[done:])
        assert page.locator("p.status").text_content().startswith(f"Step {step + 1} of {len(data['steps'])}.")
        click(page, "Next step")


def test_a_clicked_cell_shows_every_candidate_and_marks_the_winner(mounted):
    page = mounted(payload(ice_cream_diary(), DIARY))
    click(page, "Last step")
    page.locator(".cell[data-t='1'][data-j='1']").click()
    rows = [row.split() for row in page.locator(".candidates tr").all_inner_texts()]
    assert rows[1] == ["hot", "−1.20", "−0.69", "−0.51", "−2.41", "✓"]
    assert rows[2] == ["cold", "−3.22", "−0.22", "−0.51", "−3.95"]
    assert "state listed first" in page.locator(".rule").text_content()


def test_raw_probabilities_are_a_switch(mounted):
    page = mounted(payload(ice_cream_diary(), DIARY))
    click(page, "Last step")
    page.get_by_label("raw probabilities").check()
    assert shown(page)[0] == ["0.3", "0.04"]
    assert shown(page)[1] == ["0.03", "0.09"]


def test_underflow_is_seen_and_said(mounted):
    words = ["1", "3"] * 400
    dead = underflow(ice_cream_diary(), words).underflow
    page = mounted(payload(ice_cream_diary(), words, first=dead - 5))
    page.get_by_label("raw probabilities").check()
    click(page, "Last step")
    assert shown(page)[5:] == [["0", "0"]] * 55
    assert "every product is 0 in float64" in page.locator("p.status").text_content()


def test_the_keyboard_steps_plays_and_chooses_cells(mounted):
    page = mounted(payload(ice_cream_diary(), DIARY))
    page.locator(".lattice").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator("p.status").text_content().startswith("Step 2 ")
    page.keyboard.press("End")
    assert page.locator("p.status").text_content().startswith("Step 24 ")
    page.keyboard.press("ArrowDown")
    assert page.locator(".panel h2").text_content() == "cold at “3”"
    page.keyboard.press("Home")
    page.keyboard.press("Space")
    page.get_by_role("button", name="Pause").wait_for()
    page.wait_for_function(
        "document.querySelector('div').shadowRoot.querySelector('.status').textContent.startsWith('Step 3 ')"
    )
    page.keyboard.press("Space")
    page.get_by_role("button", name="Play").wait_for()


def test_three_paths_are_laid_over_the_lattice(mounted):
    page = mounted(payload(noun_verb_toy(), "we can can fish".split()))
    click(page, "Last step")
    assert page.locator("polyline").count() == 0
    for box in page.locator(".search input").all():
        box.check()
    assert page.locator("polyline").count() == 3
    assert page.locator(".search").nth(2).text_content().endswith("misses the best path")
    assert page.locator(".cell.pruned").count() > 0


def test_the_students_numbers_are_marked_hinted_and_revealed(mounted):
    page = mounted(payload(ice_cream_diary(), DIARY))
    page.get_by_label("raw probabilities").check()
    click(page, "Next step")
    page.get_by_role("button", name="Your turn").click()
    inputs = page.locator(".cell input")
    inputs.nth(0).fill("0.03")
    inputs.nth(1).fill("0,5")
    click(page, "Check")
    assert inputs.nth(0).get_attribute("class") == "right"
    assert inputs.nth(1).get_attribute("class") == "wrong"
    assert "1 of 2 right" in page.locator("p.status").text_content()
    click(page, "Hint")
    assert page.locator(".candidates tr").nth(1).inner_text().split() == ["hot", "0.3", "0.5", "0.6"]
    inputs.nth(1).fill("0.09")
    inputs.nth(1).press("Enter")
    assert page.locator("p.status").text_content().startswith("All 2 right.")
    assert shown(page)[1] == ["0.03", "0.09"]
    assert shown(page)[2] == ["", ""]


def test_new_data_is_drawn_over_the_old_without_a_second_lattice(mounted):
    page = mounted(payload(ice_cream_diary(), DIARY))
    click(page, "Last step")
    page.evaluate("data => window.show(data)", payload(noun_verb_toy(), ["fish", "swim"]))
    assert page.locator(".lattice").count() == 1
    assert len(shown(page)) == 2 and shown(page)[1] == ["", "", ""]


def test_a_long_sentence_asks_for_its_other_windows(mounted):
    page = mounted(payload(ice_cream_diary(), list("123" * 30)))
    assert "words 1 to 60 of 90" in page.locator(".windows").text_content()
    page.get_by_role("button", name="later words").click()
    assert page.evaluate("window.sent") == [["first", 59]]


def test_text_is_never_markup(mounted):
    page = mounted(payload(noun_verb_toy(), ["<img src=x onerror=alert(1)>", "fish"]))
    click(page, "Last step")
    assert page.locator("img").count() == 0


@pytest.mark.parametrize("words", [1, 12, 60])
def test_on_a_phone_only_the_lattice_scrolls_sideways(mounted, page, words):
    page.set_viewport_size({"width": 390, "height": 844})
    mounted(payload(noun_verb_toy(), ["fish", "can"] * (words // 2) + ["swim"] * (words % 2)))
    click(page, "Last step")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.locator(".cell").first.bounding_box()["height"] >= 24
