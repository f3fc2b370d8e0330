"""The home page: all lessons, paths in the order of what builds on what, and a search that finds by other names."""

import json
import subprocess
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.lesson.tour import minutes
from core.models.stored_language_models import encode, stored_language_model
from core.words.numbers import plain_number
from core.words.texts import FILE
from pages import BUILDS_ON, LESSONS, SUBJECTS, home
from pages.home import subject_title
from pages.paths import PATHS

ROOT = Path(__file__).resolve().parents[2]
COURSE = str(ROOT / "pages" / "course.py")
ORDER = [lesson.name for lesson in LESSONS]
EACH_PATH = pytest.mark.parametrize("path", PATHS, ids=lambda path: path.name)


def sent():
    """Return what the page sends the view."""
    app = AppTest.from_file(COURSE, default_timeout=60).run()
    assert not app.exception and not app.get("plotly_chart")
    views = [each.proto for each in app.get("bidi_component")]
    return json.loads(next(each.json for each in views if each.component_name.endswith("attend_home")))


def test_every_lesson_is_sent_in_the_course_s_order_with_its_question_icon_and_picture():
    subjects = sent()["subjects"]
    assert [subject["title"] for subject in subjects] == [subject_title(subject) for subject in SUBJECTS]
    cards = [card for subject in subjects for card in subject["lessons"]]
    shown = [(card["name"], card["title"], card["question"], card["after"]) for card in cards]
    asked = [(each.name, each.title, each.question, list(BUILDS_ON.get(each.name, ()))) for each in LESSONS]
    assert shown == asked
    assert all(card["picture"].startswith("<svg") and card["icon"].startswith("<svg") for card in cards)


def test_what_the_page_says_of_a_sentence_is_what_the_model_computed():
    read = home.reading("the dqg")
    model, ids = stored_language_model(home.MODEL), encode(home.MODEL, "the dqg").ids
    p = np.exp(model.token_log_probabilities(ids))
    assert read["characters"][p.argmin()] == "q"
    assert f"expected “q” after “the d” least, with probability {plain_number(p.min(), 2)}." in read["says"]
    assert read["bits"] == pytest.approx(-np.log2(p), abs=1e-3)
    following = np.exp(model.log_probabilities(ids))
    expected = home.quoted(model.vocabulary[following.argmax()])
    assert f"predicts {expected} next, with probability {plain_number(following.max(), 2)}." in read["says"]
    assert "e-" not in read["says"]


@pytest.mark.parametrize("sentence", ["", "q", "\n", " ", "早上好 🦜", "x" * 500, "{{ next }} *b* <i>"])
def test_what_the_page_says_reads_well_of_any_sentence(sentence):
    read = home.reading(sentence)
    assert len(read["characters"]) == len(read["bits"]) <= home.AT_MOST
    assert ("read nothing yet" in read["says"]) == (not read["bits"])
    assert "  " not in read["says"] and read["says"].count(". It predicts") == 1
    first = home.reading(sentence[:1])["says"]
    assert " after " not in first  # nothing stands before a first character


@EACH_PATH
def test_a_path_names_lessons_once_and_none_before_what_it_builds_on(path):
    assert set(path.lessons) <= set(ORDER)
    assert len(set(path.lessons)) == len(path.lessons)
    place = {name: at for at, name in enumerate(path.lessons)}
    wrong = [
        (name, before)
        for name in path.lessons
        for before in BUILDS_ON.get(name, ())
        if before in place and place[before] > place[name]
    ]
    assert wrong == []


def test_the_first_hour_lasts_an_hour_and_the_course_has_twelve_named_weeks():
    by_name = {path.name: path for path in PATHS}
    hour = by_name["first_hour"].lessons
    assert len(hour) == 6
    assert 50 <= sum(map(minutes, hour)) <= 70
    described = next(each for each in home.cards()["paths"] if each["name"] == "course")
    weeks = [part["title"] for part in described["parts"]]
    assert len(weeks) == 12 == len(set(weeks)) and all(weeks)
    assert all(3 <= len(part["lessons"]) <= 8 for part in described["parts"])


@pytest.mark.parametrize("name", ["classical", "course"])
def test_a_path_from_the_beginning_holds_all_that_its_lessons_build_on(name):
    lessons = next(path for path in PATHS if path.name == name).lessons
    assert {before for each in lessons for before in BUILDS_ON.get(each, ())} <= set(lessons)


def test_a_path_says_how_many_lessons_it_has_and_how_long_they_take():
    for path, described in zip(PATHS, home.cards()["paths"], strict=True):
        total = sum(map(minutes, path.lessons))
        length = f"about {total} minutes" if total <= 90 else f"about {round(total / 60)} hours"
        assert described["length"] == f"{len(path.lessons)} lessons, {length}"


def test_every_lesson_has_other_names():
    for lesson in LESSONS:
        names = home.names_of(lesson)
        assert len(names) >= 3 and all(names), lesson.name
        assert len({name.lower() for name in names}) == len(names), lesson.name


def test_the_home_page_s_own_words_are_all_used():
    code = "".join(
        (ROOT / "pages" / file).read_text(encoding="utf-8") for file in ("home/__init__.py", "course.py")
    )
    built = {f"path.{path.name}{end}" for path in PATHS for end in ("", ".about")}
    built |= {f"title.{subject.__name__.rpartition('.')[2]}" for subject in SUBJECTS}
    built |= {f"path.course.{number}" for number in range(1, 13)} | set(home.OF_VIEW)
    keys = {key for key in home.WORDS.texts if not key.startswith("names.")}
    assert {key for key in keys - built if f'"{key}"' not in code} == set()
    view = (ROOT / "assets" / "views" / "home" / "view.js").read_text(encoding="utf-8")
    unused = [
        key for key in home.cards()["labels"] if f'["{key}"]' not in view and f"labels.{key}" not in view
    ]
    assert [key for key in unused if f'"{key}"' not in view] == []
    assert (ROOT / "pages" / "home" / FILE).is_file()


SEARCH = """
import { findLessons } from "./assets/views/home/compute.js";
const { lessons, queries } = JSON.parse(await new Promise((done) => {
  let text = ""; process.stdin.on("data", (part) => text += part).on("end", () => done(text));
}));
const found = (query) => findLessons(lessons, query).map(({ lesson, name }) => [lesson.name, name]);
console.log(JSON.stringify(queries.map(found)));
"""
FINDS = {
    "CLIP": "one_space",
    "LSTM": "hidden_state gradient_microscope",
    "BERT": "masked_words two_sentences words_in_context fine_tuning",
    "word2vec": "word_vector_training subwords",
    "attention": "growing_attention translation edit_attention self_attention dot_product_lookup",
    "beam": "beam_search translation_beam decoding_duel",
    "RNN": "hidden_state two_directions",
    "viterbi": "viterbi viterbi_by_hand",
    "bpe": "byte_pairs",
    "naive bayes": "naive_bayes tug_of_war",
    "ngram": "ngram_counts ngram_generation",
    "n-gram": "ngram_counts ngram_generation",
    "gpt": "gpt_writes",
    "elmo": "elmo",
    "temperature": "sampling",
    "causal mask": "causal_mask",
    "KL-divergence": "",
    "BLEU": "translation_quality",
    "Levenshtein": "edit_distance",
    "PCFG": "cky",
    "CRF": "crf",
    "few-shot": "in_context",
    "RLHF": "preferences",
    "speculative sampling": "speculative_decoding",
    "": "",
    "  ": "",
    "!?": "",
    "ZIPFS": "zipf",
    "zipf’s law": "zipf",
    "queen": "word_arithmetic",
    "position": "positions",
    "kv cache": "gpt_writes",
    "tf idf": "document_vectors",
    "ｗｏｒｄ２ｖｅｃ": "word_vector_training",
    "(": "",
}
FIRST = {
    "CLIP": "one_space",
    "BERT": "masked_words",
    "beam": "beam_search",
    "word2vec": "word_vector_training",
    "RNN": "hidden_state",
    "LSTM": "hidden_state",
    "viterbi": "viterbi",
    "elmo": "elmo",
    "naive bayes": "naive_bayes",
}


@pytest.fixture(scope="module")
def results():
    """Return {query: [(lesson, the other name that was found)]} as the browser's code finds them."""
    lessons = [
        {
            "name": each.name,
            "title": each.title,
            "question": each.question,
            "names": list(home.names_of(each)),
        }
        for each in LESSONS
    ]
    queries = [*FINDS, *(lesson.title for lesson in LESSONS), *(lesson.question for lesson in LESSONS)]
    asked = json.dumps({"lessons": lessons, "queries": queries})
    command = ["node", "--input-type=module", "--eval", SEARCH]
    done = subprocess.run(command, input=asked, capture_output=True, text=True, cwd=ROOT, check=True)
    return dict(zip(queries, json.loads(done.stdout), strict=True))


@pytest.mark.parametrize("query", FINDS)
def test_a_search_finds_lessons_by_title_by_question_and_by_other_names(results, query):
    found = [name for name, _ in results[query]]
    wanted = FINDS[query].split()
    assert set(wanted) <= set(found)
    assert bool(found) == bool(wanted)
    assert found[:1] == [FIRST.get(query, found[0] if found else "")][: len(found)]


def test_a_lesson_s_own_title_finds_it_first_and_its_question_finds_it(results):
    assert [each.title for each in LESSONS if results[each.title][0][0] != each.name] == []
    assert [each.title for each in LESSONS if results[each.question][0][0] != each.name] == []


def test_a_result_says_by_which_other_name_it_was_found(results):
    assert dict(results["word2vec"])["subwords"] == "word2vec"
    assert dict(results["beam"])["beam_search"] == ""  # its own title has the word
