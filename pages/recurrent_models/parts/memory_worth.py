"""Break it: the memory wiped, or a gate held still, and what that costs on the learner's text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import streamlit as st
import torch

from core.figures.recurrent_models.recurrent import frozen_figure, memory_figure
from core.lesson.break_it import break_it, consequence
from core.lesson.choices.language_model_choice import ChosenModel
from core.lesson.figure import show_figure
from core.models.recurrent_language_model import RecurrentLanguageModel
from core.models.recurrent_models.broken_memory import bits, frozen
from core.text.reading.documents import Document
from pages.recurrent_models.parts.recurrent_reading import beginning

WIPE = "wipe the memory"
PIECES = {
    "RNN": {},
    "GRU": {
        "z = 0: keep nothing": ("z", 0.0),
        "z = 0.5: keep half": ("z", 0.5),
        "r = 0: propose without the past": ("r", 0.0),
        "r = 1: propose with all of it": ("r", 1.0),
    },
    "LSTM": {
        "f = 0: forget all": ("f", 0.0),
        "f = 0.5: forget half": ("f", 0.5),
        "f = 1: forget nothing": ("f", 1.0),
        "i = 1: write everything": ("i", 1.0),
        "o = 1: show everything": ("o", 1.0),
    },
}
WIPED_EVERY = (1, 2, 4, 8, 16, 32, 64)
MEASURED_ON = 1500


@dataclass(frozen=True)
class Broken:
    """A network with a piece removed: what it is called, how often its memory is wiped, which gate is frozen."""

    piece: str
    network: RecurrentLanguageModel
    wiped: int | None = None
    gate: tuple[str, float] | None = None

    @property
    def cells(self) -> list[str]:
        """The notebook's cell that freezes the gate, if one is."""
        if self.gate is None:
            return []
        return [
            f"from core.models.recurrent_models.broken_memory import frozen\n\nnetwork = frozen(network, *{self.gate!r})"
        ]


def choose_broken(lesson: str, cell: str, network: RecurrentLanguageModel) -> Broken | None:
    """Draw the switch that breaks the memory; return the broken network, or None while it is whole."""
    if not break_it(
        lesson,
        "broken",
        "Break it: damage the memory",
        "Wipes the state, or holds a gate at one value; the cost is measured on your text.",
    ):
        return None
    key, pieces = f"{lesson}_piece", [WIPE, *PIECES[cell]]
    if st.session_state.get(key) not in pieces:
        st.session_state.pop(key, None)  # another cell, which has other gates
    piece = st.selectbox("What to break", pieces, key=key, bind="query-params")
    if piece == WIPE:
        wiped = st.slider("Wiped every … characters", 1, 64, key=f"{lesson}_wiped", bind="query-params")
        return Broken(f"{piece} {wiped}", network, wiped)
    gate = PIECES[cell][piece]
    return Broken(piece, frozen(network, *gate), gate=gate)


@st.cache_data(scope="session", max_entries=60, show_spinner="Measuring on your text")
def bits_per_character(
    label: str,
    piece: str,
    digest: str,
    _network: RecurrentLanguageModel,
    _ids: tuple[int, ...],
    wiped: int | None,
) -> float:
    """Return the mean of -log2 p over a text, measured once a session."""
    torch.set_num_threads(1)
    return bits(_network, torch.tensor(_ids), wiped).mean().item()


def show_worth(lesson: str, cell: str, chosen: ChosenModel, document: Document, broken: Broken) -> None:
    """Show the bits per character whole and broken, against how often the memory is wiped, and gate by gate."""
    prompt, network = beginning(chosen, document, MEASURED_ON), chosen.model.network
    if not prompt.ids:
        st.info("The model can read nothing of your text, so there is nothing to measure the damage on.")
        return
    ids = (chosen.model.start, *prompt.ids)
    measure = partial(bits_per_character, chosen.label, digest=document.digest, _ids=ids)
    whole = measure("whole", _network=network, wiped=None)
    st.header("What the memory is worth", anchor=False)
    st.markdown(
        f"Measured on the first {len(prompt.ids):,} characters of your text: the bits that the model needs for each. "
        "Fewer is better."
    )
    consequence(
        "Bits per character",
        whole,
        measure(broken.piece, _network=broken.network, wiped=broken.wiped),
        more_is_better=False,
    )
    left, right = st.columns(2)
    with left:
        wiped = [measure(f"{WIPE} {k}", _network=network, wiped=k) for k in WIPED_EVERY]
        show_figure(
            memory_figure(WIPED_EVERY, wiped, whole),
            f"{lesson}_memory",
            "Bits per character against how often the memory is wiped",
        )
    with right:
        held = {
            piece: measure(piece, _network=frozen(network, *gate), wiped=None)
            for piece, gate in PIECES[cell].items()
        }
        if held:
            show_figure(
                frozen_figure(held, whole), f"{lesson}_frozen", "Bits per character with a gate held still"
            )
        else:
            st.markdown("A plain RNN has no gates to hold. Choose the GRU or the LSTM to hold one.")
