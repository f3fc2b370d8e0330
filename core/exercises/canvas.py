"""QTI 1.2 for Canvas: a zip with its manifest, one question group for each question of the sheet; Canvas picks a variant.

Canvas takes every condition of a numerical question for a right answer. So what is said to mistakes stands there together,
in the feedback on a wrong answer. A table becomes a question with a menu in each cell, and all menus have the same values.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from html import escape
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from core.exercises.exercise import SHARED, Exercise
from core.exercises.maker import CELLS, CHOICE, NUMBER
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

QTI = "http://www.imsglobal.org/xsd/ims_qtiasiv1p2"
MANIFEST = "http://www.imsglobal.org/xsd/imscp_v1p1"
TYPES = {
    NUMBER: "numerical_question",
    CHOICE: "multiple_choice_question",
    CELLS: "multiple_dropdowns_question",
}
EPOCH = (1980, 1, 1, 0, 0, 0)  # of the files in the zip, so that the same sheet is the same file
RESPONSE = "response1"


def write_canvas(sheet: Worksheet) -> bytes:
    """Return all variants of a sheet as a QTI 1.2 package."""
    name = f"attend_{sheet.version}_{''.join(c if c.isalnum() else '_' for c in sheet.seed)}"
    pictures: dict[str, str] = {}
    files = {f"{name}/{name}.xml": to_bytes(assessment(sheet, name, pictures))}
    files |= {path: picture.encode() for path, picture in pictures.items()}
    package = io.BytesIO()
    with zipfile.ZipFile(package, "w") as archive:
        for path, content in {"imsmanifest.xml": to_bytes(manifest(name, list(pictures))), **files}.items():
            archive.writestr(zipfile.ZipInfo(path, EPOCH), content, zipfile.ZIP_DEFLATED)
    return package.getvalue()


def to_bytes(element: Element) -> bytes:
    """Return an element as a file."""
    indent(element)
    return tostring(element, "utf-8", xml_declaration=True)


def manifest(name: str, pictures: list[str]) -> Element:
    """Return the list of the package's files."""
    root = Element("manifest", xmlns=MANIFEST, identifier=f"{name}_manifest")
    metadata = SubElement(root, "metadata")
    SubElement(metadata, "schema").text = "IMS Content"
    SubElement(metadata, "schemaversion").text = "1.1.3"
    SubElement(root, "organizations")
    resources = SubElement(root, "resources")
    resource = SubElement(
        resources, "resource", identifier=name, type="imsqti_xmlv1p2", href=f"{name}/{name}.xml"
    )
    SubElement(resource, "file", href=f"{name}/{name}.xml")
    for at, path in enumerate(pictures):
        resource = SubElement(resources, "resource", identifier=f"{name}_{at}", type="webcontent", href=path)
        SubElement(resource, "file", href=path)
    return root


def assessment(sheet: Worksheet, name: str, pictures: dict[str, str]) -> Element:
    """Return the questions; put each picture under its path among the `pictures`."""
    root = Element("questestinterop", xmlns=QTI)
    title = f"{SHARED.label('sheet')} {sheet.version}.{sheet.seed}"
    whole = SubElement(root, "assessment", ident=name, title=title)
    section = SubElement(whole, "section", ident="root_section")
    for number, group in enumerate(sheet.groups, 1):
        part = SubElement(section, "section", ident=f"group_{number}", title=f"{number:02} {group[0].title}")
        selection = SubElement(SubElement(part, "selection_ordering"), "selection")
        SubElement(selection, "selection_number").text = "1"
        points = SubElement(selection, "selection_extension")
        SubElement(points, "points_per_item").text = "1"
        for variant, exercise in zip(sheet.variants, group, strict=True):
            path = f"images/{name}_{number}_{variant.letter}.svg"
            if exercise.draw.picture:
                pictures[path] = exercise.draw.picture
            add_item(part, exercise, title_of(exercise, number, variant.letter, sheet.seed), path)
    return root


def add_item(section: Element, exercise: Exercise, title: str, path: str) -> None:
    """Add one question."""
    kind = exercise.draw.kind
    item = SubElement(section, "item", ident=exercise.name, title=title)
    add_metadata(item, {"question_type": TYPES[kind], "points_possible": "1"})
    presentation = SubElement(item, "presentation")
    shown = question_html(exercise, f"$IMS-CC-FILEBASE$/{path}")
    if kind == CELLS:
        shown += table_html(exercise.table, lambda cell: f"[{blank_name(cell)}]")
        shown = shown.replace(escape(exercise.form), escape(SHARED.label("choose_cells")))
    add_material(presentation, shown)
    process = Element("resprocessing")
    outcomes = SubElement(process, "outcomes")
    SubElement(outcomes, "decvar", maxvalue="100", minvalue="0", varname="SCORE", vartype="Decimal")
    feedback = {"general_fb": html_of(exercise.solution)}
    other = SubElement(process, "respcondition", {"continue": "Yes"})
    SubElement(SubElement(other, "conditionvar"), "other")
    add_feedback(other, "general_fb")
    {NUMBER: add_number, CHOICE: add_choice, CELLS: add_cells}[kind](
        presentation, process, exercise, feedback
    )
    item.append(process)
    for ident, html in feedback.items():
        add_material(SubElement(SubElement(item, "itemfeedback", ident=ident), "flow_mat"), html)


def add_metadata(item: Element, fields: Mapping[str, str]) -> None:
    """Add what Canvas reads about a question."""
    data = SubElement(SubElement(item, "itemmetadata"), "qtimetadata")
    for name, value in fields.items():
        entry = SubElement(data, "qtimetadatafield")
        SubElement(entry, "fieldlabel").text = name
        SubElement(entry, "fieldentry").text = value


def add_material(parent: Element, text: str, form: str = "text/html") -> None:
    """Add a text."""
    SubElement(SubElement(parent, "material"), "mattext", texttype=form).text = text


def add_feedback(condition: Element, ident: str) -> None:
    """Let a condition show a feedback."""
    SubElement(condition, "displayfeedback", feedbacktype="Response", linkrefid=ident)


def add_condition(
    process: Element, value: str, response: str, score: str = "", action: str = "Set", said: str = ""
) -> None:
    """Add what follows from a response: a score, a feedback, or both."""
    condition = SubElement(process, "respcondition", {"continue": "No" if score else "Yes"})
    variable = SubElement(condition, "conditionvar")
    SubElement(variable, "varequal", respident=response).text = value
    if score:
        SubElement(condition, "setvar", action=action, varname="SCORE").text = score
    if said:
        add_feedback(condition, said)


def add_number(presentation: Element, process: Element, exercise: Exercise, feedback: dict[str, str]) -> None:
    """Add a field for a number, its tolerance, and one text on all mistakes."""
    digits, value, tolerance = exercise.draw.digits, exercise.draw.answer, exercise.draw.tolerance
    response = SubElement(presentation, "response_str", ident=RESPONSE, rcardinality="Single")
    field = SubElement(response, "render_fib", fibtype="Decimal")
    SubElement(field, "response_label", ident="answer1")
    condition = SubElement(process, "respcondition", {"continue": "No"})
    either = SubElement(SubElement(condition, "conditionvar"), "or")
    SubElement(either, "varequal", respident=RESPONSE).text = decimal(value, digits)
    within = SubElement(either, "and")
    SubElement(within, "vargte", respident=RESPONSE).text = decimal(value - tolerance, digits)
    SubElement(within, "varlte", respident=RESPONSE).text = decimal(value + tolerance, digits)
    SubElement(condition, "setvar", action="Set", varname="SCORE").text = "100"
    wrong = SubElement(process, "respcondition", {"continue": "Yes"})
    SubElement(SubElement(wrong, "conditionvar"), "other")
    add_feedback(wrong, "general_incorrect_fb")
    said = [
        f"<li>{escape(exercise.label(wrong))}: {feedback_html(exercise, name)}</li>"
        for name, wrong in exercise.draw.mistakes.items()
    ]
    feedback["general_incorrect_fb"] = f"<ul>{''.join(said)}</ul>"


def add_choice(presentation: Element, process: Element, exercise: Exercise, feedback: dict[str, str]) -> None:
    """Add the options of a choice, each with its feedback."""
    response = SubElement(presentation, "response_lid", ident=RESPONSE, rcardinality="Single")
    rendered = SubElement(response, "render_choice")
    for at, option in enumerate(exercise.options, 1):
        ident = f"{1000 + at}"
        label = SubElement(rendered, "response_label", ident=ident)
        add_material(label, exercise.label(exercise.value_of(option)), "text/plain")
        right = option == "answer"
        feedback[f"{ident}_fb"] = right_html() if right else feedback_html(exercise, option)
        add_condition(process, ident, RESPONSE, said=f"{ident}_fb")
    right = f"{1001 + exercise.options.index('answer')}"
    add_condition(process, right, RESPONSE, "100")


def add_cells(presentation: Element, process: Element, exercise: Exercise, feedback: dict[str, str]) -> None:
    """Add a menu for each blank of a table: the same values in the same order, of which one is right."""
    draw = exercise.draw
    values = {exercise.label(each) for row in (draw.answer, *draw.mistakes.values()) for each in row}
    values = sorted(values, key=lambda text: (len(text), text))
    for cell, right in enumerate(draw.answer):
        response = f"response_{blank_name(cell)}"
        field = SubElement(presentation, "response_lid", ident=response)
        add_material(field, blank_name(cell), "text/plain")
        rendered = SubElement(field, "render_choice")
        said = {exercise.label(wrong): mistake for mistake, wrong in exercise.wrong_cells(cell).items()}
        for at, value in enumerate(values, 1):
            ident = f"{1000 * (cell + 1) + at}"
            add_material(SubElement(rendered, "response_label", ident=ident), value, "text/plain")
            if value == exercise.label(right):
                share = 100 / len(draw.answer)
                add_condition(process, ident, response, f"{share:.2f}", "Add")
            elif value in said:
                feedback[f"{ident}_fb"] = feedback_html(exercise, said[value])
                add_condition(process, ident, response, said=f"{ident}_fb")


def blank_name(cell: int) -> str:
    """Return the name of a blank in a question's text."""
    return f"cell{cell + 1}"
