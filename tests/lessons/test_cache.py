"""Shared cache entries expire when nobody reads them, except those that the warm-up pinned."""

import gc
import sys
import weakref
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event, Thread
from time import sleep
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from core.lesson import cache
from core.lesson.cache import (
    IDLE_SECONDS,
    MISSING,
    evict_idle,
    protect_entries,
    shared_cache,
    shared_lru_cache,
)
from core.lesson.cached import cached


class Result:
    """Something that is kept."""


@pytest.fixture
def clock(monkeypatch):
    """Let a test say what time it is; nothing else is kept for everybody meanwhile."""
    now = [1000.0]
    monkeypatch.setattr(cache, "time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(cache, "_shared", [])
    return now


@pytest.fixture
def quick_switches():
    """Let threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def test_what_nobody_asked_for_goes_and_its_memory_too(clock):
    kept = shared_cache(10)
    kept.put("a", result := Result())
    gone, result = weakref.ref(result), None
    clock[0] += IDLE_SECONDS + 1
    evict_idle()
    gc.collect()
    assert "a" not in kept
    assert gone() is None


def test_what_was_asked_for_since_stays(clock):
    kept = shared_cache(10)
    kept.put("asked", 1)
    kept.put("not asked", 2)
    clock[0] += IDLE_SECONDS - 1
    assert kept.get("asked") == 1
    clock[0] += 2
    evict_idle()
    assert ("asked" in kept, "not asked" in kept) == (True, False)


def test_what_first_visits_used_stays_however_long_nobody_asks_and_nothing_else_does(clock):
    kept = shared_cache(10)
    kept.put("of a learner, before", 1)
    for visit in ("of one visit", "of the next"):
        clock[0] += 1
        kept.put(visit, 2)
        protect_entries(since=clock[0])
    kept.put("of a learner, after", 3)
    clock[0] += 100 * IDLE_SECONDS
    evict_idle()
    assert [visit for visit in ("of one visit", "of the next") if visit in kept] == [
        "of one visit",
        "of the next",
    ]
    assert not [learner for learner in ("of a learner, before", "of a learner, after") if learner in kept]


def test_what_was_there_before_the_class_goes_for_want_of_room_in_its_turn(clock):
    kept = shared_cache(2)
    kept.put("before", 1)
    protect_entries(since=clock[0])
    kept.put("b", 2)
    kept.put("c", 3)
    assert [key in kept for key in ("before", "b", "c")] == [False, True, True]


def test_putting_again_counts_as_use_and_keeps_the_new_value():
    kept = cache.ExpiringLRUCache(2)
    for key, value in (("a", 1), ("b", 2), ("a", 3), ("c", 4)):
        kept.put(key, value)
    assert [kept.get(key) for key in "abc"] == [3, MISSING, 4]


def test_what_a_decorated_function_returned_goes_as_well(clock):
    asked = []

    @shared_lru_cache(10)
    def twice(n):
        asked.append(n)
        return 2 * n

    twice(3)
    clock[0] += IDLE_SECONDS + 1
    evict_idle()
    assert (3,) not in twice.cache
    assert (twice(3), asked) == (6, [3, 3])


def test_what_is_there_is_never_absent_while_others_ask(quick_switches):
    kept, over = cache.ExpiringLRUCache(2), Event()
    kept.put("a", 1)

    def ask():
        while not over.is_set():
            kept.get("a")

    others = [Thread(target=ask) for _ in range(2)]
    for other in others:
        other.start()
    absent = sum("a" not in kept for _ in range(200_000))
    over.set()
    for other in others:
        other.join()
    assert absent == 0


def test_a_result_of_all_sessions_is_nowhere_when_it_was_evicted(clock):
    @cached(10, 0, shared=True)
    def result_of(n):
        return Result()

    gone = weakref.ref(result_of(1))
    assert result_of(1) is gone()
    clock[0] += IDLE_SECONDS + 1
    evict_idle()
    gc.collect()
    assert gone() is None


def test_a_session_keeps_no_more_results_of_its_own_than_allowed():
    def page():
        import gc

        import streamlit as st

        from core.lesson.cached import cached

        class Own:
            pass

        @cached(10, 2)
        def result_of(n):
            return Own()

        for n in (1, 2, 1, 3):
            result_of(n)
        gc.collect()
        st.write(sum(type(each) is Own for each in gc.get_objects()))

    assert AppTest.from_function(page).run().markdown[0].value == "`2`"


def test_of_many_that_ask_for_the_same_at_once_one_computes_though_others_ask_for_more(clock, quick_switches):
    asked, all_there = [], Barrier(12)

    @cached(100, 10, shared=True)
    def slow(n):
        asked.append(n)
        if n == 0:
            sleep(0.1)  # all others wait, and wake one by one while the first goes on to what takes no time
        return n

    def ask():
        all_there.wait()
        for n in range(5):
            assert slow(n) == n

    with ThreadPoolExecutor(12) as hall:
        list(hall.map(lambda _: ask(), range(12)))
    assert sorted(asked) == [0, 1, 2, 3, 4]
