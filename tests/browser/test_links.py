"""A link from "Take it away" opens, for somebody else, the very page it was taken from: controls, steps, every number.

`ATTEND_LINK_ROUNDS=5` sets each lesson five times; without it four lessons are set once, and four more by `make test-long`.
"""

import os
from random import Random

import pytest
from playwright.sync_api import Error as PlaywrightError

from pages import LESSONS
from tests.browser.linked_page import LinkedPage
from tests.browser.random_hand import hand

ROUNDS = int(os.environ.get("ATTEND_LINK_ROUNDS", "0"))
SEED = os.environ.get("ATTEND_LINK_SEED", "1")
CHANGES = 4
A_FEW = "zipf word_map sampling edit_attention".split()
MORE = "ngram_counts hidden_markov_model hidden_state soft_lookup".split()
SET_BY_HAND = [
    pytest.param(lesson, id=lesson.name, marks=() if ROUNDS or lesson.name in A_FEW else pytest.mark.long)
    for lesson in LESSONS
    if ROUNDS or lesson.name in (*A_FEW, *MORE)
]


def differing(before, after):
    """Return in words what is not as it was."""
    found = []
    for name in {**before["controls"], **after["controls"]}:
        old, new = before["controls"].get(name), after["controls"].get(name)
        if old != new:
            found.append(f"{name}: {old} came back as {new}")
    for part in ("views", "said"):
        old, new = list(map(str, before[part])), list(map(str, after[part]))
        found += [
            f"{part}: {parted(one, other)}" for one, other in zip(old, new, strict=False) if one != other
        ][:1]
        if len(old) != len(new):
            found.append(f"{part}: {len(old)} came back as {len(new)}")
    return found


def parted(one, other):
    """Return two texts from where they part."""
    pairs = enumerate(zip(one, other, strict=False))
    at = next((i for i, (a, b) in pairs if a != b), min(len(one), len(other)))
    return f"{one[:60]} … {one[max(0, at - 60) : at + 200]} CAME BACK AS {other[max(0, at - 60) : at + 200]}"


@pytest.fixture(scope="module")
def two_learners(chromium):
    """Two browsers that know nothing of one another; each forgets all it kept when it opens an address."""
    both = [LinkedPage(chromium) for _ in range(2)]
    yield both
    for each in both:
        each.close()


@pytest.mark.parametrize("lesson", SET_BY_HAND)
def test_a_link_brings_back_what_was_set_by_hand(lesson, two_learners, url):
    random, wrong = Random(f"{lesson.name} {SEED}"), []
    mine, theirs = two_learners
    opened = f"{url}/{lesson.name}?lab=true"
    mine.open(opened)
    for number in range(max(1, ROUNDS)):
        done = []
        for _ in range(CHANGES):
            try:
                done.append(hand(mine.page, random))
            except (
                PlaywrightError
            ) as error:  # what was to be pressed is gone with a run that was still on its way
                done.append(f"missed: {str(error)[:80]}")
            mine.rest()
        try:
            address = mine.address(lesson.name)
        except PlaywrightError:
            address, problems = mine.page.url, [f"no link to take away: {mine.said[-3:]}"]
            mine.open(opened)
        else:
            theirs.open(address)
            problems = differing(mine.state(), theirs.state())
        if mine.broken:
            problems.append("the page stopped on a mistake of ours")
        if problems:
            wrong.append("\n  ".join((f"round {number}: {done}\n  {address}", *problems)))
    assert not wrong, "\n" + "\n".join(wrong)


def test_a_link_that_carries_a_long_text_says_that_it_may_be_cut(chromium, url):
    opened = LinkedPage(chromium, f"{url}/sampling?sampling_typed={'é' * 2000}")
    assert len(opened.address("sampling")) > 8000
    assert "A mail or a chat may cut it" in opened.page.locator(".st-key-sampling_link p").last.text_content()
    opened.close()


def test_a_view_s_step_stays_in_the_link_when_the_server_writes_the_address(chromium, url):
    mine = LinkedPage(chromium, f"{url}/causal_mask?lab=true")
    mine.page.get_by_role("button", name="First", exact=True).click()
    mine.page.locator(".scores .cell").first.click()
    mine.page.keyboard.press("Control+A")
    mine.page.keyboard.type("2")
    mine.page.keyboard.press("Enter")
    mine.rest()
    address = mine.address("causal_mask")
    assert "causal_mask_edits=1+1+2" in address
    assert "causal_mask_view_step=1" in address
    theirs = LinkedPage(chromium, address)
    assert not differing(mine.state(), theirs.state())
    for opened in (mine, theirs):
        opened.close()
