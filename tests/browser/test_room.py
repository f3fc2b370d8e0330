"""A whole question in a room: the lecture in one browser, two members on phones in others, two rounds, the answer."""

import json
import re

import pytest
from playwright.sync_api import expect

from core.lesson.story import ASK, DO, story_of
from core.lesson.tour import lectures
from pages import LESSONS
from tests.browser.conftest import free_port, start_server
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

    page.wait_for_timeout(1000)  # a member has one vote a second
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
    page.get_by_role("button", name="End it for everybody").click()
    expect(phone.get_by_role("status")).to_have_text("This room has ended.")
    expect(page.get_by_role("button", name=f"Save the counts of {room}")).to_be_visible()


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
    assert "viterbi?lab=true" in phone.get_by_role("link", name="Lab").get_attribute("href")


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


@pytest.fixture
def speaker(page, url):
    """The window that presents the lecture of 45 minutes on images, and the speaker's window that S opened."""
    page.goto(f"{url}/patches?beat=images_45.1")
    page.wait_for_function(SHOWN, arg="1")
    with page.context.expect_page() as opened:
        page.keyboard.press("s")
    opened.value.locator(".now .player").wait_for()
    return opened.value


def shown_in(player):
    return player.evaluate("(each) => each.shadowRoot.querySelector('.story').dataset.shown")


def test_the_speaker_s_window_shows_the_beat_the_next_one_and_the_notes_and_moves_the_lecture(
    page, url, speaker
):
    beats = lectures()["images_45"].beats
    expect(speaker.locator(".notes")).to_contain_text("Minute 0")
    expect(speaker.locator(".clock")).to_contain_text(f"1 / {len(beats)}")
    assert violations(speaker) == []
    assert shown_in(speaker.locator(".now .player")) == str(beats[0].number)
    assert shown_in(speaker.locator(".small .player")) == str(beats[1].number)
    speaker.get_by_role("button", name="Next").click()
    expect(page.locator(".story .jump")).to_have_text(re.compile("^2 of"))
    expect(speaker.locator(".clock")).to_contain_text(f"2 / {len(beats)}")
    speaker.keyboard.press("PageUp")
    expect(page.locator(".story .jump")).to_have_text(re.compile("^1 of"))
    other = next(i for i, each in enumerate(beats) if each.lesson != beats[0].lesson)
    speaker.get_by_label("Jump to").select_option(str(other))  # in another lesson
    expect(page.locator(".story .jump")).to_have_text(re.compile(f"^{other + 1} of"))
    assert f"/{beats[other].lesson}" in page.url
    expect(speaker.locator(".clock")).to_contain_text(f"{other + 1} / {len(beats)}")
    speaker.get_by_role("button", name="Black screen").click()
    expect(page.locator(".attend-black")).to_be_visible()
    speaker.keyboard.press("b")
    expect(page.locator(".attend-black")).to_have_count(0)
    page.reload()  # F5 loses neither
    expect(page.locator(".story .jump")).to_have_text(re.compile(f"^{other + 1} of"))
    page.wait_for_timeout(500)
    speaker.keyboard.press("PageDown")
    expect(speaker.locator(".clock")).to_contain_text(re.compile(f"{other + 1} / |{other + 2} / "))
    assert speaker.url.partition("#")[2] not in page.content()


def test_the_speaker_s_window_works_from_another_browser_and_not_with_a_guessed_token(page, member, speaker):
    tablet = member()
    tablet.goto(speaker.url)
    tablet.get_by_role("button", name="Next").click()
    expect(page.locator(".story .jump")).to_have_text(re.compile("^2 of"))
    stranger = member()
    stranger.goto(speaker.url[:-3] + "abc")
    expect(stranger.get_by_role("status")).to_contain_text("opens nothing")
    stranger.get_by_role("button", name="Next").click()
    assert stranger.locator(".notes").inner_text() == ""
    expect(page.locator(".story .jump")).to_have_text(re.compile("^2 of"))


def test_the_speaker_is_told_where_no_window_presents(page, url, speaker):
    expect(speaker.locator(".says")).to_be_empty()
    page.goto(f"{url}/join")
    expect(speaker.get_by_role("status")).to_contain_text("No window presents")


def test_a_copy_of_the_window_does_not_steer(page, url, room, member):
    phone = member()
    phone.goto(f"{url}/room/{room}")
    phone.wait_for_function(SHOWN, arg=str(ASKED - 1))
    with page.context.expect_page() as opened:
        page.evaluate("window.open(location.pathname + '?beat=viterbi.1')")
    opened.value.wait_for_function(SHOWN, arg="1")
    opened.value.wait_for_timeout(1500)
    assert phone.evaluate(SHOWN, str(ASKED - 1))
    expect(opened.value.get_by_role("button", name="Class", exact=True)).to_be_visible()


def test_presented_the_question_and_the_room_s_code_are_in_sight(page, url, room):
    page.set_viewport_size({"width": 1280, "height": 720})
    page.keyboard.press("PageDown")
    page.wait_for_function(SHOWN, arg=str(ASKED))
    page.keyboard.press("p")
    for choice in page.locator(".choice").all():
        expect(choice).to_be_in_viewport(ratio=0.95)
    assert (
        page.locator(".story").evaluate("(each) => getComputedStyle(each, '::after').content") == f'"{room}"'
    )


def test_half_of_a_pair_of_characters_breaks_no_room(page, url, room, member):
    phone = member()
    phone.goto(f"{url}/room/{room}")
    phone.wait_for_function(SHOWN, arg=str(ASKED - 1))
    send = f"""() => fetch("/room/{room}/question", {{ method: "POST", headers: {{ "content-type": "application/json" }},
      body: '{{"text": "Why \\\\ud83d?"}}' }}).then((answer) => answer.status)"""
    assert phone.evaluate(send) == 409
    page.keyboard.press("PageDown")
    phone.wait_for_function(SHOWN, arg=str(ASKED))


def test_a_question_is_seen_by_others_only_after_the_lecturer_let_it_pass(page, url, member, speaker):
    code = page.locator(".class").inner_text().partition(" ")[0]
    one, other = member(), member()
    for phone in (one, other):
        phone.goto(f"{url}/room/{code}")
        phone.wait_for_function(SHOWN, arg="1")
    one.get_by_role("button", name="Ask").click()
    one.get_by_label("Your question").fill("Why <b>16</b> patches?")
    one.get_by_role("button", name="Ask without a name").click()
    asked = speaker.get_by_role("listitem").filter(has_text="Why <b>16</b> patches?")
    expect(asked).to_be_visible()
    expect(other.get_by_role("button", name="Ask", exact=True)).to_be_visible()
    asked.get_by_role("button", name="Let it pass").click()
    other.get_by_role("button", name="Ask (1)").click()
    other.get_by_role("button", name="I ask this too (1)").click()
    expect(other.get_by_role("button", name="I ask this too (2)")).to_have_attribute("aria-pressed", "true")
    assert violations(other) == []
    expect(asked).to_contain_text("(2)")
    asked.get_by_role("button", name="Answered").click()
    expect(other.get_by_role("button", name="Ask", exact=True)).to_be_visible()


def test_what_members_tried_goes_onto_the_picture_once_the_lecturer_shows_it(page, url, room, member):
    number = next(n for n, beat in enumerate(story_of("pages.word_vectors.word_axis"), 1) if beat.kind == DO)
    page.goto(f"{url}/word_axis?beat=word_axis.{number}")
    page.wait_for_function(SHOWN, arg=str(number))
    with page.context.expect_page() as opened:
        page.keyboard.press("s")
    speaker, phones = opened.value, [member() for _ in range(2)]
    for phone, word in zip(phones, ("coffee", "<i>snow</i>"), strict=True):
        phone.goto(f"{url}/room/{room}")
        phone.wait_for_function(SHOWN, arg=str(number))
        phone.get_by_role("textbox").fill(word)
        expect(phone.locator(".done")).to_be_visible()
        phone.get_by_role("button", name="Send it").click()
        expect(phone.get_by_role("status")).to_contain_text("Sent")
    expect(page.locator(".room-sent")).to_contain_text("2 of 2 sent")
    assert "coffee" not in page.locator(".story").inner_text()
    sent = speaker.get_by_role("listitem")
    sent.filter(has_text="<i>snow</i>").get_by_role("button", name="Put aside").click()
    expect(sent.filter(has_text="snow")).to_have_count(0)
    sent.filter(has_text="coffee").get_by_role("button", name="Show").click()
    expect(page.get_by_role("textbox")).to_have_value("coffee")
    expect(sent.filter(has_text="coffee")).to_have_count(0)
    assert phones[1].get_by_role("textbox").input_value() == "<i>snow</i>"  # what one tries stays


def test_numbers_are_dots_from_five_on(page, url, room, member):
    page.goto(f"{url}/word_map?beat=word_map.7")
    for count, angle in enumerate((0, 30, 30, 60, 90), 1):
        phone = member()
        phone.goto(f"{url}/room/{room}")
        phone.wait_for_function(SHOWN, arg="7")
        phone.get_by_role("slider").fill(str(angle))
        phone.get_by_role("button", name="Send it").click()
        expect(page.locator(".room-sent")).to_contain_text(f"{count} of {count} sent")
        assert page.locator(".dot-plot").count() == (count == 5)
    assert page.locator(".dot-plot circle").count() == 5
    expect(page.locator(".dots-box")).to_contain_text("the median is 30")


def test_a_break_of_the_network_restores_the_beat_and_one_s_own_vote(page, url, room, member):
    page.keyboard.press("PageDown")
    phone = member()
    phone.goto(f"{url}/room/{room}")
    phone.wait_for_function(SHOWN, arg=str(ASKED))
    phone.locator(".choice").first.click()
    expect(phone.get_by_role("status")).to_contain_text("Your vote is in")
    phone.context.set_offline(True)
    page.wait_for_timeout(6000)
    phone.context.set_offline(False)
    phone.reload()
    phone.wait_for_function(SHOWN, arg=str(ASKED))
    expect(phone.locator(".choice").first).to_have_attribute("aria-pressed", "true")


def test_an_own_lecture_and_its_labs_survive_a_reload_and_the_class_follows(page, url, member):
    page.goto(f"{url}/zipf?lab=true&zipf_k=20")
    page.get_by_role("tab", name="Take it away").click()
    page.get_by_role("button", name="Add this view").click()
    expect(page.get_by_text("Your lecture has 1 beat.")).to_be_visible()
    page.wait_for_function("localStorage.getItem('attend-lecture')")
    page.goto(f"{url}/lectures")
    expect(page.get_by_role("link", name="1. Zipf's law")).to_be_visible()
    page.get_by_role("link", name="1. Zipf's law").click()
    expect(page.locator(".tour .number")).to_have_text("1 of 1")
    with page.context.expect_page() as opened:
        page.keyboard.press("s")
    expect(opened.value.locator(".clock")).to_contain_text("1 / 1")
    code = json.loads(page.evaluate("localStorage.getItem('attend-room')"))["code"]
    phone = member()
    phone.goto(f"{url}/room/{code}")
    assert "zipf_k=20" in phone.get_by_role("link", name="Lab").get_attribute("href")


def test_a_locked_room_lets_nobody_else_in(page, url, room, member):
    inside, outside = member(), member()
    inside.goto(f"{url}/room/{room}")
    page.get_by_role("button", name=re.compile(room)).click()
    page.get_by_role("button", name="Let nobody else in").click()
    expect(page.get_by_role("button", name="Let others in again")).to_be_visible()
    outside.goto(f"{url}/room/{room}")
    expect(outside.get_by_role("alert")).to_contain_text("lets nobody else in")
    inside.reload()
    inside.wait_for_function(SHOWN, arg=str(ASKED - 1))


def test_after_a_killed_server_both_sides_say_that_the_room_ended(page, member):
    port = free_port()
    process, url = start_server(port=port)
    try:
        page.goto(f"{url}/viterbi?beat=viterbi.1")
        page.get_by_role("button", name="Class", exact=True).click()
        page.get_by_role("button", name="Open a room").click()
        code = page.locator(".room-dialog .code").inner_text()
        phone = member()
        phone.goto(f"{url}/room/{code}")
        phone.wait_for_function(SHOWN, arg="1")
        process.kill()
        expect(phone.get_by_role("status")).to_have_text("Connection lost. We try again.")
        process, _ = start_server(port=port)
        expect(phone.get_by_role("status")).to_have_text("This room has ended.")
        expect(page.get_by_role("button", name="Room ended")).to_be_visible()
    finally:
        process.kill()
