"""What the perplexity lesson measures on the sentences held out of the text in use, computed once a session."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from core.lesson.choices.ngram_choice import ALPHAS, ORDER_AT_MOST, ChosenSmoothing, standard
from core.models.language_model import perplexity
from core.models.n_grams.ngram import held_out
from core.models.n_grams.ngram_text import CountedText

EVERY = 10  # one sentence in so many is held out
MEASURED_AT_MOST = 20_000  # tokens: enough for three digits of a perplexity, and quick
ORDERS = range(1, ORDER_AT_MOST + 1)
ALPHA_ORDERS = (1, 2, 3)


@st.cache_data(scope="session", max_entries=64, show_spinner="Measuring")
def by_order(name: str, digest: str, unit: str, min_count: int, _counted: CountedText) -> pd.DataFrame:
    """Return one row for each n: how the smoothing `name` does on the measured tokens."""
    held, characters = measured_tokens(_counted), characters_of(_counted)
    measured = [held_out(standard(name).fit(_counted.counts, n), held) for n in ORDERS]
    return pd.DataFrame(
        {
            "model": [name] * len(ORDERS),
            "n": list(ORDERS),
            "perplexity": [one.perplexity for one in measured],
            "bits a token": [one.bits for one in measured],
            "bits a character": [one.bits * len(held) / characters for one in measured],
            "unseen n-grams": [one.unseen for one in measured],
        }
    )


def by_model(names: Sequence[str], *text) -> pd.DataFrame:
    """Return the rows of several smoothings, one after the other, on one text (the arguments of `by_order`)."""
    return pd.concat([by_order(name, *text) for name in names], ignore_index=True)


@st.cache_data(scope="session", max_entries=8, show_spinner="Measuring")
def by_alpha(digest: str, unit: str, min_count: int, _counted: CountedText) -> dict[int, list[float]]:
    """Return the perplexity of add-alpha on the measured tokens, for each n a list along ALPHAS."""
    held, counts = measured_tokens(_counted), _counted.counts
    ways = [ChosenSmoothing("add-alpha", {"alpha": alpha}) for alpha in ALPHAS]
    return {
        n: [perplexity(way.fit(counts, n).token_log_probabilities(held)) for way in ways]
        for n in ALPHA_ORDERS
    }


def measured_tokens(counted: CountedText) -> np.ndarray:
    """Return the first held-out tokens: what is measured."""
    return counted.held_out[:MEASURED_AT_MOST]


def characters_of(counted: CountedText) -> float:
    """Return how many characters the measured tokens stand for."""
    return counted.held_out_characters * len(measured_tokens(counted)) / len(counted.held_out)
