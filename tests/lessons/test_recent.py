"""What is kept for everybody goes when nobody asks for it any more, but for what was there before the class came."""

import gc
import weakref

import pytest

from core.lesson import recent
from core.lesson.recent import NOTHING, UNUSED, hold, let_go, of_everybody, remembered


class Result:
    """Something that is kept."""


@pytest.fixture
def clock(monkeypatch):
    """Let a test say what time it is; nothing else is kept for everybody meanwhile."""
    now = [1000.0]
    monkeypatch.setattr(recent.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(recent, "_of_everybody", [])
    return now


def test_what_nobody_asked_for_goes_and_its_memory_too(clock):
    kept = of_everybody(10)
    kept.put("a", result := Result())
    gone, result = weakref.ref(result), None
    clock[0] += UNUSED + 1
    let_go()
    gc.collect()
    assert "a" not in kept
    assert gone() is None


def test_what_was_asked_for_since_stays(clock):
    kept = of_everybody(10)
    kept.put("asked", 1)
    kept.put("not asked", 2)
    clock[0] += UNUSED - 1
    assert kept.get("asked") == 1
    clock[0] += 2
    let_go()
    assert ("asked" in kept, "not asked" in kept) == (True, False)


def test_what_was_there_before_the_class_stays_however_long_nobody_asks(clock):
    kept = of_everybody(10)
    kept.put("before", 1)
    hold()
    kept.put("after", 2)
    clock[0] += 100 * UNUSED
    let_go()
    assert ("before" in kept, "after" in kept) == (True, False)


def test_what_was_there_before_the_class_goes_for_want_of_room_in_its_turn(clock):
    kept = of_everybody(2)
    kept.put("before", 1)
    hold()
    kept.put("b", 2)
    kept.put("c", 3)
    assert [key in kept for key in ("before", "b", "c")] == [False, True, True]


def test_putting_again_counts_as_use_and_keeps_the_new_value():
    kept = recent.Recent(2)
    for key, value in (("a", 1), ("b", 2), ("a", 3), ("c", 4)):
        kept.put(key, value)
    assert [kept.get(key) for key in "abc"] == [3, NOTHING, 4]


def test_what_a_decorated_function_returned_goes_as_well(clock):
    asked = []

    @remembered(10)
    def twice(n):
        asked.append(n)
        return 2 * n

    twice(3)
    clock[0] += UNUSED + 1
    let_go()
    assert (3,) not in twice.known
    assert (twice(3), asked) == (6, [3, 3])
