"""Train two small GPTs on the learner's text, one that may not peek and one that may, and watch both."""

from __future__ import annotations

import streamlit as st

from core.figures.self_attention.parallel_training import both_losses
from core.lesson.break_it import consequence
from core.lesson.figure import show_figure
from core.lesson.training_job import Bench, training_job
from core.models.self_attention.fit_peeking import PeekConfig, PeekProgress, fit_peeking
from core.models.self_attention.peeking import WAYS
from core.text.reading.documents import Document

FIRST_CHARACTERS = 200_000  # more text than the steps can read


def peeking_bench(lesson: str, document: Document, config: PeekConfig) -> Bench:
    """Draw the buttons, the two losses while they fall, and what came of it."""
    text = document.text[:FIRST_CHARACTERS]
    about = f"{document.name}, {config.steps} steps, seed {config.seed}: {config.way}"
    bench = training_job(lesson, fit_peeking, (text, config), about, lambda reports: watch(lesson, reports))
    if bench.result is not None and bench.job is None:
        st.text(f"Trained on {bench.settings}.")
        show_losses(lesson, bench.reports)
        show_verdict(bench.result)
    return bench


def watch(lesson: str, reports: list[PeekProgress]) -> None:
    """Draw how far the training is, and both losses so far."""
    if not reports:
        st.progress(0.0, "Building two models with the same weights")
        return
    now = reports[-1]
    st.progress(now.step / now.steps, f"Step {now.step:,} of {now.steps:,} · {now.seconds_left:.0f} s left")
    show_losses(f"{lesson}_now", reports)


def show_losses(key: str, reports: list[PeekProgress]) -> None:
    """Draw the four losses against the steps: each model's own in training, and both measured honestly."""
    show_figure(
        both_losses(reports),
        f"{key}_losses",
        f"Training loss {reports[-1].honest.training_loss:.2f} without peeking and "
        f"{reports[-1].peeking.training_loss:.2f} with; honest loss {reports[-1].honest.honest_loss:.2f} and "
        f"{reports[-1].peeking.honest_loss:.2f}",
    )


def show_verdict(last: PeekProgress) -> None:
    """Show both losses at the end, as each model sees them and measured honestly, and what each writes."""
    consequence("Training loss", last.honest.training_loss, last.peeking.training_loss, more_is_better=False)
    st.caption("Lower looks better. But one of the two has read its answers.")
    consequence(
        "Honest loss, held out", last.honest.honest_loss, last.peeking.honest_loss, more_is_better=False
    )
    st.caption(
        "Both under the right mask, on the last tenth of your text, which neither was trained on. This is what is left "
        "when the next character does not exist yet, as when a model writes."
    )
    left, right = st.columns(2)
    for column, title, learner in ((left, "whole", last.honest), (right, "broken", last.peeking)):
        with column:
            st.markdown(f"**What it writes, {title}**")
            st.code(learner.sample.replace("\n", "↵") or " ", language=None, wrap_lines=True, height=160)


def choose_peek(lesson: str) -> PeekConfig:
    """Draw the mistake that lets the second model peek, and the settings that both are trained with."""
    way = st.radio("How it peeks", WAYS, key=f"{lesson}_way", bind="query-params")
    steps = st.slider("Steps", 40, 600, 240, 20, key=f"{lesson}_steps", bind="query-params")
    seed = st.number_input("Seed", 0, 9999, 1, key=f"{lesson}_seed", bind="query-params")
    return PeekConfig(way, steps=steps, seed=seed)
