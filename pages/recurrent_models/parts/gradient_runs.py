"""The gradient microscope's measurements: random networks over several seeds, and the trained ones on a sentence."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st
import torch

from core.figures.recurrent_models.gradient import (
    Band,
    band,
    flow_figure,
    reading_figure,
    training_figure,
    worked_ratio,
)
from core.lesson.break_it import consequence
from core.lesson.choices.language_model_choice import language_model, model_labels, say_what_was_read
from core.lesson.every_number import every_number
from core.lesson.figure import show_figure
from core.models.recurrent_models.clipped_training import LOST, ClippedTraining, train
from core.models.recurrent_models.gradient_flow import (
    GradientFlow,
    LossGradient,
    clip_factor,
    gradient_flow,
    loss_gradient,
)
from core.models.stored_language_models import stored_language_model
from core.text.reading.documents import Document
from pages.recurrent_models.parts.recurrent_reading import CELLS, choose_text

WIDTH = 32
TRAINED_LENGTH_AT_MOST = 30


def choose_network(lesson: str) -> tuple[float, int, int, float]:
    """Draw the sliders and return the spectral radius, the length, how many seeds, and where to clip."""
    radius = st.slider(
        "Spectral radius of W_h", 0.1, 2.0, 0.9, step=0.05, key=f"{lesson}_radius", bind="query-params"
    )
    length = st.slider("Length: steps read", 2, 200, 60, key=f"{lesson}_length", bind="query-params")
    seeds = st.slider(
        "Seeds",
        1,
        12,
        5,
        key=f"{lesson}_seeds",
        bind="query-params",
        help="So many random networks; the line is their median, the band reaches from the smallest to the largest.",
    )
    clip = st.slider("Clip at c", 0.1, 10.0, 1.0, step=0.1, key=f"{lesson}_clip", bind="query-params")
    return radius, length, seeds, clip


@st.cache_data(max_entries=150, show_spinner="Measuring")
def flow(cell: str, radius: float, length: int, seed: int) -> GradientFlow:
    """Return one random network's gradient through time; it depends on no learner's text, so all share it."""
    torch.set_num_threads(1)
    found = gradient_flow(cell, radius, length, WIDTH, seed=seed)
    found.weights.W_h.requires_grad_(False)
    return found


def bands(radius: float, length: int, seeds: int, linear: bool) -> dict[str, Band]:
    """Return the norms of dL/dh and dL/dc from the last step backwards, over the seeds 1 to `seeds`."""
    runs = {
        cell: [flow(cell, radius, length, seed) for seed in range(1, seeds + 1)] for cell in ("rnn", "lstm")
    }
    backwards = {
        "RNN, h": [run.hidden_norms.flip(0).numpy() for run in runs["rnn"]],
        "LSTM, h": [run.hidden_norms.flip(0).numpy() for run in runs["lstm"]],
        "LSTM, c": [run.cell_norms.flip(0).numpy() for run in runs["lstm"]],
    }
    if linear:
        straight = [flow("linear", radius, length, seed) for seed in range(1, seeds + 1)]
        backwards["RNN without tanh, h"] = [run.hidden_norms.flip(0).numpy() for run in straight]
    return {name: band(norms) for name, norms in backwards.items()}


def show_flow(lesson: str, found: dict[str, Band], radius: float) -> None:
    """Draw the norms against the distance from the loss."""
    last = {name: f"{norms.median[-1]:.1e}" for name, norms in found.items()}
    show_figure(
        flow_figure(found, radius),
        f"{lesson}_flow",
        f"The norm of the gradient against the distance; at the farthest step: {last}",
    )


def show_shares_left(found: dict[str, Band], whole: GradientFlow, clip: float) -> None:
    """Show how much of the gradient arrives, and the length of the whole gradient before and after clipping."""
    one, two, three = st.columns(3)
    state, cell = found["RNN, h"].median, found["LSTM, c"].median
    one.metric(f"RNN: left after {len(state) - 1} steps", f"{state[-1] / state[0]:.2g}")
    two.metric("LSTM's cell: left", f"{cell[-1] / cell[0]:.2g}")
    norm = whole.parameter_norm
    three.metric("|∂L/∂W_h|, then clipped", f"{norm:.3g} → {norm * clip_factor(norm, clip):.3g}")
    st.caption(
        f"Random networks of {WIDTH} units read random numbers; L = v · h_T with |v| = 1. Look at the slope: a "
        "straight line on this axis is a constant factor a step. W_h of every LSTM gate has the same radius; its "
        "forget gate starts at about 0.73 (bias 1). The clipped norm is that of the RNN with seed 1."
    )


def flow_table(lesson: str, found: dict[str, Band]) -> None:
    """Show the median norms at every distance, under "Every number"."""
    length = len(next(iter(found.values())).median)
    columns = {"steps back": np.arange(length)} | {name: norms.median for name, norms in found.items()}

    def formula(row: int, column: str) -> str | None:
        """Say how much is left at this distance."""
        return worked_ratio(column[-1], found[column].median, row) if column in found else None

    every_number(lesson, "norms", pd.DataFrame(columns), formula)


@st.cache_data(max_entries=60, show_spinner="Training twice")
def trainings(radius: float, length: int, clip: float, seed: int) -> dict[str, ClippedTraining]:
    """Return the same training with the gradient clipped and as it is."""
    torch.set_num_threads(1)
    return {
        "clipped": train(radius, length, clip, seed=seed),
        "not clipped": train(radius, length, None, seed=seed),
    }


def show_clipping(lesson: str, radius: float, length: int, clip: float, seed: int) -> None:
    """Show what becomes of a training without clipping, beside the same one with it."""
    length = min(length, TRAINED_LENGTH_AT_MOST)
    st.markdown(
        f"An RNN of 32 units, spectral radius {radius:g} at the start, learns to repeat the first of **{length}** "
        "numbers at the end, by plain gradient descent at rate 0.1. Answering 0 every time costs 1/3."
    )
    went = trainings(radius, length, clip, seed)
    show_figure(
        training_figure({name: run.losses for name, run in went.items()}),
        f"{lesson}_training",
        "The loss at every step of training, with and without clipping",
    )
    free = went["not clipped"]
    if not free.losses[-1] <= LOST:
        passed = "passed a million" if free.losses[-1] > LOST else "was no number any more"
        st.text(f"Without clipping the loss {passed} at step {len(free.losses)}; that training ends there.")
    largest = max(free.norms)
    st.text(
        f"Greatest norm of a gradient: {max(went['clipped'].norms):.3g} with clipping (used: "
        f"{max(went['clipped'].used):.3g}), {largest:.3g} without."
    )
    whole, broken = (float(np.mean(run.losses[-20:])) for run in went.values())
    consequence("Mean loss of the last 20 steps", whole, broken, ".3g", more_is_better=False)


@st.cache_data(scope="session", max_entries=30, show_spinner="The networks read")
def read_gradient(name: str, ids: tuple[int, ...]) -> LossGradient:
    """Return the gradient of the loss at the last of `ids` in a stored network."""
    torch.set_num_threads(1)
    return loss_gradient(stored_language_model(name).network, torch.tensor(ids))


def show_trained(lesson: str, document: Document) -> None:
    """Draw how the loss at one character of a sentence depends on the states before it, in every trained network."""
    labels = model_labels()
    stored = {cell: language_model(label, document) for cell, label in CELLS.items() if label in labels}
    left, right = st.columns([1, 3], gap="medium")
    with left:
        text = choose_text(lesson, document)
        first = next(iter(stored.values()))
        prompt = first.encode(text)
        say_what_was_read(first, prompt)
        if not prompt.ids:
            st.info("There is no character to foretell. Type a sentence.")
            return
        place = _loss_place(lesson, len(prompt.ids))
    found = {
        cell: read_gradient(labels[CELLS[cell]], (each.model.start, *each.encode(text).ids[:place]))
        for cell, each in stored.items()
    }
    norms = {f"{cell}, h": run.hidden_gradients.norm(dim=1).numpy() for cell, run in found.items()}
    if "LSTM" in found:
        norms["LSTM, c"] = found["LSTM"].cell_gradients.norm(dim=1).numpy()
    characters = [first.names[i] for i in found[next(iter(found))].ids]
    with right:
        show_figure(
            reading_figure(norms, characters),
            f"{lesson}_trained",
            "The norm of the loss's gradient at every character that was read, for each trained network",
        )
        target = first.names[next(iter(found.values())).target]
        costs = ", ".join(f"{cell} {run.loss:.2f}" for cell, run in found.items())
        st.text(f"The loss at “{target}”, in nats: {costs}.")
        st.caption(
            "The gradient comes in from the right. Where a line is flat, the network carries it back unchanged; where "
            "it drops, the network let go of the past. Look at the spaces and at the line ends (↵)."
        )


def _loss_place(lesson: str, length: int) -> int:
    """Draw the choice of the character whose loss is looked at; at first it is the last."""
    key = f"{lesson}_place"
    if st.session_state.get(key, 1) > length:
        st.session_state[key] = length
    if length == 1:
        return 1
    return st.slider("The loss is that of character", 1, length, length, key=key, bind="query-params")
