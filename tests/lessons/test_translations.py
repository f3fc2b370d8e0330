"""What is translated is complete, and says the same of the same values: keys, placeholders, marks, links, formulas."""

import re
from pathlib import Path

import pytest
from jinja2 import meta

from core.lesson.beats import read_playlist
from core.lesson.story import ASK, make_document, story_of, words_of
from core.lesson.tour import LECTURES, lectures, tours
from core.words.language import LANGUAGES, SPANISH, speaking
from core.words.texts import environment, parse_texts, translation_of
from pages import LESSONS

ROOT = Path(__file__).resolve().parents[2]
ENGLISH = sorted(path for folder in ("core", "pages") for path in (ROOT / folder).rglob("*words.md"))
PAIRS = [
    (path, other)
    for path in ENGLISH
    for code in LANGUAGES
    if (other := translation_of(path, code)) != path and other.is_file()
]
LINK = re.compile(r"\]\(([^)\s]+)\)")
OPEN = re.compile(r"(?<![{%])\{(\w+)\}(?![}%])")
FORMULA = re.compile(r"\$+([^$]+)\$+")
WORDS_ON_SCREEN = 96  # English has 80, and Spanish is a fifth longer
TAG = re.compile(r"<math.*?</math>|<[^>]+>", re.DOTALL)
each_pair = pytest.mark.parametrize(
    "english, other", PAIRS, ids=[str(other.relative_to(ROOT)) for _, other in PAIRS]
)
SPANISH_STORIES = [
    lesson for lesson in LESSONS if SPANISH in words_of(lesson.module).translated and story_of(lesson.module)
]


def texts_of(path):
    """Return all texts of a file by key, headings among them, those of the title apart."""
    words = parse_texts(path.read_text(encoding="utf-8"))
    return {**words.texts, **{f"{key} (heading)": title for key, title in words.titles.items()}}


def variables(text):
    """Return the names that a template asks Python for, and the filters that write no words of a language."""
    return meta.find_undeclared_variables(environment(True).parse(text))


@each_pair
def test_a_translation_has_the_same_keys_and_a_title_of_its_own(english, other):
    ours, theirs = texts_of(english), texts_of(other)
    assert sorted(ours.keys() - theirs.keys()) == [], "not translated yet"
    assert sorted(theirs.keys() - ours.keys()) == [], "no such key"
    words, translated = (parse_texts(path.read_text(encoding="utf-8")) for path in (english, other))
    assert bool(words.title) == bool(translated.title)
    assert bool(words.question) == bool(translated.question)
    assert {key for key, text in theirs.items() if not text} == {
        key for key, text in ours.items() if not text
    }


@each_pair
def test_a_translation_fills_in_the_same_values(english, other):
    ours, theirs = texts_of(english), texts_of(other)
    for of in (variables, lambda text: set(OPEN.findall(FORMULA.sub("", text)))):
        differ = {key: (of(ours[key]), of(theirs[key])) for key in ours.keys() & theirs.keys()}
        assert {key: each for key, each in differ.items() if each[0] != each[1]} == {}


@each_pair
def test_a_translation_leads_to_the_same_places(english, other):
    ours, theirs = texts_of(english), texts_of(other)
    for key in ours.keys() & theirs.keys():
        assert set(LINK.findall(ours[key])) == set(LINK.findall(theirs[key])), key
        assert len(FORMULA.findall(ours[key])) == len(FORMULA.findall(theirs[key])), key


def steps(lesson):
    """Yield the number of each beat of a story, and whether its answer is shown."""
    for number, beat in enumerate(story_of(lesson.module), 1):
        yield number, False
        if beat.kind == ASK:
            yield number, True


@pytest.mark.parametrize("lesson", SPANISH_STORIES, ids=lambda lesson: lesson.name)
def test_a_story_is_told_in_spanish_with_the_same_picture(lesson):
    for number, revealed in steps(lesson):
        ours = make_document(lesson.name, lesson.module, number, revealed)
        with speaking(SPANISH):
            theirs = make_document(lesson.name, lesson.module, number, revealed)
        assert theirs["heading"] and theirs["words"]
        assert theirs["words"] != ours["words"], (number, "is still English")
        assert theirs["picture"]["view"] == ours["picture"]["view"]
        assert set(re.findall(r'data-tie="([^"]+)"', theirs["words"])) == set(
            re.findall(r'data-tie="([^"]+)"', ours["words"])
        ), number
        said = len(TAG.sub(" ", theirs["words"]).split())
        assert said <= max(WORDS_ON_SCREEN, len(TAG.sub(" ", ours["words"]).split()) * 1.25), (number, said)
        if "ask" in ours:
            assert len(theirs["ask"]["choices"]) == len({each["label"] for each in theirs["ask"]["choices"]})


@pytest.mark.parametrize("name", list(lectures()))
def test_a_lecture_in_spanish_leads_through_the_same_beats(name):
    file = LECTURES / f"{name}.md"
    english, spanish = (each.read_text(encoding="utf-8") for each in (file, translation_of(file, SPANISH)))
    ours = read_playlist(name, english, tours())
    with speaking(SPANISH):
        theirs = lectures()[name]
    assert theirs.faults == ()
    assert theirs.title != ours.title and theirs.minutes == ours.minutes
    assert len(theirs.beats) == len(ours.beats)
    assert LINK.findall(spanish) == LINK.findall(english)
    begins, starts = (
        re.findall(r"^> ?(?:Minut[eo] (\d+)\.)?", text, re.MULTILINE) for text in (english, spanish)
    )
    assert starts == begins, "the same notes, each at the same minute"
