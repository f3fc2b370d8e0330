"""Code for a page without a server: each view, the player and the site's own script as a classic script of one call.

A browser refuses modules and fetched files to a page that it opened from the file system, but not such scripts.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import orjson
import plotly
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from core.lesson.browser_view import EXPORT, VIEWS, bundled, styles
from core.words.language import cache_by_language

ASSETS = VIEWS.parent
SITE = ASSETS / "site"
ROOT = ASSETS.parent
DRAW = re.compile(r"^export default function (\w+)", re.MULTILINE)
BASIC, CARTESIAN = "basic", "cartesian"  # plotly's bundles: bars, lines and pies; and all of its flat figures
OF_BASIC = {"bar", "scatter", "pie"}


@dataclass(frozen=True)
class SiteFile:
    """A file of the site: its path below it, and what it holds."""

    path: str
    content: bytes


@cache
def page_template(name: str):
    """Return a template of assets/site: a name that Python does not pass is an error, and what it passes is escaped."""
    made = Environment(
        loader=FileSystemLoader(SITE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return made.get_template(name)


def hashed(folder: str, name: str, ending: str, content: bytes) -> SiteFile:
    """Return a file whose name holds a hash of its content, so that a browser may keep it for good."""
    return SiteFile(f"{folder}/{name}.{hashlib.sha256(content).hexdigest()[:10]}.{ending}", content)


@cache_by_language
def view_script(name: str) -> SiteFile:
    """Return a view's code. Raises FileNotFoundError where there is no such view."""
    text = bundled(VIEWS / name / "view.js")
    draw = DRAW.search(text)
    if draw is None:
        raise ValueError(f"The view “{name}” has no “export default function”.")
    text = EXPORT.sub("", DRAW.sub(r"function \1", text))
    made = f"{{ default: {draw[1]}, styles: {json.dumps(styles(VIEWS / name))} }}"
    wrapped = f'attendSource.take("code/{name}", (() => {{\n{text}\nreturn {made};\n}})());\n'
    return hashed("code", name, "js", wrapped.encode())


@cache_by_language
def site_script() -> SiteFile:
    """Return the site's own script, which has to come first."""
    return hashed("code", "site", "js", f"(() => {{\n{bundled(SITE / 'site.js')}\n}})();\n".encode())


def plotly_bundle(figures: Iterable[Mapping]) -> str:
    """Return which of plotly's bundles draws all figures of a page, which loads only one.

    >>> plotly_bundle([{"data": [{"type": "bar"}]}, {"data": [{"type": "heatmap"}]}]), plotly_bundle([{"data": [{}]}])
    ('cartesian', 'basic')
    """
    kinds = {trace.get("type", "scatter") for figure in figures for trace in figure["data"]}
    return BASIC if kinds <= OF_BASIC else CARTESIAN


@cache
def plotly_script(bundle: str) -> SiteFile:
    """Return one of plotly's bundles, as npm brings it. Raises FileNotFoundError, and ValueError for another version."""
    file = ROOT / "node_modules" / f"plotly.js-{bundle}-dist-min" / f"plotly-{bundle}.min.js"
    content = file.read_bytes()
    ours = (Path(plotly.__file__).parent / "package_data" / "plotly.min.js").read_text(encoding="utf-8")
    version = re.search(r"v(\d+\.\d+\.\d+)", ours[:200])
    if version is None or version[0].encode() not in content[:200]:
        raise ValueError(
            f"{file.name} is not of the version of the plotly package ({version and version[0]})."
        )
    return hashed("code", f"plotly-{bundle}", "js", content)


def call(kind: str, name: str, data: object) -> bytes:
    """Return data as a script that hands it over."""
    return f'attendSource.take("{kind}/{name}", {write_json(data)});\n'.encode()


def write_json(data: object) -> str:
    """Return data as JSON that may stand in a script."""
    written = orjson.dumps(data, option=orjson.OPT_SERIALIZE_NUMPY).decode()
    return written.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def theme_rules() -> str:
    """Return the colours of the course's two themes, by the names that Streamlit gives them."""
    theme = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))["theme"]
    names = {
        "primaryColor": "primary-color",
        "backgroundColor": "background-color",
        "secondaryBackgroundColor": "secondary-background-color",
        "textColor": "text-color",
        "linkColor": "link-color",
    }

    def rules(kind: str) -> str:
        return " ".join(f"--st-{name}: {theme[kind][key]};" for key, name in names.items())

    light, dark = f":root {{ {rules('light')} }}", f":root {{ {rules('dark')} }}"
    return f"{light}\n@media (prefers-color-scheme: dark) {{ {dark} }}"


@cache
def style_sheet() -> SiteFile:
    """Return the rules of all pages."""
    text = "\n".join((theme_rules(), (SITE / "site.css").read_text(encoding="utf-8")))
    return hashed("code", "site", "css", text.encode())
