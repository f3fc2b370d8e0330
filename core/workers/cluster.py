"""Training on a Dask cluster, for more jobs than one machine can run.

Start each worker in the course's folder, in its environment with requirements-dask.txt. It runs one job at a time:

    python -m distributed.cli.dask_worker tcp://SCHEDULER:8786 --nthreads 1 --memory-limit 0 --preload core.workers.cluster

Source: https://distributed.dask.org.
"""

from __future__ import annotations

import pickle
import queue
import sys
from concurrent.futures import Executor
from contextlib import suppress
from threading import Thread
from uuid import uuid4
from weakref import WeakValueDictionary

from core.workers.processes import warm_up

CONNECTING = 5  # seconds to wait for the scheduler


def dask_setup(worker) -> None:
    """Prepare a worker; Dask calls this when it preloads the module. Exit if the worker may write data to disk."""
    if not isinstance(worker.data, dict):
        # Dask logs any other error and continues.
        sys.exit("A learner's words must not be written to the disk: start the worker with --memory-limit 0.")
    warm_up()


class _Reports:
    """One job's queue of reports, from the worker through the scheduler to the server."""

    def __init__(self, topic: str, name: str):
        self.topic, self.name = topic, name
        self.arrived: queue.SimpleQueue = queue.SimpleQueue()

    def __reduce__(self):
        return _Reports, (self.topic, self.name)

    def put(self, progress) -> None:
        from distributed import get_worker

        get_worker().log_event(self.topic, [self.name, pickle.dumps(progress)])

    def get_nowait(self):
        return self.arrived.get_nowait()


class _Stop:
    """One job's stop event, which the scheduler stores until the job ends."""

    def __init__(self, event):
        self.event = event

    def set(self) -> None:
        if self.event.client.status == "running":
            Thread(
                target=self._set_event, daemon=True
            ).start()  # so that a hanging scheduler does not block us

    def _set_event(self) -> None:
        with suppress(OSError):  # the scheduler is gone, and the job with it
            self.event.set()

    def is_set(self) -> bool:
        return self.event.is_set()

    def clear(self) -> None:
        self.event.clear()


class Cluster:
    """The workers of a Dask scheduler (https://distributed.dask.org). Each worker runs `dask_setup` first.

    If a worker is lost, its job starts again on another one, as often as the scheduler allows (three times by default).
    """

    def __init__(self, address: str):
        # Imported when the server starts, before the garbage collector is frozen.
        from distributed import Client, Event, KilledWorker

        self.address, self.lost = address, (KilledWorker,)
        self._connect, self._event = Client, Event
        self._client: Client | None = None
        self._topic = f"attend-{uuid4().hex}"
        self._reports: WeakValueDictionary[str, _Reports] = WeakValueDictionary()

    def start(self) -> None:
        """Connect to the scheduler. Raises OSError if it does not answer."""
        self.shut_down()
        self._client = self._connect(
            self.address, timeout=CONNECTING, set_as_default=False, asynchronous=False
        )
        self._client.subscribe_topic(self._topic, self._take)

    def _take(self, event: tuple[float, list]) -> None:
        name, report = event[1]
        if (reports := self._reports.get(name)) is not None:
            reports.arrived.put(pickle.loads(report))  # noqa: S301  (workers are trusted: they run our code)

    @property
    def executor(self) -> Executor | None:
        """The cluster's executor, or None while the scheduler is not connected."""
        there = self._client is not None and self._client.status == "running"
        # pure=False: two learners with equal settings get separate jobs. Dask would otherwise share one result.
        return self._client.get_executor(pure=False) if there else None

    @property
    def workers(self) -> int:
        """The number of jobs that run at the same time."""
        return sum(self._client.nthreads().values())

    def line(self) -> tuple[object, object]:
        """Return a queue of reports and a stop event that work through the scheduler."""
        reports = _Reports(self._topic, uuid4().hex)
        self._reports[reports.name] = reports
        return reports, _Stop(self._event(reports.name, self._client))

    def shut_down(self) -> None:
        """Disconnect from the cluster; its jobs for this server are abandoned."""
        if self._client is not None:
            self._client.close(timeout=CONNECTING)
            self._client = None
