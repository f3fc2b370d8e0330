"""What a browser view may be sent: its schema.json, read by the jsonschema library."""

import json
from functools import cache

from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from core.lesson.browser_view import VIEWS
from pages.gallery import read

WRITE_SCHEMA = (
    "The view “{view}” has no schema. Write assets/views/{view}/schema.json: what each property of its data is, its unit "
    "and shape, in plain English (CONTRIBUTING, “A browser view”)."
)
WRITE_EXAMPLE = (
    "The view “{view}” has no example. Write assets/views/{view}/example.json: a small picture of real data that is valid "
    "by its schema; the gallery shows it (CONTRIBUTING, “A browser view”)."
)


def retrieve(uri):
    """Return a file of schemas: its address is its path in assets/views."""
    return DRAFT202012.create_resource(read(VIEWS / uri.removeprefix("file:///")))


@cache
def validator(view):
    path = VIEWS / view / "schema.json"
    assert path.is_file(), WRITE_SCHEMA.format(view=view)
    whole = {"$id": f"file:///{view}/schema.json", **read(path)}
    return Draft202012Validator(whole, registry=Registry(retrieve=cache(retrieve)))


def faults_of(app):
    """Return what the views of an opened page should not have been sent."""
    sent = [each.proto for each in app.get("bidi_component")]
    return [
        fault
        for proto in sent
        for fault in faults(proto.component_name.rpartition("attend_")[2], json.loads(proto.json or "{}"))
    ]


def faults(view, data, most=5):
    """Return what a view's data should not be by its schema: where, and what is wrong, in a line each."""
    found = []
    for error in validator(view).iter_errors(data):
        where = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.absolute_path)
        found.append(f"{view}: data{where}: {error.message[:200]}")
        if len(found) == most:
            break
    return found
