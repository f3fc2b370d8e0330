"""The scenes of Shakespeare's plays, each a document, with the play, the act and the scene."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from core.text.samples.shelf import DIRECTION, SPEAKER, plays
from core.text.tokenization.tokens import words

HEADING = re.compile(r"^#{2,4} +(.*)$", re.MULTILINE)
SHORTEST = 150  # words: shorter scenes are left out


@dataclass(frozen=True)
class Scene:
    """A scene: the play's title, its place such as "V.1", where it is set, and what is spoken."""

    play: str
    place: str
    setting: str
    text: str

    @property
    def name(self) -> str:
        """Return the play and the place."""
        return f"{self.play} {self.place}"


@cache
def scenes() -> tuple[Scene, ...]:
    """Return all scenes of the plays of at least 150 words, without speakers' names and stage directions.

    >>> next(scene.setting for scene in scenes() if scene.name == "Hamlet V.1")
    'A churchyard'
    """
    return tuple(scene for play in plays() for scene in scenes_of(play.title, play.text.args[0]))


def scenes_of(title: str, path: Path) -> list[Scene]:
    """Return the scenes of one play."""
    parts = HEADING.split(path.read_text(encoding="utf-8"))
    act, found = "", []
    for heading, body in zip(parts[1::2], parts[2::2], strict=True):
        if act_of := re.match(r"ACT ([IVX]+)", heading.strip(), re.IGNORECASE):
            act = act_of[1]
        text = DIRECTION.sub("", SPEAKER.sub("", body)).strip()
        if len(words(text)) >= SHORTEST:
            found.append(Scene(title, f"{act}.{number_of(heading)}".strip("."), setting_of(heading), text))
    return found


def number_of(heading: str) -> str:
    """Return the number of a scene in its heading, or what it is called where it has none.

    >>> number_of("SCENE IV. The platform."), number_of("PROLOGUE")
    ('4', 'prologue')
    """
    roman = re.search(r"SCENE ([IVX]+)", heading, re.IGNORECASE)
    return (
        str(arabic(roman[1])) if roman else heading.split()[-1 if "ACT" in heading else 0].lower().strip(".")
    )


def arabic(roman: str) -> int:
    """Return a Roman number of I, V and X.

    >>> arabic("XIV"), arabic("VIII")
    (14, 8)
    """
    values = [{"I": 1, "V": 5, "X": 10}[each] for each in roman.upper()]
    return sum(-v if v < after else v for v, after in zip(values, [*values[1:], 0], strict=True))


def setting_of(heading: str) -> str:
    """Return where a scene is set.

    >>> setting_of("SCENE I. A churchyard.")
    'A churchyard'
    """
    return heading.partition(".")[2].strip().rstrip(".")
