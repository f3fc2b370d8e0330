"""Dates as people write them in English, French, Dutch and German, with their ISO form: letters in, digits out.

    Tuesday, 3 March 1987   ->   1987-03-03

Both sides are single characters. The gold alignment links each digit of the year to the same digit, the month
to every letter or digit that names it, and the day to the digits that say it. Where a date is all digits, the
day comes first. Every date is from 1900 to 2099.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from core.text.grammar.pairs import Pair, is_held_out

ALL_DIGITS, ONE_DIGIT = re.compile(r"\d\d?([-/.])\d\d?\1\d{4}"), re.compile(r"\b\d\b")
FIRST, LAST = date(1900, 1, 1), date(2099, 12, 31)


@dataclass(frozen=True)
class Calendar:
    """How one language writes dates: names of months (also short), of weekdays from Monday, and its patterns."""

    months: str
    short_months: str
    weekdays: str
    patterns: tuple[str, ...]


CALENDARS = {
    "en": Calendar(
        "january february march april may june july august september october november december",
        "jan feb mar apr may jun jul aug sep oct nov dec",
        "monday tuesday wednesday thursday friday saturday sunday",
        (
            "{month} {day}, {year}",
            "{day} {month} {year}",
            "{weekday}, {day} {month} {year}",
            "{weekday}, {month} {day}, {year}",
            "the {ordinal} of {month} {year}",
            "{month} {ordinal}, {year}",
            "{day} {short} {year}",
            "{short} {day}, {year}",
            "{day2}/{month2}/{year}",
        ),
    ),
    "fr": Calendar(
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        "janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.",
        "lundi mardi mercredi jeudi vendredi samedi dimanche",
        (
            "{ordinal} {month} {year}",
            "le {ordinal} {month} {year}",
            "{weekday} {ordinal} {month} {year}",
            "le {weekday} {ordinal} {month} {year}",
            "{ordinal} {short} {year}",
            "{day2}/{month2}/{year}",
        ),
    ),
    "nl": Calendar(
        "januari februari maart april mei juni juli augustus september oktober november december",
        "jan. feb. mrt. apr. mei jun. jul. aug. sep. okt. nov. dec.",
        "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
        (
            "{day} {month} {year}",
            "{weekday} {day} {month} {year}",
            "op {weekday} {day} {month} {year}",
            "{day} {short} {year}",
            "{day2}-{month2}-{year}",
        ),
    ),
    "de": Calendar(
        "januar februar märz april mai juni juli august september oktober november dezember",
        "jan. feb. märz apr. mai juni juli aug. sept. okt. nov. dez.",
        "montag dienstag mittwoch donnerstag freitag samstag sonntag",
        (
            "{day}. {month} {year}",
            "{weekday}, {day}. {month} {year}",
            "{weekday}, den {day}. {month} {year}",
            "am {day}. {month} {year}",
            "{day}. {short} {year}",
            "{day2}.{month2}.{year}",
        ),
    ),
}


def ordinal(day: int, language: str) -> str:
    """Return the day as English or French puts it before or after its month.

    >>> [ordinal(day, "en") for day in (1, 2, 3, 4, 11, 12, 13, 21, 22, 23)]
    ['1st', '2nd', '3rd', '4th', '11th', '12th', '13th', '21st', '22nd', '23rd']
    >>> ordinal(1, "fr"), ordinal(2, "fr")
    ('1er', '2')
    """
    if language == "fr":
        return "1er" if day == 1 else str(day)
    return f"{day}{'th' if 10 < day < 14 else {1: 'st', 2: 'nd', 3: 'rd'}.get(day % 10, 'th')}"


def write_date(when: date, language: str, pattern: int) -> Pair:
    """Return a date in one of its language's patterns, with its ISO form and the gold alignment, by character.

    >>> pair = write_date(date(1987, 3, 4), "fr", 0)
    >>> "".join(pair.source), "".join(pair.target)
    ('4 mars 1987', '1987-03-04')
    >>> sorted(s for t, s in pair.links if t == 6)
    [2, 3, 4, 5]
    """
    calendar, source, parts = CALENDARS[language], [], {}
    said = {
        "day": str(when.day),
        "day2": f"{when.day:02}",
        "ordinal": ordinal(when.day, language),
        "month": calendar.months.split()[when.month - 1],
        "month2": f"{when.month:02}",
        "short": calendar.short_months.split()[when.month - 1],
        "weekday": calendar.weekdays.split()[when.weekday()],
        "year": str(when.year),
    }
    kinds = {"day2": "day", "ordinal": "day", "month2": "month", "short": "month"}
    for piece in calendar.patterns[pattern].replace("{", "\0{").replace("}", "}\0").split("\0"):
        name = piece[1:-1] if piece.startswith("{") else ""
        text = said.get(name, piece)
        parts[kinds.get(name, name)] = [
            len(source) + i
            for i, letter in enumerate(text)
            if kinds.get(name, name) != "day" or letter.isdigit()
        ]
        source.extend(text)
    links = {(t, s) for t, s in enumerate(parts["year"])}
    links |= {(t, s) for t in (5, 6) for s in parts["month"] if source[s] != "."}
    links |= {(t, s) for t in (8, 9) for s in parts["day"]}
    return Pair(tuple(source), tuple(when.isoformat()), frozenset(links))


def links_of(source: Sequence[str], target: Sequence[str]) -> frozenset[tuple[int, int]]:
    """Return the gold alignment of a date that someone typed with its ISO form; none where no pattern makes that pair.

    >>> sorted(links_of("4 mars 1987", "1987-03-04"))[-2:]
    [(8, 0), (9, 0)]
    >>> links_of("4 mars 1987", "1987-04-03")
    frozenset()
    """
    try:
        when = date.fromisoformat("".join(target))
    except ValueError:
        return frozenset()
    for language, calendar in CALENDARS.items():
        for pattern in range(len(calendar.patterns)):
            pair = write_date(when, language, pattern)
            if pair.source == tuple(source):
                return pair.links
    return frozenset()


def normalise_date(text: str) -> list[str]:
    """Return the characters of a date that a learner typed: small, spaces kept once, 3/4/2010 as 03/04/2010.

    >>> "".join(normalise_date("  3  March 1987 ")), "".join(normalise_date("3/4/2010"))
    ('3 march 1987', '03/04/2010')
    """
    text = " ".join(text.lower().split())
    return list(ONE_DIGIT.sub(r"0\g<0>", text) if ALL_DIGITS.fullmatch(text) else text)


def random_date(chance: random.Random) -> Pair:
    """Return one date, language and pattern, each drawn evenly."""
    language = chance.choice(list(CALENDARS))
    when = FIRST + timedelta(days=chance.randrange((LAST - FIRST).days + 1))
    return write_date(when, language, chance.randrange(len(CALENDARS[language].patterns)))


def dates(seed: int, held_out: bool = False) -> Iterator[Pair]:
    """Yield dates without end, either those used for training or those held out from it.

    >>> from itertools import islice
    >>> ["".join(pair.source) for pair in islice(dates(seed=1), 2)]
    ['vendredi 25 août 1922', 'montag, 24. märz 2036']
    """
    chance = random.Random(seed)
    while True:
        pair = random_date(chance)
        if is_held_out(pair.source) == held_out:
            yield pair
