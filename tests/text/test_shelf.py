"""The shelf holds texts that can be read, from our own generator and from the plays' package."""

import pytest

from core.text.shelf import shelf
from core.text.tokens import words

SAMPLES = {sample.name: sample for sample in shelf()}


def test_names_are_fit_for_an_address():
    assert all(name.replace("-", "").isalnum() and name.isascii() for name in SAMPLES)


def test_the_plays_are_there_with_their_titles():
    assert SAMPLES["hamlet"].title == "Hamlet"
    assert SAMPLES["a-midsummer-night-s-dream"].title == "A Midsummer Night's Dream"
    assert len(words(SAMPLES["plays"].read().text)) > 800_000


@pytest.mark.parametrize("name", ["hamlet", "macbeth"])
def test_a_play_is_free_of_markdown(name):
    text = SAMPLES[name].read().text
    assert "**" not in text
    assert "\n#" not in text


@pytest.mark.parametrize("name", [name for name in SAMPLES if name != "plays"])
def test_every_sample_has_a_source_and_words(name):
    assert SAMPLES[name].source
    assert len(words(SAMPLES[name].read().text)) > 40
