"""Two small GPTs, one that may not peek and one that may: a recorded run, or trained on the learner's text."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.figures.self_attention.parallel_training import both_losses
from core.lesson.break_it import consequence
from core.lesson.lesson import Lesson
from core.models.self_attention.fit_peeking import (
    PeekConfig,
    PeekProgress,
    fit_peeking,
    recorded_runs,
)
from core.text.reading.documents import Document

FIRST_CHARACTERS = 200_000  # more text than the steps can read


def peeking_bench(lesson: Lesson, document: Document, config: PeekConfig) -> None:
    """Draw the losses of the recorded run, the buttons to train on the learner's text, and what came of it."""
    text = document.text[:FIRST_CHARACTERS]
    about = f"{document.name}, {config.steps} steps, seed {config.seed}: {config.way}"
    bench = lesson.train(fit_peeking, (text, config), about, lambda reports: watch(lesson, reports))
    if bench.job is not None:
        return
    if bench.result is not None:
        st.text(f"Trained on {bench.settings}.")
        show_run(lesson, bench.reports)
    else:
        run = recorded_runs()[config.way]
        st.text(
            f"Recorded beforehand: The micro-world, {run[-1].steps} steps, seed {PeekConfig().seed}: {config.way}. "
            "Train: the same on your text."
        )
        show_run(lesson, run)


def watch(lesson: Lesson, reports: Sequence[PeekProgress]) -> None:
    """Draw how far the training is, and the losses so far."""
    if not reports:
        st.progress(0.0, "Building two models with the same weights")
        return
    now = reports[-1]
    st.progress(now.step / now.steps, f"Step {now.step:,} of {now.steps:,} · {now.seconds_left:.0f} s left")
    draw_losses(lesson, "now_losses", reports)


def draw_losses(lesson: Lesson, name: str, reports: Sequence[PeekProgress]) -> None:
    """Draw the four losses against the steps: each model's own in training, and both measured honestly."""
    honest, peeking = reports[-1].honest, reports[-1].peeking
    lesson.figure(
        name,
        both_losses(reports),
        f"Training loss {honest.training_loss:.2f} without peeking and {peeking.training_loss:.2f} with; honest loss "
        f"{honest.honest_loss:.2f} and {peeking.honest_loss:.2f}",
    )


def show_run(lesson: Lesson, reports: Sequence[PeekProgress]) -> None:
    """Show a run to its end: both losses, as each model sees them and measured honestly, and what each writes."""
    last = reports[-1]
    draw_losses(lesson, "losses", reports)
    lesson.caption(verdict(last))
    for name, learner in (("", last.honest), ("_peeking", last.peeking)):
        losses = {"training": learner.training_loss, "honest": learner.honest_loss}
        lesson.set_values(**{f"{which}{name}": f"{loss:.2f}" for which, loss in losses.items()})
    consequence("Training loss", last.honest.training_loss, last.peeking.training_loss, more_is_better=False)
    consequence(
        "Honest loss, held out", last.honest.honest_loss, last.peeking.honest_loss, more_is_better=False
    )
    st.caption(
        "Nats a character. Honest: both under the right mask, on the last tenth of the text, which neither was trained "
        "on. This is what is left when the next character does not exist yet, as when a model writes."
    )
    left, right = st.columns(2)
    for column, title, learner in ((left, "whole", last.honest), (right, "broken", last.peeking)):
        with column:
            st.markdown(f"**What it writes, {title}**")
            st.code(learner.sample.replace("\n", "↵") or " ", language=None, wrap_lines=True, height=160)


def verdict(last: PeekProgress) -> str:
    """Return the sentence that says what peeking did to the loss in training, and to the honest one."""
    honest, peeking = last.honest, last.peeking
    lower = "the lower" if peeking.training_loss < honest.training_loss else "no lower"
    worse = "knows less" if peeking.honest_loss > honest.honest_loss else "knows no less"
    return (
        f"In training the one that peeks has {lower} loss, {peeking.training_loss:.2f} against "
        f"{honest.training_loss:.2f}. When nothing is there to peek at, it {worse}: {peeking.honest_loss:.2f} against "
        f"{honest.honest_loss:.2f}."
    )
