"""Icons: SVG files of assets/icons, which are Lucide's own. They take the colour of the text around them.

`python -m core.lesson.icons dices eye-off` copies these icons from the npm package lucide-static (`npm ci` installs it), and
refreshes those that are there. Views draw icons with assets/views/shared/icons.js; the shapes that they name are written
beside it.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from urllib.parse import quote

ROOT = Path(__file__).resolve().parents[2]
ICONS = ROOT / "assets" / "icons"
LIBRARY = ROOT / "node_modules" / "lucide-static"
VIEWS = ROOT / "assets" / "views"
SHAPES = VIEWS / "shared" / "icon_shapes.js"
SHAPE = re.compile(r"<(?!/?svg\b|!--)[^>]+>")
DRAWN = re.compile(r'\bdrawIcon\("([a-z0-9-]+)"')  # how a view names an icon
SHAPES_TEXT = """/* The shapes of the icons that views draw, from assets/icons. `make icons` writes this file. */

/** @type {{{{ [name: string]: string }}}} */
export const SHAPES = {};
"""


@cache
def shapes_of(name: str) -> str:
    """Return the shapes inside an icon's SVG, "" where there is no such icon."""
    file = ICONS / f"{name}.svg"
    if not file.is_file():
        return ""
    return "".join(re.sub(r"\s+", " ", shape) for shape in SHAPE.findall(file.read_text(encoding="utf-8")))


@cache
def icon_svg(name: str) -> str:
    """Return an icon as SVG for a page, in the colour of its text; "" where there is no such icon."""
    return write_svg(shapes_of(name), "currentColor")


@cache
def icon_mask(name: str) -> str:
    """Return an icon as a CSS image, to be used as a mask; "none" where there is no such icon."""
    svg = write_svg(shapes_of(name), "#000")
    text = quote(svg.replace('"', "'"), safe=" =:/,'")
    return f'url("data:image/svg+xml,{text}")' if svg else "none"


def write_svg(shapes: str, colour: str) -> str:
    """Return shapes as an SVG whose lines have a colour."""
    if not shapes:
        return ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="{colour}" '
        f'stroke-width="2" stroke-linecap="round" stroke-linejoin="round">{shapes}</svg>'
    )


def mask_rules(icons: Mapping[str, Iterable[str]]) -> str:
    """Return CSS that gives each icon to the elements of its selectors, as the variable --icon."""
    return "\n".join(
        f"{', '.join(selectors)} {{ --icon: {icon_mask(name)}; }}" for name, selectors in icons.items()
    )


def names_in_views() -> list[str]:
    """Return the names of the icons that views draw."""
    texts = (file.read_text(encoding="utf-8") for file in VIEWS.rglob("*.js"))
    return sorted({name for text in texts for name in DRAWN.findall(text)})


def write_shapes(names: Iterable[str]) -> str:
    """Return the text of icon_shapes.js."""
    lines = "".join(f"  {json.dumps(name)}: {json.dumps(shapes_of(name))},\n" for name in names)
    return SHAPES_TEXT.format("{\n" + lines + "}")


def copy_icons(names: Iterable[str]) -> None:
    """Copy icons and their licence from the library, and write the shapes that views draw."""
    kept = {file.stem for file in ICONS.glob("*.svg")}
    for name in sorted({*kept, *names, *names_in_views()}):
        file = LIBRARY / "icons" / f"{name}.svg"
        if not file.is_file():
            sys.exit(
                f"lucide-static has no icon “{name}”. See https://lucide.dev/icons, or run `npm ci` first."
            )
        (ICONS / file.name).write_bytes(file.read_bytes())
    (ICONS / "LICENSE").write_bytes((LIBRARY / "LICENSE").read_bytes())
    SHAPES.write_text(write_shapes(names_in_views()), encoding="utf-8")


if __name__ == "__main__":
    copy_icons(sys.argv[1:])
