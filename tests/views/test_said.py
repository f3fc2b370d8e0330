"""What the JavaScript says to a reader goes through `translated`, and each of its texts has a Spanish one."""

import json
import re
import subprocess
from functools import cache

import pytest

from core.lesson.browser_view import UNTRANSLATED, VIEWS, bundled, code_of
from core.words.language import ENGLISH, LANGUAGES, speaking

ASSETS = VIEWS.parent
SCRIPTS = [
    script
    for folder in ("views", "site")
    for script in sorted((ASSETS / folder).rglob("*.js"))
    if script.name != "icon_shapes.js"  # shapes alone, and long
]
OTHERS = [spoken for spoken in LANGUAGES if spoken != ENGLISH]
# Literals that look like English and are read by no one.
EXCEPTIONS = {
    **dict.fromkeys(("Big", "Bigl", "Bigr"), "commands of LaTeX"),
}


def texts_in(**files):
    """Return what scripts give to `translated`, and their English that does not go through it (said_texts.js)."""
    classes = {
        name
        for sheet in ASSETS.rglob("*.css")
        for name in re.findall(r"\.([a-zA-Z][\w-]*)", sheet.read_text(encoding="utf-8"))
    }
    asked = [sorted(classes), [{"file": file, "code": code} for file, code in files.items()]]
    answer = subprocess.run(
        ["node", VIEWS.parents[1] / "tests" / "views" / "said_texts.js"],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(answer.stdout)


@cache
def texts():
    return texts_in(
        **{str(script.relative_to(ASSETS)): script.read_text(encoding="utf-8") for script in SCRIPTS}
    )


def said_in(spoken):
    return json.loads((VIEWS / f"said.{spoken}.json").read_text(encoding="utf-8"))


def names_in(text):
    return sorted(re.findall(r"\{(\w+)\}", text))


def lacks(given, said):
    """Return the texts without a translation, and the translations of no text."""
    return sorted(given - said.keys()), sorted(said.keys() - given)


@pytest.mark.parametrize("spoken", OTHERS)
def test_each_text_of_the_code_is_translated_and_no_translation_is_of_another(spoken):
    assert lacks({each["text"] for each in texts()["given"]}, said_in(spoken)) == ([], [])


@pytest.mark.parametrize("spoken", OTHERS)
def test_a_translation_has_the_values_of_its_text(spoken):
    said = said_in(spoken)
    assert {
        english: other for english, other in said.items() if set(names_in(english)) != set(names_in(other))
    } == {}
    for english, other in said.items():
        spaces = re.compile(r"^\s*|\s*$")
        assert other and spaces.findall(english) == spaces.findall(other), english


def test_a_text_gets_the_values_that_it_names():
    wrong = [
        each["where"]
        for each in texts()["given"]
        if each["values"] is not None and not set(names_in(each["text"])) <= set(each["values"])
    ]
    assert wrong == []


def test_a_text_is_written_where_it_is_translated():
    assert texts()["unread"] == []


def test_no_english_is_said_that_does_not_go_through_translated():
    found = [
        f"{each['where']}: {each['text']}" for each in texts()["english"] if each["text"] not in EXCEPTIONS
    ]
    assert found == []
    assert EXCEPTIONS.keys() <= {each["text"] for each in texts()["english"]}


@pytest.mark.parametrize(
    "code",
    [
        'made.textContent = "masked";',
        'made.title = pinned ? "Let it go" : x;',
        'made.setAttribute("aria-label", `Step ${n}`);',
        'element("p", "note", "word");',
        'element("p", "note", element("b", "", "word"));',
        'drawn("text", "", {}, `${n} steps`);',
        'drawn("svg", "", { "aria-label": "Bars" });',
        'button("play", "Play", press);',
        'made.append(icon, " Play");',
        'made.replaceChildren("“", word, `” lies ${far} to the left`);',
        'Object.assign(input, { type: "search", placeholder: "Find" });',
        'const NAMES = ["average word", "halfway between the ends"];',
        'const said = away ? "nothing is learned yet" : `loss ${loss}`;',
        "say(state, `“${text}” is not a number.`);",
        'bar({ label: "Gap" });',
        "tell(`${name} at “${word}”`);",
        'lines.push("T = 0: no quotient");',
        'rows.push([`${n} ${n === 1 ? "other" : "others"}`, rest]);',
    ],
)
def test_english_without_a_translation_is_found(code):
    assert texts_in(**{"a.js": code})["english"] != []


@pytest.mark.parametrize(
    "code",
    [
        'import { a } from "./a word.js";',
        'made.textContent = translated("masked");',
        'made.textContent = translated(n === 1 ? "{n} step" : "{n} steps", { n });',
        'element("p", "note strong", labels.note);',
        'drawn("g", `token ${kind}`);',
        'made.setAttribute("class", "a word");',
        'if (kind === "trace back") go();',
        "made.style.font = `600 ${size}px sans`;",
        'throw new Error("The file did not come.");',
        'root.querySelector("button, a").focus();',
        "made.textContent = `−ln p = ${p} bits`;",
    ],
)
def test_what_no_one_reads_and_what_is_translated_is_not_found(code):
    assert texts_in(**{"a.js": code})["english"] == []


def test_a_text_that_is_no_literal_is_found():
    assert texts_in(**{"a.js": "translated(word);"})["unread"] == ["a.js:1"]


def test_a_choice_gives_both_its_texts_and_its_values():
    given = texts_in(**{"a.js": 'translated(one ? "{n} step" : "{n} steps", { n: 1 });'})["given"]
    assert [(each["text"], each["values"]) for each in given] == [("{n} step", ["n"]), ("{n} steps", ["n"])]


def test_what_lacks_and_what_is_left_over_is_named():
    assert lacks({"a", "b"}, {"b": "", "c": ""}) == (["a"], ["c"])


@pytest.mark.parametrize("spoken", OTHERS)
def test_a_view_s_code_brings_its_own_texts_in_the_reader_s_language(spoken):
    with speaking(spoken):
        code, site = code_of("tour"), bundled(ASSETS / "site" / "room.js")
    said = json.loads(re.search(r"^const SAID = (\{.*\});", code, re.MULTILINE)[1])
    assert said["Pin"] == said_in(spoken)["Pin"] != "Pin"
    assert "Lattice" not in said
    assert UNTRANSLATED in code_of("tour")
    assert "const SAID = {" in site
