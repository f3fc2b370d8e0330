"""Human dates, their ISO form and their gold alignment."""

from datetime import date
from itertools import islice

import pytest

from core.text.samples.dates import CALENDARS, dates, write_date

THE_DAY = date(2021, 8, 1)


@pytest.mark.parametrize(
    ("language", "pattern", "expected"),
    [
        ("en", 3, "sunday, august 1, 2021"),
        ("en", 4, "the 1st of august 2021"),
        ("en", 8, "01/08/2021"),
        ("fr", 3, "le dimanche 1er août 2021"),
        ("fr", 4, "1er août 2021"),
        ("nl", 2, "op zondag 1 augustus 2021"),
        ("nl", 4, "01-08-2021"),
        ("de", 2, "sonntag, den 1. august 2021"),
        ("de", 5, "01.08.2021"),
    ],
)
def test_a_day_as_each_language_writes_it(language, pattern, expected):
    found = write_date(THE_DAY, language, pattern)
    assert "".join(found.source) == expected
    assert "".join(found.target) == "2021-08-01"


@pytest.mark.parametrize("language", CALENDARS)
def test_every_calendar_has_twelve_months_and_seven_days(language):
    calendar = CALENDARS[language]
    assert len(set(calendar.months.split())) == len(set(calendar.short_months.split())) == 12
    assert len(set(calendar.weekdays.split())) == 7


def test_the_gold_alignment_links_every_digit_to_what_says_it():
    for found in islice(dates(seed=3), 500):
        assert {t for t, _ in found.links} == {0, 1, 2, 3, 5, 6, 8, 9}
        for t, s in found.links:
            assert t > 4 or found.source[s] == found.target[t]
            assert t < 8 or found.source[s].isdigit()


def test_one_written_date_has_one_reading():
    seen = {}
    for found in islice(dates(seed=4), 20_000):
        assert seen.setdefault(found.source, found.target) == found.target


def test_held_out_dates_are_never_trained_on():
    trained = {found.source for found in islice(dates(seed=1), 5000)}
    assert trained.isdisjoint(found.source for found in islice(dates(seed=2, held_out=True), 1000))
