"""What the perplexity lesson measures on the sentences held out of the text in use, computed once a session."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.lesson.ngram_choice import ALPHAS, ORDER_AT_MOST, SMOOTHINGS, fit
from core.models.language_model import perplexity
from core.models.ngram import held_out
from core.models.ngram_text import CountedText

EVERY = 10  # one sentence in so many is held out
MEASURED_AT_MOST = 20_000  # tokens: enough for three digits of a perplexity, and quick
ORDERS = range(1, ORDER_AT_MOST + 1)
ALPHA_ORDERS = (1, 2, 3)


@st.cache_data(scope="session", max_entries=64, show_spinner="Measuring")
def by_order(name: str, digest: str, unit: str, min_count: int, _counted: CountedText) -> pd.DataFrame:
    """Return one row for each n: how the smoothing `name` does on the first held-out tokens."""
    held, share = _counted.held_out[:MEASURED_AT_MOST], SMOOTHINGS[name].arguments
    characters = characters_of(_counted)
    measured = [held_out(fit(_counted.counts, n, name, share), held) for n in ORDERS]
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


@st.cache_data(scope="session", max_entries=8, show_spinner="Measuring")
def by_alpha(digest: str, unit: str, min_count: int, _counted: CountedText) -> dict[int, list[float]]:
    """Return the perplexity of add-alpha on the first held-out tokens, for each n a list along ALPHAS."""
    held = _counted.held_out[:MEASURED_AT_MOST]
    return {
        n: [
            perplexity(fit(_counted.counts, n, "add-alpha", {"alpha": alpha}).token_log_probabilities(held))
            for alpha in ALPHAS
        ]
        for n in ALPHA_ORDERS
    }


def characters_of(counted: CountedText) -> float:
    """Return how many characters the measured tokens stand for."""
    measured = min(MEASURED_AT_MOST, len(counted.held_out))
    return counted.held_out_characters * measured / len(counted.held_out)
