"""Training on a cluster: a real scheduler and its workers on this machine, of which one after the other is lost."""

import os
import signal
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest

from core.workers import cluster
from core.workers.cluster import Cluster
from core.workers.pool import PoolError, WorkerPool, machines
from core.workers.processes import Processes
from tests.browser.conftest import ROOT, free_port

LOSSES = 1  # the second worker that dies with a job ends it; Dask's own setting is three
PATIENCE = 240  # seconds


def where(report, seconds):
    """Work that says which process does it, then counts to ten in so many seconds."""
    report(os.getpid())
    for number in range(10):
        time.sleep(seconds / 10)
        if not report(number):
            return number
    return "whole"


def refuse(report):
    raise ValueError("This text is too short.")


class Hall:
    """A scheduler and its workers: processes of this machine that stand for machines."""

    def __init__(self, folder):
        self.folder, self.port = folder, free_port()
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.processes = []
        self.scheduler()

    def begin(self, program, *arguments, **settings):
        command = [sys.executable, "-m", f"distributed.cli.{program}", *arguments]
        environment = {**os.environ, "DASK_TEMPORARY_DIRECTORY": str(self.folder), **settings}
        said = (self.folder / f"{len(self.processes)}.txt").open("w")
        self.processes.append(subprocess.Popen(command, cwd=ROOT, env=environment, stdout=said, stderr=said))
        return self.processes[-1]

    def scheduler(self):
        here = ("--host", "127.0.0.1", "--port", str(self.port), "--dashboard-address", "127.0.0.1:0")
        return self.begin("dask_scheduler", *here, DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES=str(LOSSES))

    def worker(self, limit="0", preload="core.workers.pool"):
        """Start a worker, here without the imports that keep a learner from waiting: tests wait for nothing of torch."""
        warm = ("--nthreads", "1", "--memory-limit", limit, "--preload", preload)
        alone = ("--no-nanny", "--dashboard-address", "127.0.0.1:0")
        return self.begin("dask_worker", self.address, *warm, *alone)

    def pool(self, workers):
        """Return a pool of a cluster that has so many workers."""
        pool, until = WorkerPool(Cluster(self.address)), time.monotonic() + PATIENCE
        pool.start()
        while pool.machines.executor is None or pool.machines.workers != workers:
            assert time.monotonic() < until
            time.sleep(0.5)
            if pool.machines.executor is None:
                pool.start()
        return pool

    def end(self, pid):
        """Lose the machine that is this process."""
        process = next(each for each in self.processes if each.pid == pid)
        process.send_signal(signal.SIGKILL)
        process.wait(10)


@pytest.fixture(scope="module")
def hall(tmp_path_factory):
    hall = Hall(tmp_path_factory.mktemp("dask"))
    hall.worker(), hall.worker()
    yield hall
    for process in hall.processes:
        process.kill()
        process.wait(10)


@pytest.fixture(scope="module")
def pool(hall):
    pool = hall.pool(workers=2)
    yield pool
    pool.shut_down()


def wait(job, seconds=PATIENCE):
    until = time.monotonic() + seconds
    while not job.done:
        assert time.monotonic() < until
        time.sleep(0.02)
    return job


def reports_of(job, least, attempt=1):
    until = time.monotonic() + PATIENCE
    while len(job.progress()) < least or job.attempts < attempt:
        assert time.monotonic() < until
        time.sleep(0.02)
    return job.progress()


def test_one_variable_of_the_environment_says_where_training_runs(monkeypatch, hall):
    assert isinstance(machines(), Processes)
    monkeypatch.setenv("ATTEND_DASK", hall.address)
    assert isinstance(machines(), Cluster)
    assert machines().address == hall.address


def test_reports_results_sentences_and_the_queue_are_as_they_are_here(hall, pool):
    jobs = [pool.submit(where, 0.5) for _ in range(4)]
    assert [job.place for job in jobs] == [0, 0, 1, 2]
    assert [wait(job).result() for job in jobs] == ["whole"] * 4
    assert [job.progress()[1:] for job in jobs] == [list(range(10))] * 4
    assert {job.progress()[0] for job in jobs} == {worker.pid for worker in hall.processes[1:]}
    with pytest.raises(PoolError, match="too short"):
        wait(pool.submit(refuse)).result()


def test_a_stopped_job_ends_early_with_what_it_has_and_one_that_waits_never_begins(pool):
    first, second = pool.submit(where, 60), pool.submit(where, 60)
    reports_of(first, 1), reports_of(second, 1)
    third = pool.submit(where, 0)
    for job in (third, first, second):
        job.stop()
    assert wait(third).result() is None
    assert wait(first).result() in range(10)
    assert wait(second).result() in range(10)
    assert third.attempts == 0


def test_a_job_whose_machine_is_lost_begins_anew_on_another_and_is_whole(hall, pool):
    job = pool.submit(where, 2)
    first = reports_of(job, 3)[0]
    hall.end(first)
    assert wait(job).result() == "whole"
    second, *counted = job.progress()
    assert (second != first, counted, job.attempts) == (True, list(range(10)), 2)


def test_a_job_that_takes_its_machines_down_is_a_sentence_and_the_next_one_works(hall, pool):
    hall.worker()
    until = time.monotonic() + PATIENCE
    while pool.machines.workers < 2:
        assert time.monotonic() < until
        time.sleep(0.2)
    job = pool.submit(where, 60)
    for attempt in (1, 2):
        hall.end(reports_of(job, 1, attempt)[0])
    with pytest.raises(PoolError, match="ended unexpectedly"):
        wait(job).result()
    hall.worker()
    while not pool.machines.workers:
        assert time.monotonic() < until
        time.sleep(0.2)
    assert wait(pool.submit(where, 0)).result() == "whole"


def test_a_lost_scheduler_is_a_sentence_and_when_it_is_back_training_is_too(hall, pool):
    job = pool.submit(where, 60)
    reports_of(job, 1)
    hall.end(hall.processes[0].pid)
    with pytest.raises(PoolError, match="none of them answers"):
        pool.submit(where, 0)
    with pytest.raises(PoolError, match="none of them answers"):
        wait(job).result()
    job.stop()  # as the page does when it is closed
    hall.scheduler(), hall.worker()
    until = time.monotonic() + PATIENCE
    while True:
        try:
            assert wait(pool.submit(where, 0)).result() == "whole"
            break
        except PoolError:
            assert time.monotonic() < until
            time.sleep(1)


def test_a_worker_that_could_write_a_text_to_the_disk_is_refused_and_any_other_is_warmed(monkeypatch):
    warmed = []
    monkeypatch.setattr(cluster, "warm_up", lambda: warmed.append(True))
    with pytest.raises(SystemExit, match="--memory-limit 0"):
        cluster.dask_setup(SimpleNamespace(data=object()))
    assert not warmed
    cluster.dask_setup(SimpleNamespace(data={}))
    assert warmed


def test_a_worker_with_the_wrong_limit_does_not_start(hall):
    process = hall.worker(limit="1GiB", preload="core.workers.cluster")
    assert process.wait(PATIENCE) != 0
