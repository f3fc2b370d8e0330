"""The bar that shows how far a training of word vectors is."""

from __future__ import annotations

import numpy as np
import streamlit as st

from core.models.word_vectors.training_progress import Progress


def watch_training(reports: list[Progress]) -> None:
    """Draw the bar with step, loss, words a second and time left, from the last of the reports so far."""
    if not reports:
        st.progress(0.0, "Cutting the text into sentences and words")
        return
    now = reports[-1]
    left = f"{now.seconds_left:.0f} s left" if now.step else "starting"
    loss = f"loss {now.loss:.3f}" if np.isfinite(now.loss) else "no pair met yet"
    st.progress(
        now.step / max(1, now.steps),
        f"Step {now.step:,} of {now.steps:,} · epoch {now.epoch + 1} · {loss} · "
        f"{now.words_per_second:,.0f} words a second · {left}",
    )
