"""One pass over a window, or one pass an example: computed both ways and compared."""

from __future__ import annotations

import streamlit as st
from torch import Tensor, nn

from core.lesson.break_it import consequence
from core.models.self_attention.parallel_training import Losses, in_one_pass, one_by_one


def compare_passes(
    ids: Tensor, whole: nn.Module, network: nn.Module, together: Losses, alone: Losses
) -> None:
    """Show both ways side by side, and their largest difference; `network` is `whole` or has lost its mask."""
    T = len(ids) - 1
    st.header("One pass, or one pass an example?", anchor=False)
    st.markdown(
        "A recurrent network reads token after token. A transformer reads the window at once, and the mask makes each "
        "position behave as if its prefix were all there is. So the two ways must give the same losses. Both just ran:"
    )
    measured = {
        "Loss, one pass": f"{together.mean:.4f}",
        f"Loss, {T} passes": f"{alone.mean:.4f}",
        "Tokens read": f"{together.tokens_read} / {alone.tokens_read}",
        "Milliseconds": f"{1000 * together.seconds:.1f} / {1000 * alone.seconds:.1f}",
    }
    for column, (label, value) in zip(st.columns(4), measured.items(), strict=True):
        column.metric(label, value)
    difference = apart(together, alone)
    if network is whole:
        st.markdown(f"The largest difference between the two ways is {difference:.1e}: rounding.")
        return
    rounding = apart(in_one_pass(whole, ids), one_by_one(whole, ids))
    consequence("Largest difference between the two ways", rounding, difference, ".6f", more_is_better=False)
    st.markdown(
        "Without the mask one pass no longer gives the predictions that the prefixes give: its rows have seen more."
    )


def apart(one: Losses, other: Losses) -> float:
    """Return the largest difference between the losses of the same examples computed in two ways."""
    return (one.losses - other.losses).abs().max().item()
