"""A reader's language: how it is chosen, and that nothing that is kept for one is shown in another."""

import json
import re
from dataclasses import replace
from pathlib import Path

import orjson
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient
from streamlit.testing.v1 import AppTest

from core.lesson import cached as cached_module
from core.lesson import story_page
from core.lesson.cache import ExpiringLRUCache
from core.lesson.cached import cached
from core.lesson.reader import COOKIE, ReadsLanguage
from core.lesson.story import ASK, SHARED, make_document, story_of, words_of
from core.lesson.story_page import document_of, file_of, labels, story_routes
from core.words.language import LANGUAGES, SPANISH, language, speaking
from core.words.numbers import how_often, percent
from core.words.texts import Texts, Words, parse_texts, read_words
from pages import LESSONS, home, tokens
from tests.lessons.lesson_page import document, open_lesson

LESSON = tokens.edit_distance.LESSON
COURSE = home.__file__.replace("home/__init__.py", "course.py")


@pytest.fixture
def spanish(monkeypatch):
    """Give one lesson, and the words that all share, a title and a label in Spanish."""
    words = words_of(LESSON.module)
    beat = story_of(LESSON.module)[0].name
    said = Texts("Distancia", "¿Cuántos?", (), {beat: "Tres cambios."}, {beat: "Cambios"})
    monkeypatch.setitem(words.translated, SPANISH, said.completed(words.english))
    shared = Texts("", "", (), {"next": "Siguiente"}, {})
    monkeypatch.setitem(SHARED.translated, SPANISH, shared.completed(SHARED.english))
    monkeypatch.setattr(story_page, "_documents", ExpiringLRUCache(100))
    home.cards.cache_clear()
    yield
    home.cards.cache_clear()


def test_a_text_without_a_translation_is_read_in_english(spanish):
    with speaking(SPANISH):
        assert LESSON.title == "Distancia"
        assert LESSON.words.names == LESSON.words.english.names
        assert labels()["next"] == "Siguiente"
        assert labels()["back"] == "Back"
    assert LESSON.title != "Distancia"
    assert labels()["next"] == "Next"


def test_a_beat_is_kept_for_each_language_by_itself(spanish):
    def said():
        return json.loads(document_of(LESSON.name, 1, False, {}))

    english = said()
    with speaking(SPANISH):
        assert said()["heading"] == "Cambios"
        assert "Tres cambios." in said()["words"]
    assert said() == english


def test_the_cards_of_the_home_page_are_kept_for_each_language_by_itself(spanish):
    def titles():
        return [lesson["title"] for subject in home.cards()["subjects"] for lesson in subject["lessons"]]

    english = titles()
    with speaking(SPANISH):
        assert "Distancia" in titles()
    assert titles() == english
    assert "Distancia" not in english


def test_what_a_page_computes_is_kept_for_each_language_by_itself():
    calls = []

    @cached(4, 0, shared=True)
    def written(n):
        calls.append((language(), n))
        return how_often(n)

    for _ in range(2):
        assert written(3) == "3 times"
        with speaking(SPANISH):
            assert written(3) == "3 veces"
    assert calls == [("en", 3), ("es", 3)]
    assert cached_module.WORDS.label("computing") == "Computing …"


@pytest.mark.parametrize(
    "query, cookie, accepted, heading",
    [
        ("", "", "de, es-MX;q=0.8, en;q=0.5", "Cambios"),
        ("", "en", "es", "Three edits"),
        ("?lang=es", "en", "en", "Cambios"),
        ("?lang=<b>", "", "tlh", "Three edits"),
        ("?lang=es&lang=en", "", "", "Three edits"),
        ("", "es", "", "Cambios"),
    ],
)
def test_a_request_is_answered_in_the_language_of_its_reader(spanish, query, cookie, accepted, heading):
    client = TestClient(ReadsLanguage(Starlette(routes=story_routes())))
    answer = client.get(
        f"/beats/{LESSON.name}/1.json{query}",
        headers={"accept-language": accepted, "cookie": f"{COOKIE}={cookie}"},
    )
    assert answer.json()["heading"] == heading
    assert language() == "en"


def test_a_beat_taken_away_as_a_file_is_in_its_reader_s_language():
    for spoken in (SPANISH, "en"):
        with speaking(spoken):
            file = file_of(LESSON.name, 1, False, {}).decode()
        assert f'<html lang="{spoken}"' in file
        assert ("la escena siguiente" in file) == (spoken == SPANISH)


def test_a_page_is_drawn_in_the_language_that_its_address_asks_for(spanish):
    app = AppTest.from_file(COURSE, default_timeout=60)
    app.query_params["lang"] = SPANISH
    assert not app.run().exception
    assert app.session_state["lang"] == SPANISH
    assert 'hreflang="en"' in "".join(each.proto.body for each in app.sidebar.get("html"))
    del app.query_params["lang"]
    assert not app.run().exception
    assert app.session_state["lang"] == "en"


def test_shares_and_counts_are_written_in_words_of_the_language():
    with speaking(SPANISH):
        assert (percent(0.99999), how_often(1)) == ("más de 99.9%", "una vez")
        filled = Words(parse_texts("# T\n\n## A {#a}\n\n{{ n | count('palabra') }}: {{ x | words }}"))
        assert filled.markdown("a", n=2, x=["uno", "hielo", "ideas"]) == "2 palabras: uno, hielo e ideas"


def test_a_translation_stands_beside_its_file(tmp_path):
    file = tmp_path / "words.md"
    file.write_text("# Sums\n\nHow many?\n\n## Labels\n\n- a: One\n- b: Two\n", encoding="utf-8")
    (tmp_path / "words.es.md").write_text("# Sumas\n\n¿Cuántos?\n\n## Labels\n\n- a: Uno\n", encoding="utf-8")
    words = read_words(file)
    with speaking(SPANISH):
        assert (words.title, words.label("a"), words.label("b")) == ("Sumas", "Uno", "Two")
    assert replace(words, translated={}).title == words.title == "Sums"


@pytest.mark.parametrize(
    "lesson, line",
    [
        ("text_as_tokens", "¡La atención es todo lo que necesitas!"),
        ("byte_pairs", "increíblemente"),
        ("edit_distance", "viernes"),
        ("token_prices", "Todos los seres humanos"),
    ],
)
def test_where_any_language_will_do_a_reader_of_spanish_begins_with_spanish(lesson, line):
    with speaking(SPANISH):
        spanish = document(lesson, "own")
    begun = spanish["controls"][-1]
    assert begun["placeholder"].startswith(line) and begun["value"] == begun["placeholder"]
    assert not document(lesson, "own")["controls"][-1]["placeholder"].startswith(line)
    assert spanish["picture"]["data"] != document(lesson, "own")["picture"]["data"]


MARK, END = "⟦⟧"
ALL_WORDS = sorted(
    path for folder in ("core", "pages") for path in (Path(COURSE).parents[1] / folder).rglob("*words.md")
)
# Where a document holds what a learner or a model wrote, the names of texts and pictures, or what is not shown.
DATA = re.compile(
    r".*(controls\[\]\.(value|placeholder)|scenes\[\]\.caption|data\.sentence|panels\[\]\.text|customdata\[\]|enter|nodes\[\]\.(key|parent|token|title)|ends\[\]\.(node|lines\[\])|\.prompt"
    r"|pieces\[\]\.text|lines\[\]\.text|cells\[\]\.text|points\[\]\.text|key\[\]\.text|data\.said\[\]|terms\[\]\.words"
    r"|factors\[\]\.label|rows\[\]\.(name|note|whole)|textposition(\[\])?|data\[\]\.(name|text\[\]|y\[\])|(ticktext|tickvals)\[\])"
)
PHRASE = re.compile(r"[A-Za-z]{2,}[ ,]+[a-z]{2,}")
# What plotly takes, and what core/words/language.py says in a language that it does not know.
CODE = re.compile(r"%\{[^}]*\}|<[^>]*>|rgba?\([^)]*\)|(more|less) than")


def marked(texts):
    """Return texts that stand between MARK and END, as if they were of another language."""
    wrapped = [
        {key: f"{MARK}{text}{END}" for key, text in each.items()} for each in (texts.texts, texts.titles)
    ]
    heads = (f"{MARK}{head}{END}" for head in (texts.title, texts.question))
    return Texts(*heads, texts.names, *wrapped)


@pytest.fixture
def another_language(monkeypatch):
    """Read every file of words in a language of its own, "xx", in which each text stands between marks."""
    for path in ALL_WORDS:
        words = read_words(path)
        monkeypatch.setitem(words.translated, "xx", marked(words.english))


def documents(lesson):
    """Return all documents of a story."""
    beats = story_of(lesson.module)
    return [
        make_document(lesson.name, lesson.module, number, revealed)
        for number, beat in enumerate(beats, 1)
        for revealed in ((False, True) if beat.kind == ASK else (False,))
    ]


def written(lesson):
    """Return all documents of a story as one text."""
    return orjson.dumps(documents(lesson), option=orjson.OPT_SERIALIZE_NUMPY).decode()


def leaves(data, path=""):
    """Yield each string in a document, with where it stands."""
    if isinstance(data, str):
        yield path, data
    elif isinstance(data, dict):
        for key, value in data.items():
            yield from leaves(value, f"{path}.{key}")
    elif isinstance(data, (list, tuple)):
        for value in data:
            yield from leaves(value, f"{path}[]")


def unmarked(text):
    """Return what of a text stands outside all marks.

    >>> unmarked("⟦a ⟦b⟧⟧ of ⟦c⟧")
    ' of '
    """
    depth, found = 0, []
    for character in text:
        depth += (character == MARK) - (character == END)
        if not depth and character != END:
            found.append(character)
    return "".join(found)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_no_words_of_a_story_stand_in_its_code(lesson, another_language):
    with speaking("xx"):
        found = list(leaves(documents(lesson)))
    assert any(MARK in text for _, text in found)
    english = {
        (path, text)
        for path, text in found
        if not DATA.fullmatch(path) and PHRASE.search(CODE.sub(" ", unmarked(text)))
    }
    assert english == set()


@pytest.mark.long
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_what_was_kept_while_another_language_was_read_holds_none_of_its_words(lesson, another_language):
    with speaking("xx"):
        assert MARK in written(lesson)
    assert MARK not in written(lesson)


# A list of sources; a field of a table, named by its row and column; what a stored model is, as its card says it; French.
NO_WORDS = re.compile(r"- |[^ ]+, [^ ]+$|.*(Bible in Basic English|la femme|notre père)", re.DOTALL)
WIDGETS = "button checkbox multiselect number_input radio select_slider selectbox slider text_area text_input toggle".split()
SAID = "caption error info markdown subheader success warning".split()


def lab_texts(app):
    """Yield the texts of a lab that are words of the course: of its controls, sections and sentences, with their kind."""
    for kind in WIDGETS:
        for each in app.get(kind):
            yield f"{kind}.label", each.label
            yield f"{kind}.help", getattr(each, "help", "") or ""
    for kind in SAID:
        for each in app.get(kind):
            yield kind, each.value
    for kind in ("expander", "tab"):
        for each in app.get(kind):
            yield kind, each.label


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_no_words_of_a_lab_stand_in_its_code(lesson, another_language, monkeypatch):
    monkeypatch.setitem(LANGUAGES, "xx", "Marked")
    app = open_lesson(lesson.name, lang="xx")
    assert not app.exception
    found = list(lab_texts(app))
    assert any(MARK in text for _, text in found)
    english = {
        (kind, text)
        for kind, text in found
        if not NO_WORDS.match(text) and PHRASE.search(CODE.sub(" ", unmarked(text)))
    }
    assert english == set()
