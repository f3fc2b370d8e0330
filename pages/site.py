"""`python -m pages.site site`: write the course as a static site. `make site` calls it."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from html import escape
from multiprocessing import get_context
from pathlib import Path

import torch

from core.lesson.beats import BEAT, Playlist
from core.lesson.classic_code import SiteFile, call, site_script, view_script
from core.lesson.story import render_html
from core.lesson.story_page import describe_playlist
from core.lesson.tour import lectures
from core.models.stored import load_card, stored_models
from core.site.documents import documents_of
from core.site.pages import (
    NAV,
    WORDS,
    Page,
    folder_of,
    font_sheet,
    heading,
    list_of,
    logo,
    render_page,
    style_sheet,
)
from core.site.stories import STORY, story_files, story_page
from core.words.language import LANGUAGES, speaking
from pages import LESSONS, SUBJECTS, home

HOME = "home"


def write_site(
    folder: Path,
    server: str = "",
    address: str = "",
    processes: int = 2,
    languages: Sequence[str] = tuple(LANGUAGES),
) -> None:
    """Write all files of the site below a folder, in place of what stood there; each language has a folder in it.

    `server` is the address of a course that runs, to which "Open the lab" leads; `address` is where the site will stand,
    which its sitemap needs.
    """
    if folder.exists():
        shutil.rmtree(folder)
    for spoken in languages:
        with speaking(spoken):
            for file in common_files(server):
                write_file(folder / folder_of(spoken), file)
    if address:
        write_file(folder, sitemap(address, languages))
    jobs = [(lesson.name, folder, server, spoken) for spoken in languages for lesson in LESSONS]
    with ProcessPoolExecutor(processes, get_context("spawn"), one_thread) as pool:
        for _ in pool.map(write_story, *zip(*jobs, strict=True)):
            pass


def one_thread() -> None:
    """Let a process use one core: there is one process a core."""
    torch.set_num_threads(1)


def write_story(name: str, folder: Path, server: str, spoken: str) -> None:
    """Write the files of a story and its page in one language."""
    lesson = next(each for each in LESSONS if each.name == name)
    below = folder / folder_of(spoken)
    with speaking(spoken):
        documents = list(documents_of(lesson.name, lesson.module))
        for file in story_files(lesson, documents):
            write_file(below, file)
        write_file(below, render_page(story_page(lesson, documents), server))


def write_file(folder: Path, file: SiteFile) -> None:
    """Write a file; one whose name holds its hash may be there already."""
    path = folder / file.path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(file.content)


def common_files(server: str) -> Iterator[SiteFile]:
    """Yield what the stories share: code, fonts, home, lectures and sources."""
    yield from (site_script(), style_sheet(), logo(), *font_sheet())
    yield from (view_script(STORY), view_script(HOME))
    yield SiteFile(f"pages/{HOME}.js", call("page", HOME, home.cards()))
    for playlist in lectures().values():
        yield SiteFile(
            f"lectures/{playlist.name}.js", call("lecture", playlist.name, describe_playlist(playlist, 0))
        )
    for page in (home_page(), lectures_page(), sources_page(), start_page()):
        yield render_page(page, server)


def about() -> str:
    """Return the sentence that says what the course is."""
    return WORDS.label("about", lessons=len(LESSONS))


def home_page() -> Page:
    """Return the page with all lessons, paths and the search."""
    links = [f'<a href="{each.name}.html">{escape(each.title)}</a>' for each in LESSONS]
    return Page(
        "index",
        WORDS.title,
        about(),
        body=f"{heading(1, home.WORDS.title)}\n{render_html(WORDS.question)}",
        view=HOME,
        code=view_script(HOME).path,
        of=HOME,
        scripts=(view_script(HOME).path, f"pages/{HOME}.js"),
        noscript=list_of(links),
    )


def lectures_page() -> Page:
    """Return the page that lists the ready-made lectures."""
    rows = [lecture_row(each) for each in lectures().values()]
    body = f"{heading(1, WORDS.titles['lectures'])}\n{render_html(WORDS.markdown('lectures'))}\n"
    listed = list_of(rows).replace("<ul>", '<ul class="lectures">', 1)
    return Page("lectures", f"{WORDS.titles['lectures']} · Attend", about(), body=body + listed)


def lecture_row(playlist: Playlist) -> str:
    """Return a lecture as HTML: the link to its first beat, and its length."""
    first = playlist.beats[0]
    link = f'<a href="{first.lesson}.html?{BEAT}={playlist.name}.1">{escape(playlist.title)}</a>'
    return f"{link}: {WORDS.label('beats', count=len(playlist.beats))}"


def sources_page() -> Page:
    """Return the page of sources and licences: those of each lesson, and of each model with what its card says."""
    parts = [heading(1, WORDS.titles["sources"]), render_html(WORDS.markdown("sources"))]
    parts += [f"<p>{escape(WORDS.label('sources.licence'))}</p>", heading(2, WORDS.label("sources.lessons"))]
    for subject in SUBJECTS:
        for lesson in (module.LESSON for module in subject.LESSONS):
            listed = [render_html(each) for each in lesson.words.entries("sources")]
            parts += [heading(3, lesson.title), list_of(listed)]
    parts.append(heading(2, WORDS.label("sources.models")))
    for name in stored_models():
        card = load_card(name)
        listed = [escape(each) for each in card.credits]
        if card.published:
            listed.append(escape(WORDS.label("sources.published", text=card.published)))
        parts += [heading(3, name), f"<p>{escape(card.description)}</p>", list_of(listed)]
    return Page("sources", f"{WORDS.titles['sources']} · Attend", about(), body="\n".join(parts))


def start_page() -> Page:
    """Return the page that says how to start the course itself."""
    body = f"{heading(1, WORDS.titles['start'])}\n{render_html(WORDS.markdown('start'))}"
    return Page("start", f"{WORDS.titles['start']} · Attend", about(), body=body)


def sitemap(address: str, languages: Sequence[str]) -> SiteFile:
    """Return the list of all pages for search engines."""
    names = [
        f"{folder_of(spoken)}{name}"
        for spoken in languages
        for name in (*NAV, *(each.name for each in LESSONS))
    ]
    urls = "".join(f"<url><loc>{escape(address.rstrip('/'))}/{name}.html</loc></url>\n" for name in names)
    text = f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{urls}</urlset>\n'
    return SiteFile("sitemap.xml", text.encode())


def main() -> None:
    """Read the command line and write the site."""
    parser = argparse.ArgumentParser(prog="python -m pages.site", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--server", default="", help="the address of a course that runs, ending in /")
    parser.add_argument("--address", default="", help="where the site will stand; its sitemap needs it")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--languages", nargs="+", choices=list(LANGUAGES), default=list(LANGUAGES))
    asked = parser.parse_args()
    write_site(asked.folder, asked.server, asked.address, asked.processes, asked.languages)
    files = [path for path in asked.folder.rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files) / 1e6
    sys.stdout.write(f"{asked.folder}: {len(files):,} files, {size:.1f} MB.\n")


if __name__ == "__main__":
    main()
