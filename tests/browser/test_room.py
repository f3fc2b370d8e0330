"""A whole question in a room: the lecture in one browser, two members on phones in others, two rounds, the answer."""

import json
import re

import pytest
from playwright.sync_api import expect

from core.lesson.story import ASK, story_of
from pages import LESSONS
from tests.browser.test_shell import violations

VITERBI = next(lesson for lesson in LESSONS if lesson.name == "viterbi")
ASKED = next(n for n, beat in enumerate(story_of(VITERBI.module), 1) if beat.kind == ASK)
PHONE = {"width": 390, "height": 844}
SHOWN = """(key) => [...document.querySelectorAll("*")].map((each) => each.shadowRoot?.querySelector(".story"))
  .some((story) => story?.dataset.shown === key)"""


@pytest.fixture
def member(chromium):
    """A function that opens a page of a member of its own, on a phone."""
    contexts = []

    def open_member():
        contexts.append(chromium.new_context(viewport=PHONE))
        return contexts[-1].new_page()

    yield open_member
    for context in contexts:
        context.close()


@pytest.fixture
def room(page, url):
    """The lecture's page on the beat before a question, and the code of the room that it opened."""
    page.goto(f"{url}/viterbi?beat=viterbi.{ASKED - 1}")
    page.get_by_role("button", name="Class", exact=True).click()
    page.get_by_role("button", name="Open a room").click()
    code = page.locator(".room-dialog .code").inner_text()
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    return code


def test_a_whole_question_in_two_rounds(page, url, room, member):
    phones = [member() for _ in range(5)]
    phones[0].goto(f"{url}/join")
    phones[0].get_by_label("Type the five letters").fill(room.lower())
    phones[0].get_by_role("button", name="Join").click()
    for phone in phones[1:]:
        phone.goto(f"{url}/room/{room}")
    for phone in phones:
        phone.wait_for_function(SHOWN, arg=str(ASKED - 1))
    page.keyboard.press("PageDown")
    for phone in phones:
        phone.wait_for_function(SHOWN, arg=str(ASKED))
    assert violations(phones[0]) == []
    choices = phones[0].locator(".choice").all_inner_texts()
    for number, phone in enumerate(phones):
        phone.get_by_role("button", name=choices[number % 2], exact=True).click()
        expect(phone.get_by_role("status")).to_contain_text("Your vote is in")
    expect(page.locator(".room-votes")).to_contain_text("5 of 5 answered")
    expect(page.locator(".choice .count")).to_have_count(0)

    page.keyboard.press("PageDown")  # closes the vote: what they answered, not yet the answer
    expect(page.locator(".choice .count").first).to_contain_text("3 of 5")
    expect(page.locator(".choice.right")).to_have_count(0)
    expect(phones[0].get_by_role("status")).to_contain_text("closed")
    assert phones[0].locator(".choice .count").count() == 0

    page.get_by_role("button", name="Vote again").click()
    for phone in phones:
        expect(phone.get_by_role("status")).to_contain_text("vote again")
        phone.get_by_role("button", name=choices[0], exact=True).click()
        expect(phone.get_by_role("status")).to_contain_text("Your vote is in")
    expect(page.locator(".room-votes")).to_contain_text("5 of 5 answered")
    page.keyboard.press("PageDown")
    expect(page.locator(".choice .count").first).to_contain_text("5 of 5")
    page.keyboard.press("PageDown")
    expect(page.locator(".choice.right")).to_have_count(1)
    expect(page.locator(".room-votes")).to_contain_text("Of those who voted twice")
    for phone in phones:
        expect(phone.locator(".choice.right")).to_have_count(1)
        expect(phone.locator(".verdict")).to_be_visible()
        expect(phone.locator(".choice .count").first).to_contain_text("5 of 5")

    page.keyboard.press("PageUp")  # back at the question: its answer was shown, so nobody votes again
    expect(phones[0].get_by_role("status")).to_contain_text("closed")
    expect(page.locator(".room-votes")).to_contain_text("answered")
    expect(page.get_by_role("button", name="Vote again")).to_have_count(0)


def test_a_room_survives_a_reload_of_the_lecture_and_ends_when_its_host_ends_it(page, url, room, member):
    phone = member()
    phone.goto(f"{url}/room/{room}")
    phone.wait_for_function(SHOWN, arg=str(ASKED - 1))
    page.reload()
    expect(page.get_by_role("button", name=re.compile(f"{room}.*1 here"))).to_be_visible()
    page.keyboard.press("PageDown")
    phone.wait_for_function(SHOWN, arg=str(ASKED))
    page.get_by_role("button", name=re.compile(room)).click()
    page.get_by_role("button", name="End the room").click()
    expect(phone.get_by_role("status")).to_have_text("This room has ended.")


def test_what_is_refused_does_not_lose_the_room(page, url, room):
    refused = f"""async () => {{
      const kept = JSON.parse(localStorage.getItem("attend-room"));
      const headers = {{ "content-type": "application/json", "x-room-token": kept.token }};
      return (await fetch("/room/{room}/host", {{ method: "POST", headers, body: '{{"do": "again"}}' }})).status;
    }}"""
    assert page.evaluate(refused) == 409
    expect(page.get_by_role("button", name=re.compile(room))).to_be_visible()


def test_another_window_of_the_lecturer_steers_the_class_only_when_asked_to(page, url, room, member):
    phone = member()
    phone.goto(f"{url}/room/{room}")
    phone.wait_for_function(SHOWN, arg=str(ASKED - 1))
    other = page.context.new_page()
    other.goto(f"{url}/viterbi?beat=viterbi.1")
    other.wait_for_function(SHOWN, arg="1")
    other.wait_for_timeout(2500)
    assert phone.evaluate(SHOWN, str(ASKED - 1))
    other.get_by_role("button", name="Class", exact=True).click()
    other.get_by_role("button", name=f"Go on with room {room}").click()
    phone.wait_for_function(SHOWN, arg="1")
    expect(page.get_by_role("button", name="Class", exact=True)).to_be_visible()  # this window let go


def test_lost_is_counted_and_the_lab_of_the_beat_is_a_press_away(page, url, room, member):
    phone = member()
    phone.goto(f"{url}/room/{room}")
    phone.wait_for_function(SHOWN, arg=str(ASKED - 1))
    phone.get_by_role("button", name="I am lost").click()
    expect(phone.get_by_role("button", name="I am lost")).to_be_disabled()
    expect(page.get_by_role("button", name=re.compile("1 lost"))).to_be_visible()
    assert "viterbi?lab=true" in phone.get_by_role("link", name="Open the lab").get_attribute("href")


def test_no_page_of_a_member_asks_for_the_answer_before_it_is_shown(page, url, room, member):
    phone, asked = member(), []
    phone.on("request", lambda request: asked.append(request.url))
    page.keyboard.press("PageDown")
    phone.goto(f"{url}/room/{room}")
    phone.wait_for_function(SHOWN, arg=str(ASKED))
    phone.wait_for_timeout(500)
    assert asked and not [each for each in asked if ".answer" in each]


def test_a_stranger_neither_votes_nor_steers(page, url, room):
    api = page.request
    foreign = {"origin": "https://elsewhere.example"}
    assert (
        api.post(
            f"{url}/room/{room}/host", data=json.dumps({"do": "end"}), headers={"x-room-token": "guess"}
        ).status
        == 403
    )
    assert api.post(f"{url}/room/{room}/vote", data=json.dumps({"choice": "<script>"})).status == 409
    assert api.post(f"{url}/room/{room}/vote", data="x" * 5000).status == 409
    assert api.post(f"{url}/rooms", data="[" * 1999).status == 409
    assert (
        api.post(f"{url}/rooms", data=json.dumps({"lesson": "viterbi", "number": 1}), headers=foreign).status
        == 409
    )
    for number in (0, -1, True, 10**400, "1", [1]):
        assert (
            api.post(f"{url}/rooms", data=json.dumps({"lesson": "viterbi", "number": number})).status == 409
        )
    assert api.post(f"{url}/beats/viterbi/3.json", data="[" * 1999).status == 400
    assert api.get(f"{url}/beats/viterbi/{'9' * 5000}.json").status == 404
    assert api.get(f"{url}/room/{room}/record.csv").status == 403
    assert (
        api.get(f"{url}/room/ZZZZZ").status == 404
        and "no room with this code" in api.get(f"{url}/room/ZZZZZ").text()
    )


def test_a_member_loads_at_most_100_kb(url, page, room, member):
    phone, sizes = member(), []
    phone.on("requestfinished", lambda request: sizes.append(request.sizes()["responseBodySize"]))
    phone.goto(f"{url}/room/{room}")
    phone.wait_for_function(SHOWN, arg=str(ASKED - 1))
    assert 10_000 < sum(sizes) < 100_000
