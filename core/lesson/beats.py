"""Beats: the steps of a lesson's tour or of a lecture, read from one Markdown file.

    # The title of the tour or lecture

    ## The title of a beat

    [any words](viterbi?viterbi_sentence=the+dog+barks&viterbi_view_step=2#view)

    A few sentences, which may hold live values: the best path ends in {{state}}.

    > A note that only the lecturer sees.

A beat's link is the link of "Take it away" without the host: the lesson, its settings, the view's step. After # comes the
name of the part of the page to scroll to. A beat without a link keeps the link of the beat before. A link such as
viterbi?beat=viterbi.3 takes a beat from a lesson's tour; the lecture may replace its words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import parse_qsl, urlencode, urlsplit

from core.lesson.lab_words import LAB_WORDS

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]*)\)\s*")
MINUTES = re.compile(r"(\d+) (?:minutes|minutos)")
VALUE = re.compile(r"\{\{\s*(\w+)\s*\}\}")
BEAT = "beat"  # query parameter: <playlist>.<number>


@dataclass(frozen=True)
class Beat:
    """One step of a tour or lecture: a state of a lesson, its words, and the lecturer's notes.

    `settings` are query parameters, (name, value); `look` is the part of the page to scroll to; `line` is the beat's line
    in its file.
    """

    title: str
    lesson: str
    settings: tuple[tuple[str, str], ...] = ()
    look: str = ""
    words: str = ""
    notes: str = ""
    line: int = 0
    number: int = 0  # of the story's beat that it is; 0 where it is a view of a lab
    name: str = ""  # of that beat

    @property
    def link(self) -> str:
        """The link to this state, without the host: lesson?settings."""
        return self.lesson + (f"?{urlencode(self.settings)}" if self.settings else "")


@dataclass(frozen=True)
class Playlist:
    """A tour or a lecture: its beats in order, and a sentence for each line of its file that could not be read."""

    name: str
    title: str
    beats: tuple[Beat, ...] = ()
    faults: tuple[str, ...] = ()

    @property
    def minutes(self) -> int | None:
        """The length that the title states, None if it states none.

        >>> Playlist("mine", "Attention, 45 minutes").minutes
        45
        >>> Playlist("mine", "Atención, 45 minutos").minutes
        45
        """
        found = MINUTES.search(self.title)
        return int(found[1]) if found else None


def read_playlist(name: str, text: str, tours: Mapping[str, Playlist | None], lesson: str = "") -> Playlist:
    """Return the playlist of a Markdown file. Beats with a bad link are left out; `faults` names their lines.

    `tours` holds the tour of every lesson, or None; `lesson` is the lesson of beats before the first link.

    >>> file = "# Mine\\n## One\\n[see](viterbi?viterbi_view_step=2#view)\\nHello."
    >>> read = read_playlist("mine", file, {"viterbi": None})
    >>> read.title, read.beats[0].link, read.beats[0].look, read.beats[0].words
    ('Mine', 'viterbi?viterbi_view_step=2', 'view', 'Hello.')
    >>> read_playlist("mine", "## One\\n[see](alchemy)", {"viterbi": None}).faults
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
                place = resolve_link(*links[0], tours)
            if not place.lesson:
                raise ValueError(LAB_WORDS.label("lecture.no_lesson", line=line))
        except ValueError as error:
            faults.append(LAB_WORDS.label("lecture.left_out", fault=error, title=heading[3:].strip()))
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
        faults.append(LAB_WORDS.label("lecture.no_beat"))
    return Playlist(name, title, tuple(beats), tuple(faults))


def resolve_link(line: int, link: str, tours: Mapping[str, Playlist | None]) -> Beat:
    """Return a beat with the link's lesson and settings, or the tour's beat that it names.

    Raises ValueError if there is no such lesson or beat.
    """
    lesson, settings, look = link_parts(link)
    if lesson not in tours:
        raise ValueError(LAB_WORDS.label("lecture.unknown_lesson", line=line, lesson=lesson))
    taken = dict(settings).get(BEAT, "")
    others = tuple(pair for pair in settings if pair[0] != BEAT)
    tour = tours[lesson]
    name, _, number = taken.rpartition(".")
    if name != lesson or tour is None:
        return Beat("", lesson, others, look)
    named = {each.name: each for each in tour.beats if each.name}
    if number in named:
        beat = named[number]
    elif number.isdecimal() and 1 <= int(number) <= len(tour.beats):
        beat = tour.beats[int(number) - 1]
    else:
        raise ValueError(LAB_WORDS.label("lecture.unknown_beat", line=line, lesson=lesson, number=number))
    newer = {key for key, _ in others}
    kept = tuple(pair for pair in beat.settings if pair[0] not in newer)
    return replace(beat, settings=kept + others, look=look or beat.look)


def sections(text: str) -> list[tuple[int, str, list[str]]]:
    """Return (line number from 1, heading, lines below it) for each heading of level 1 and 2.

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
    """Return a link's lesson, settings and part to scroll to; a host before the lesson is dropped.

    >>> link_parts("http://localhost:8501/zipf?zipf_top=5#picture")
    ('zipf', (('zipf_top', '5'),), 'picture')
    """
    parts = urlsplit(link)
    return (
        parts.path.rpartition("/")[2],
        tuple(parse_qsl(parts.query, keep_blank_values=True)),
        parts.fragment,
    )


def fill_values(words: str, values: Mapping[str, str], missing: str) -> str:
    """Return the words with each {{name}} replaced by its value, or by `missing`, in which {name} is the name.

    >>> fill_values("{{word}} wins with {{score}}.", {"score": "−1.20"}, "(no {name})")
    '(no word) wins with −1.20.'
    """
    return VALUE.sub(lambda found: values.get(found[1], missing.format(name=found[1])), words)


def to_markdown(title: str, beats: Sequence[Beat]) -> str:
    """Return the Markdown file of a playlist, the inverse of `read_playlist`.

    >>> text = "# Mine\\n\\n## One\\n\\n[viterbi](viterbi#view)\\n\\nHello.\\n\\n> Wait.\\n"
    >>> read = read_playlist("mine", text, {"viterbi": None})
    >>> to_markdown(read.title, read.beats) == text
    True
    """
    parts = [f"# {title}\n"]
    for beat in beats:
        look = f"#{beat.look}" if beat.look else ""
        notes = "\n".join(f"> {line}" for line in beat.notes.splitlines())
        shown = [f"## {beat.title}", f"[{beat.lesson}]({beat.link}{look})", beat.words, notes]
        parts.append("\n\n".join(part for part in shown if part) + "\n")
    return "\n".join(parts)
