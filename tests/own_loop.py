"""Coroutines in tests: once playwright has started, this thread has a running loop, and asyncio.run refuses another."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor


def run(coroutine: Coroutine):
    """Return what a coroutine returns, run in a thread and a loop of its own."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()
