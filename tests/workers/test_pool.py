"""Work in the pool reports, stops when asked, is bounded, and survives the death of a process."""

import os
import time
from concurrent.futures import Future
from queue import Queue
from threading import Event
from types import SimpleNamespace
from weakref import ref

import pytest

from core.workers import pool as pool_module
from core.workers.pool import Job, PoolError, WorkerPool
from core.workers.processes import Processes


def count(report, upto):
    for number in range(upto):
        if not report(number):
            return number
        time.sleep(0.01)
    return upto


def refuse(report):
    raise ValueError("This text is too short.")


def die(report):
    os._exit(1)


def wait(job, seconds=120):
    began = time.monotonic()
    while not job.done:
        assert time.monotonic() - began < seconds
        time.sleep(0.02)
    return job


@pytest.fixture(scope="module")
def pool():
    pool = WorkerPool(Processes(1))
    yield pool
    pool.shut_down()


def test_every_process_is_started_at_once():
    pool = WorkerPool(Processes(2))
    pool.start()
    assert len(pool.machines.executor._processes) == 2
    pool.shut_down()


def test_a_job_returns_its_result_and_every_report_in_order(pool):
    job = wait(pool.submit(count, 5))
    assert job.result() == 5
    time.sleep(0.1)
    assert job.progress() == [0, 1, 2, 3, 4]


def test_a_stopped_job_ends_early_with_what_it_has(pool):
    job = pool.submit(count, 10_000)
    while not job.progress():
        time.sleep(0.02)
    job.stop()
    assert 0 < wait(job).result() < 10_000


def test_a_job_stopped_before_it_began_has_no_result(pool):
    first, second = pool.submit(count, 100), pool.submit(count, 100)
    third = pool.submit(count, 5)
    assert third.place == 2
    third.stop()
    first.stop()
    second.stop()
    assert wait(third).result() is None


def test_a_job_moves_up_the_queue_when_one_before_it_ends_or_is_given_up():
    def job(*before, workers=2):
        return Job(Future(), None, None, list(before), workers)

    jobs = []
    for _ in range(5):
        jobs.append(job(*jobs))
    assert [each.place for each in jobs] == [0, 0, 1, 2, 3]
    jobs[1].future.set_result(None)
    jobs[3].future.cancel()
    assert [each.place for each in jobs] == [0, 0, 0, 0, 1]
    assert len(jobs[4].before) == 2


def test_a_job_that_is_done_is_let_go_of_while_others_wait(monkeypatch):
    pool = WorkerPool(Processes(1))
    monkeypatch.setattr(pool.machines, "executor", object())
    monkeypatch.setattr(pool, "_job", lambda task, _: Job(Future(), None, None, list(pool._jobs), 1))
    first, second, third = (pool.submit(count) for _ in range(3))
    gone = ref(first)
    first.future.set_result(None)
    del first
    fourth = pool.submit(count)
    assert gone() is None
    assert [second.place, third.place, fourth.place] == [0, 1, 2]


def test_a_value_error_of_the_work_comes_back_as_its_sentence(pool):
    job = wait(pool.submit(refuse))
    with pytest.raises(PoolError, match="too short"):
        job.result()


def test_a_process_that_dies_is_a_sentence_and_the_next_job_works(pool):
    job = wait(pool.submit(die))
    with pytest.raises(PoolError, match="ended unexpectedly"):
        job.result()
    assert wait(pool.submit(count, 3)).result() == 3


def test_work_is_told_to_end_when_its_time_is_over(monkeypatch):
    now, told = [0.0], []

    def work(report):
        for now[0] in (1.0, pool_module.SECONDS_AT_MOST - 1.0, pool_module.SECONDS_AT_MOST + 1.0):
            told.append(report("a step"))

    monkeypatch.setattr(pool_module, "time", SimpleNamespace(monotonic=lambda: now[0]))
    pool_module._run(work, (), Queue(), Event(), "en")
    assert told == [True, True, False]


def test_where_there_is_no_worker_it_is_a_sentence():
    reached = SimpleNamespace(executor=object(), workers=0)  # a scheduler that has no machine left
    with pytest.raises(PoolError, match="none of them answers at this moment"):
        WorkerPool(reached).submit(count, 1)


def test_too_many_waiting_jobs_are_refused_with_a_sentence(pool):
    jobs = []
    with pytest.raises(PoolError, match="Wait a minute"):
        for _ in range(100):
            jobs.append(pool.submit(count, 1000))
    for job in jobs:
        job.stop()
