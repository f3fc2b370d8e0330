"""Small stories that a reader can follow: each is a script, said in words that are drawn.

A script is a row of events in their order; an event has several phrasings. A story draws the people, the words of the
script's slots, a phrasing for each event, and which of the events that may be left out are. So the same things happen in
the same order in ever other words.

Of two phrasings that may follow each other, one combination in four is kept from training: `is_kept`. Only the first
`TRAINED_SCRIPTS` are trained on. A model can so be measured on pairs of sentences that it has never read together in any
words, and on stories about what it has never read of.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from random import Random

from core.text.samples.story_scripts import SCRIPTS

WOMEN = (
    "Anna Maria Ruth Sarah Lea Clara Rose Emma Ida Julia Martha Nina Paula Vera Alice Ellen Eva Grace Helen Jane "
    "Mary Rachel Lucy Agnes Judith Miriam Hannah Marion Frida Tamar"
).split()
MEN = (
    "Tom David Peter John Adam Simon Daniel Jacob Paul Mark Luke Noah Sam Henry Jack Robert Philip Andrew Joseph "
    "Oliver Martin Felix Hugo Ben Karl Leo Arthur Edward Aaron Victor"
).split()
PRONOUNS = {WOMEN[0]: ("she", "her", "her"), MEN[0]: ("he", "him", "his")}  # subject, object, possessive
BY_NAME = 0.35  # of the sentences that may begin with the pronoun or the name
LEFT_OUT = 0.4  # of the events that may be left out
TRAINED_SCRIPTS = 8  # the first of all
SLOT = re.compile(r"\{(A |a )?(\w+)\}")


@dataclass(frozen=True)
class Event:
    """What happens at a step of a script: its phrasings, and whether it may be left out."""

    phrasings: tuple[str, ...]
    may_be_left_out: bool


@dataclass(frozen=True)
class Script:
    """A kind of story: its name, the words that fit each of its slots, and its events in order."""

    name: str
    slots: dict[str, tuple[str, ...]]
    events: tuple[Event, ...]


@dataclass(frozen=True)
class Told:
    """A sentence of a story, and of what it is said: the number of its event and of the phrasing."""

    text: str
    event: int
    phrasing: int


@cache
def scripts() -> tuple[Script, ...]:
    """Return all scripts, in order."""
    return tuple(read_script(paragraph) for paragraph in SCRIPTS.strip().split("\n\n"))


def read_script(paragraph: str) -> Script:
    """Return a script as it is written in `story_scripts`.

    >>> script = read_script("tea; pot: cup, pot\\n- {Name} took a {pot}.\\n  {Name} fell.\\n~ {She} drank.")
    >>> script.slots, len(script.events[0].phrasings), script.events[1]
    ({'pot': ('cup', 'pot')}, 2, Event(phrasings=('{She} drank.',), may_be_left_out=True))
    """
    head, *lines = paragraph.split("\n")
    name, *slots = head.split("; ")
    named = (slot.split(": ") for slot in slots)
    words = {key: tuple(listed.split(", ") if ", " in listed else listed.split(" ")) for key, listed in named}
    events: list[list[str]] = []
    for line in lines:
        events += [] if line.startswith("  ") else [[line[0]]]
        events[-1].append(line[2:])
    return Script(name, words, tuple(Event(tuple(said), mark == "~") for mark, *said in events))


def is_kept(one: Told, other: Told) -> bool:
    """Return whether no story to train on says two events after each other in these phrasings.

    >>> [is_kept(Told("", 0, 1), Told("", 1, phrasing)) for phrasing in range(4)]
    [False, False, True, False]
    """
    return (one.phrasing + other.phrasing + other.event) % 4 == 0


def tell_story(script: Script, draw: Random, to_train_on: bool) -> list[Told]:
    """Return a story of a script, sentence by sentence; one `to_train_on` has no combination that is kept from it."""
    filled = {slot: draw.choice(words) for slot, words in script.slots.items()}
    people = draw.sample((WOMEN, MEN), 2)
    filled |= {role: draw.choice(names) for role, names in zip(("Name", "Friend"), people, strict=True)}
    pronouns = [PRONOUNS[names[0]] for names in people]
    for keys, forms in zip((("she", "her", "hers"), ("he", "him", "his")), pronouns, strict=True):
        filled |= dict(zip(keys, forms, strict=True))
    told: list[Told] = []
    for number, event in enumerate(script.events):
        if event.may_be_left_out and draw.random() < LEFT_OUT:
            continue
        drawn = [Told("", number, phrasing) for phrasing in range(len(event.phrasings))]
        if to_train_on and told:
            drawn = [each for each in drawn if not is_kept(told[-1], each)]
        phrasing = draw.choice(drawn).phrasing
        told.append(Told(fill(event.phrasings[phrasing], filled, draw), number, phrasing))
    return told


def fill(phrasing: str, filled: dict[str, str], draw: Random) -> str:
    """Return a sentence with its slots filled; where a name or a pronoun may begin it, one of them is drawn.

    >>> people = {"Name": "Ida", "she": "she", "hers": "her", "fruit": "apple"}
    >>> fill("{Name} ate {a fruit} in {hers} room.", people, Random(1))
    'Ida ate an apple in her room.'
    """

    def word(found: re.Match) -> str:
        article, slot = found.groups()
        if slot in ("She", "He", "He_"):
            name, pronoun = filled["Name" if slot == "She" else "Friend"], filled[slot.strip("_").lower()]
            written = name if draw.random() < BY_NAME else pronoun
            return written if slot == "He_" else written[0].upper() + written[1:]
        if slot in ("Hers", "His"):
            return filled[slot.lower()].capitalize()
        if article is None:
            return filled[slot]
        return f"{article.strip()}{'n' if filled[slot][0] in 'aeiou' else ''} {filled[slot]}"

    return SLOT.sub(word, phrasing)


def stories_to_train_on(n: int, seed: int) -> list[list[Told]]:
    """Return n stories of the scripts that are trained on."""
    draw = Random(seed)
    return [tell_story(draw.choice(scripts()[:TRAINED_SCRIPTS]), draw, True) for _ in range(n)]


def kept_stories(n: int, seed: int, new_scripts: bool = False) -> list[list[Told]]:
    """Return n stories to measure on: of the scripts that are trained on, or of those that are kept from training."""
    draw, known = Random(seed), scripts()[:TRAINED_SCRIPTS]
    told = scripts()[TRAINED_SCRIPTS:] if new_scripts else known
    return [tell_story(draw.choice(told), draw, False) for _ in range(n)]
