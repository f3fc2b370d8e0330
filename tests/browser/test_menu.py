"""The menu in a browser: one subject is open, by mouse and by keyboard, and every lesson stays a link of the page."""

import pytest
from playwright.sync_api import expect

from pages import LESSONS, SUBJECTS
from pages.home import subject_title
from tests.browser.conftest import settle
from tests.browser.test_shell import AXE

TITLES = [subject_title(subject) for subject in SUBJECTS]
LINK = "[data-testid=stSidebarNavLink]"


def of(subject):
    """Return the titles of a subject's lessons."""
    return [module.LESSON.title for module in subject.LESSONS]


@pytest.fixture
def zipf(page, url):
    page.goto(f"{url}/zipf?lab=true")
    settle(page)
    return page


def title(page, name):
    return page.locator("[data-testid=stNavSectionHeader] > [role=button]").filter(has_text=name)


def shown(page):
    """Return the titles of the links that the menu shows, without Home, Lectures and Worksheets."""
    links = page.locator(LINK).evaluate_all(
        "all => all.filter(one => one.offsetParent).map(one => one.innerText.trim())"
    )
    assert links[:3] == ["Home", "Lectures", "Worksheets"]
    return links[3:]


def test_the_menu_shows_the_lessons_of_the_present_one_s_subject(zipf, url):
    assert shown(zipf) == of(SUBJECTS[0])
    zipf.goto(f"{url}/positions?lab=true")  # a deep link; a story has no menu
    settle(zipf)
    assert shown(zipf) == next(titles for titles in map(of, SUBJECTS) if "Positional encodings" in titles)
    zipf.goto(url)
    settle(zipf)
    assert shown(zipf) == []


def test_the_present_lesson_s_link_is_in_sight_however_long_the_menu_is(page, url):
    page.set_viewport_size({"width": 1280, "height": 500})
    page.goto(f"{url}/one_space?lab=true")
    settle(page)
    expect(page.locator(f"{LINK}[aria-current]")).to_be_in_viewport(ratio=1)
    title(page, "Tokens").click()
    title(page, "Images").click()
    expect(page.locator(LINK).last).to_be_in_viewport(ratio=1)


def test_all_lessons_are_links_of_the_page_shown_or_not(zipf):
    links = zipf.locator(LINK).evaluate_all("all => all.map(one => new URL(one.href).pathname)")
    assert links == ["/", "/lectures", "/worksheets", *(f"/{lesson.name}" for lesson in LESSONS)]


def test_a_press_on_a_title_opens_its_subject_alone_and_another_closes_it(zipf):
    title(zipf, "N-grams").click()
    assert shown(zipf) == of(SUBJECTS[3])
    expect(title(zipf, "N-grams")).to_have_attribute("aria-expanded", "true")
    expect(title(zipf, "Tokens")).to_have_attribute("aria-expanded", "false")
    title(zipf, "N-grams").click()
    assert shown(zipf) == []
    title(zipf, "Tokens").click()
    assert shown(zipf) == of(SUBJECTS[0])


@pytest.mark.parametrize("key", ["Enter", " "])
def test_the_menu_works_by_keyboard(page, url, key):
    page.goto(f"{url}/lectures")  # no tour, which would take the space bar
    settle(page)
    title(page, "Tokens").focus()
    for _ in range(4):  # from title to title, the links of the folded subjects left out
        page.keyboard.press("Tab")
    expect(title(page, "HMMs and parsing")).to_be_focused()
    page.keyboard.press(key)
    assert shown(page) == of(SUBJECTS[4])
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/hidden_markov_model*")
    page.locator(".story:not(.waiting)").wait_for()
    page.locator(".story .lab").click()
    settle(page)
    assert shown(page) == of(SUBJECTS[4])


def test_a_lesson_of_another_subject_opens_that_subject_in_the_same_session(zipf):
    zipf.evaluate("window.same = true")
    title(zipf, "Documents").click()
    zipf.locator(f"{LINK}[href$='/logistic_regression']").click()
    zipf.wait_for_url("**/logistic_regression*")
    zipf.locator(".story:not(.waiting)").wait_for()
    zipf.locator(".story .lab").click()
    settle(zipf)
    title(zipf, "Images").click()
    zipf.go_back()  # to the story
    zipf.locator(".story:not(.waiting)").wait_for()
    zipf.go_back()
    zipf.wait_for_url("**/zipf*")
    settle(zipf)
    assert shown(zipf) == of(SUBJECTS[0])
    assert zipf.evaluate("window.same") is True


def test_what_streamlit_kept_as_folded_in_this_browser_takes_no_links_away(zipf, url):
    folded = dict.fromkeys(TITLES, False)
    zipf.evaluate("folded => localStorage.setItem('stSidebarSectionsState-', JSON.stringify(folded))", folded)
    zipf.evaluate(
        """folded => Object.keys(localStorage).filter(each => each.startsWith('stSidebarSectionsState'))
            .forEach(each => localStorage.setItem(each, JSON.stringify(folded)))""",
        folded,
    )
    zipf.reload()
    settle(zipf)
    assert zipf.locator(LINK).count() == len(LESSONS) + 3
    assert shown(zipf) == of(SUBJECTS[0])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_each_link_has_its_own_icon_in_the_colour_of_its_words(zipf, scheme):
    zipf.emulate_media(color_scheme=scheme)
    settle(zipf)
    drawn = zipf.locator(LINK).evaluate_all(
        """all => all.map(one => {
            const before = getComputedStyle(one, "::before");
            return [before.maskImage, before.backgroundColor, getComputedStyle(one).color];
        })"""
    )
    assert all(mask.startswith('url("data:image/svg+xml') for mask, _, _ in drawn)
    assert len({mask for mask, _, _ in drawn}) == len(LESSONS) + 3
    assert [(ground, ink) for _, ground, ink in drawn if ground != ink] == []


def test_no_icon_and_no_title_of_the_menu_breaks_a_rule_of_axe(zipf):
    zipf.evaluate(AXE)
    run = "() => axe.run(document.querySelector('[data-testid=stSidebarNav]'), {resultTypes: ['violations']})"
    found = {rule["id"] for rule in zipf.evaluate(run)["violations"]}
    assert found <= {"list", "listitem"}  # Streamlit's own nesting of lists
