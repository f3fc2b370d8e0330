"""A story as files of the site: its data, the documents of its beats, and its page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from core.descriptions.document import describe_document
from core.lesson.classic_code import SiteFile, call, plotly_bundle, plotly_script, view_script
from core.lesson.lab import Lab
from core.lesson.one_file import FIGURE, STORY
from core.lesson.story import story_of
from core.lesson.story_page import describe_story
from core.site.documents import SiteDocument
from core.site.pages import WORDS, Page, heading, link_to
from core.words.language import LANGUAGES, language


def story_files(lesson: Lab, documents: Sequence[SiteDocument]) -> Iterator[SiteFile]:
    """Yield the files of a story but its page: data, documents with descriptions, and the code that draws them."""
    languages = {code: link_to(lesson.name, code) for code in LANGUAGES if code != language()}
    data = {**describe_story(lesson), "languages": languages}
    yield SiteFile(f"stories/{lesson.name}.js", call("story", lesson.name, data))
    bundle = plotly_bundle(
        each.document["picture"]["data"]["figure"] for each in documents if is_figure(each.document)
    )
    count = len(story_of(lesson.module))
    drawn = {}  # each piece of code once, whatever number of beats it draws
    for each in documents:
        code = code_files(each.document, bundle)
        drawn |= {file.path: file for file in code}
        data = call("beats", f"{lesson.name}/{each.name}", with_code(each.document, code))
        yield SiteFile(f"beats/{lesson.name}/{each.name}.js", data)
        told = call("descriptions", f"{lesson.name}/{each.name}", describe_document(each.document, count))
        yield SiteFile(f"descriptions/{lesson.name}/{each.name}.js", told)
    yield from drawn.values()


def is_figure(document: Mapping) -> bool:
    """Return whether plotly draws a document's picture."""
    return "picture" in document and document["picture"]["view"] == FIGURE


def code_files(document: Mapping, bundle: str) -> list[SiteFile]:
    """Return the code that draws a document's picture: its view's, and plotly's where it needs that."""
    if "picture" not in document:
        return []
    plotly = [plotly_script(bundle)] if is_figure(document) else []
    return [view_script(document["picture"]["view"]), *plotly]


def with_code(document: Mapping, code: Sequence[SiteFile]) -> dict:
    """Return a document with the paths of the code that draws its picture."""
    if not code:
        return dict(document)
    picture = {**document["picture"], "code": code[0].path}
    if is_figure(document):
        picture["data"] = {**picture["data"], "plotly": code[1].path}
    return {**document, "picture": picture}


def story_page(lesson: Lab, documents: Sequence[SiteDocument]) -> Page:
    """Return a story's page. It loads the first beat at once; without JavaScript it holds the story's words."""
    told = [each for each in documents if each.is_told]
    first = told[0].document
    said = [heading(1, lesson.title), f"<p>{WORDS.label('no_script')}</p>"]
    for each in told:
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
