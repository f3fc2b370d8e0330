"""A bounded pool of workers that train on a learner's own text.

A job is a function `task(report, *arguments) -> result` of core. It calls `report(progress)` every few steps, and returns
the result so far when that returns False. It runs in processes of this machine (core/workers/processes.py) or on a Dask
cluster (core/workers/cluster.py).
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
from pathlib import Path
from typing import Protocol

from core.words.language import language, set_language
from core.words.texts import FILE, read_words
from core.workers.cluster import Cluster
from core.workers.processes import Processes

WORDS = read_words(Path(__file__).with_name(FILE))

WAITING_AT_MOST = 20
SECONDS_AT_MOST = 600
SCHEDULER = (
    "ATTEND_DASK"  # environment variable: the address of a Dask scheduler, such as tcp://10.0.0.5:8786
)


class PoolError(Exception):
    """Training failed; the message is a sentence for the learner."""


class Began:
    """The first report of every attempt. A cluster starts a job again if its worker is lost."""


def _run(task: Callable, arguments: tuple, reports, stop, spoken: str) -> object:
    set_language(spoken)  # what a task says, such as why it failed, is said to the learner
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
        stop.clear()  # otherwise the scheduler would store it for ever


@dataclass
class Job:
    """One job in the pool: its reports, whether it is done, and its result.

    `before` holds the unfinished jobs at the time it was submitted to a pool of `workers`; `lost` are the exceptions that
    mean that a worker died; `attempts` is how often the job has started.
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
        """Return all reports of the present attempt, the oldest first."""
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
        """The place in the queue: 1 is the next job to start, 0 is a job that runs or is done."""
        ahead = self.ahead()
        return 0 if self.done else max(0, len(ahead) - self.workers + 1)

    def ahead(self) -> list[Job]:
        """Return the unfinished jobs before this one, and drop the references to finished ones."""
        self.before = [job for job in self.before if not job.done]
        return self.before

    @property
    def done(self) -> bool:
        """Whether the job has ended: finished, failed or cancelled."""
        return self.future.done()

    def stop(self) -> None:
        """Ask the job to return its result so far. A job that has not started is cancelled."""
        self.stopped = True
        self.progress()
        if not self.attempts:  # a cluster would also cancel a running job and lose its result
            self.future.cancel()
        try:
            self.stop_event.set()
        except (EOFError, OSError):  # the pool was shut down, and the job with it
            return

    def result(self):
        """Return the result, or None if the job was stopped before it started.

        Raises PoolError with a sentence for the learner. A ValueError of the task becomes a PoolError with its message.
        """
        if self.future.cancelled():
            if self.stopped:
                return None
            raise PoolError(WORDS.label("not_reached"))
        try:
            return self.future.result(timeout=0)
        except ValueError as error:
            raise PoolError(str(error)) from error
        except self.lost as error:
            raise PoolError(WORDS.label("lost")) from error


class Machines(Protocol):
    """Where a pool's jobs run: an executor, and for each job a queue of reports and a stop event."""

    lost: tuple[type[Exception], ...]

    def start(self) -> None:
        """Start or restart the workers. Raises OSError if they cannot be reached."""

    def line(self) -> tuple[object, object]:
        """Return a queue of reports and a stop event, which can both be sent to a worker."""

    @property
    def executor(self) -> Executor | None:
        """The executor, or None while there are no workers."""

    @property
    def workers(self) -> int:
        """The number of jobs that run at the same time."""

    def shut_down(self) -> None:
        """End all jobs and our own processes."""


def machines() -> Machines:
    """Return the cluster at the address in ATTEND_DASK, or else processes of this machine."""
    address = os.environ.get(SCHEDULER)
    return Cluster(address) if address else Processes()


class WorkerPool:
    """A bounded pool of workers, started on first use and again if they die."""

    def __init__(self, machines: Machines):
        self.machines = machines
        self._jobs: list[Job] = []
        self._lock = threading.Lock()

    def start(self) -> None:
        """Start the workers, which import what training needs. If they cannot be reached, log a warning."""
        try:
            self.machines.start()
        except OSError as error:
            logging.getLogger("attend").warning("Nobody can train until the workers are reached: %s", error)

    def submit(self, task: Callable, *arguments) -> Job:
        """Queue `task(report, *arguments)` and return its Job.

        Raises PoolError if too many jobs are waiting or no worker can be reached.
        """
        with self._lock:
            return self._submit(task, arguments)

    def _submit(self, task: Callable, arguments: tuple) -> Job:
        self._jobs = [job for job in self._jobs if not job.done]
        for job in self._jobs:
            job.ahead()  # drop finished jobs: a job whose place nobody reads would refer to all earlier ones
        try:
            if self.machines.executor is None:
                self.machines.start()
            try:
                job = self._job(task, arguments)
            except (BrokenExecutor, EOFError, OSError):  # a worker has died: restart all of them
                self.machines.start()
                job = self._job(task, arguments)
        except OSError as error:
            raise PoolError(WORDS.label("not_reached")) from error
        self._jobs.append(job)
        return job

    def _job(self, task: Callable, arguments: tuple) -> Job:
        workers = self.machines.workers
        if not workers:
            raise PoolError(WORDS.label("not_reached"))
        if len(self._jobs) >= WAITING_AT_MOST + workers:
            raise PoolError(WORDS.label("many"))
        reports, stop = self.machines.line()
        future = self.machines.executor.submit(_run, task, arguments, reports, stop, language())
        return Job(future, reports, stop, list(self._jobs), workers, self.machines.lost)

    def shut_down(self) -> None:
        """Stop all jobs and end all processes."""
        for job in self._jobs:
            job.stop()
        self.machines.shut_down()
