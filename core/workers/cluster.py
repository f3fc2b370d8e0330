"""A cluster's machines in which training runs, led by a Dask scheduler: the way past one machine.

A worker is started from the course's folder, in its environment with requirements-dask.txt, and does one job at a time:

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

CONNECTING = 5  # seconds until a scheduler that does not answer is not there


def dask_setup(worker) -> None:
    """Make a worker ready, as Dask asks of what a worker preloads: warm, and keeping what it is sent in memory alone."""
    if not isinstance(worker.data, dict):
        # Dask would write down any other error, and go on.
        sys.exit("A learner's words may not be written to the disk: start the worker with --memory-limit 0.")
    warm_up()


class _Reports:
    """One job's queue of reports: a worker puts them in, the scheduler passes them on, the server takes them out."""

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
    """One job's word to stop, which the scheduler keeps until the work has ended."""

    def __init__(self, event):
        self.event = event

    def set(self) -> None:
        if self.event.client.status == "running":
            Thread(target=self._tell, daemon=True).start()  # the server waits for no scheduler that hangs

    def _tell(self) -> None:
        with suppress(OSError):  # it is gone, and so is the work
            self.event.set()

    def is_set(self) -> bool:
        return self.event.is_set()

    def clear(self) -> None:
        self.event.clear()


class Cluster:
    """The machines that a Dask scheduler leads (https://distributed.dask.org). Their workers run `dask_setup` first.

    Work whose machine is lost begins again on another, as often as the scheduler allows (three times, by itself).
    """

    def __init__(self, address: str):
        # With the rest of what the server imports: what comes later is scanned for garbage for ever.
        from distributed import Client, Event, KilledWorker

        self.address, self.lost = address, (KilledWorker,)
        self._connect, self._event = Client, Event
        self._client: Client | None = None
        self._topic = f"attend-{uuid4().hex}"
        self._reports: WeakValueDictionary[str, _Reports] = WeakValueDictionary()

    def start(self) -> None:
        """Connect to the scheduler. Raises OSError when it does not answer."""
        self.shut_down()
        self._client = self._connect(
            self.address, timeout=CONNECTING, set_as_default=False, asynchronous=False
        )
        self._client.subscribe_topic(self._topic, self._take)

    def _take(self, event: tuple[float, list]) -> None:
        name, report = event[1]
        if (reports := self._reports.get(name)) is not None:
            reports.arrived.put(pickle.loads(report))  # noqa: S301  (a worker may run any code, so it may send any, too)

    @property
    def executor(self) -> Executor | None:
        """The cluster's workers, None while its scheduler is not reached."""
        there = self._client is not None and self._client.status == "running"
        # Two learners who train the same way share nothing: Dask would otherwise let one wait for the other's result.
        return self._client.get_executor(pure=False) if there else None

    @property
    def workers(self) -> int:
        """How many jobs the cluster runs at the same time."""
        return sum(self._client.nthreads().values())

    def line(self) -> tuple[object, object]:
        """Return a queue and an event that go by way of the scheduler."""
        reports = _Reports(self._topic, uuid4().hex)
        self._reports[reports.name] = reports
        return reports, _Stop(self._event(reports.name, self._client))

    def shut_down(self) -> None:
        """Leave the cluster; what it does for us is given up."""
        if self._client is not None:
            self._client.close(timeout=CONNECTING)
            self._client = None
