"""Every export is read back by another reader, and holds what the exercises are, also where words look like commands."""

import csv
import io
import re
import zipfile
from base64 import b64decode
from collections import Counter
from html import escape, unescape
from time import process_time

import pytest
from lxml import etree
from moodle_xml_parser.parser import parse_bytes
from pygiftparser.parser import parseFile
from pyslet.qtiv1 import assessment, common, core, item, section, xml

from core.exercises.__main__ import main
from core.exercises.canvas import write_canvas
from core.exercises.gift import write_gift
from core.exercises.lessons import all_makers, makers_of
from core.exercises.maker import agree
from core.exercises.moodle import write_moodle
from core.exercises.spreadsheet import write_csv
from core.exercises.worksheet import MIXED, choose_makers, make_worksheet
from tests.exercises import traps

LESSONS = ("viterbi", "ngram_probability", "attention_scaling")
ESCAPED = re.compile(r"\\(.)")


@pytest.fixture(scope="module")
def sheet():
    makers = choose_makers([makers_of(lesson) for lesson in LESSONS], 0, 7)
    return make_worksheet(makers, MIXED, 7, 4)


@pytest.fixture(scope="module")
def everything():
    return make_worksheet(all_makers(), MIXED, 1)


def exercises(sheet, kind=None):
    found = [
        (variant, each) for group in sheet.groups for variant, each in zip(sheet.variants, group, strict=True)
    ]
    return [each for _, each in found if kind in (None, each.draw.kind)]


def questions(xml):
    """Return the questions of a Moodle file, without its categories."""
    return [each for each in etree.fromstring(xml) if each.get("type") != "category"]


def close(one, other):
    return one == pytest.approx(other, abs=1e-9)


# Moodle


def test_another_reader_finds_moodle_s_choices_with_one_right_answer_and_feedback_on_all(sheet):
    read = parse_bytes(write_moodle(sheet))["multichoice"]
    for question, exercise in zip(read, exercises(sheet, "choice"), strict=True):
        assert [each.answer for each in question.options] == [
            exercise.value_of(each) for each in exercise.options
        ]
        assert [each.score_fraction for each in question.options] == [
            100 * (each == "answer") for each in exercise.options
        ]
        assert all(each.feedback for each in question.options)
        assert question.single and question.shuffle_answers


def test_another_reader_finds_a_gap_for_each_blank_with_its_value_and_tolerance(sheet):
    read = parse_bytes(write_moodle(sheet))["cloze"]
    for question, exercise in zip(read, exercises(sheet, "cells"), strict=True):
        assert [gap.sub_type for gap in question.gaps] == ["NUMERICAL"] * len(exercise.draw.answer)
        for cell, gap in enumerate(question.gaps):
            values = [
                [float(each) for each in option.answer.removeprefix("=").split(":")] for option in gap.options
            ]
            wanted = [exercise.draw.answer[cell], *exercise.wrong_cells(cell).values()]
            assert [value for value, _ in values] == pytest.approx(
                wanted, abs=10.0 ** -(exercise.draw.digits + 2)
            )
            assert {tolerance for _, tolerance in values} == {exercise.draw.tolerance}
            assert [option.score for option in gap.options] == [100] + [0] * (len(values) - 1)
            assert all(option.feedback for option in gap.options)


def test_moodle_s_numbers_have_the_right_answer_first_and_a_tolerance(sheet):
    read = [each for each in questions(write_moodle(sheet)) if each.get("type") == "numerical"]
    for question, exercise in zip(read, exercises(sheet, "number"), strict=True):
        answers = question.findall("answer")
        values = [float(each.findtext("text")) for each in answers]
        assert values == pytest.approx([exercise.draw.answer, *exercise.draw.mistakes.values()], abs=1e-5)
        assert [each.get("fraction") for each in answers] == ["100"] + ["0"] * len(exercise.draw.mistakes)
        assert {float(each.findtext("tolerance")) for each in answers} == {exercise.draw.tolerance}
        assert all(each.findtext("feedback/text") for each in answers)


def test_moodle_has_a_category_for_each_question_and_a_name_for_each_variant(sheet):
    root = etree.fromstring(write_moodle(sheet))
    categories = [each.findtext("category/text") for each in root if each.get("type") == "category"]
    assert len(categories) == len(set(categories)) == len(sheet.groups)
    names = [each.findtext("name/text") for each in questions(write_moodle(sheet))]
    assert len(set(names)) == len(names) == len(sheet.groups) * len(sheet.variants)


def read_gaps(text):
    """Return the gaps of a cloze text as Moodle reads them, [(type, [(sign, answer, feedback)])].

    qtype_multianswer: ~ # } end a part unless a backslash or & is before them; entities are decoded afterwards.
    """
    gap = re.compile(r"\{(\d*):([A-Z_]+):((?:[^}\\]|\\.)*)\}", re.DOTALL)
    part = re.compile(r"(?P<sign>=|%-?\d+%)?(?P<answer>.+?)(?<!\\)(?<!&)(?<!&amp;)#(?P<said>.*)", re.DOTALL)
    found = []
    for match in gap.finditer(text):
        parts = [part.fullmatch(each) for each in re.split(r"(?<!\\)~", match[3])]
        found.append(
            (match[2], [(each["sign"], unescape(each["answer"]), unescape(each["said"])) for each in parts])
        )
    return found


def test_braces_and_signs_do_not_end_a_gap_of_moodle_s_cloze():
    [question] = questions(write_moodle(traps.sheet_of(traps.CELLS)))
    gaps = read_gaps(question.findtext("questiontext/text"))
    assert [kind for kind, _ in gaps] == ["NUMERICAL", "SHORTANSWER", "NUMERICAL"]
    values = [[(sign, answer) for sign, answer, _ in parts] for _, parts in gaps]
    assert values[0] == [("=", "0.5:0.001"), ("%0%", "0.75:0.001"), ("%0%", "0.9:0.001")]
    assert values[1] == [("=", "right } # ~"), ("%0%", "= wrong {"), ("%0%", "50% : * wrong")]
    assert values[2] == [("=", "3:0.001"), ("%0%", "4:0.001")]
    assert "You read = and ~ and {}" in gaps[1][1][1][2]


def test_moodle_keeps_words_that_look_like_commands_and_carries_the_picture():
    for question in questions(write_moodle(traps.sheet_of(traps.CHOICE, traps.NUMBER))):
        shown = question.findtext("questiontext/text")
        assert "{a} ~ b = c # d : e % 1 &amp; &lt;i&gt; $\\frac{1}{2}$ \\n \\\\ */" in shown
        assert 'src="@@PLUGINFILE@@/picture.svg" alt="A &quot;square&quot; &amp; &lt;more&gt;"' in shown
        assert b64decode(question.findtext("questiontext/file")).decode() == traps.PICTURE
        assert "//" in etree.fromstring(write_moodle(traps.sheet_of(traps.CHOICE)))[0].findtext(
            "category/text"
        )


def test_every_gap_of_every_maker_s_table_is_read_as_it_is_meant(everything):
    for question, exercise in zip(questions(write_moodle(everything)), exercises(everything), strict=True):
        gaps = read_gaps(question.findtext("questiontext/text")) if exercise.draw.kind == "cells" else []
        for cell, (kind, parts) in enumerate(gaps):
            right = exercise.draw.answer[cell]
            assert [sign for sign, _, _ in parts] == ["="] + ["%0%"] * len(exercise.wrong_cells(cell)), (
                exercise.name
            )
            if isinstance(right, str):
                assert (kind, parts[0][1]) == ("SHORTANSWER", right)
            else:
                assert float(parts[0][1].split(":")[0]) == pytest.approx(
                    right, abs=exercise.draw.tolerance / 100 + 1e-9
                )
        assert len(gaps) == (len(exercise.draw.answer) if exercise.draw.kind == "cells" else 0), exercise.name


# GIFT


def read_gift(sheet):
    return parseFile(io.StringIO(write_gift(sheet)))


def plain(text):
    """Return what a text of GIFT says."""
    return ESCAPED.sub(r"\1", text)


def test_another_reader_finds_gift_s_questions_and_all_are_valid(everything):
    read = read_gift(everything)
    cells = sum(len(each.draw.answer) for each in exercises(everything, "cells"))
    assert len(read) == cells + len(exercises(everything, "choice")) + len(exercises(everything, "number"))
    negative = re.compile(r"[=%]-\d")  # pygiftparser reads no negative number
    assert all(each.valid for each in read if not negative.search(each.source.split("</p>{", 1)[1]))


def test_gift_s_choices_have_one_right_answer_and_feedback_on_all(sheet):
    read = [each for each in read_gift(sheet) if "{\n" in each.source]
    for question, exercise in zip(read, exercises(sheet, "choice"), strict=True):
        answers = question.answers.answers
        assert [plain(each.answer).strip() for each in answers] == [
            exercise.value_of(each) for each in exercise.options
        ]
        assert [each.fraction for each in answers] == [100 * (each == "answer") for each in exercise.options]
        assert all(each.feedback for each in answers) and question.generalFeedback


def test_gift_s_numbers_have_tolerance_and_feedback(sheet):
    spread = [each for each in exercises(sheet, "number") if each.maker.name == "spread"]
    read = [each for each in read_gift(sheet) if spread[0].title in each.title]
    for question, exercise in zip(read, spread, strict=True):
        answers = question.answers.answers
        assert [each.value for each in answers] == pytest.approx(
            [exercise.draw.answer, *exercise.draw.mistakes.values()], abs=1e-5
        )
        assert {each.tolerance for each in answers} == {exercise.draw.tolerance}
        assert [each.fraction for each in answers] == [100, 0, 0, 0]
        assert all(each.feedback for each in answers)


def test_gift_escapes_its_signs_and_ends_no_question_early():
    read = read_gift(traps.sheet_of(traps.CHOICE))
    assert len(read) == 1 and read[0].valid
    assert r"{a} ~ b = c # d : e % 1 & <i> $\frac{1}{2}$ \n" in unescape(plain(read[0].text))
    answers = {unescape(plain(each.answer)).strip(): each.fraction for each in read[0].answers.answers}
    assert answers == {"= {right} ~ #1": 100, "~ {wrong} = 50%": 0, "a:b": 0}
    assert r"::01 A title / with \:\: and \# and \= (9A)::[html]" in read[0].source


def test_a_table_of_gift_is_a_question_for_each_blank():
    first, text, last = write_gift(traps.sheet_of(traps.CELLS)).split("\n\n")[1:]
    assert "=0.5:0.001#" in first and "=%0%0.75:0.001#" in first and "=3:0.001#" in last
    assert [line.split("#<p>")[0] for line in text.splitlines()[1:4]] == [
        r"=right \} \# \~",
        r"=%0%\= wrong \{",
        r"=%0%50% \: * wrong",
    ]


# QTI 1.2


def package(sheet):
    """Return a Canvas package's files by name, and its questions."""
    archive = zipfile.ZipFile(io.BytesIO(write_canvas(sheet)))
    files = {name: archive.read(name) for name in archive.namelist()}
    [questions] = [name for name in files if name.endswith(".xml") and name != "imsmanifest.xml"]
    return files, etree.fromstring(files[questions])


def without_namespace(root):
    """Return a copy without namespaces and attributes: its structure."""
    copy = etree.fromstring(etree.tostring(root).replace(b"xmlns=", b"space="))
    for element in copy.iter():
        element.attrib.clear()
    return copy


def specification(used):
    """Return the structure that QTI 1.2 allows of the elements used, as pyslet's classes quote it from the specification.

    Their quotes of `item` and of its metadata lost the commas; of selection and ordering there is none.
    """
    found = {
        "selection_ordering": "(qticomment?, sequence_parameter*, selection*, order?)",
        "selection": "(sourcebank_ref?, selection_number?, selection_metadata?, selection_extension?)",
        "selection_number": "(#PCDATA)",
        "selection_extension": "ANY",
        "points_per_item": "(#PCDATA)",
    }
    for module in (item, common, core, section, assessment, xml):
        for each in vars(module).values():
            for name, model in re.findall(
                r"<!ELEMENT\s+(\w+)\s+(.*?)>", getattr(each, "__doc__", "") or "", re.DOTALL
            ):
                model = re.sub(r"(?<=[\w?*+)])\s+(?=[\w(])", ", ", " ".join(model.split()))
                found.setdefault(name, model)
    return etree.DTD(io.StringIO("\n".join(f"<!ELEMENT {name} {found[name]}>" for name in sorted(used))))


@pytest.mark.parametrize("kind", ["everything", "traps"])
def test_qti_has_the_structure_of_the_specification(everything, kind):
    made = everything if kind == "everything" else traps.sheet_of(traps.CHOICE, traps.NUMBER, traps.CELLS)
    root = without_namespace(package(made)[1])
    rules = specification({each.tag for each in root.iter()})
    assert rules.validate(root), rules.error_log.filter_from_errors()
    root.find(".//item").append(etree.Element("presentation"))
    assert not rules.validate(root)


def test_another_reader_knows_every_element_of_qti(sheet):
    _, root = package(sheet)
    found = root.findall(".//{*}item")
    head = f'<questestinterop xmlns="{etree.QName(root).namespace}">'
    document = xml.QTIDocument()
    document.read(
        src=io.BytesIO(
            (head + "".join(etree.tostring(each).decode() for each in found) + "</questestinterop>").encode()
        )
    )
    read = list(document.root.get_children())
    assert [each.ident for each in read] == [each.name for each in exercises(sheet)]
    waiting = read
    while waiting:
        element = waiting.pop()
        assert type(element).__module__.startswith(("pyslet.qtiv1", "pyslet.html401")), type(element)
        if "qtiv1" in type(element).__module__ and not isinstance(element, common.MatText):
            waiting += [each for each in element.get_children() if not isinstance(each, str)]


def score(element, given):
    """Return the score that QTI's conditions give to responses {ident: value}, and what is said."""
    total, said = 0.0, []

    def holds(test):
        name, value = etree.QName(test).localname, given.get(test.get("respident"))
        if name in ("or", "conditionvar", "and"):
            return (any if name == "or" else all)(holds(each) for each in test)
        if name == "other":
            return True
        if name == "varequal":
            return value == test.text
        return float(value) >= float(test.text) if name == "vargte" else float(value) <= float(test.text)

    for condition in element.iterfind(".//{*}respcondition"):
        if holds(condition.find("{*}conditionvar")):
            for each in condition.iterfind("{*}setvar"):
                total = float(each.text) + (total if each.get("action") == "Add" else 0)
            said += [each.get("linkrefid") for each in condition.iterfind("{*}displayfeedback")]
            if (
                condition.get("continue") == "No"
                and condition.find("{*}setvar") is not None
                and "Add" not in {each.get("action") for each in condition.iterfind("{*}setvar")}
            ):
                break
    return total, said


def labels(element, response):
    """Return the idents of a response's options by what they show."""
    found = element.iterfind(f".//{{*}}response_lid[@ident='{response}']//{{*}}response_label")
    return {each.findtext(".//{*}mattext"): each.get("ident") for each in found}


def test_qti_gives_the_points_to_the_right_answer_and_to_no_mistake(everything):
    found = package(everything)[1].iterfind(".//{*}item")
    for element, exercise in zip(found, exercises(everything), strict=True):
        draw, name = exercise.draw, exercise.name
        for option in exercise.options:
            value = exercise.value_of(option)
            if draw.kind == "number":
                given = {"response1": f"{round(value, draw.digits)}"}
            elif draw.kind == "choice":
                given = {"response1": labels(element, "response1")[exercise.label(value)]}
            else:
                menus = {f"response_cell{k + 1}": exercise.label(each) for k, each in enumerate(value)}
                given = {response: labels(element, response)[text] for response, text in menus.items()}
            points, said = score(element, given)
            assert (points == pytest.approx(100, abs=0.1)) == (option == "answer"), name
            known = {each.get("ident") for each in element.iterfind(".//{*}itemfeedback")}
            assert set(said) <= known and "general_fb" in said
            if option != "answer" and draw.kind != "number":
                wanted = [escape(exercise.mistake_name(each)) for each in named_in_menus(exercise, option)]
                heard = spoken(element, [each for each in said if each != "general_fb"])
                named = [re.search("<strong>(.*?)</strong>", each)[1] for each in heard]
                assert wanted and named == wanted, name


def named_in_menus(exercise, option):
    """Return the mistakes that are named when a mistake's values are chosen, menu by menu.

    In a cell it is the first mistake with this value; none where the value is the right one.
    """
    draw = exercise.draw
    if draw.kind == "choice":
        return [option]
    found, twice = [], 2 * draw.tolerance
    for cell, (value, right) in enumerate(zip(exercise.value_of(option), draw.answer, strict=True)):
        same = [name for name, each in draw.mistakes.items() if agree(each[cell], value, twice)]
        first = draw.mistakes[same[0]][cell]
        if not agree(value, right, twice) and exercise.label(first) == exercise.label(value):
            found.append(same[0])
    return found


def spoken(element, idents):
    """Return the feedbacks of these names, in the order of the names."""
    texts = {
        each.get("ident"): each.findtext(".//{*}mattext") for each in element.iterfind(".//{*}itemfeedback")
    }
    return [texts[each] for each in idents]


def test_a_number_of_canvas_has_one_condition_with_points_because_canvas_takes_each_for_an_answer(sheet):
    for element in package(sheet)[1].iterfind(".//{*}item"):
        fields = [each.text for each in element.iterfind(".//{*}fieldentry")]
        tests = [
            each
            for each in element.iterfind(".//{*}respcondition")
            if each.find(".//{*}varequal") is not None
        ]
        if fields[0] == "numerical_question":
            assert len(tests) == 1 and tests[0].findtext("{*}setvar") == "100"


def test_the_manifest_lists_every_file_and_a_group_picks_one_variant():
    files, root = package(traps.sheet_of(traps.CHOICE, traps.NUMBER))
    manifest = etree.fromstring(files["imsmanifest.xml"])
    assert {each.get("href") for each in manifest.iterfind(".//{*}file")} == set(files) - {"imsmanifest.xml"}
    assert {each.text for each in root.iterfind(".//{*}selection_number")} == {"1"}
    pictures = [name for name in files if name.endswith(".svg")]
    shown = " ".join(each.text for each in root.iterfind(".//{*}mattext"))
    assert len(pictures) == 2 and all(f"$IMS-CC-FILEBASE$/{name}" in shown for name in pictures)
    assert all(files[name].decode() == traps.PICTURE for name in pictures)


def test_the_same_sheet_is_the_same_file(sheet):
    assert write_canvas(sheet) == write_canvas(sheet)
    assert write_moodle(sheet) == write_moodle(sheet)


# CSV


def test_csv_has_a_line_for_each_question_and_each_blank(sheet):
    lines = list(csv.DictReader(io.StringIO(write_csv(sheet), newline="")))
    cells = sum(len(each.draw.answer) for each in exercises(sheet, "cells"))
    assert len(lines) == cells + len(exercises(sheet, "choice")) + len(exercises(sheet, "number"))
    first = sheet.variants[0].exercises[0]
    assert lines[0]["question"].startswith(first.question) and lines[0]["mistake_1"]
    assert {(each["seed"], each["version"]) for each in lines} == {("7", "1")}


def test_no_spreadsheet_takes_a_text_of_csv_for_a_formula():
    lines = list(
        csv.DictReader(io.StringIO(write_csv(traps.sheet_of(traps.CHOICE, traps.NUMBER)), newline=""))
    )
    assert lines[0]["answer"] == "'= {right} ~ #1"
    assert float(lines[1]["answer"]) == -0.25


# All of them


def test_right_answers_are_at_every_place_in_every_format():
    makers = [each for each in makers_of("viterbi") if each.name == "best_path"]
    sheet = make_worksheet(makers, 2, "places", 90)
    exports = {
        "moodle": [
            [option.score_fraction == 100 for option in question.options]
            for question in parse_bytes(write_moodle(sheet))["multichoice"]
        ],
        "gift": [
            [each.fraction == 100 for each in question.answers.answers] for question in read_gift(sheet)
        ],
        "canvas": [
            [
                score(element, {"response1": ident})[0] == 100
                for ident in labels(element, "response1").values()
            ]
            for element in package(sheet)[1].iterfind(".//{*}item")
        ],
    }
    for name, found in exports.items():
        counts = Counter(each.index(True) for each in found)
        assert set(counts) == {0, 1, 2} and min(counts.values()) > 15, name


def test_the_command_line_writes_thirty_variants_of_a_mixed_sheet_in_ten_seconds(tmp_path, capsys):
    files = {name: tmp_path / f"out.{name}" for name in ("moodle", "canvas", "gift", "csv", "sheet", "key")}
    begun = process_time()  # other processes may be at work
    asked = [part for name, path in files.items() for part in (f"--{name}", str(path))]
    main([*LESSONS, "--seed", "7", "--variants", "30", *asked])
    assert process_time() - begun < 10
    assert "30 variants of 9 questions, seed 7, version 1" in capsys.readouterr().out
    assert all(path.stat().st_size > 10_000 for path in files.values())
