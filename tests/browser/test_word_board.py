"""The view "word_board" by itself in Chromium: every card fits its room, and on a bench a card can be chosen."""

import pytest

from tests.browser.conftest import mount_view
from tests.browser.test_elmo_views import mounted
from tests.lessons.lesson_page import picture

HUNG = """() => {
  const view = document.querySelector("body > div").shadowRoot.lastChild.firstChild;
  const room = view.getBoundingClientRect();
  return [...view.querySelectorAll(".card, .name, .note, .asked, .entry")].filter((part) => {
    const { left, right, top, bottom } = part.getBoundingClientRect();
    return left < room.left - 1 || right > room.right + 1 || top < room.top - 1 || bottom > room.bottom + 1;
  }).map((part) => part.textContent);
}"""


@pytest.mark.parametrize("size", [(920, 580), (390, 420)], ids=["desk", "phone"])
@pytest.mark.parametrize("beat", ["one_text", "spelled"])
def test_every_card_fits_its_room_and_lit_letters_stand_out(page, size, beat):
    mounted(page, "word_board", {**picture("shoot_out", beat), "bare": True}, size)
    assert page.evaluate(HUNG) == []
    assert page.locator(".rows .card").count() == 25 and page.locator("button").count() == 0
    assert page.locator(".letters").all_text_contents() == (["ing"] * 5 if beat == "spelled" else [])


def test_on_a_bench_a_chosen_card_reports_its_place_over_all_rows(page):
    data = picture("shoot_out", "one_text")
    mount_view(page, "word_board", data)
    page.locator('[data-mark="word.skip_gram.1"]').click()
    words = [word["text"] for row in data["rows"] for word in row["words"]]
    assert page.locator('[data-mark="word.skip_gram.1"]').text_content() == words[11]
    assert page.evaluate("window.sent.at(-1)") == ["chosen", 11]
