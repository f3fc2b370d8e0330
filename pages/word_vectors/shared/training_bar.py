"""The bar that shows how far a training of word vectors is."""

from __future__ import annotations

import numpy as np
import streamlit as st

from core.models.word_vectors.training_progress import Progress
from pages.word_vectors.shared import WORDS


def watch_training(reports: list[Progress]) -> None:
    """Draw the bar with step, loss, words a second and time left, from the last of the reports so far."""
    if not reports:
        st.progress(0.0, WORDS.label("training.reading"))
        return
    now = reports[-1]
    values = {
        "step": now.step,
        "steps": now.steps,
        "epoch": now.epoch + 1,
        "loss": now.loss if np.isfinite(now.loss) else None,
        "speed": now.words_per_second,
        "left": now.seconds_left if now.step else None,
    }
    st.progress(now.step / max(1, now.steps), WORDS.label("training.progress", **values))
