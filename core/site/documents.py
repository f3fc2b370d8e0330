"""The documents of a story as files: each beat as its author set it, and with every setting that can be enumerated.

A learner's own words cannot be, nor can a picture in which any of thousands of cells may be chosen: these need the server.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from core.lesson.settings import Choice, Setting, Settings, Slider, Switch
from core.lesson.story import ASK, Beat, change_settings, make_document, story_of

SETTINGS_AT_MOST = 150  # of one beat: with more, its controls need the server
FINITE = (Slider, Choice, Switch)
UNSAFE = re.compile(r"[^A-Za-z0-9.-]")


@dataclass(frozen=True)
class SiteDocument:
    """A beat's document and its name among the story's files: "3", "3.answer", or "3" with values, as in "3_4_on"."""

    name: str
    document: dict

    @property
    def is_told(self) -> bool:
        """Whether it is a beat as its author set it, or an answer."""
        return "_" not in self.name


def documents_of(lesson: str, module: str) -> Iterator[SiteDocument]:
    """Yield the documents of a story, in the order of its beats."""
    for number, beat in enumerate(story_of(module), 1):
        states = enumerate_settings(beat)
        names = [each.name for each in finite(beat)] if states else []
        for revealed in (False, True) if beat.kind == ASK else (False,):
            name = f"{number}.answer" if revealed else str(number)
            yield SiteDocument(name, mark(make_document(lesson, module, number, revealed), names))
        for state in states:
            document = make_document(lesson, module, number, changes=state)
            yield SiteDocument(name_of(str(number), [state[name] for name in names]), mark(document, names))


def mark(document: dict, names: list[str]) -> dict:
    """Return a document with the names of the settings whose values are in the names of its other files."""
    return {**document, "enumerated": names}


def finite(beat: Beat) -> list[Setting]:
    """Return the settings of a beat that have a control and take only some values."""
    return [each for each in beat.controls if isinstance(each, FINITE)]


def enumerate_settings(beat: Beat) -> list[dict[str, str]]:
    """Return all values of a beat's finite controls together, as an address holds them; none where there are too many."""
    if not finite(beat):
        return []
    found = list(islice(extend_state(finite(beat), change_settings(beat, {})), SETTINGS_AT_MOST + 1))
    return found if len(found) <= SETTINGS_AT_MOST else []


def extend_state(settings: list[Setting], before: Mapping) -> Iterator[dict[str, str]]:
    """Yield each combination of the settings' values. What one may be can depend on those before it."""
    if not settings:
        yield {}
        return
    first, *others = settings
    for value in values_of(first, before):
        later = Settings({**before, first.name: value})
        for rest in extend_state(others, later):
            yield {first.name: first.write(value), **rest}


def values_of(setting: Setting, before: Mapping) -> Iterator:
    """Yield every value of a setting.

    >>> [list(values_of(each, {})) for each in (Slider("k", 1, 0, 2), Slider("p", 0.5, 0.0, 1.0, 0.5), Switch("on"))]
    [[0, 1, 2], [0.0, 0.5, 1.0], [False, True]]
    """
    if isinstance(setting, Switch):
        yield from (False, True)
    elif isinstance(setting, Choice):
        yield from setting.choices(before)
    else:
        least, most = setting.ends(before)
        for step in range(round((most - least) / setting.step) + 1):
            value = round(least + step * setting.step, 10)
            if value <= most:
                yield setting.read(value, before)


def name_of(beat: str, values: list[str]) -> str:
    """Return the name of a beat's document at some values; assets/site/site.js gives it the same name.

    >>> name_of("4", ["0.50", "true", "a b"])
    '4_0.5_true_a~20b'
    """
    return "_".join(
        [beat, *(UNSAFE.sub(lambda found: f"~{ord(found[0]):x}", plain_value(each)) for each in values)]
    )


def plain_value(value: str) -> str:
    """Return a number as JavaScript writes it, anything else as it is.

    >>> plain_value("1.0"), plain_value("0.50"), plain_value("-2"), plain_value("two")
    ('1', '0.5', '-2', 'two')
    """
    try:
        number = float(value)
    except ValueError:
        return value
    return str(int(number)) if number.is_integer() else repr(number)
