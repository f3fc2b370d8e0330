"""A lesson's page as the tests open it and read it; what is asserted of the page stands in the tests."""

import base64
import json
import re
from html import unescape
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import numpy as np
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from core.lesson.story import make_document, story_of
from core.text.reading.documents import Document
from pages import LESSONS

STORIES = {lesson.name: lesson for lesson in LESSONS}
COURSE = str(Path(__file__).resolve().parents[2] / "pages" / "course.py")


def open_lesson(name, text=None, /, timeout=60, beat="", lang="", **query):
    """Return a lesson's page, the lab of a story, as its address opens it, on the learner's own text when one is given.

    `query` holds the address's fields without the lesson's prefix; a field of many values is a list. `beat` is where
    a tour or lecture stands, `lang` the language of its reader.
    """
    app = AppTest.from_file(COURSE, default_timeout=timeout)
    if text is not None:
        app.session_state["text_source_own"] = Document("test", text)
    for field, value in query.items():
        app.query_params[f"{name}_{field}"] = value if isinstance(value, list) else str(value)
    if lang:
        app.query_params["lang"] = lang
    if beat:
        app.query_params["beat"] = beat
    elif STORIES[name].is_story:
        app.query_params["lab"] = "true"
    return go_to(app, name).run()


def document(name, beat, revealed=False, /, **changes):
    """Return the document of a story's beat, by its name or its number, with what a learner changed in it."""
    lesson = STORIES[name]
    names = [each.name for each in story_of(lesson.module)]
    number = beat if isinstance(beat, int) else names.index(beat) + 1
    return make_document(name, lesson.module, number, revealed, changes, noted=True)


def picture(name, beat, revealed=False, /, **changes):
    """Return the data of a beat's picture."""
    return document(name, beat, revealed, **changes)["picture"]["data"]


def said_in(document):
    """Return the words of a beat as plain text: without its formulas and its marks."""
    text = re.sub(r"<math.*?</math>", " ", document["words"], flags=re.DOTALL)
    return unescape(" ".join(re.sub(r"<[^>]+>", "", text).split()))


def go_to(app, name):
    """Let the next run show a lesson. AppTest.switch_page finds pages by file only, and a lesson is a function."""
    app._page_hash = calc_hash(name)
    return app


def said(app):
    """Return all sentences on the page as one text, without the backslashes that escape Markdown."""
    shown = (*app.text, *app.caption, *app.info, *app.warning, *app.markdown)
    return " ".join(each.value for each in shown).replace("\\", "")


# Every page has these.
CLOSING = tuple(
    f"attend_{each}" for each in ("link", "page", "tour", "lab_bar", "description", "description_es")
)


def mounted(app):
    """Return the protocol of each browser view that shows something of the lesson, in the page's order."""
    protos = [each.proto for each in app.get("bidi_component")]
    return [proto for proto in protos if not proto.component_name.endswith(CLOSING)]


def prompts(app):
    """Return the prompts to try that the page was sent, in order: label and link."""
    protos = [each.proto for each in app.get("bidi_component")]
    return json.loads(next(each.json for each in protos if each.component_name.endswith("attend_page")))[
        "prompts"
    ]


def try_prompt(app, name, number):
    """Return a lesson's page, not run, as its prompt opens it; what the learner pasted stays unless it names a text."""
    opened = AppTest.from_file(COURSE, default_timeout=120)
    if "text_source_own" in app.session_state:
        opened.session_state["text_source_own"] = app.session_state["text_source_own"]
    for field, values in parse_qs(urlsplit(prompts(app)[number - 1]["link"]).query).items():
        opened.query_params[field] = values if len(values) > 1 else values[0]
    return go_to(opened, name)


def views(app):
    """Return what was sent to each of the lesson's browser views, in the page's order."""
    return [json.loads(proto.json) for proto in mounted(app)]


def bytes_sent(app):
    """Return how large what a run has sent is, without the frame of its messages."""
    return sum(element.proto.ByteSize() for root in app._tree.children.values() for element in leaves(root))


def leaves(block):
    """Yield every element in a block of the page."""
    for child in block.children.values():
        if hasattr(child, "children"):
            yield from leaves(child)
        else:
            yield child


def sent(app, view=""):
    """Return what was sent to the first browser view, or to the first whose component's name ends in `view`."""
    return json.loads(next(proto.json for proto in mounted(app) if proto.component_name.endswith(view)))


def frames(app):
    """Return the steps that were sent to the page's view "steps", none where it is not there."""
    protos = [proto for proto in mounted(app) if proto.component_name.endswith("attend_steps")]
    return json.loads(protos[0].json)["frames"] if protos else []


def unpacked(values):
    """Return numbers that were sent as the base64 of their float32 bytes."""
    return np.frombuffer(base64.b64decode(values), "<f4")


def table_with(app, column):
    """Return the first table that has such a column."""
    return next(each.value for each in app.dataframe if column in each.value)


def figures(app):
    """Return the page's plotly figures as plain dictionaries, in the page's order."""
    return [json.loads(chart.proto.spec) for chart in app.get("plotly_chart")]


def figure(app, place=0):
    """Return one of the page's plotly figures."""
    return figures(app)[place]


def numbers(spec):
    """Return every number in a figure or a view's data, arrays that plotly writes in base64 included."""
    if isinstance(spec, dict):
        if set(spec) >= {"dtype", "bdata"}:
            return np.frombuffer(base64.b64decode(spec["bdata"]), spec["dtype"]).tolist()
        return [number for value in spec.values() for number in numbers(value)]
    if isinstance(spec, list):
        return [number for value in spec for number in numbers(value)]
    return [spec] if isinstance(spec, int | float) else []


def metrics(app):
    """Return the value of each metric by its label."""
    return {metric.label: metric.value for metric in app.metric}


def question(app):
    """Return the choices that the page asks the learner to predict from."""
    return next(radio for radio in app.radio if "_guess_" in radio.key)


def guess(app, answer=None):
    """Answer the page's question, with its first choice when no answer is given.

    AppTest has the choices as they are shown, escaped, and takes them as the page gave them.
    """
    asked = question(app)
    return asked.set_value(re.sub(r"\\(.)", r"\1", answer or asked.options[0])).run()
