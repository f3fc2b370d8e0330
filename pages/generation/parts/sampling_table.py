"""The next-token distribution as a table with worked formulas, and what is lost when it is not renormalised."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.generation.sampling import DRAWS, shown, worked_sampling
from core.lesson.break_it import consequence
from core.lesson.every_number import every_number
from core.models.generation.sampling import SamplingTrace, Settings, sample


def sampling_table(
    lesson: str, trace: SamplingTrace, settings: Settings, names: Sequence[str], seed: int
) -> None:
    """Show every token's row, the likeliest first, with how often it came out of the seed's draws."""
    order = trace.order
    table = pd.DataFrame(
        {
            "rank": trace.rank[order],
            "token": [shown(names[i]) for i in order],
            "z": trace.logits[order],
            "z / T": trace.scaled[order],
            "softmax": trace.softmax[order],
            "cut by": trace.cut_by[order],
            "p": trace.probabilities[order],
            "cumulative": trace.cumulative[order],
            f"drawn of {DRAWS}": sample(trace, DRAWS, seed)[order],
        }
    )

    def formula(row: int, column: str) -> str | None:
        """Fill in the formula of one number."""
        return worked_sampling(trace, settings, int(order[row]), names[order[row]], column)

    every_number(lesson, "next tokens", table, formula)


def without_renormalising(trace: SamplingTrace, seed: int) -> None:
    """Show the sum of what is left when it is not divided by its mass, and how many draws come out empty."""
    mass = float(trace.softmax[trace.kept].sum())
    lost = int((np.random.default_rng(seed).random(DRAWS) >= mass).sum())
    st.markdown(
        f"Of {DRAWS} random numbers, **{lost}** fall past the end of what was kept, on no token at all."
    )
    consequence("Sum of all p", float(trace.probabilities.sum()), mass, ".4f")
    if trace.kept.all():
        st.info("Nothing is cut now. Lower k or p to see a difference.")
