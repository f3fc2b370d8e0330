"""What each search found and what it cost, as a table with its products counted out."""

from __future__ import annotations

import math
from collections.abc import Mapping

import pandas as pd
import streamlit as st

from core.models.hidden_markov_models.hmm import Decoded, Lattice, Search


def searches_of(decoded: Decoded) -> dict[str, Lattice | Search]:
    """Return the three searches by the names that pictures and tables give them."""
    return {
        "Viterbi": decoded.viterbi,
        f"beam of {decoded.beam.width}": decoded.beam,
        "greedy": decoded.greedy,
    }


def search_costs(lesson: str, decoded: Decoded, searches: Mapping[str, Lattice | Search]) -> None:
    """Show for each search its path, the path's probability, nodes kept and products computed."""
    n, K = decoded.viterbi.scores.shape
    best, width = decoded.viterbi.log_probability, decoded.beam.width
    table = pd.DataFrame(
        {
            "search": list(searches),
            "ln p": [search.log_probability for search in searches.values()],
            "p(path, words)": [f"{math.exp(search.log_probability):.4g}" for search in searches.values()],
            "share of the best": [math.exp(search.log_probability - best) for search in searches.values()],
            "nodes kept": [n * K, decoded.beam.nodes, decoded.greedy.nodes],
            "products": [search.products for search in searches.values()],
            "counted as": [f"{K} + {n - 1} · {kept} · {K}" for kept in (K, width, 1)],
            "path": [" ".join(decoded.tags(search.path)) for search in searches.values()],
        }
    )
    bar = st.column_config.ProgressColumn(format="percent", min_value=0, max_value=1)
    st.dataframe(
        table,
        hide_index=True,
        key=f"{lesson}_table",
        column_config={"share of the best": bar},
        alt="The three searches: probability of the path each found, and what it cost",
    )
