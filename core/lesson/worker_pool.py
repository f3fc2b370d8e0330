"""A bounded pool of warm worker processes in which training on a learner's own text runs.

This module is imported by the workers, so it does not import streamlit. Work is a function
`task(report, *arguments) -> result` of core; it calls `report(progress)` every few steps and ends early,
returning what it has, when that returns False.
"""

from __future__ import annotations

import importlib
import multiprocessing
import multiprocessing.connection
import os
import queue
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.managers import SyncManager
from types import ModuleType

WORKERS = max(1, (os.cpu_count() or 2) - 1)
WAITING_AT_MOST = 20
SECONDS_AT_MOST = 600


class PoolError(Exception):
    """A sentence for the learner about why training could not go on."""


@contextmanager
def _no_main_script():
    """Hide `__main__` while processes start: spawn runs it again in each, and here that is a page of the course."""
    main, sys.modules["__main__"] = sys.modules["__main__"], ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def _end_with_parent() -> None:
    """End this process when the server that started it has ended, in whatever way: killed, it cannot say so."""
    gone = multiprocessing.parent_process().sentinel

    def watch():
        multiprocessing.connection.wait([gone])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _warm_worker() -> None:
    _end_with_parent()
    os.nice(10)  # serving pages comes before training
    import torch

    torch.set_num_threads(1)
    # An optimiser's first step imports torch._dynamo: seconds that a learner would wait for.
    for module in ("numpy", "sklearn.decomposition", "core.text.tokenization.tokens", "torch._dynamo"):
        importlib.import_module(module)


def _run(task: Callable, arguments: tuple, reports, stop) -> object:
    began = time.monotonic()

    def report(progress) -> bool:
        reports.put(progress)
        return not stop.is_set() and time.monotonic() - began < SECONDS_AT_MOST

    if stop.is_set():
        return None
    return task(report, *arguments)


@dataclass
class Job:
    """One piece of work in the pool: ask it for its reports, whether it is done, and its result.

    `before` are the jobs that were unfinished when it was submitted to a pool of `workers` processes.
    """

    future: Future
    reports: object
    stop_event: object
    before: list[Job] = field(default_factory=list)
    workers: int = 1
    seen: list = field(default_factory=list)

    def progress(self) -> list:
        """Return every report so far, oldest first."""
        while True:
            try:
                self.seen.append(self.reports.get_nowait())
            except (queue.Empty, EOFError, OSError):
                return self.seen

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
        """Ask the work to end early with what it has."""
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
            return None
        try:
            return self.future.result(timeout=0)
        except ValueError as error:
            raise PoolError(str(error)) from error
        except BrokenProcessPool as error:
            raise PoolError(
                "The training process ended unexpectedly, most likely for want of memory. "
                "Try a smaller dimension or a shorter text, then train again."
            ) from error


class WorkerPool:
    """A pool that starts when first used, and again if its processes die."""

    def __init__(self, workers: int = WORKERS):
        self.workers = workers
        self._executor: ProcessPoolExecutor | None = None
        self._manager = None
        self._jobs: list[Job] = []
        self._lock = threading.Lock()

    def start(self) -> None:
        """Start the worker processes and let each import what training needs."""
        context = multiprocessing.get_context("spawn")
        with _no_main_script():
            if self._manager is None:
                self._manager = SyncManager(ctx=context)
                self._manager.start(_end_with_parent)
            self._executor = ProcessPoolExecutor(self.workers, mp_context=context, initializer=_warm_worker)
            for _ in range(self.workers):
                self._executor.submit(time.sleep, 0)  # each starts one process, none of which is up yet

    def submit(self, task: Callable, *arguments) -> Job:
        """Queue `task(report, *arguments)` and return its Job. Raises PoolError when too many are waiting."""
        with self._lock:
            return self._submit(task, arguments)

    def _submit(self, task: Callable, arguments: tuple) -> Job:
        self._jobs = [job for job in self._jobs if not job.done]
        for job in self._jobs:
            job.ahead()  # nobody may have asked for its place: it would hold all jobs that ever were
        if len(self._jobs) >= WAITING_AT_MOST + self.workers:
            raise PoolError(
                "Many learners are training at this moment. Wait a minute, then press Train again."
            )
        if self._executor is None:
            self.start()
        try:
            job = self._job(task, arguments)
        except (BrokenProcessPool, EOFError, OSError):  # a process has died: start all of them afresh
            self._manager = None
            self.start()
            job = self._job(task, arguments)
        self._jobs.append(job)
        return job

    def _job(self, task: Callable, arguments: tuple) -> Job:
        reports, stop = self._manager.Queue(), self._manager.Event()
        future = self._executor.submit(_run, task, arguments, reports, stop)
        return Job(future, reports, stop, list(self._jobs), self.workers)

    def shut_down(self) -> None:
        """End every job and process."""
        for job in self._jobs:
            job.stop()
        if self._executor is not None:
            self._executor.shutdown(wait=False, cancel_futures=True)
            self._executor = None
        if self._manager is not None:
            self._manager.shutdown()
            self._manager = None
