"""Train it yourself: start a job in the worker pool, watch it, stop it. It stops when the session ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import streamlit as st

from core.lesson.controls import Controls
from core.lesson.lab_words import LAB_WORDS
from core.workers.pool import Job, PoolError, WorkerPool, machines

POOL = WorkerPool(machines())
start_workers = POOL.start
stop_workers = POOL.shut_down


@dataclass
class Bench:
    """One session's training in one lesson: the running job, and the last result.

    `result`, `reports` and `settings` are of the same job and change together. `number` counts the results, so that a cache
    can use it as a key.
    """

    job: Job | None = None
    job_settings: object = None
    result: object = None
    reports: list = field(default_factory=list)
    settings: object = None
    number: int = 0
    error: str = ""


def _stop(bench: Bench) -> None:
    if bench.job is not None:
        bench.job.stop()


@st.cache_resource(scope="session", on_release=_stop, show_spinner=False)
def bench_of(lesson: str) -> Bench:
    """Return this session's bench for a lesson. Its job stops when the session ends."""
    return Bench()


def _collect(bench: Bench) -> None:
    if not bench.job.done:
        return
    job, bench.job = bench.job, None
    try:
        result = job.result()
    except PoolError as error:
        bench.error = str(error)
        return
    if result is not None:
        bench.result, bench.reports, bench.settings = result, job.progress(), bench.job_settings
        bench.number += 1


def _start(bench: Bench, task: Callable, arguments: tuple, settings: object) -> None:
    bench.error = ""
    try:
        bench.job, bench.job_settings = POOL.submit(task, *arguments), settings
    except PoolError as error:
        bench.error = str(error)


def training_job(
    lesson: Controls, task: Callable, arguments: tuple, settings: object, watch: Callable[[list], None]
) -> Bench:
    """Draw the button Train or Stop and, during training, call `watch(reports)` twice a second; return the bench.

    `task(report, *arguments)` is run in the pool. The bench keeps `settings` with the result, so that a page can say how the
    result was trained.
    """
    bench = bench_of(lesson.name)
    running = bench.job is not None

    @st.fragment(run_every=0.5 if running else None)
    def panel() -> None:
        if bench.job is not None:
            _collect(bench)
            if bench.job is None or not running:
                st.rerun()  # run the whole page, to show the result or to start this fragment's timer
            stop = {"on_click": _stop, "args": (bench,), "icon": ":material/stop:"}
            st.button(LAB_WORDS.label("train.stop"), key=lesson.key("stop"), **stop)
            if place := bench.job.place:
                turn = "train.next" if place == 1 else "train.queued"
                st.info(LAB_WORDS.label(turn, place=place))
            else:
                watch(bench.job.progress())
                if bench.job.attempts > 1:
                    st.info(LAB_WORDS.label("train.again"))
        else:
            st.button(
                LAB_WORDS.label("train"),
                key=lesson.key("train"),
                icon=":material/play_arrow:",
                on_click=_start,
                args=(bench, task, arguments, settings),
            )
        if bench.error:
            st.error(bench.error)

    panel()
    return bench
