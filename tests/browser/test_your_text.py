"""A learner's text in a real browser: it never runs as code, and a link brings its sample along."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import settle

LINE = re.compile(r"characters, [\d,]+ tokens")  # the line that says which text is in use
PAYLOADS = (
    "<script>window.hacked = 1</script> <img src=x onerror='window.hacked = 1'> <svg onload='window.hacked = 1'> "
    "[link](javascript:window.hacked=1) <iframe srcdoc='<script>parent.hacked = 1</script>'></iframe> "
    "king queen cat dog {{constructor.constructor('window.hacked=1')()}} $\\href{javascript:window.hacked=1}{x}$ "
)
NAME = "_*<img src=x onerror='window.hacked=1'>[a](b).txt"


def upload(page, name: str, text: bytes) -> None:
    page.get_by_role("button", name="Change the text").click()
    settle(page)
    page.get_by_role("tab", name="Upload").click()
    page.locator("input[type=file]").set_input_files({"name": name, "mimeType": "text/plain", "buffer": text})
    expect(page.get_by_text(LINE)).to_contain_text(name.split("'")[0][:8])
    page.keyboard.press("Escape")


def harmless(page) -> bool:
    return page.evaluate("window.hacked") is None and page.locator("img[src=x]").count() == 0


def test_code_in_an_uploaded_text_or_its_name_never_runs(page, url):
    page.goto(f"{url}/word_map?lab=true&word_map_source=your text")
    settle(page)
    upload(page, NAME, (PAYLOADS * 5).encode())
    settle(page)
    assert harmless(page)
    field = page.get_by_role("textbox", name="Word", exact=True)
    field.fill("<img src=x onerror='window.hacked=1'>")
    field.press("Enter")
    settle(page)
    assert harmless(page)
    page.get_by_role("link", name="word2vec: training word vectors").click()
    page.locator(".story .lab").click()
    page.get_by_role("button", name="Train", exact=True).click()
    expect(page.get_by_role("heading", name="What it learned")).to_be_visible(timeout=120_000)
    settle(page)
    assert harmless(page)


def test_code_in_a_text_field_never_runs(page, url):
    page.goto(f"{url}/word_arithmetic?lab=true")
    settle(page)
    field = page.get_by_role("textbox", name="A sum of words")
    field.fill("<img src=x onerror='window.hacked=1'> + king")
    field.press("Enter")
    settle(page)
    assert harmless(page)


def test_a_link_brings_its_sample_and_settings_along(page, url):
    page.goto(
        f"{url}/word_map?lab=true&text_source_sample=Hamlet&word_map_source=your text&word_map_word=queen&word_map_k=3"
    )
    expect(page.get_by_text(LINE)).to_contain_text("Hamlet")
    expect(page.get_by_role("textbox", name="Word", exact=True)).to_have_value("queen")
    expect(page.get_by_text("Nearest neighbours of “queen”")).to_be_visible()


def test_a_bad_file_is_a_sentence_and_the_text_before_stays(page, url):
    page.goto(f"{url}/word_map?lab=true&word_map_source=your text")
    settle(page)
    upload(page, "whale.txt", b"The whale swam in the grey sea.")
    page.get_by_role("button", name="Change the text").click()
    page.locator("input[type=file]").set_input_files(
        {"name": "bad.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.4 nothing"}
    )
    expect(page.get_by_text("The text chosen before is still in use")).to_be_visible()
    expect(page.get_by_text(LINE)).to_contain_text("whale.txt")


def test_an_own_text_that_a_reload_took_is_said_until_another_is_chosen(page, url):
    page.goto(f"{url}/zipf?lab=true")
    settle(page)
    upload(page, "whale.txt", b"The whale swam. The captain watched the whale.")
    expect(page).to_have_url(re.compile("own_text=yes"))
    assert "whale" not in page.url
    page.reload()
    expect(page.get_by_text("it is not here now")).to_be_visible()
    upload(page, "whale.txt", b"The whale swam. The captain watched the whale.")
    expect(page.get_by_text("it is not here now")).to_have_count(0)
