"""The settings of word2vec as widgets: algorithm, window, dimension, negatives, epochs and the rest."""

from __future__ import annotations

import streamlit as st

from core.models.word_vectors.cbow import Cbow
from core.models.word_vectors.skipgram import SkipGram
from core.models.word_vectors.word2vec import Word2Vec

ALGORITHMS = {"skip-gram": SkipGram, "CBOW": Cbow}
# CBOW takes one step a window where skip-gram takes one a pair, so it wants longer ones.
LEARNING_RATES = {"skip-gram": 0.025, "CBOW": 0.1}


def word2vec_settings(lesson: str) -> Word2Vec:
    """Draw the settings, all in the address, and return a model with them, not yet fitted."""
    kind = st.segmented_control(
        "Algorithm",
        list(ALGORITHMS),
        default="skip-gram",
        required=True,
        key=f"{lesson}_kind",
        bind="query-params",
    )
    window = st.slider("Window", 1, 10, 4, key=f"{lesson}_window", bind="query-params")
    negatives = st.slider("Negatives", 1, 20, 5, key=f"{lesson}_negatives", bind="query-params")
    dimension = st.slider("Dimension", 2, 200, 50, key=f"{lesson}_dimension", bind="query-params")
    epochs = st.slider("Epochs", 1, 100, 10, key=f"{lesson}_epochs", bind="query-params")
    with st.expander("More"):
        rate = st.number_input(
            "Learning rate",
            0.001,
            0.5,
            LEARNING_RATES[kind],
            format="%.3f",
            key=f"{lesson}_rate_{kind}",
            bind="query-params",
        )
        subsampling = st.select_slider(
            "Subsampling of frequent words",
            [0.0, 1e-5, 1e-4, 1e-3, 1e-2],
            1e-3,
            key=f"{lesson}_subsampling",
            bind="query-params",
            help="Words with a larger share of the text than this are skipped at random; 0 keeps every word.",
        )
        count = st.slider(
            "Leave out words seen fewer times than", 1, 20, 2, key=f"{lesson}_min", bind="query-params"
        )
        seed = st.number_input("Seed", 0, 10_000, 1, key=f"{lesson}_seed", bind="query-params")
    return ALGORITHMS[kind](
        dimension=dimension,
        window=window,
        negatives=negatives,
        epochs=epochs,
        learning_rate=rate,
        subsampling=subsampling,
        min_count=count,
        seed=seed,
    )


def watch_training(reports: list) -> None:
    """Draw the bar with step, loss, words a second and time left, from the last of the reports so far."""
    if not reports:
        st.progress(0.0, "Cutting the text into sentences and words")
        return
    now = reports[-1]
    left = f"{now.seconds_left:.0f} s left" if now.step else "starting"
    st.progress(
        now.step / max(1, now.steps),
        f"Step {now.step:,} of {now.steps:,} · epoch {now.epoch + 1} · loss {now.loss:.3f} · "
        f"{now.words_per_second:,.0f} words a second · {left}",
    )
