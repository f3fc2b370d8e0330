"""Every browser view has a schema of what it is sent, and a small example of real data that is valid by it."""

import re

import pytest
from jsonschema import Draft202012Validator

from core.lesson.browser_view import VIEWS
from pages.gallery import UNSEEN, examples, read, views
from tests.views.schemas import WRITE_EXAMPLE, WRITE_SCHEMA, faults, faults_of, validator

BYTES_AT_MOST = 20_000
FILES = sorted(path for path in VIEWS.glob("*/*.json") if not path.name.endswith("example.json"))
EXAMPLES = [(view, path) for view in views() for path in examples(view)]
KINDS = sorted(path.stem for path in (VIEWS / "steps").glob("*.json") if "." not in path.stem)
KINDS.remove("schema")

# Where names are not ours: a tag's colours, plotly's own fields, labels by key, another view's data, what was changed.
FREE = {"colours", "figure", "labels", "languages", "data", "changes"}

each_view = pytest.mark.parametrize("view", views())
each_file = pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(VIEWS)))
each_example = pytest.mark.parametrize("view, path", EXAMPLES, ids=[f"{v}/{p.name}" for v, p in EXAMPLES])


def test_a_folder_of_assets_views_is_a_view_or_shared():
    folders = {folder.name for folder in VIEWS.iterdir() if folder.is_dir()}
    assert folders == {*views(), *UNSEEN, "shared"}


@each_view
def test_a_view_has_a_schema_and_an_example(view):
    assert (VIEWS / view / "schema.json").is_file(), WRITE_SCHEMA.format(view=view)
    assert examples(view), WRITE_EXAMPLE.format(view=view)


@each_file
def test_a_schema_is_one_and_says_in_words_what_it_and_each_of_its_properties_is(path):
    whole = read(path)
    Draft202012Validator.check_schema(whole)
    assert whole["$schema"] == Draft202012Validator.META_SCHEMA["$id"]
    assert whole["title"] and whole["description"]
    assert [name for name, part in described(whole) if not is_said(part)] == []


def described(part, before=""):
    """Yield each property of a schema, and each of its definitions, with its place."""
    for name, each in part.items() if isinstance(part, dict) else enumerate(part):
        if before.rpartition("/")[2] in ("properties", "$defs"):
            yield f"{before}/{name}", each
        if isinstance(each, dict | list) and name not in ("if", "then", "enum"):
            yield from described(each, f"{before}/{name}")


def is_said(part):
    """Return whether a part of a schema is described, by itself or by what it refers to, or is a constant."""
    return {"description", "$ref", "const"} & set(part) or any(
        "$ref" in each for each in part.get("oneOf", ())
    )


@each_example
def test_an_example_is_small_and_valid_by_its_view_s_schema(view, path):
    assert len(path.read_bytes()) <= BYTES_AT_MOST
    assert faults(view, read(path)) == []


@each_example
def test_a_property_that_is_missing_or_misspelt_is_found(view, path):
    """At the top, and in all that the example holds: in lists in their first part."""
    required = set(read(VIEWS / view / "schema.json")["required"])
    for where, name in places(read(path)):
        changed = read(path)
        part = changed
        for step in where:
            part = part[step]
        if name in part and not isinstance(part, list):
            part[f"{name}x"] = part.pop(name)
            if not FREE & set(where):
                assert not validator(view).is_valid(changed), (*where, name)
            del part[f"{name}x"]
            if not where and name in required:
                assert not validator(view).is_valid(changed), name


def places(value, where=()):
    """Yield where each property of an example stands; in a list, those of its first part."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield where, name
            yield from places(each, (*where, name))
    elif isinstance(value, list) and value:
        yield from places(value[0], (*where, 0))


def test_a_view_without_a_schema_fails_with_what_is_to_be_written():
    with pytest.raises(AssertionError, match=r"Write assets/views/none/schema\.json"):
        validator("none")


def test_what_an_opened_page_sent_is_read_from_it():
    class Sent:
        json = '{"text": 1}'
        component_name = "attend_own_lecture"

    class Element:
        proto = Sent

    class App:
        def get(self, kind):
            return [Element] if kind == "bidi_component" else []

    assert faults_of(App()) == ["own_lecture: data.text: 1 is not of type 'string', 'null'"]


def test_every_kind_of_steps_has_its_own_schema_and_example():
    code = (VIEWS / "steps" / "view.js").read_text(encoding="utf-8")
    drawn = re.search(r"const PICTURES = \{(.*?)\};", code, re.DOTALL).group(1)
    named = sorted(re.findall(r"(\w+)(?::\s*\w+)?,?", drawn))
    assert named == KINDS, (
        "Write assets/views/steps/<kind>.json: what differs from step to step, and what all share."
    )
    schema = read(VIEWS / "steps" / "schema.json")["$defs"]["picture"]
    assert sorted(schema["properties"]["kind"]["enum"]) == KINDS
    shown = {path.name.removesuffix(".example.json"): read(path) for path in examples("steps")}
    assert sorted(shown) == KINDS, "Write assets/views/steps/<kind>.example.json; the gallery shows it."
    for kind, example in shown.items():
        assert kind in {frame["picture"] and frame["picture"]["kind"] for frame in example["frames"]}
