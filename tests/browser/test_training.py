"""Word vectors trained in the browser on an uploaded text of a novel's length; another learner's page goes on."""

from playwright.sync_api import expect

from core.text.samples.shelf import shelf
from core.text.tokenization.tokens import words
from tests.browser.conftest import downloaded, settle
from tests.browser.test_your_text import upload

LESSON = "word_vector_training"


def novel() -> str:
    plays = [sample.read().text for sample in shelf() if "Shakespeare" in sample.source][:5]
    text = "\n\n".join(plays)
    assert len(words(text)) > 80_000
    return text


def test_an_uploaded_novel_is_trained_on_and_replayed(page, url, chromium):
    page.goto(f"{url}/{LESSON}?lab=true&{LESSON}_epochs=2&{LESSON}_dimension=30")
    settle(page)
    upload(page, "my novel.txt", novel().encode())
    page.get_by_role("button", name="Train", exact=True).click()

    other = chromium.new_page()
    other.goto(f"{url}/word_arithmetic?lab=true")
    expect(other.get_by_text("king - man + woman ≈ queen")).to_be_visible()
    other.close()

    expect(page.get_by_role("heading", name="What it learned")).to_be_visible(timeout=120_000)
    expect(page.get_by_text("Trained on my novel.txt")).to_be_visible()
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    settle(page)  # a run that is still on its way would replace the file behind the button
    page.get_by_text("Take it away").click()
    first = downloaded(page, "word2vec text").path().read_text(encoding="utf-8").split("\n", 1)[0]
    assert first.split()[1] == "30"


def test_training_can_be_stopped_and_keeps_what_it_has(page, url):
    page.goto(f"{url}/{LESSON}?lab=true&{LESSON}_epochs=100")
    settle(page)
    page.get_by_role("button", name="Train", exact=True).click()
    expect(page.get_by_text("words per second")).to_be_visible(timeout=60_000)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("heading", name="What it learned")).to_be_visible(timeout=60_000)
