"""The log of pages that stopped: the whole traceback of a new error once, then a line, at most ten a minute.

A stored model that is missing or damaged is one line, however many pages need it.

A client that sends values of a wrong type makes its page stop at every message. Without a limit it could fill the disk.
"""

from __future__ import annotations

import logging
import time
import traceback
from collections import deque
from collections.abc import Callable
from threading import Lock

from core.models.stored import StoredModelError

AT_MOST, SECONDS = 10, 60.0
LOGGER = logging.getLogger("attend")


class FailureLog:
    """Writes errors to a logger: at most AT_MOST records in SECONDS, each error's traceback once.

    Errors are the same if they have the same type and were raised at the same line.
    """

    def __init__(self, logger: logging.Logger = LOGGER, clock: Callable[[], float] = time.monotonic):
        self._logger, self._clock, self._lock = logger, clock, Lock()
        self._written: deque[float] = deque(maxlen=AT_MOST)  # when the last records were written
        self._known: set[tuple[str, str]] = set()
        self._left_out = 0
        self._models: set[str] = set()  # the sentences written about stored models

    def write(self, error: BaseException) -> None:
        """Write a record of an error, or count it where there were too many."""
        if isinstance(error, StoredModelError):
            self.write_model(str(error))
            return
        kind, place = type(error).__name__, locate_error(error)
        with self._lock:
            now = self._clock()
            if len(self._written) == AT_MOST and now - self._written[0] < SECONDS:
                self._left_out += 1
                return
            self._written.append(now)
            new = (kind, place) not in self._known
            self._known.add((kind, place))
            left_out, self._left_out = self._left_out, 0
        before = f" ({left_out} more were not written.)" if left_out else ""
        if new:
            self._logger.error("A page stopped.%s", before, exc_info=error)
        else:
            self._logger.error("A page stopped: %s at %s.%s", kind, place, before)

    def write_model(self, sentence: str) -> None:
        """Write that a stored model is missing or damaged, once."""
        with self._lock:
            new = sentence not in self._models
            self._models.add(sentence)
        if new:
            self._logger.warning(sentence)


failures = FailureLog()  # of this process


def locate_error(error: BaseException) -> str:
    """Return "file:line" where an error was raised, "" if it was not.

    >>> try:
    ...     1 / 0
    ... except ZeroDivisionError as error:
    ...     locate_error(error).rpartition(":")[2]
    '2'
    """
    frames = traceback.extract_tb(error.__traceback__)
    return f"{frames[-1].filename}:{frames[-1].lineno}" if frames else ""
