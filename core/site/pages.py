"""The HTML pages of the site: what each loads, what it says without JavaScript, and its policy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.util import find_spec
from pathlib import Path

from markupsafe import Markup

from core.lesson.browser_view import FONT, SIGNS, SIGNS_HELD
from core.lesson.classic_code import ASSETS, SiteFile, hashed, page_template, site_script, style_sheet
from core.lesson.one_file import START
from core.words.language import ENGLISH, LANGUAGES, language
from core.words.texts import FILE, read_words

WORDS = read_words(Path(__file__).with_name(FILE))
NAV = {"index": "nav.home", "lectures": "nav.lectures", "sources": "nav.sources", "start": "nav.start"}
# Scripts are files of the site. Rules for a view's picture stand in its shadow root, and colours at its parts.
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
    )
)
STREAMLIT_FONTS = Path(find_spec("streamlit").origin).parent / "static" / "static" / "media"


@dataclass(frozen=True)
class Page:
    """A page of the site: its name, its title, what it mounts or holds, and the scripts that it needs at first."""

    name: str
    title: str
    about: str
    body: str = ""
    view: str = ""
    code: str = ""
    of: str = ""
    scripts: Sequence[str] = ()
    noscript: str = ""


def render_page(page: Page, server: str = "") -> SiteFile:
    """Return a page as a file. `server` is the address of a course that runs, or ""."""
    text = page_template("page.html").render(
        title=page.title,
        lang=language(),
        about=page.about,
        policy=POLICY,
        icon=logo().path,
        style=style_sheet().path,
        fonts=font_sheet()[0].path,
        server=server,
        start=START,
        scripts=[site_script().path, *page.scripts],
        story=page.view == "story",
        view=page.view,
        code=page.code,
        of=page.of,
        body=Markup(page.body),
        noscript=Markup(page.noscript),
        nav=[(f"{name}.html", WORDS.label(key)) for name, key in NAV.items()],
        nav_label=WORDS.label("nav.label"),
        here=f"{page.name}.html",
        languages=[(code, *link_to(page.name, code)) for code in LANGUAGES if code != language()],
    )
    return SiteFile(f"{page.name}.html", text.encode())


def folder_of(spoken: str) -> str:
    """Return the folder of a language's pages, from the site's: English stands at the top.

    >>> folder_of("en"), folder_of("es")
    ('', 'es/')
    """
    return "" if spoken == ENGLISH else f"{spoken}/"


def link_to(name: str, spoken: str) -> tuple[str, str]:
    """Return a language by its own name, and the way from a page of the language that is read now to the same page in it.

    >>> link_to("zipf", "es")
    ('Español', 'es/zipf.html')
    """
    up = "../" if folder_of(language()) else ""
    return LANGUAGES[spoken], f"{up}{folder_of(spoken)}{name}.html"


@cache
def logo() -> SiteFile:
    """Return the course's picture."""
    return hashed("code", "logo", "svg", (ASSETS / "logo.svg").read_bytes())


@cache
def font_sheet() -> tuple[SiteFile, ...]:
    """Return the rules of the course's fonts, and the fonts: those that Streamlit brings along, and our signs."""
    held = ", ".join(f"U+{ord(sign):04X}" for sign in SIGNS_HELD)
    fonts, rules = [], []

    def add(family: str, name: str, content: bytes, rest: str) -> None:
        font = hashed("code", name, "woff2", content)
        if font not in fonts:
            fonts.append(font)
        file = font.path.rpartition("/")[2]
        rules.append(
            f'@font-face {{ font-family: "{family}"; src: url("{file}") format("woff2"); font-display: swap; {rest} }}'
        )

    for family, name in (("Source Sans", "SourceSansVF"), ("Source Code Pro", "SourceCodeVF")):
        (file,) = STREAMLIT_FONTS.glob(f"{name}-Upright.*.woff2")
        add(family, name, file.read_bytes(), "font-weight: 200 900;")
        add(family, SIGNS.stem, SIGNS.read_bytes(), f"font-weight: 200 900; unicode-range: {held};")
    add("Attend Math", FONT.stem, FONT.read_bytes(), "")
    return (hashed("code", "fonts", "css", "\n".join(rules).encode()), *fonts)


def list_of(items: Sequence[str]) -> str:
    """Return HTML items as a list."""
    return f"<ul>{''.join(f'<li>{each}</li>' for each in items)}</ul>"


def heading(level: int, text: str) -> str:
    """Return a heading of a text, which is shown as it stands."""
    return f"<h{level}>{escape(text)}</h{level}>"
