"""No sign of the course depends on the reader's system: Chromium says with which font it draws each text of a page."""

import pytest

from core.lesson.browser_view import SIGNS_HELD
from tests.browser.conftest import settle

PAGES = [
    "",
    "lectures",
    "worksheets",
    "self_attention",
    "hidden_state?lab=true",
    "gradient_microscope?lab=true",
    "viterbi",
    "viterbi?lab=1",
    "zipf?lab=true",
]
HIDDEN = {"style", "script", "title", "noscript"}
KATEX_HEARD = "katex-mathml"  # a second, hidden copy of a formula, for who hears the page


def fonts_of_the_system(page) -> dict[str, list[str]]:
    """Return the texts that are drawn with fonts which the page did not bring along, by font."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("DOM.enable")
    devtools.send("CSS.enable")
    waiting = [devtools.send("DOM.getDocument", {"depth": -1, "pierce": True})["root"]]
    found: dict[str, list[str]] = {}
    while waiting:
        node = waiting.pop()
        if KATEX_HEARD in node.get("attributes", []):
            continue
        inside = [*node.get("children", []), *node.get("shadowRoots", [])]
        text = "".join(each["nodeValue"] for each in inside if each["nodeType"] == 3).strip()
        if text and node["nodeName"].lower() not in HIDDEN:
            used = devtools.send("CSS.getPlatformFontsForNode", {"nodeId": node["nodeId"]})["fonts"]
            for font in used:
                if not font["isCustomFont"]:
                    found.setdefault(font["familyName"], []).append(text[:60])
        waiting += inside
    return found


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path or "home")
def test_every_text_of_a_page_is_drawn_with_a_font_that_the_page_brings_along(page, url, path):
    page.goto(f"{url}/{path}")
    settle(page)
    assert fonts_of_the_system(page) == {}


def test_the_signs_of_tokens_are_in_the_fonts_of_words_and_of_code(page, url):
    page.goto(url)
    settle(page)
    page.evaluate(
        """signs => ["Source Sans", "Source Code Pro"].forEach((family) => {
            const line = document.body.appendChild(document.createElement("p"));
            line.textContent = `a${signs}b`;
            line.style.fontFamily = `"${family}"`;
        })""",
        SIGNS_HELD,
    )
    page.evaluate("document.fonts.ready")
    page.wait_for_timeout(300)
    assert fonts_of_the_system(page) == {}


def test_what_finds_fonts_of_the_system_finds_them(page, url):
    page.goto(url)
    settle(page)
    page.evaluate("document.body.append(Object.assign(document.createElement('p'), { textContent: '♞' }))")
    assert list(fonts_of_the_system(page).values()) == [["♞"]]
