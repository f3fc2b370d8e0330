"""The gallery, for developers: every kind of picture on a small example, what it is sent, and which lessons use it.

The page is in no menu: its address is /gallery. Views, their schemas and their examples are found in assets/views, the
kinds of figure in core/figures, and who uses them in the imports of the code.
"""

import ast
import inspect
import json
import pkgutil
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path

import streamlit as st

import core.figures
import pages
from core.lesson.browser_view import VIEWS, address_of, browser_view
from core.lesson.figure import show_figure
from pages.gallery_figures import FIGURES

NAME = "gallery"
ROOT = Path(__file__).resolve().parents[1]
READ = ("pages", "core/lesson", "core/figures")  # where pictures are made and shown
EXAMPLE = "example.json"
UNSEEN = {"own_lecture"}  # draws nothing, and would keep its example in the visitor's browser
MOUNTS = {"view", "stepped_view", "browser_view", "Part"}  # what has a view's name as its first argument
CODE = re.compile(r"/views/(\w+)\.[0-9a-f]{8}\.js")
NAMED = 12  # of the pages that use a picture


# Kinds of picture, and where they are found


def views() -> list[str]:
    """Return the names of all browser views that draw something."""
    return sorted(path.parent.name for path in VIEWS.glob("*/view.js") if path.parent.name not in UNSEEN)


def examples(view: str) -> list[Path]:
    """Return a view's examples: example.json, and <kind>.example.json where it has several kinds of picture."""
    return sorted((VIEWS / view).glob(f"*{EXAMPLE}"))


def read(path: Path) -> dict:
    """Return the content of a JSON file."""
    return json.loads(path.read_text(encoding="utf-8"))


def example(path: Path) -> dict:
    """Return a view's example; where it names the code of another view, that code's present address."""
    text = path.read_text(encoding="utf-8")
    return json.loads(CODE.sub(lambda found: address_of(found[1]), text))


def schema(view: str) -> dict:
    """Return the schema of a view's data."""
    return read(VIEWS / view / "schema.json")


def figure_kinds() -> dict[str, Callable]:
    """Return the functions that make or change a figure, or make a trace, by their full name.

    They stand in the modules at the top of core/figures, and other modules import them.
    """
    imported = set().union(*uses().imported.values())
    return {
        f"{module}.{name}": function
        for module in (f"core.figures.{each.name}" for each in pkgutil.iter_modules(core.figures.__path__))
        for name, function in inspect.getmembers(import_module(module), inspect.isfunction)
        if function.__module__ == module and f"{module}.{name}" in imported and draws(function)
    }


def draws(function: Callable) -> bool:
    """Return whether a function returns a figure or a trace, or changes a figure; all others only help."""
    said = inspect.get_annotations(function)
    return said.get("return") in ("Figure", "FigurePart") or (said.get("figure"), said.get("return")) == (
        "Figure",
        "None",
    )


# Who uses them


@dataclass(frozen=True)
class Uses:
    """By module: the names that it imports, with their modules. By view: the modules that mount it."""

    imported: dict[str, set[str]]
    mounting: dict[str, set[str]]


@cache
def uses() -> Uses:
    """Return what the modules that make or show pictures import and mount, read from their code."""
    found = Uses({}, {})
    for path in (path for folder in READ for path in sorted((ROOT / folder).rglob("*.py"))):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
        froms = [node for node in nodes if isinstance(node, ast.ImportFrom) and node.module]
        found.imported[module] = {f"{node.module}.{each.name}" for node in froms for each in node.names}
        found.imported[module] |= {node.module for node in froms}
        for call in (node for node in nodes if isinstance(node, ast.Call)):
            for view in mounted_by(call, module):
                found.mounting.setdefault(view, set()).add(module)
    return found


def mounted_by(call: ast.Call, module: str) -> Iterator[str]:
    """Yield the view that a call mounts, if it does: its name is written there, or is a constant of the module."""
    called = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    owner = getattr(getattr(call.func, "value", None), "id", "")
    first = call.args[0] if call.args else None
    if called == "steps" and owner in ("LESSON", "lesson"):
        yield "steps"
    elif called in MOUNTS and owner != "self" and isinstance(first, ast.Constant):
        yield first.value
    elif called in MOUNTS and isinstance(first, ast.Name) and first.id.isupper():
        yield getattr(import_module(module), first.id)


@cache
def reached_by(page: str) -> set[str]:
    """Return what a page imports from the modules that make or show pictures, directly or through them.

    What it takes from another lesson's page is not followed: that lesson's pictures are not its own.
    """
    others = {lesson.module for lesson in pages.LESSONS} - {page}
    story = f"{page}.page"  # what a lesson of one folder shows
    reached, waiting = {page, story}, [page, story]
    while waiting:
        for each in uses().imported.get(waiting.pop(), set()) - others:
            if each not in reached:
                reached.add(each)
                waiting.append(each)
    return reached


def users(wanted: Iterable[str]) -> list[str]:
    """Return the titles of the lessons that use one of some modules or functions, and other pages by their name."""
    wanted = set(wanted)
    lessons = {lesson.module: f"[{lesson.title}]({lesson.name})" for lesson in pages.LESSONS}
    others = {f"pages.{name}": name for name in ("home", "lectures")}
    return [title for page, title in (lessons | others).items() if reached_by(page) & wanted]


def said_users(found: list[str]) -> str:
    """Return who uses a picture, in a sentence.

    >>> said_users(["[Zipf](zipf)", "home"])
    'Used by 2 pages: [Zipf](zipf), home.'
    """
    if not found:
        return "No page uses it."
    if len(found) >= len(pages.LESSONS):
        return "Every lesson uses it."
    number = "1 page" if len(found) == 1 else f"{len(found)} pages"
    more = ", among them" if len(found) > NAMED else ""
    return f"Used by {number}{more}: {', '.join(found[:NAMED])}."


# The page


def page() -> None:
    """Show all kinds of picture, or the schema of the view that the address names."""
    view = st.query_params.get("schema", "")
    if view in views():
        show_schema(view)
        return
    st.title("Gallery of pictures", anchor=False)
    st.markdown(
        f"For developers: every kind of picture in the course, on a small example. There are {len(views())} browser views "
        f"(assets/views) and {len(figure_kinds())} kinds of plotly figure (core/figures)."
    )
    for each in views():
        show_view(each)
    for name, function in figure_kinds().items():
        show_kind(name, function)


def show_view(view: str) -> None:
    """Draw a view's examples, what it is for, who uses it, and the link to its schema."""
    said = schema(view)
    st.header(f"{said['title']}: {view}", anchor=False)
    st.markdown(
        f"{said['description']} {said_users(users(uses().mounting.get(view, ())))} [What it is sent]({NAME}?schema={view})"
    )
    for path in examples(view):
        kind = path.name.removesuffix(EXAMPLE).strip(".")
        if kind:
            st.markdown(f"**{kind}**")
        browser_view(view, example(path), f"{NAME}_{view}_{kind}")


def show_kind(name: str, function: Callable) -> None:
    """Draw the example of a kind of figure, what it is for, and who uses it."""
    st.header(name.removeprefix("core.figures."), anchor=False)
    said = inspect.getdoc(function).split("\n\n")[0].replace("\n", " ")
    st.markdown(f"{said} {said_users(users([name]))}")
    show_figure(FIGURES[name](), f"{NAME}_{name.replace('.', '_')}", f"An example of {name}. {said}")


def show_schema(view: str) -> None:
    """Show what a view is sent: a table a file of its schema, then an example."""
    st.title(f"What the view “{view}” is sent", anchor=False)
    st.markdown(f"{schema(view)['description']} [Back to the gallery]({NAME})")
    others = sorted(set((VIEWS / view).glob("*.json")) - set(examples(view)) - {VIEWS / view / "schema.json"})
    for path in (VIEWS / view / "schema.json", *others, VIEWS / "shared" / "definitions.json"):
        whole = read(path)
        st.header(f"{whole['title']}: {path.relative_to(ROOT)}", anchor=False)
        st.table([*properties(whole), *definitions(whole)])
    st.header("An example", anchor=False)
    st.code(examples(view)[0].read_text(encoding="utf-8"), language="json", wrap_lines=True)


def definitions(whole: dict) -> Iterator[dict]:
    """Yield a row for each definition of a schema, and for each property of it."""
    for name, part in whole.get("$defs", {}).items():
        yield row(f"#{name}", part, True)
        yield from properties(part, f"#{name}.")


def properties(part: dict, before: str = "") -> Iterator[dict]:
    """Yield a row for each property of a schema, those of its parts included.

    >>> [each["property"] for each in properties({"properties": {"a": {"items": {"properties": {"b": {}}}}}})]
    ['a', 'a[].b']
    """
    for name, each in part.get("properties", {}).items():
        yield row(f"{before}{name}", each, name in part.get("required", ()))
        yield from properties(each, f"{before}{name}.")
        while "items" in each and isinstance(each["items"], dict):
            name, each = f"{name}[]", each["items"]
            if "description" in each:
                yield row(f"{before}{name}", each, True)
            yield from properties(each, f"{before}{name}.")


def row(name: str, part: dict, required: bool) -> dict:
    """Return what is said of one property."""
    return {
        "property": name,
        "type": type_of(part),
        "required": "yes" if required else "no",
        "meaning": part.get("description", ""),
    }


def type_of(part: dict) -> str:
    """Return what a value may be, in words.

    >>> type_of({"type": ["integer", "null"], "minimum": 0}), type_of({"enum": ["a", None]})
    ('integer or null, from 0', '"a", null')
    >>> type_of({"type": "array", "items": {"type": "array", "items": {"type": "number"}}})
    'list of lists of number'
    """
    if "$ref" in part:
        return f"#{part['$ref'].rpartition('/')[2]}"
    if "enum" in part or "const" in part:
        return ", ".join(map(json.dumps, part.get("enum", [part.get("const")])))
    if "oneOf" in part:
        return " or ".join(map(type_of, (each for each in part["oneOf"] if "required" not in each)))
    if "prefixItems" in part:
        return f"list: {', '.join(map(type_of, part['prefixItems']))}"
    kinds = part.get("type", "any")
    said = " or ".join([kinds] if isinstance(kinds, str) else kinds)
    if isinstance(part.get("items"), dict):
        said = said.replace("array", f"list of {type_of(part['items']).replace('list of', 'lists of', 1)}")
    least, most = part.get("minimum"), part.get("maximum")
    return (
        said + (f", from {least}" if least is not None else "") + (f" to {most}" if most is not None else "")
    )
