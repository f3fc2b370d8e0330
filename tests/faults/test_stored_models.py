"""A damaged or missing model stops its lessons with a sentence, not the course."""

import shutil

import pytest
from streamlit.testing.v1 import AppTest

from core.models.stored import (
    MODELS,
    StoredModelError,
    faults,
    load_card,
    load_json,
    load_weights,
    stored_models,
)
from pages import home
from pages.tokens import zipf
from pages.word_vectors import word_map


@pytest.fixture
def folder(tmp_path):
    """A folder with the tagger's files and no other model's, which a test may damage."""
    shutil.copytree(MODELS / "tagger", tmp_path / "tagger")
    return tmp_path


def test_what_ships_is_what_the_cards_say():
    assert faults(stored_models()) == []


@pytest.mark.parametrize("file", ["weights.safetensors", "vocabulary.json"])
def test_one_flipped_bit_is_noticed_when_the_file_is_read(folder, file):
    path = folder / "tagger" / file
    load_weights("tagger", folder), load_json("tagger", "vocabulary", folder)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    with pytest.raises(StoredModelError, match=rf"“tagger”, whose file {file} is damaged.*git restore"):
        load_weights("tagger", folder) if file.startswith("weights") else load_json(
            "tagger", "vocabulary", folder
        )
    assert len(faults(["tagger"], folder)) == 1


def test_a_missing_file_and_a_broken_card_are_said(folder):
    (folder / "tagger" / "weights.safetensors").unlink()
    with pytest.raises(StoredModelError, match=r"weights\.safetensors is missing"):
        load_weights("tagger", folder)
    (folder / "tagger" / "card.json").write_text('{"model": "tagger"')
    with pytest.raises(StoredModelError, match=r"card\.json is damaged"):
        load_card("tagger", folder)
    with pytest.raises(StoredModelError, match=r"card\.json is missing"):
        load_card("nobody", folder)


def test_a_card_whose_model_is_missing_is_plain_and_the_others_as_ever(monkeypatch):
    def picture():
        raise StoredModelError("glove", "words.json", "missing")

    monkeypatch.setattr(word_map, "picture", picture)
    missing = home.WORDS.label("missing")
    assert missing in home.picture_of(word_map.LESSON)
    assert missing not in home.picture_of(zipf.LESSON)


def test_the_sentence_takes_the_place_of_the_lesson():
    def page():
        import app
        from core.models.stored import StoredModelError

        app.apologise(StoredModelError("glove", "words.json", "missing"))

    shown = AppTest.from_function(page, default_timeout=60).run()
    assert [error.value for error in shown.error] == [str(StoredModelError("glove", "words.json", "missing"))]


def test_the_home_page_opens_without_its_model(monkeypatch):
    def gone(sentence):
        raise StoredModelError(home.MODEL, "weights.safetensors", "damaged")

    monkeypatch.setattr(home, "reading", gone)

    def page():
        from pages import home

        home.page()

    shown = AppTest.from_function(page, default_timeout=60).run()
    assert not shown.exception
    assert "weights.safetensors is damaged" in shown.warning[0].value
