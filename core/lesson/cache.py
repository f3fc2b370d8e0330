"""LRU caches with a size limit. Entries shared by all sessions also expire after 5 minutes without a read.

`protect_entries` protects the entries that the warm-up computed, because every learner reads them first. Without the
expiry, a class that tries every setting would fill the memory with results that nobody reads again.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from threading import Lock

IDLE_SECONDS = 300.0
MISSING = object()
_shared: list[ExpiringLRUCache] = []
_waited_for: list[Callable[[], None]] = []  # each clears what Streamlit keeps of one function


class ExpiringLRUCache:
    """A thread-safe LRU cache of at most `max_entries` values, which remembers when each was last read.

    >>> cache = ExpiringLRUCache(2)
    >>> for key, value in (("a", 1), ("b", 2), ("a", 1), ("c", 3)):
    ...     cache.put(key, value)
    >>> cache.get("a"), cache.get("b") is MISSING
    (1, True)
    """

    def __init__(self, max_entries: int):
        self.max_entries, self._lock = max_entries, Lock()
        self._pinned: set[Hashable] = set()
        self._entries: OrderedDict[Hashable, tuple[object, float]] = (
            OrderedDict()
        )  # (value, last use), oldest first

    def __contains__(self, key: Hashable) -> bool:
        """Return whether the cache has an entry for a key. This does not count as a read."""
        return key in self._entries

    def get(self, key: Hashable) -> object:
        """Return the value of a key, or MISSING."""
        with self._lock:
            if key not in self._entries:
                return MISSING
            value, _ = self._entries[key]
            self._entries[key] = value, time.monotonic()
            self._entries.move_to_end(key)
            return value

    def put(self, key: Hashable, value: object) -> None:
        """Store a value, and evict the least recently used entries above the size limit."""
        with self._lock:
            self._entries[key] = value, time.monotonic()
            self._entries.move_to_end(key)
            while len(self._entries) > self.max_entries:
                self._entries.popitem(last=False)

    def get_or_compute(self, key: Hashable, compute: Callable[[], object]) -> object:
        """Return the value of a key. If there is none, call `compute` and store what it returns.

        Two threads that miss the same key at once both compute it.

        >>> cache = ExpiringLRUCache(2)
        >>> cache.get_or_compute("a", lambda: 1), cache.get_or_compute("a", lambda: 2)
        (1, 1)
        """
        value = self.get(key)
        if value is MISSING:
            self.put(key, value := compute())
        return value

    def pin(self, since: float) -> None:
        """Protect entries read since `since` (time.monotonic) from idle eviction. The size limit still applies."""
        with self._lock:
            self._pinned |= {key for key, (_, used) in self._entries.items() if used >= since}

    def evict_idle(self, before: float) -> None:
        """Evict the entries last read before `before` (time.monotonic), except pinned ones."""
        with self._lock:
            idle = [
                key for key, (_, used) in self._entries.items() if used < before and key not in self._pinned
            ]
            for key in idle:
                del self._entries[key]


def shared_cache(max_entries: int) -> ExpiringLRUCache:
    """Return a new cache that all sessions share; the module's `protect_entries` and `evict_idle` apply to it."""
    _shared.append(cache := ExpiringLRUCache(max_entries))
    return cache


def clear_when_evicting(clear: Callable[[], None]) -> None:
    """Call `clear` whenever idle entries are evicted."""
    _waited_for.append(clear)


def protect_entries(since: float) -> None:
    """Protect shared entries read since `since` (time.monotonic) from idle eviction. The size limit still applies."""
    for cache in _shared:
        cache.pin(since)


def evict_idle(unused: float = IDLE_SECONDS) -> None:
    """Evict shared entries that nobody read for `unused` seconds, and all that Streamlit keeps beside them."""
    for cache in _shared:
        cache.evict_idle(time.monotonic() - unused)
    for clear in _waited_for:
        clear()


def shared_lru_cache(max_entries: int) -> Callable[[Callable], Callable]:
    """Return a decorator like functools.lru_cache whose entries expire. The cache is the function's `cache`.

    All sessions share the results, so the function must not depend on what a learner typed. `cached` is for the rest.

    >>> @shared_lru_cache(2)
    ... def twice(n):
    ...     return 2 * n
    >>> (3,) in twice.cache, twice(3), (3,) in twice.cache
    (False, 6, True)
    """

    def decorate(compute: Callable) -> Callable:
        cache = shared_cache(max_entries)

        @wraps(compute)
        def cached_compute(*arguments):
            return cache.get_or_compute(arguments, lambda: compute(*arguments))

        cached_compute.cache = cache
        return cached_compute

    return decorate
