"""The documents that the lessons are tried on, and a lesson opened on them."""

from functools import cache

from streamlit.testing.v1 import AppTest

from core.text.reading.labelled import documents_of, read_lines
from core.text.samples.reviews import reviews
from core.text.samples.shelf import sample
from core.text.tokenization.tokens import sentences
from tests.lessons.lesson_page import COURSE, STORIES, go_to

PASTED = "".join(
    f"{label}\t{text}\n"
    for label, text in [
        ("cat", "the cat sat on the mat"),
        ("cat", "a cat and a mouse"),
        ("cat", "the cat purrs"),
        ("cat", "my cat sleeps on the sofa"),
        ("cat", "cats chase the mouse"),
        ("dog", "the dog barks at the cat"),
        ("dog", "a dog and a bone"),
        ("dog", "the dog barks"),
        ("dog", "my dog sleeps on the mat"),
        ("dog", "dogs chase the cat"),
        ("bird", "a bird sings"),
        ("bird", "the bird sings and flies"),
        ("bird", "birds fly over the dog"),
    ]
)


def said_in(play, most=400):
    return [(play, line) for line in sentences(sample(play).read().text)[10 : 10 + most]]


@cache
def documents():
    """Return each set of documents by name; that of a name that is None is what a lesson opens on."""
    plays = documents_of("two plays", said_in("hamlet") + said_in("macbeth"), [])
    return {"reviews": reviews(), "two plays": plays, "pasted": read_lines(PASTED)}


def open_on(name, which, beat="", **query):
    """Return a lesson's page on one of the sets of documents."""
    app = AppTest.from_file(COURSE, default_timeout=120)
    if which != "reviews":
        app.session_state["labelled_own"] = documents()[which]
    for field, value in query.items():
        app.query_params[f"{name}_{field}"] = str(value)
    if beat:
        app.query_params["beat"] = beat
    elif STORIES[name].is_story:
        app.query_params["lab"] = "true"
    app = go_to(app, name).run()
    assert not app.exception, app.exception[0].message
    return app
