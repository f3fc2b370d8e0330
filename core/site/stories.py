"""A story as files of the site: its data, the documents of its beats, and its page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

from core.lesson.story import story_of, words_of
from core.lesson.story_page import labels
from core.site.code import SiteFile, call, plotly_bundle, plotly_script, view_script
from core.site.documents import documents_of
from core.site.pages import WORDS, Page, heading

STORY, FIGURE = "story", "figure"  # views: the player, and a picture that plotly draws


class SiteLesson(Protocol):
    """What the site needs of a lesson."""

    name: str
    title: str
    question: str
    svg: str
    module: str


def story_files(lesson: SiteLesson) -> Iterator[SiteFile]:
    """Yield the files of a story but its page: data, documents, and the code that draws them."""
    yield SiteFile(f"stories/{lesson.name}.js", call("story", lesson.name, describe_story(lesson)))
    for each in documents_of(lesson.name, lesson.module):
        yield from code_files(each.document)
        data = call("beats", f"{lesson.name}/{each.name}", with_code(each.document))
        yield SiteFile(f"beats/{lesson.name}/{each.name}.js", data)


def describe_story(lesson: SiteLesson) -> dict:
    """Return a story's data for the player, without the place where it stands."""
    beats, words = story_of(lesson.module), words_of(lesson.module)
    return {
        "lesson": lesson.name,
        "title": lesson.title,
        "question": lesson.question,
        "icon": lesson.svg,
        "labels": labels(),
        "beats": [{"title": words.titles[beat.name], "kind": beat.kind} for beat in beats],
    }


def code_files(document: Mapping) -> list[SiteFile]:
    """Return the code that draws a document's picture."""
    if "picture" not in document:
        return []
    view, data = document["picture"]["view"], document["picture"]["data"]
    plotly = [plotly_script(plotly_bundle(data["figure"]))] if view == FIGURE else []
    return [view_script(view), *plotly]


def with_code(document: Mapping) -> dict:
    """Return a document with the paths of the code that draws its picture."""
    if "picture" not in document:
        return dict(document)
    drawn, *plotly = code_files(document)
    picture = {**document["picture"], "code": drawn.path}
    if plotly:
        picture["data"] = {**picture["data"], "plotly": plotly[0].path}
    return {**document, "picture": picture}


def story_page(lesson: SiteLesson) -> Page:
    """Return a story's page. It loads the first beat at once; without JavaScript it holds the story's words."""
    documents = [each for each in documents_of(lesson.name, lesson.module) if "_" not in each.name]
    first = documents[0].document
    said = [heading(1, lesson.title), f"<p>{WORDS.label('no_script')}</p>"]
    for each in documents:
        said.append(heading(2, each.document["heading"]))
        said.append(each.document["words"])
    return Page(
        lesson.name,
        f"{lesson.title} · Attend",
        lesson.question,
        view=STORY,
        code=view_script(STORY).path,
        of=lesson.name,
        scripts=(
            view_script(STORY).path,
            view_script(first["picture"]["view"]).path,
            f"stories/{lesson.name}.js",
            f"beats/{lesson.name}/1.js",
        ),
        noscript="\n".join(said),
    )
