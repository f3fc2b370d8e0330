"""Worker processes of this machine: one per core except one, at low priority, with their imports done.

The workers import this module, so it does not import Streamlit.
"""

from __future__ import annotations

import importlib
import multiprocessing
import multiprocessing.connection
import os
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.managers import SyncManager
from types import ModuleType

# The environment variable is for several servers on one machine, which share its cores.
WORKERS = int(os.environ.get("ATTEND_WORKERS") or max(1, (os.cpu_count() or 2) - 1))


@contextmanager
def _no_main_script():
    """Replace `__main__` while processes start: spawn would run it in each, and here it is a page of the course."""
    main, sys.modules["__main__"] = sys.modules["__main__"], ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def _end_with_parent() -> None:
    """End this process when its parent ends, even if the parent was killed."""
    gone = multiprocessing.parent_process().sentinel

    def watch():
        multiprocessing.connection.wait([gone])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def warm_up() -> None:
    """Lower the priority of this worker and import what training needs."""
    os.nice(10)  # serving pages has priority over training
    import torch

    torch.set_num_threads(1)
    # The first step of an optimizer imports torch._dynamo, which takes seconds.
    for module in ("numpy", "sklearn.decomposition", "core.text.tokenization.tokens", "torch._dynamo"):
        importlib.import_module(module)


def _warm_worker() -> None:
    _end_with_parent()
    warm_up()


class Processes:
    """Worker processes of this machine, at low priority. `start` creates them, also again after one has died."""

    lost = (BrokenProcessPool,)

    def __init__(self, workers: int = WORKERS):
        self.workers = workers
        self.executor: ProcessPoolExecutor | None = None
        self._manager: SyncManager | None = None

    def start(self) -> None:
        """Start the processes; each imports what training needs."""
        context = multiprocessing.get_context("spawn")
        with _no_main_script():
            self._manager = SyncManager(ctx=context)
            self._manager.start(_end_with_parent)
            self.executor = ProcessPoolExecutor(self.workers, mp_context=context, initializer=_warm_worker)
            for _ in range(self.workers):
                self.executor.submit(time.sleep, 0)  # each call starts one process

    def line(self) -> tuple[object, object]:
        """Return a queue of reports and a stop event, which live in a manager process."""
        return self._manager.Queue(), self._manager.Event()

    def shut_down(self) -> None:
        """End all processes."""
        if self.executor is not None:
            self.executor.shutdown(wait=False, cancel_futures=True)
            self._manager.shutdown()
            self.executor = self._manager = None
