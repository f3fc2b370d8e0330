"""One picture with its data and its words as one HTML file: it opens by a double click, without a network, or in a frame.

Its scripts stand in it, and its policy names each by its hash, so no other script can run there.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Mapping, Sequence
from html import escape

from markupsafe import Markup

from core.lesson.classic_code import SiteFile, call, page_template, site_script, style_sheet, view_script
from core.words.language import language

STORY, FIGURE = "story", "figure"  # views: the player, and a picture that plotly draws
START = "make run"
STILL = "data:,"  # where the browser puts the picture that plotly has drawn: its code would be too much for one file


def story_file(story: Mapping, documents: Mapping[str, dict], shown: str = "1") -> bytes:
    """Return a beat as an HTML file: the player with this beat alone.

    `story` is the story's data for the player; `documents` are the beat's, {"1": …}, and "1.answer" where it asks; a picture
    that cannot go on from the question to its answer is the one that is `shown`.
    """
    first = documents["1"]
    if first["picture"]["view"] == FIGURE:
        return figure_file(story["title"], documents[shown])
    view = view_script(first["picture"]["view"])
    told = {name: with_code(each, view) for name, each in documents.items()}
    scripts = [
        site_script().content,
        view_script(STORY).content,
        view.content,
        call("story", story["lesson"], story),
        *(call("beats", f"{story['lesson']}/{name}", each) for name, each in told.items()),
    ]
    title = f"{first['heading']} · {story['title']} · Attend"
    return write_page(title, scripts, STORY, story["lesson"])


def with_code(document: dict, view: SiteFile) -> dict:
    """Return a document as the only beat of its file."""
    picture = {**document["picture"], "code": view.path}
    return {**document, "number": 1, "picture": picture, "controls": [], "enumerated": []}


def figure_file(title: str, document: Mapping) -> bytes:
    """Return a beat whose picture plotly draws: its words, and room for the picture as the browser has drawn it."""
    picture = document["picture"]
    parts = [
        f"<h1>{escape(document['heading'])}</h1>",
        document["words"],
        f'<figure><img src="{STILL}" alt="{escape(picture["alt"])}">',
        f"<figcaption>{escape(picture['caption'])}</figcaption></figure>",
    ]
    if asked := document.get("ask"):
        choices = "".join(f"<li>{escape(each['label'])}</li>" for each in asked["choices"])
        parts.insert(2, f"<p><strong>{escape(asked['question'])}</strong></p><ul>{choices}</ul>")
    return write_page(f"{document['heading']} · {title} · Attend", [], body="\n".join(parts))


def view_file(title: str, view: str, data: Mapping) -> bytes:
    """Return a lab's view with its data as an HTML file."""
    scripts = [site_script().content, view_script(view).content, call("page", view, data)]
    return write_page(f"{title} · Attend", scripts, view, view, body=f"<h1>{escape(title)}</h1>")


def write_page(title: str, scripts: Sequence[bytes], view: str = "", of: str = "", body: str = "") -> bytes:
    """Return the page that holds these scripts and shows a view."""
    texts = [each.decode().strip().replace("</", "<\\/") for each in scripts]
    hashes = " ".join(
        f"'sha256-{b64encode(hashlib.sha256(each.encode()).digest()).decode()}'" for each in texts
    )
    policy = (
        f"default-src 'none'; script-src {hashes or chr(39) + 'none' + chr(39)}; style-src 'unsafe-inline'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )
    page = page_template("one_file.html").render(
        title=title,
        lang=language(),
        policy=Markup(escape(policy, quote=False)),
        style=Markup(style_sheet().content.decode()),
        start=START,
        view=view,
        code=view_script(view).path if view else "",
        of=of,
        body=Markup(body),
        scripts=[Markup(each) for each in texts],
    )
    return page.encode()
