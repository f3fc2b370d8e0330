"""Processes of this machine in which training runs: one for each spare core, warm, at low priority.

This module is imported by them, so it does not import streamlit.
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

WORKERS = max(1, (os.cpu_count() or 2) - 1)


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


def warm_up() -> None:
    """Import what training needs into a worker, and let it stand back behind the server."""
    os.nice(10)  # serving pages comes before training
    import torch

    torch.set_num_threads(1)
    # An optimiser's first step imports torch._dynamo: seconds that a learner would wait for.
    for module in ("numpy", "sklearn.decomposition", "core.text.tokenization.tokens", "torch._dynamo"):
        importlib.import_module(module)


def _warm_worker() -> None:
    _end_with_parent()
    warm_up()


class Processes:
    """Processes of this machine, at low priority. They start when first used, and again if one dies."""

    lost = (BrokenProcessPool,)

    def __init__(self, workers: int = WORKERS):
        self.workers = workers
        self.executor: ProcessPoolExecutor | None = None
        self._manager: SyncManager | None = None

    def start(self) -> None:
        """Start the processes and let each import what training needs."""
        context = multiprocessing.get_context("spawn")
        with _no_main_script():
            self._manager = SyncManager(ctx=context)
            self._manager.start(_end_with_parent)
            self.executor = ProcessPoolExecutor(self.workers, mp_context=context, initializer=_warm_worker)
            for _ in range(self.workers):
                self.executor.submit(time.sleep, 0)  # each starts one process, none of which is up yet

    def line(self) -> tuple[object, object]:
        """Return a queue and an event that a process of its own keeps."""
        return self._manager.Queue(), self._manager.Event()

    def shut_down(self) -> None:
        """End every process."""
        if self.executor is not None:
            self.executor.shutdown(wait=False, cancel_futures=True)
            self._manager.shutdown()
            self.executor = self._manager = None
