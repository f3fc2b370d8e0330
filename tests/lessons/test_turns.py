"""Whoever has used the least time of late runs next, and six who press what takes seconds do not hold up a neighbour."""

import heapq
import random
import statistics
from threading import Thread

import pytest

from core.lesson.sessions import HALF_LIFE, RECENT, SHARE, Turns


class Clock:
    """A clock that stands until it is set."""

    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def ran(turns, *waiting):
    """Return the order in which those who wait get the one slot, each giving it back at once."""
    order = []
    while any(not each.has_slot for each in waiting):
        turns.release()
        order += [each.session for each in waiting if each.has_slot and each.session not in order]
    return order


def test_who_has_used_the_least_is_first_and_else_who_came_first(clock):
    turns = Turns(1, clock)
    assert turns.acquire("now")
    turns.charge("busy", 5.0)
    turns.charge("busier", 9.0)
    waiting = [turns.join(session) for session in ("busier", "busy", "new", "newer")]
    assert ran(turns, *waiting) == ["new", "newer", "busy", "busier"]


def test_what_was_used_is_forgotten_by_and_by(clock):
    turns = Turns(1, clock)
    turns.charge("a", 8.0)
    clock.now += 3 * HALF_LIFE
    assert turns.used("a") == pytest.approx(1.0)
    clock.now += 30 * HALF_LIFE
    turns.charge("b", 1.0)
    assert set(turns._uses) == {"b"}


def test_a_newer_run_of_a_session_takes_the_place_of_the_one_that_waits(clock):
    turns = Turns(1, clock)
    assert turns.acquire("other")
    answers = []
    threads = [Thread(target=lambda: answers.append(turns.acquire("a"))) for _ in range(5)]
    for thread in threads:
        thread.start()
    while len(answers) < 4:
        assert all(answer is False for answer in answers)
    assert len(turns._waiting) == 1
    turns.release()
    for thread in threads:
        thread.join(10)
    assert sorted(answers) == [False] * 4 + [True]


def test_who_has_used_too_much_leaves_one_slot_while_others_are_there(clock):
    turns = Turns(2, clock)
    turns.charge("busy", 9.0)
    turns.charge("busy too", 9.0)
    turns.charge("light", SHARE / 2)
    assert turns.join("busy").has_slot
    waits = turns.join("busy too")
    assert not waits.has_slot
    assert turns.join("light").has_slot
    turns.release()
    assert not waits.has_slot
    clock.now += RECENT + 0.1  # the light one is gone
    turns.charge("busy too", 9.0)
    turns.give()
    assert waits.has_slot


def test_who_asks_for_no_session_counts_as_having_used_nothing(clock):
    turns = Turns(1, clock)
    assert turns.acquire()
    turns.charge("busy", 2.0)
    busy, nobody = turns.join("busy"), turns.join("")
    turns.release()
    assert (busy.has_slot, nobody.has_slot) == (False, True)


def waits_of_a_neighbour(busy, seconds=600.0):
    """Return how long each move of a neighbour takes, from asking to its end, beside so many sessions that are busy.

    A neighbour moves every two to five seconds, for 40 ms; a busy session asks for two to six seconds again and again, and
    yields only every half second. The clock goes from one event to the next.
    """
    clock, chance = Clock(), random.Random(1)
    turns, events, tie, took = Turns(2, clock), [], iter(range(10**9)), []
    asked, running = {}, {}

    def at(time, action, session, work):
        heapq.heappush(events, (time, next(tie), action, session, work))

    at(0.0, "ask", "neighbour", 0.04)
    for number in range(busy):
        at(0.01 * number, "ask", f"busy {number}", chance.uniform(2, 6))
    while clock.now < seconds:
        clock.now, _, action, session, work = heapq.heappop(events)
        if action == "ask":
            asked.setdefault(session, clock.now)
            running[session] = turns.join(session), work
        else:
            turns.charge(session, work[0])
            turns.release()
            if work[1] > 0:  # it yields, and asks for the rest
                running[session] = turns.join(session), work[1]
            else:
                took += [clock.now - asked.pop(session)] if session == "neighbour" else []
                asked.pop(session, None)
                pause, next_work = (chance.uniform(2, 5), 0.04) if session == "neighbour" else (0.01, 4.0)
                at(clock.now + pause, "ask", session, next_work)
        for name, (waiting, left) in list(running.items()):
            if waiting.has_slot:
                del running[name]
                step = min(0.5, left)
                at(clock.now + step, "end", name, (step, left - step))
    return took


def test_six_busy_sessions_at_most_double_what_a_neighbour_s_moves_take():
    alone, beside = (statistics.quantiles(waits_of_a_neighbour(busy), n=20)[18] for busy in (0, 6))
    assert len(waits_of_a_neighbour(6)) > 100
    assert beside <= 2 * alone
