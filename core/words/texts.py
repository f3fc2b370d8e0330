"""The words of a lesson: one Markdown file, words.md, with Jinja2 for what is computed; words.es.md is its translation.

    # The title

    The question that the lesson answers?

    names: other names, to be found by

    ## The title of a beat {#beat_name}

    A few sentences, with values: the best path ends in {{ state }}.

    > A note that only the lecturer sees.

    ### What do you think? {#beat_name.question}

    ## Labels

    - repeat: Repeat the sentence
    - repeat.help: More days make the probability smaller.

A heading with {#key} begins the text of that key. Under a heading without one, each line "- key: text" is a text. Every
text is a template: a name that Python does not pass is an error, and a value that is a string is shown as it stands,
whatever Markdown it holds.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from jinja2 import Environment, StrictUndefined

from core.words.language import ENGLISH, LANGUAGES, language
from core.words.numbers import format_count, format_number, join_words, percent, plain_number, signed
from core.words.plain import plain

FILE = "words.md"
HEADING = re.compile(r"(#{1,3}) (.*?)(?:\s*\{#([\w.]+)\})?\s*")
ENTRY = re.compile(r"- ([\w.]+):\s*(.*)")
NAMES = "names:"


class Markdown(str):
    """A text that is Markdown already and is not escaped when a template shows it."""


@dataclass(frozen=True)
class Texts:
    """What one file holds: texts by key; `titles` are the headings of those that have one."""

    title: str
    question: str
    names: tuple[str, ...]
    texts: Mapping[str, str] = field(repr=False)
    titles: Mapping[str, str] = field(repr=False)

    def completed(self, english: Texts) -> Texts:
        """Return a translation in which English stands where it has nothing yet; both have the names to be found by."""
        return Texts(
            self.title or english.title,
            self.question or english.question,
            (*self.names, *english.names),
            {**english.texts, **self.texts},
            {**english.titles, **self.titles},
        )


@dataclass(frozen=True)
class Words:
    """The words of a lesson in all languages. Each method answers in the one that is read now."""

    english: Texts
    translated: Mapping[str, Texts] = field(default_factory=dict)  # by language, completed

    @property
    def here(self) -> Texts:
        """The texts of the language that is read now."""
        return self.translated.get(language(), self.english)

    @property
    def others(self) -> dict[str, str]:
        """The other languages in which the words can be read, {code: its own name}."""
        return {
            code: name
            for code, name in LANGUAGES.items()
            if code != language() and (code == ENGLISH or code in self.translated)
        }

    @property
    def title(self) -> str:
        """The lesson's title."""
        return self.here.title

    @property
    def question(self) -> str:
        """The question that the lesson answers."""
        return self.here.question

    @property
    def names(self) -> tuple[str, ...]:
        """Other names to find the lesson by."""
        return self.here.names

    @property
    def texts(self) -> Mapping[str, str]:
        """The texts by key."""
        return self.here.texts

    @property
    def titles(self) -> Mapping[str, str]:
        """The headings by key."""
        return self.here.titles

    def has(self, key: str) -> bool:
        """Return whether there is a text of this key."""
        return key in self.texts

    def markdown(self, key: str, /, **values: object) -> Markdown:
        """Return a text as Markdown, its values filled in. Raises KeyError where there is no such text."""
        return Markdown(fill_in(self.texts[key], values, True))

    def label(self, key: str, /, **values: object) -> str:
        """Return a text that is shown as it stands, without Markdown: a label, an option, an alternative text."""
        return fill_in(self.texts[key], values)

    def heading(self, key: str, /, **values: object) -> str:
        """Return the heading of a text."""
        return fill_in(self.titles[key], values)

    def spoken(self, key: str, /, **values: object) -> tuple[Markdown, Markdown]:
        """Return what a text says and, apart, its lines that begin with >: the lecturer's notes."""
        said, noted = split_notes(self.markdown(key, **values))
        return Markdown(said), Markdown(noted)

    def entries(self, key: str) -> list[str]:
        """Return the items of a text that is a list: its lines that begin with "- "."""
        lines = self.texts[key].splitlines()
        return [line.removeprefix("- ") for line in lines if line.startswith("- ")]

    def source(self, key: str) -> tuple[str, str]:
        """Return the same as it is written, its values not filled in."""
        return split_notes(self.texts[key])


def split_notes(text: str) -> tuple[str, str]:
    """Return a text's lines, and apart those that begin with >, without it.

    >>> split_notes("Look here.\\n\\n> Ask the room.")
    ('Look here.', 'Ask the room.')
    """
    lines = text.splitlines()
    said = "\n".join(line for line in lines if not line.startswith(">"))
    noted = "\n".join(line[1:].strip() for line in lines if line.startswith(">"))
    return said.strip(), noted.strip()


@cache
def read_words(file: Path) -> Words:
    """Return the words of a file and of its translations. Raises FileNotFoundError, ValueError where a key stands twice."""
    english = parse_texts(file.read_text(encoding="utf-8"))
    translated = {
        other: parse_texts(path.read_text(encoding="utf-8")).completed(english)
        for other in LANGUAGES
        if (path := translation_of(file, other)).is_file()
    }
    return Words(english, translated)


def translation_of(file: Path, other: str) -> Path:
    """Return where the translation of a file stands.

    >>> translation_of(Path("pages/words.md"), "es").name
    'words.es.md'
    """
    return file.with_suffix(f".{other}{file.suffix}")


def parse_texts(text: str) -> Texts:
    r"""Return what the Markdown of a words.md holds.

    >>> texts = parse_texts("# Sums\n\nWhat is 1 + 1?\n\n## Count {#count}\n\nIt is {{ n }}.\n\n## Labels\n\n- n: Number")
    >>> words = Words(texts)
    >>> words.title, words.question, words.heading("count"), words.markdown("count", n=2), words.label("n")
    ('Sums', 'What is 1 + 1?', 'Count', 'It is 2.', 'Number')
    """
    title, names = "", ()
    bodies: dict[str, list[str]] = {"": []}
    titles: dict[str, str] = {}
    key: str | None = ""  # of the text that goes on; None under a heading without a key

    def begin(name: str) -> str:
        if name in bodies:
            raise ValueError(f"words.md has two texts of the key “{name}”.")
        bodies[name] = []
        return name

    for line in text.splitlines():
        heading = HEADING.fullmatch(line)
        if heading and heading[1] == "#":
            title = heading[2]
        elif heading:
            key = begin(heading[3]) if heading[3] else None
            if key:
                titles[key] = heading[2]
        elif key == "" and line.startswith(NAMES):
            names = tuple(name.strip() for name in line.removeprefix(NAMES).split(",") if name.strip())
        elif key == "" or key in titles:
            bodies[key].append(line)
        elif entry := ENTRY.fullmatch(line):
            key = begin(entry[1])
            bodies[key].append(entry[2])
        elif key is not None and line.startswith("  "):
            bodies[key].append(line.strip())
    texts = {name: "\n".join(lines).strip() for name, lines in bodies.items()}
    return Texts(title, texts.pop(""), names, texts, titles)


FILTERS = {
    "number": format_number,
    "count": format_count,
    "share": lambda value, digits=0: percent(value, digits),
    "significant": plain_number,
    "signed": signed,
    "words": join_words,
}


def escape(value: object) -> object:
    """Return a value as a template shows it: what is Markdown by itself, any other string as it stands."""
    return plain(value) if isinstance(value, str) and not isinstance(value, Markdown) else value


@cache
def environment(escaped: bool) -> Environment:
    """Return Jinja2 as all words are rendered: a missing name is an error; `escaped` for Markdown."""
    made = Environment(
        undefined=StrictUndefined,
        autoescape=False,
        finalize=escape if escaped else None,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(FILTERS)
    return made


def fill_in(text: str, values: Mapping[str, object], escaped: bool = False) -> str:
    """Return a text with its values filled in. One without a place for a value, as most are, needs no template.

    >>> fill_in("{{ n }} words", {"n": 3}), fill_in("words", {})
    ('3 words', 'words')
    """
    return template(text, escaped).render(values) if "{" in text else text


@cache
def template(text: str, escaped: bool):
    """Return the compiled template of a text."""
    return environment(escaped).from_string(text)
