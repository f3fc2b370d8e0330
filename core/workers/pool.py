"""A bounded pool of warm workers in which training on a learner's own text runs.

Work is a function `task(report, *arguments) -> result` of core; it calls `report(progress)` every few steps and ends
early, returning what it has, when that returns False. Where it runs is the machines' affair: processes of this one
(core/workers/processes.py), or those that a Dask scheduler leads (core/workers/cluster.py).
"""

from __future__ import annotations

import logging
import os
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from dataclasses import dataclass, field
from typing import Protocol

from core.workers.cluster import Cluster
from core.workers.processes import Processes

WAITING_AT_MOST = 20
SECONDS_AT_MOST = 600
SCHEDULER = "ATTEND_DASK"  # in the environment: the address of a Dask scheduler, such as tcp://10.0.0.5:8786


class PoolError(Exception):
    """A sentence for the learner about why training could not go on."""


LOST = (
    "The training process ended unexpectedly, most likely for want of memory. "
    "Try a smaller dimension or a shorter text, then train again."
)
NOT_REACHED = (
    "Training runs on other machines here, and none of them answers at this moment. Your text and your settings are kept: "
    "go on with the lesson, and press Train again in a minute."
)


class Began:
    """The first report of every attempt: a cluster begins the work anew when it has lost the machine that did it."""


def _run(task: Callable, arguments: tuple, reports, stop) -> object:
    began = time.monotonic()

    def report(progress) -> bool:
        reports.put(progress)
        return not stop.is_set() and time.monotonic() - began < SECONDS_AT_MOST

    try:
        if stop.is_set():
            return None
        reports.put(Began())
        return task(report, *arguments)
    finally:
        stop.clear()  # else a scheduler would keep it for ever


@dataclass
class Job:
    """One piece of work in the pool: ask it for its reports, whether it is done, and its result.

    `before` are the jobs that were unfinished when it was submitted to a pool of `workers`; `lost` are the errors that
    say that a worker died, `attempts` how often the work has begun.
    """

    future: Future
    reports: object
    stop_event: object
    before: list[Job] = field(default_factory=list)
    workers: int = 1
    lost: tuple[type[Exception], ...] = ()
    seen: list = field(default_factory=list)
    attempts: int = 0
    stopped: bool = False

    def progress(self) -> list:
        """Return every report of the present attempt so far, oldest first."""
        while True:
            try:
                report = self.reports.get_nowait()
            except (queue.Empty, EOFError, OSError):
                return self.seen
            if isinstance(report, Began):
                self.attempts, self.seen = self.attempts + 1, []
            else:
                self.seen.append(report)

    @property
    def place(self) -> int:
        """The place in the queue, from 1, which is next; 0 once other learners' jobs do not fill the pool any more."""
        ahead = self.ahead()
        return 0 if self.done else max(0, len(ahead) - self.workers + 1)

    def ahead(self) -> list[Job]:
        """Return the jobs before this one that are not done; those that are, and all that they held, are let go of."""
        self.before = [job for job in self.before if not job.done]
        return self.before

    @property
    def done(self) -> bool:
        """Whether the work has ended, in whatever way."""
        return self.future.done()

    def stop(self) -> None:
        """Ask the work to end early with what it has; what has not begun never begins."""
        self.stopped = True
        self.progress()
        if not self.attempts:  # a cluster would throw away what has begun, too
            self.future.cancel()
        try:
            self.stop_event.set()
        except (EOFError, OSError):  # the pool has been shut down, and the work with it
            return

    def result(self):
        """Return the result, or None when it was stopped before it began.

        Raises PoolError with a sentence, also where the work raised a ValueError, whose message is one by custom.
        """
        if self.future.cancelled():
            if self.stopped:
                return None
            raise PoolError(NOT_REACHED)
        try:
            return self.future.result(timeout=0)
        except ValueError as error:
            raise PoolError(str(error)) from error
        except self.lost as error:
            raise PoolError(LOST) from error


class Machines(Protocol):
    """Where a pool's work is done: an executor, and for each job a line for its reports and its stop."""

    lost: tuple[type[Exception], ...]

    def start(self) -> None:
        """Let the workers be there; again after they died. Raises OSError when there is no way to them."""

    def line(self) -> tuple[object, object]:
        """Return a queue of reports and an event that says stop, which can both be sent to a worker."""

    @property
    def executor(self) -> Executor | None:
        """The workers, None while they are not there."""

    @property
    def workers(self) -> int:
        """How many jobs run at the same time."""

    def shut_down(self) -> None:
        """End every job, and every process of our own."""


def machines() -> Machines:
    """Return where training runs: on the cluster that the environment names, else in processes of this machine."""
    address = os.environ.get(SCHEDULER)
    return Cluster(address) if address else Processes()


class WorkerPool:
    """A pool that starts when first used, and again if its workers die."""

    def __init__(self, machines: Machines):
        self.machines = machines
        self._jobs: list[Job] = []
        self._lock = threading.Lock()

    def start(self) -> None:
        """Let the workers be there, and each import what training needs; if there is no way to them, say so in the log."""
        try:
            self.machines.start()
        except OSError as error:
            logging.getLogger("attend").warning("Nobody can train until the workers are reached: %s", error)

    def submit(self, task: Callable, *arguments) -> Job:
        """Queue `task(report, *arguments)` and return its Job.

        Raises PoolError when too many are waiting, and when there is no worker.
        """
        with self._lock:
            return self._submit(task, arguments)

    def _submit(self, task: Callable, arguments: tuple) -> Job:
        self._jobs = [job for job in self._jobs if not job.done]
        for job in self._jobs:
            job.ahead()  # nobody may have asked for its place: it would hold all jobs that ever were
        try:
            if self.machines.executor is None:
                self.machines.start()
            try:
                job = self._job(task, arguments)
            except (BrokenExecutor, EOFError, OSError):  # a worker has died: start all of them afresh
                self.machines.start()
                job = self._job(task, arguments)
        except OSError as error:
            raise PoolError(NOT_REACHED) from error
        self._jobs.append(job)
        return job

    def _job(self, task: Callable, arguments: tuple) -> Job:
        workers = self.machines.workers
        if not workers:
            raise PoolError(NOT_REACHED)
        if len(self._jobs) >= WAITING_AT_MOST + workers:
            raise PoolError(
                "Many learners are training at this moment. Wait a minute, then press Train again."
            )
        reports, stop = self.machines.line()
        future = self.machines.executor.submit(_run, task, arguments, reports, stop)
        return Job(future, reports, stop, list(self._jobs), workers, self.machines.lost)

    def shut_down(self) -> None:
        """End every job and process."""
        for job in self._jobs:
            job.stop()
        self.machines.shut_down()
