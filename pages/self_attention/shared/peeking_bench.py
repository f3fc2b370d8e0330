"""Two small GPTs, one that may not peek and one that may: a recorded run, or trained on the learner's text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from core.figures.self_attention.parallel_training import both_losses
from core.lesson.break_it import show_comparison
from core.lesson.lesson import Lesson
from core.models.self_attention.fit_peeking import (
    PeekConfig,
    PeekProgress,
    fit_peeking,
    recorded_runs,
)
from core.models.self_attention.peeking import NO_MASK, NO_SHIFT, TOO_LATE, ZERO
from core.text.reading.documents import Document
from core.words.texts import FILE, read_words

WORDS = read_words(Path(__file__).with_name(FILE))
WAY_KEYS = {NO_MASK: "no_mask", ZERO: "zero", TOO_LATE: "late", NO_SHIFT: "no_shift"}
FIRST_CHARACTERS = 200_000  # more text than the steps can read


def peeking_bench(lesson: Lesson, document: Document, config: PeekConfig) -> None:
    """Draw the losses of the recorded run, the buttons to train on the learner's text, and what came of it."""
    text = document.text[:FIRST_CHARACTERS]
    way = WORDS.label(f"bench.way.{WAY_KEYS[config.way]}")
    about = WORDS.label("bench.about", name=document.name, steps=config.steps, seed=config.seed, way=way)
    bench = lesson.train(fit_peeking, (text, config), about, lambda reports: watch(lesson, reports))
    if bench.job is not None:
        return
    if bench.result is not None:
        st.text(WORDS.label("bench.trained", settings=bench.settings))
        show_run(lesson, bench.reports)
    else:
        run = recorded_runs()[config.way]
        steps, seed = run[-1].steps, PeekConfig().seed
        st.text(WORDS.label("bench.recorded", steps=steps, seed=seed, way=way))
        show_run(lesson, run)


def watch(lesson: Lesson, reports: Sequence[PeekProgress]) -> None:
    """Draw how far the training is, and the losses so far."""
    if not reports:
        st.progress(0.0, WORDS.label("bench.building"))
        return
    now = reports[-1]
    step, steps, left = f"{now.step:,}", f"{now.steps:,}", f"{now.seconds_left:.0f}"
    st.progress(now.step / now.steps, WORDS.label("bench.step", step=step, steps=steps, left=left))
    draw_losses(lesson, "now_losses", reports)


def losses_of(last: PeekProgress) -> dict[str, str]:
    """Return the four losses of a report as they are written, by their names in the words."""
    return {
        "honest": f"{last.honest.training_loss:.2f}",
        "peeking": f"{last.peeking.training_loss:.2f}",
        "honest_tested": f"{last.honest.honest_loss:.2f}",
        "peeking_tested": f"{last.peeking.honest_loss:.2f}",
    }


def draw_losses(lesson: Lesson, name: str, reports: Sequence[PeekProgress]) -> None:
    """Draw the four losses against the steps: each model's own in training, and both measured honestly."""
    lesson.figure(name, both_losses(reports), WORDS.label("bench.alt", **losses_of(reports[-1])))


def show_run(lesson: Lesson, reports: Sequence[PeekProgress]) -> None:
    """Show a run to its end: both losses, as each model sees them and measured honestly, and what each writes."""
    last = reports[-1]
    draw_losses(lesson, "losses", reports)
    lesson.caption(verdict(last))
    for name, learner in (("", last.honest), ("_peeking", last.peeking)):
        losses = {"training": learner.training_loss, "honest": learner.honest_loss}
        lesson.set_values(**{f"{which}{name}": f"{loss:.2f}" for which, loss in losses.items()})
    honest, peeking = last.honest, last.peeking
    ends = WORDS.label("bench.honest"), WORDS.label("bench.peeking")
    for key, losses in (
        ("bench.training", (honest.training_loss, peeking.training_loss)),
        ("bench.tested", (honest.honest_loss, peeking.honest_loss)),
    ):
        show_comparison(WORDS.label(key), *ends, *losses, more_is_better=False)
    st.caption(WORDS.label("bench.units"))
    for column, title, learner in zip(
        st.columns(2), ("bench.writes", "bench.writes_peeking"), (honest, peeking), strict=True
    ):
        with column:
            st.markdown(WORDS.markdown(title))
            st.code(learner.sample.replace("\n", "↵") or " ", language=None, wrap_lines=True, height=160)


def verdict(last: PeekProgress) -> str:
    """Return the sentence that says what peeking did to the loss in training, and to the honest one."""
    honest, peeking = last.honest, last.peeking
    lower = "lower" if peeking.training_loss < honest.training_loss else "no_lower"
    worse = "less" if peeking.honest_loss > honest.honest_loss else "no_less"
    said = {"lower": WORDS.label(f"bench.{lower}"), "worse": WORDS.label(f"bench.{worse}")}
    return WORDS.label("bench.verdict", **losses_of(last), **said)
