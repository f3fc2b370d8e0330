"""Moodle XML: one category for each question of the sheet with all its variants, so that a quiz can pick one at random.

A table becomes a cloze question. In its gaps ~ # } end something; they are written as entities.
"""

from __future__ import annotations

from base64 import b64encode
from html import escape
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from core.exercises.exercise import Exercise
from core.exercises.maker import CELLS, CHOICE, Value
from core.exercises.markup import (
    decimal,
    feedback_html,
    html_of,
    question_html,
    right_html,
    table_html,
    title_of,
)
from core.exercises.worksheet import Worksheet

PICTURE = "picture.svg"
GAP = str.maketrans({"~": "&#126;", "#": "&#35;", "}": "&#125;", "{": "&#123;", "\\": "&#92;"})
ANSWER = str.maketrans({"=": "&#61;", "%": "&#37;", ":": "&#58;", "*": "&#42;"})


def write_moodle(sheet: Worksheet) -> bytes:
    """Return all variants of a sheet as Moodle XML."""
    quiz = Element("quiz")
    for number, group in enumerate(sheet.groups, 1):
        add_category(quiz, sheet, number, group[0].title)
        for variant, exercise in zip(sheet.variants, group, strict=True):
            add_question(quiz, exercise, title_of(exercise, number, variant.letter, sheet.seed))
    indent(quiz)
    return tostring(quiz, "utf-8", xml_declaration=True)


def add_category(quiz: Element, sheet: Worksheet, number: int, title: str) -> None:
    """Add the category that the next questions go into; a slash would begin one inside it."""
    name = f"Attend {sheet.version}.{sheet.seed}"
    parts = [part.replace("/", "//") for part in (name, f"{number:02} {title}")]
    category = SubElement(quiz, "question", type="category")
    add_text(category, "category", f"$course$/top/{'/'.join(parts)}")


def add_question(quiz: Element, exercise: Exercise, title: str) -> None:
    """Add one question."""
    kind = {CELLS: "cloze", CHOICE: "multichoice"}.get(exercise.draw.kind, "numerical")
    question = SubElement(quiz, "question", type=kind)
    add_text(question, "name", title)
    shown = question_html(exercise, f"@@PLUGINFILE@@/{PICTURE}")
    if kind == "cloze":
        shown += table_html(exercise.table, lambda cell: write_gap(exercise, cell))
    add_picture(add_text(question, "questiontext", shown, "html"), exercise)
    add_text(question, "generalfeedback", html_of(exercise.solution), "html")
    for name, value in (("penalty", "0.3333333"), ("hidden", "0"), ("idnumber", exercise.name)):
        SubElement(question, name).text = value
    if kind != "cloze":
        SubElement(question, "defaultgrade").text = "1"
        add_answers(question, exercise)


def add_answers(question: Element, exercise: Exercise) -> None:
    """Add the answers of a number or a choice, each with its feedback; of numbers the right one comes first."""
    if exercise.draw.kind == CHOICE:
        for name, value in (("single", "true"), ("shuffleanswers", "true"), ("answernumbering", "abc")):
            SubElement(question, name).text = value
        options, form = exercise.options, "html"
    else:
        options, form = ("answer", *exercise.draw.mistakes), "moodle_auto_format"
    for option in options:
        right = option == "answer"
        value = exercise.value_of(option)
        text = escape(exercise.label(value)) if form == "html" else decimal(value, exercise.draw.digits)
        answer = add_text(question, "answer", text, form, fraction="100" if right else "0")
        said = right_html() if right else feedback_html(exercise, option)
        add_text(answer, "feedback", said, "html")
        if form != "html":
            SubElement(answer, "tolerance").text = decimal(exercise.draw.tolerance, exercise.draw.digits)


def add_text(parent: Element, name: str, text: str, form: str = "", **attributes: str) -> Element:
    """Add an element that holds a text; return it."""
    element = SubElement(parent, name, {**attributes, **({"format": form} if form else {})})
    SubElement(element, "text").text = text
    return element


def add_picture(text: Element, exercise: Exercise) -> None:
    """Add a question's picture to its text."""
    if exercise.draw.picture:
        file = SubElement(text, "file", name=PICTURE, path="/", encoding="base64")
        file.text = b64encode(exercise.draw.picture.encode()).decode()


def write_gap(exercise: Exercise, cell: int) -> str:
    """Return a gap of a cloze question: the right value, then what each mistake puts there, with its feedback."""
    digits, tolerance = exercise.draw.digits, decimal(exercise.draw.tolerance, exercise.draw.digits)
    right = exercise.draw.answer[cell]
    number = not isinstance(right, str)
    parts = [f"={write_value(right, digits, tolerance)}#{right_html().translate(GAP)}"]
    for mistake, wrong in exercise.wrong_cells(cell).items():
        said = feedback_html(exercise, mistake).translate(GAP)
        parts.append(f"%0%{write_value(wrong, digits, tolerance)}#{said}")
    return f"{{1:{'NUMERICAL' if number else 'SHORTANSWER'}:{'~'.join(parts)}}}"


def write_value(value: Value, digits: int, tolerance: str) -> str:
    """Return a value of a gap: a number with its tolerance, or a text."""
    if isinstance(value, str):
        return escape(value).translate(GAP).translate(ANSWER)
    return f"{decimal(value, digits)}:{tolerance}"
