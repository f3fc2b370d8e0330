"""Beats: what a tour of a lesson and a lecture over many lessons are made of, written as one Markdown file.

    # The title of the tour or lecture

    ## The title of a beat

    [any words](viterbi?viterbi_sentence=the+dog+barks&viterbi_view_step=2#view)

    A few sentences, which may hold live values: the best path ends in {{state}}.

    > A note that only the lecturer sees.

A beat's link is what "Take it away" gives, without the host: the lesson, its settings, the view's step; after # stands
the name of the part of the page to look at. A beat without a link stays where the one before it was. A lecture takes a
beat from a lesson's tour by a link like viterbi?beat=viterbi.3; its words are the tour's unless it has its own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import parse_qsl, urlencode, urlsplit

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]*)\)\s*")
MINUTES = re.compile(r"(\d+) minutes")
VALUE = re.compile(r"\{\{\s*(\w+)\s*\}\}")
BEAT = "beat"  # in an address: <programme>.<number>


@dataclass(frozen=True)
class Beat:
    """One step of a story: where it happens, with which settings, what to look at, what is said, what is noted.

    `settings` are the address's fields as written, `look` the name of a part of the page, `line` where the file says it.
    """

    title: str
    lesson: str
    settings: tuple[tuple[str, str], ...] = ()
    look: str = ""
    words: str = ""
    notes: str = ""
    line: int = 0

    @property
    def link(self) -> str:
        """The address without its host."""
        return self.lesson + (f"?{urlencode(self.settings)}" if self.settings else "")


@dataclass(frozen=True)
class Programme:
    """A tour or a lecture: its title, its beats in order, and what in its file could not be followed, by line."""

    name: str
    title: str
    beats: tuple[Beat, ...] = ()
    faults: tuple[str, ...] = ()

    @property
    def minutes(self) -> int | None:
        """How long it takes, if its title says so.

        >>> Programme("mine", "Attention, 45 minutes").minutes
        45
        """
        found = MINUTES.search(self.title)
        return int(found[1]) if found else None


def read_programme(
    name: str, text: str, tours: Mapping[str, Programme | None], lesson: str = ""
) -> Programme:
    """Return the programme that a Markdown file describes; what cannot be followed is said by line and left out.

    `tours` are those of all lessons, None for a lesson without one; `lesson` is where a beat stands before any link.

    >>> file = "# Mine\\n## One\\n[see](viterbi?viterbi_view_step=2#view)\\nHello."
    >>> read = read_programme("mine", file, {"viterbi": None})
    >>> read.title, read.beats[0].link, read.beats[0].look, read.beats[0].words
    ('Mine', 'viterbi?viterbi_view_step=2', 'view', 'Hello.')
    >>> read_programme("mine", "## One\\n[see](alchemy)", {"viterbi": None}).faults
    ('Line 2: there is no lesson “alchemy”. The beat “One” is left out.',)
    """
    title, beats, faults = name, [], []
    place = Beat("", lesson)
    for line, heading, body in sections(text):
        if heading.startswith("# "):
            title = heading[2:].strip()
            continue
        written = [(number, each) for number, each in enumerate(body, line + 1)]
        links = [(number, found[1]) for number, each in written if (found := LINK.fullmatch(each.strip()))]
        try:
            if links:
                place = linked(*links[0], tours)
            if not place.lesson:
                raise ValueError(f"Line {line}: no lesson is named")
        except ValueError as error:
            faults.append(f"{error}. The beat “{heading[3:].strip()}” is left out.")
            continue
        first = links[0][0] if links else 0
        said = [each for number, each in written if number != first and not each.startswith(">")]
        noted = [each[1:].strip() for _, each in written if each.startswith(">")]
        beats.append(
            replace(
                place,
                title=heading[3:].strip(),
                words="\n".join(said).strip() or place.words,
                notes="\n".join(noted).strip() or place.notes,
                line=line,
            )
        )
        place = replace(place, words="", notes="")
    if not beats and not faults:
        faults.append("The file has no beat. A beat begins with a line like “## Its title”.")
    return Programme(name, title, tuple(beats), tuple(faults))


def linked(line: int, link: str, tours: Mapping[str, Programme | None]) -> Beat:
    """Return where a link leads; a link to a tour's beat brings that beat. Raises ValueError where it leads nowhere."""
    lesson, settings, look = link_parts(link)
    if lesson not in tours:
        raise ValueError(f"Line {line}: there is no lesson “{lesson}”")
    taken = dict(settings).get(BEAT, "")
    others = tuple(pair for pair in settings if pair[0] != BEAT)
    tour = tours[lesson]
    name, _, number = taken.rpartition(".")
    if name != lesson or tour is None:
        return Beat("", lesson, others, look)
    if not number.isdecimal() or not 1 <= int(number) <= len(tour.beats):
        raise ValueError(f"Line {line}: the tour of “{lesson}” has no beat {number}")
    beat = tour.beats[int(number) - 1]
    newer = {key for key, _ in others}
    kept = tuple(pair for pair in beat.settings if pair[0] not in newer)
    return replace(beat, settings=kept + others, look=look or beat.look)


def sections(text: str) -> list[tuple[int, str, list[str]]]:
    """Return a file's headings of the first two levels, each with its line, from 1, and the lines below it.

    >>> sections("# A\\nb\\n## C\\nd")
    [(1, '# A', ['b']), (3, '## C', ['d'])]
    """
    found: list[tuple[int, str, list[str]]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith(("# ", "## ")):
            found.append((number, line, []))
        elif found:
            found[-1][2].append(line)
    return found


def link_parts(link: str) -> tuple[str, tuple[tuple[str, str], ...], str]:
    """Return a link's lesson, its settings and the part to look at; a host in front of it is left out.

    >>> link_parts("http://localhost:8501/zipf?zipf_top=5#picture")
    ('zipf', (('zipf_top', '5'),), 'picture')
    """
    parts = urlsplit(link)
    return (
        parts.path.rpartition("/")[2],
        tuple(parse_qsl(parts.query, keep_blank_values=True)),
        parts.fragment,
    )


def filled(words: str, values: Mapping[str, str], missing: str) -> str:
    """Return a beat's sentences with its live values; `missing` stands for each that the page has not, {name} in it.

    >>> filled("{{word}} wins with {{score}}.", {"score": "−1.20"}, "(no {name})")
    '(no word) wins with −1.20.'
    """
    return VALUE.sub(lambda found: values.get(found[1], missing.format(name=found[1])), words)


def written(title: str, beats: Sequence[Beat]) -> str:
    """Return a programme as the Markdown that `read_programme` reads.

    >>> text = "# Mine\\n\\n## One\\n\\n[viterbi](viterbi#view)\\n\\nHello.\\n\\n> Wait.\\n"
    >>> read = read_programme("mine", text, {"viterbi": None})
    >>> written(read.title, read.beats) == text
    True
    """
    parts = [f"# {title}\n"]
    for beat in beats:
        look = f"#{beat.look}" if beat.look else ""
        notes = "\n".join(f"> {line}" for line in beat.notes.splitlines())
        shown = [f"## {beat.title}", f"[{beat.lesson}]({beat.link}{look})", beat.words, notes]
        parts.append("\n\n".join(part for part in shown if part) + "\n")
    return "\n".join(parts)
