"""What was computed last is kept, so many results at most; for everybody, no longer than it is asked for.

What the server computed on its first visits stays (`hold`): it is what every learner sees first. What else is kept here
goes once nobody has asked for it for UNUSED seconds, or a class that tries everything would fill the memory by that.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from threading import Lock

UNUSED = 300.0  # seconds
NOTHING = object()
_of_everybody: list[Recent] = []


class Recent:
    """What was used last, so many at most; all sessions may ask at once.

    >>> recent = Recent(2)
    >>> for key, value in (("a", 1), ("b", 2), ("a", 1), ("c", 3)):
    ...     recent.put(key, value)
    >>> recent.get("a"), recent.get("b") is NOTHING
    (1, True)
    """

    def __init__(self, most: int):
        self.most, self._lock = most, Lock()
        self._held: set[Hashable] = set()
        # Each with the second of its last use, the one used longest ago first.
        self._kept: OrderedDict[Hashable, tuple[object, float]] = OrderedDict()

    def __contains__(self, key: Hashable) -> bool:
        """Return whether something is kept under a key."""
        return key in self._kept

    def get(self, key: Hashable) -> object:
        """Return what is kept under a key, NOTHING if there is nothing."""
        with self._lock:
            if key not in self._kept:
                return NOTHING
            value, _ = self._kept[key]
            self._kept[key] = value, time.monotonic()
            self._kept.move_to_end(key)
            return value

    def put(self, key: Hashable, value: object) -> None:
        """Keep a value; what was used longest ago goes."""
        with self._lock:
            self._kept[key] = value, time.monotonic()
            self._kept.move_to_end(key)
            while len(self._kept) > self.most:
                self._kept.popitem(last=False)

    def ask(self, key: Hashable, compute: Callable[[], object]) -> object:
        """Return what is kept under a key; where nothing is, compute it, and keep it.

        >>> recent = Recent(2)
        >>> recent.ask("a", lambda: 1), recent.ask("a", lambda: 2)
        (1, 1)
        """
        value = self.get(key)
        if value is NOTHING:
            self.put(key, value := compute())
        return value

    def hold(self, since: float) -> None:
        """Let what was used since a second of the clock go for want of room alone."""
        with self._lock:
            self._held |= {key for key, (_, used) in self._kept.items() if used >= since}

    def let_go(self, before: float) -> None:
        """Let go of what was not used since a second of the clock, but for what is held."""
        with self._lock:
            old = [key for key, (_, used) in self._kept.items() if used < before and key not in self._held]
            for key in old:
                del self._kept[key]


def of_everybody(most: int) -> Recent:
    """Return room for what everybody shares, so many at most; `hold` and `let_go` look after it."""
    _of_everybody.append(recent := Recent(most))
    return recent


def hold(since: float) -> None:
    """Let what is kept for everybody and was used since a second of the clock stay, unless there is no room."""
    for recent in _of_everybody:
        recent.hold(since)


def let_go(unused: float = UNUSED) -> None:
    """Let go of what is kept for everybody and nobody asked for in so many seconds."""
    for recent in _of_everybody:
        recent.let_go(time.monotonic() - unused)


def remembered(most: int) -> Callable[[Callable], Callable]:
    """Return the decorator that keeps what a function returned last, for everybody; `known` tells of which arguments.

    >>> @remembered(2)
    ... def twice(n):
    ...     return 2 * n
    >>> (3,) in twice.known, twice(3), (3,) in twice.known
    (False, 6, True)
    """

    def remember(compute: Callable) -> Callable:
        recent = of_everybody(most)

        @wraps(compute)
        def ask(*arguments):
            return recent.ask(arguments, lambda: compute(*arguments))

        ask.known = recent
        return ask

    return remember
