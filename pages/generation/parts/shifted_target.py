"""One window of the learner's text and its shifted target, stepped position by position."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st
import torch

from core.figures.generation.characters import (
    expected_figure,
    marked,
    position_figure,
    shifted_figure,
    worked_position,
)
from core.figures.generation.sampling import shown
from core.lesson.choices.language_model_choice import ChosenModel
from core.lesson.every_number import every_number
from core.lesson.figure import show_figure
from core.lesson.predict_first import predict_first
from core.models.generation.shifted_window import (
    WINDOWS_AT_MOST,
    ScoredWindow,
    loss_by_position,
    score_window,
)
from core.models.language_model import LanguageModel

WINDOW_AT_MOST = 40


def choose_window(lesson: str, n: int) -> tuple[int, int]:
    """Draw the window's length and its first character, both in the address; n characters were read."""
    most = min(WINDOW_AT_MOST, n - 1)
    if st.session_state.get(f"{lesson}_window", 1) > most:
        st.session_state[f"{lesson}_window"] = most
    window = 1
    if most > 1:
        window = st.slider("Window T", 1, most, min(12, most), key=f"{lesson}_window", bind="query-params")
    last = n - window
    if st.session_state.get(f"{lesson}_start", 1) > last:
        st.session_state[f"{lesson}_start"] = last
    start = st.number_input("First character", 1, last, 1, key=f"{lesson}_start", bind="query-params")
    return start - 1, window


@st.cache_data(scope="session", max_entries=30, show_spinner="The model reads")
def scored_window(label: str, ids: tuple[int, ...], window: int, _model: LanguageModel) -> ScoredWindow:
    """Return a window with its target and what the model gives each of it, computed once a session."""
    torch.set_num_threads(1)
    return score_window(_model, ids, 0, window)


@st.cache_data(scope="session", max_entries=30, show_spinner="The model reads your text")
def context_worth(label: str, ids: tuple[int, ...], window: int, _model: LanguageModel) -> np.ndarray:
    """Return the mean loss at each position of many windows of a text, (T,), computed once a session."""
    torch.set_num_threads(1)
    return loss_by_position(_model, ids, window)


def positions(window: int) -> list[str]:
    """Return the name of each position of a window: how much context it has."""
    return [f"after {t} {'character' if t == 1 else 'characters'}" for t in range(1, window + 1)]


def show_position(lesson: str, chosen: ChosenModel, scored: ScoredWindow, place: int, view) -> bool:
    """Draw the window in `view` with one position marked, and what the model expects there; return if revealed."""
    names = chosen.names
    expected = np.exp(chosen.model.log_probabilities(scored.x[: place + 1].tolist()))
    target = int(scored.y[place])
    context = "".join(shown(names[i]) for i in scored.x[: place + 1])
    answer = shown(names[target])
    with view:
        likeliest = [shown(names[i]) for i in np.argsort(-expected, kind="stable")[:5]]
        revealed = predict_first(
            lesson,
            f"What comes after “{context}”?",
            list(dict.fromkeys([*likeliest, answer])),
            answer,
            f"{chosen.label}_{hash(scored.x.tobytes())}_{place}",
        )
        show_figure(
            shifted_figure(scored, names, place, not revealed),
            f"{lesson}_shifted",
            f"A window of {len(scored.x)} characters, x, above its target, y, the same text one to the right",
        )
    if revealed:
        p = float(np.exp(scored.log_probabilities[place]))
        st.text(f"x: {context} → y: {answer}     p = {p:.4f}     −ln p = {-np.log(p):.3f} nats")
        show_figure(
            expected_figure(expected, names, target),
            f"{lesson}_expected",
            f"What the model expects at this position; the true character {marked(names[target])} has p = {p:.3f}",
        )
    return revealed


def show_loss(scored: ScoredWindow) -> None:
    """Show the window's loss in nats, in bits and as a perplexity."""
    for column, (label, value) in zip(
        st.columns(3),
        (
            ("Loss: mean −ln p, nats", scored.loss),
            ("The same in bits", scored.loss / np.log(2)),
            ("Perplexity, e^loss", np.exp(scored.loss)),
        ),
        strict=True,
    ):
        column.metric(label, f"{value:.3f}")


def show_worth_of_context(lesson: str, chosen: ChosenModel, ids: tuple[int, ...], window: int) -> None:
    """Draw the mean loss at each position of windows spread over the whole text."""
    losses = context_worth(chosen.label, ids, window, chosen.model)
    read = min(WINDOWS_AT_MOST, len(ids) - window)
    st.markdown(
        "The first position has one character to go by, the last one has them all. "
        + (
            f"Averaged over {read} windows spread over what is read of the text:"
            if read > 1
            else "This text holds one window only:"
        )
    )
    show_figure(
        position_figure(losses),
        f"{lesson}_worth",
        f"Mean loss by position: {losses[0]:.2f} nats after one character, {losses[-1]:.2f} after {len(losses)}",
    )


def window_table(lesson: str, scored: ScoredWindow, names: Sequence[str]) -> None:
    """Show every position's row: context, target, their numbers, p, -ln p and bits."""
    read = [shown(names[i]) for i in scored.x]
    table = pd.DataFrame(
        {
            "t": range(1, len(read) + 1),
            "context": ["".join(read[: t + 1]) for t in range(len(read))],
            "x": scored.x,
            "y": scored.y,
            "target": [shown(names[i]) for i in scored.y],
            "p": np.exp(scored.log_probabilities),
            "−ln p": -scored.log_probabilities,
            "bits": -scored.log_probabilities / np.log(2),
        }
    )

    def formula(row: int, column: str) -> str | None:
        """Fill in the formula of one number."""
        return worked_position(scored, names, row, column)

    every_number(lesson, "positions", table, formula)
