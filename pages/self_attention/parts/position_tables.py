"""Tables of positions, computed or learned, and what a model pays for tokens past the end of its table."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, sin

import numpy as np
import streamlit as st
import torch
from torch import Tensor

from core.figures.self_attention.word_order import bits_figure
from core.figures.worked import number
from core.lesson.figure import show_figure
from core.models.self_attention.attentive_models import attentive_model
from core.models.self_attention.positions import sinusoidal_positions
from core.models.self_attention.word_order import BEYOND, bits_by_place, with_positions_for
from core.text.reading.documents import Document

SINUSOIDS = "sinusoids"
LEARNED = {"learned by the GPT": "word_gpt", "learned by the masked model": "word_masked"}
WIDTHS, BASES = [8, 16, 32, 64, 128, 256], [10, 100, 1000, 10_000, 100_000]
READER, RUNS, STEP = "char_gpt", 12, 16
CHARACTERS_AT_MOST = 200_000  # of the learner's text, over which the windows are spread


@dataclass(frozen=True)
class ChosenPositions:
    """A table of positions (T, C), the notebook's cell that makes it, and the base of the sinusoids, 0 if learned."""

    kind: str
    table: Tensor
    cell: str
    base: int = 0

    def worked(self, row: int, column: str) -> str | None:
        """Return one number of the table filled in; None where it was learned."""
        return worked_sinusoid(row, column, self.table.shape[1], self.base) if self.base else None


def choose_positions(lesson: str) -> ChosenPositions:
    """Draw the choice of sinusoids, with their settings, or of a trained model's positions, and return the table."""
    kind = st.radio("Positions", [SINUSOIDS, *LEARNED], key=f"{lesson}_kind", bind="query-params")
    if kind == SINUSOIDS:
        T = st.slider("T, positions", 8, 512, 128, key=f"{lesson}_length", bind="query-params")
        C = st.select_slider("C, numbers in each", WIDTHS, 64, key=f"{lesson}_width", bind="query-params")
        base = st.select_slider("b, the base", BASES, 10_000, key=f"{lesson}_base", bind="query-params")
        cell = (
            "from core.models.self_attention.positions import sinusoidal_positions\n\n"
            f"positions = sinusoidal_positions({T}, {C}, {base})"
        )
        return ChosenPositions(kind, sinusoidal_positions(T, C, base), cell, base)
    table = learned_positions(LEARNED[kind])
    st.caption(f"{len(table)} positions of {table.shape[1]} numbers, found in training.")
    cell = (
        "from core.models.self_attention.attentive_models import attentive_model\n\n"
        f"positions = attentive_model({LEARNED[kind]!r}).network.position_embedding.weight.detach()"
    )
    return ChosenPositions(kind, table, cell)


def learned_positions(name: str) -> Tensor:
    """Return a trained model's position embeddings, (T, C)."""
    return attentive_model(name).network.position_embedding.weight.detach()


@dataclass(frozen=True)
class PastTheEnd:
    """Bits a character at each place of a window twice as long as the model was trained on; `trained` places."""

    bits: np.ndarray
    trained: int


@st.cache_data(scope="session", max_entries=12, show_spinner="The model reads past its end")
def bits_past_the_end(digest: str, beyond: str, _text: str) -> PastTheEnd | None:
    """Return what the GPT of characters pays for a text past its last position, None where the text is too short."""
    torch.set_num_threads(1)
    model = attentive_model(READER)
    ids = torch.tensor(model.encode(_text[:CHARACTERS_AT_MOST]).ids)
    T = 2 * model.context
    if len(ids) < T:
        return None
    longer = with_positions_for(model.network, T, beyond)
    return PastTheEnd(bits_by_place(longer, ids, T, RUNS).numpy(), model.context)


def show_past_the_end(lesson: str, document: Document, ways: list[str]) -> None:
    """Draw what the GPT pays at each place for each way to go past its last position, and say the means."""
    measured = {way: bits_past_the_end(document.digest, way, document.text) for way in ways}
    if None in measured.values():
        least = 2 * attentive_model(READER).context
        st.info(
            f"This needs a text of at least {least} characters that the model knows. Choose a longer one."
        )
        return
    trained = next(iter(measured.values())).trained
    lines = {way: found.bits for way, found in measured.items()}
    alt = "Bits per character against the place in the window"
    show_figure(bits_figure(lines, trained, STEP), f"{lesson}_bits", alt)
    for way, bits in lines.items():
        inside, outside = bits[: trained - 1].mean(), bits[trained - 1 :].mean()
        st.markdown(
            f"**{way}**: {inside:.2f} bits per character on the first {trained} places, {outside:.2f} after them."
        )


def choose_ways(lesson: str) -> list[str]:
    """Draw the choice of what stands past the last position and return one way or all."""
    chosen = st.segmented_control(
        "Past the last position",
        [*BEYOND, "all three"],
        default="all three",
        required=True,
        key=f"{lesson}_beyond",
        bind="query-params",
    )
    return list(BEYOND) if chosen == "all three" else [chosen]


def worked_sinusoid(t: int, column: str, C: int, base: float) -> str | None:
    """Return one number of a table of sinusoids, filled in; None for the label of its row."""
    if not column.isdigit():
        return None
    dimension = int(column)
    i, name, function = dimension // 2, ("sin", "cos")[dimension % 2], (sin, cos)[dimension % 2]
    angle = t / base ** (2 * i / C)
    return (
        rf"\{name}\!\left(\frac{{{t}}}{{{number(base)}^{{{2 * i}/{C}}}}}\right) = \{name}({number(angle)}) = "
        rf"{number(function(angle))}"
    )
