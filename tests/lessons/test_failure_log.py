"""The log of pages that stopped is short, whatever a client sends: each error whole once, ten records a minute."""

import logging

import pytest

from core.lesson.failure_log import AT_MOST, SECONDS, FailureLog

LOGGER = logging.getLogger("attend.test")


@pytest.fixture
def log():
    """Return a log, a clock that stands until it is set, and the records written."""
    now, written = [0.0], []
    keeper = logging.Handler()
    keeper.emit = written.append
    LOGGER.addHandler(keeper)
    yield FailureLog(LOGGER, lambda: now[0]), now, written
    LOGGER.removeHandler(keeper)


def raised(kind):
    """Return an error that was raised, always at the same line."""
    try:
        raise kind("wrong")
    except kind as error:
        return error


def test_an_error_is_written_whole_once_and_then_as_one_line_with_its_place(log):
    failures, _, records = log
    for kind in (ValueError, ValueError, KeyError):
        failures.write(raised(kind))
    assert [bool(record.exc_info) for record in records] == [True, False, True]
    again = records[1].getMessage()
    assert "ValueError at " in again
    assert "test_failure_log.py:" in again
    assert "\n" not in again


def test_a_flood_writes_ten_records_a_minute_and_says_how_many_it_left_out(log):
    failures, now, records = log
    for _ in range(500):
        failures.write(raised(ValueError))
    assert len(records) == AT_MOST
    now[0] = SECONDS
    failures.write(raised(ValueError))
    assert len(records) == AT_MOST + 1
    assert "490 more" in records[-1].getMessage()
    failures.write(raised(ValueError))
    assert "more" not in records[-1].getMessage()


def test_a_page_that_stops_is_written_there(monkeypatch):
    import app

    written = []
    monkeypatch.setattr(app.failures, "write", written.append)
    monkeypatch.setattr(app.st, "error", lambda said: None)
    error = raised(ValueError)
    assert app.apologise(error)
    assert written == [error]
