"""The home page in a browser: the sentence, the search, the paths and the lessons; visits leave a tick."""

import re

import pytest
from playwright.sync_api import expect

from core.lesson.tour import minutes
from pages import BUILDS_ON, LESSONS, SUBJECTS, home
from pages.paths import PATHS
from tests.browser.conftest import settle
from tests.browser.test_shell import COLLISIONS, HALL, PHONE, pale_words, violations

LABELS = home.WORDS.label
TITLES = {lesson.name: lesson.title for lesson in LESSONS}


@pytest.fixture
def front(page, url):
    page.goto(url)
    settle(page)
    return page


def names(found):
    return found.evaluate_all("all => all.map(one => one.getAttribute('href'))")


def search(page, query):
    page.get_by_label(LABELS("search")).fill(query)
    return page.locator(".result")


# Lessons by subject


def test_one_subject_is_open_and_every_lesson_is_a_link_with_a_picture_once_its_subject_is(front):
    subjects = front.locator(".subject")
    expect(subjects).to_have_count(len(SUBJECTS))
    assert subjects.evaluate_all("all => all.map(one => one.open)") == [True] + [False] * (len(SUBJECTS) - 1)
    for number, subject in enumerate(SUBJECTS):
        if number:
            subjects.nth(number).locator("summary").click()
        expect(front.locator(".subject[open]")).to_have_count(1)
        cards = subjects.nth(number).locator(".card")
        expect(cards).to_have_count(len(subject.LESSONS))
        assert names(cards) == [module.LESSON.name for module in subject.LESSONS]
        assert (
            cards.locator(".picture svg").count()
            == cards.locator(".icon svg").count()
            == len(subject.LESSONS)
        )
    assert front.locator(".card").count() == len(LESSONS)


def test_a_card_says_how_long_its_lesson_takes_and_what_it_builds_on(front):
    front.locator(".subject").nth(4).locator("summary").click()
    card = front.locator('.card[href="viterbi"]')
    expect(card.locator(".foot")).to_have_text(
        f"{minutes('viterbi')} minutes, builds on {TITLES[BUILDS_ON['viterbi'][0]]}"
    )
    assert LESSONS[0].question in front.locator(".card").first.text_content()


def test_a_card_opens_its_lesson_in_the_same_session_and_is_ticked_afterwards(front):
    front.evaluate("window.same = true")
    front.locator(".card").nth(1).focus()
    front.keyboard.press("Enter")
    expect(front.get_by_role("heading", name=LESSONS[1].title)).to_be_visible()
    settle(front)
    assert front.evaluate("window.same") is True
    assert front.url.split("?")[0].endswith(f"/{LESSONS[1].name}")
    front.go_back()
    expect(front.locator(".tick")).to_have_count(1)
    expect(front.locator(".subject").first.locator(".facts")).to_contain_text("1 visited")


def test_a_lesson_of_a_folded_subject_opens_though_the_menu_hides_its_link(front):
    front.evaluate("window.same = true")
    front.locator('.step[href="gpt_writes"]').click()
    front.wait_for_url("**/gpt_writes*")
    settle(front)
    assert front.evaluate("window.same") is True


# The visitor's own sentence


def test_the_sentence_is_read_while_it_is_typed(front):
    field = front.get_by_label("Type a sentence")
    field.fill("the dqg")
    expect(front.locator(".says")).to_contain_text("expected “q” after “the d” least")
    expect(field).to_be_focused()
    expect(front.locator(".read")).to_have_text("the dqg")


# Search


@pytest.mark.parametrize(
    "query, lesson",
    [("CLIP", "one_space"), ("LSTM", "hidden_state"), ("BERT", "masked_words"), ("beam", "beam_search")],
)
def test_a_search_finds_lessons_as_it_is_typed_without_the_server(front, query, lesson):
    front.context.set_offline(True)
    field = front.get_by_label(LABELS("search"))
    field.press_sequentially(query)
    assert names(front.locator(".result"))[0] == lesson
    expect(front.locator(".browse")).to_be_hidden()
    front.context.set_offline(False)
    field.press("Escape")
    expect(field).to_have_value("")
    expect(field).to_be_focused()
    expect(front.locator(".result")).to_have_count(0)
    expect(front.locator(".browse")).to_be_visible()


def test_the_arrows_go_through_what_is_found_and_enter_opens_it(front):
    front.evaluate("window.same = true")
    front.keyboard.press("/")
    field = front.get_by_label(LABELS("search"))
    expect(field).to_be_focused()
    front.keyboard.type("BERT")
    found = front.locator(".result")
    front.keyboard.press("ArrowDown")
    expect(found.first).to_be_focused()
    front.keyboard.press("ArrowUp")
    expect(field).to_be_focused()
    front.keyboard.press("ArrowDown")
    front.keyboard.press("ArrowDown")
    expect(found.nth(1)).to_be_focused()
    chosen = names(found)[1]
    front.keyboard.press("Enter")
    front.wait_for_url(f"**/{chosen}*")
    settle(front)
    assert front.evaluate("window.same") is True


def test_enter_in_the_field_opens_the_first_lesson_that_is_found(front):
    search(front, "naive bayes")
    front.keyboard.press("Enter")
    front.wait_for_url("**/naive_bayes*")


def test_where_nothing_is_found_it_says_so_and_what_to_try_does_find(front):
    search(front, "qqq <b>x</b>")
    expect(front.get_by_role("status").filter(has_text="No lesson matches")).to_have_text(
        "No lesson matches “qqq <b>x</b>”."
    )
    examples = front.locator(".example")
    assert examples.all_inner_texts() == LABELS("search.examples").split(", ")
    for number in range(examples.count()):
        search(front, "qqq")
        front.locator(".example").nth(number).click()
        assert front.locator(".result").count() > 0
        expect(front.get_by_label(LABELS("search"))).to_be_focused()


def test_the_number_of_lessons_found_is_said(front):
    search(front, "zipf")
    expect(front.locator(".status")).to_have_text("1 lesson found")
    search(front, "the")
    count = int(front.locator(".status").inner_text().removesuffix(" lessons found"))
    assert count > front.locator(".result").count() == 10


# Paths


def test_a_path_is_a_row_of_steps_in_order_with_minutes_and_what_they_build_on(front):
    steps = front.locator(".step")
    assert tuple(names(steps)) == PATHS[0].lessons
    for number, name in enumerate(PATHS[0].lessons):
        expect(steps.nth(number).locator(".badge")).to_have_text(str(number + 1))
        foot = steps.nth(number).locator(".foot").inner_text()
        assert foot.startswith(f"{minutes(name)} min")
        assert all(TITLES[before] in foot for before in BUILDS_ON.get(name, ()))
    expect(front.locator(".step.next")).to_have_count(1)


def test_one_path_is_open_by_mouse_and_by_keyboard_and_the_address_holds_it(front, url):
    tabs = front.get_by_role("tab")
    assert tabs.all_inner_texts() == [LABELS(f"path.{path.name}") for path in PATHS]
    tabs.nth(1).click()
    expect(tabs.nth(1)).to_have_attribute("aria-selected", "true")
    expect(front.locator('[role=tab][aria-selected="true"]')).to_have_count(1)
    assert tuple(names(front.locator(".step"))) == PATHS[1].lessons
    expect(front).to_have_url(f"{url}/?path=classical")
    front.keyboard.press("ArrowRight")
    expect(tabs.nth(2)).to_be_focused()
    assert tuple(names(front.locator(".step"))) == PATHS[2].lessons
    front.keyboard.press("End")
    assert tuple(names(front.locator(".line"))) == PATHS[-1].lessons
    front.keyboard.press("Home")
    expect(front).to_have_url(re.compile(f"^{re.escape(url)}/?$"))


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(each, id=each.name, marks=() if each in (PATHS[0], PATHS[-1]) else pytest.mark.long)
        for each in PATHS
    ],
)
def test_the_address_opens_a_path_and_so_does_coming_back(page, url, path):
    page.goto(f"{url}/?path={path.name}")
    settle(page)
    assert tuple(names(page.locator(".step, .line"))) == path.lessons
    page.reload()
    settle(page)
    assert tuple(names(page.locator(".step, .line"))) == path.lessons
    page.locator(".step, .line").last.click()
    page.wait_for_url(f"**/{path.lessons[-1]}*")
    settle(page)
    assert "path=" not in page.url  # the path is the home page's own
    page.go_back()
    settle(page)
    assert tuple(names(page.locator(".step, .line"))) == path.lessons


def test_an_unknown_path_in_the_address_opens_the_first(page, url):
    page.goto(f"{url}/?path=nowhere")
    settle(page)
    assert tuple(names(page.locator(".step"))) == PATHS[0].lessons


def test_the_course_has_twelve_weeks_each_with_its_lessons(page, url):
    page.goto(f"{url}/?path=course")
    settle(page)
    weeks = page.locator(".week")
    expect(weeks).to_have_count(12)
    for number, part in enumerate(PATHS[-1].parts):
        assert tuple(names(weeks.nth(number).locator(".line"))) == part
        assert weeks.nth(number).locator("h3").inner_text().startswith(f"Week {number + 1}")


def test_a_step_is_ticked_once_visited_and_the_next_is_named(front):
    expect(front.locator(".go-on")).to_have_text(f"Begin: {TITLES[PATHS[0].lessons[0]]}")
    front.evaluate(f"localStorage.setItem('attend_visited', JSON.stringify({list(PATHS[0].lessons[:2])}))")
    front.reload()
    settle(front)
    expect(front.locator(".badge.seen")).to_have_count(2)
    expect(front.locator(".go-on")).to_have_text(f"Go on: {TITLES[PATHS[0].lessons[2]]}")
    front.evaluate(f"localStorage.setItem('attend_visited', JSON.stringify({list(PATHS[0].lessons)}))")
    front.reload()
    settle(front)
    expect(front.locator(".all-seen")).to_have_text(LABELS("path.done"))


# How it looks


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ["first_hour", "course"])
def test_axe_finds_no_violation_and_all_words_can_be_read(page, url, path, scheme):
    page.emulate_media(color_scheme=scheme)
    page.goto(f"{url}/?path={path}")
    settle(page)
    assert violations(page) == []
    assert pale_words(page) == []
    for query in ("BERT", "BLEU"):
        search(page, query)
        assert violations(page) == []
        assert pale_words(page) == []


def test_the_first_screen_at_a_hall_s_size_has_the_sentence_the_search_and_a_whole_path(page, url):
    page.set_viewport_size(HALL)
    page.goto(url)
    settle(page)
    parts = (".field", ".says", ".tabs", ".head", ".steps")
    bottoms = {
        part: page.locator(part).last.evaluate("one => one.getBoundingClientRect().bottom") for part in parts
    }
    assert all(bottom <= HALL["height"] for bottom in bottoms.values()), bottoms


@pytest.mark.parametrize("path", [path.name for path in PATHS])
def test_on_a_phone_nothing_is_wider_than_the_page_and_no_words_lie_on_each_other(page, url, path):
    page.set_viewport_size(PHONE)
    page.goto(f"{url}/?path={path}")
    settle(page)
    wider = "() => { const m = document.querySelector('[data-testid=stMain]'); return m.scrollWidth - m.clientWidth }"
    assert page.evaluate(wider) <= 0
    assert page.evaluate(COLLISIONS) == []
    assert (
        page.get_by_label(LABELS("search")).evaluate("one => one.getBoundingClientRect().bottom")
        < PHONE["height"]
    )
    search(page, "attention")
    assert page.evaluate(wider) <= 0
    assert page.evaluate(COLLISIONS) == []
