"""The gradient microscope: how much of a loss reaches a state many steps back, and what clipping does."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import numpy as np
import pandas as pd
import streamlit as st
import torch

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.generation.sampling import shown
from core.figures.recurrent_models.gradient import flow_figure, reading_figure, training_figure, worked_ratio
from core.figures.worked import plain_number
from core.lesson.break_it import consequence
from core.lesson.cached import cached, no_typed_words
from core.lesson.choices.language_model_choice import language_model, model_labels, say_what_was_read
from core.lesson.every_number import Formula
from core.lesson.lesson import Lesson
from core.lesson.text_source import text_source
from core.models.recurrent_models.clipped_training import LOST, ClippedTraining, train
from core.models.recurrent_models.clipping import clip_factor
from core.models.recurrent_models.drawn_weights import drawn_weights, spectral_radius, with_spectral_radius
from core.models.recurrent_models.gradient_flow import (
    GradientFlow,
    LossGradient,
    gradient_flow,
    largest_drop,
    loss_gradient,
)
from core.models.stored_language_models import stored_language_model
from pages.recurrent_models.shared.recurrent_reading import CELLS, choose_text

LESSON = Lesson(
    __name__,
    title="The gradient microscope",
    question="Why do recurrent networks find it hard to learn from long ago?",
    icon="microscope",
)
WIDTH = 32
TRAINED_LENGTH_AT_MOST = 30
LEFT = ["more than 1", "between 1 and 0.01", "between 0.01 and a millionth", "less than a millionth"]


def picture() -> Figure:
    """What reaches 30 steps back in a random RNN and in an LSTM."""
    rnn, lstm = (gradient_flow(cell, 0.8, 30, width=16) for cell in ("rnn", "lstm"))
    norms = {"RNN, h": rnn.hidden_norms, "LSTM, c": lstm.cell_norms}
    return small(flow_figure({name: each.flip(0).numpy()[None] for name, each in norms.items()}))


def page() -> None:
    """Random networks' gradients against distance; a training with clipping and without; the trained networks'."""
    LESSON.open(
        r"\frac{\partial L}{\partial h_{t-1}} = W_h^\top \operatorname{diag}(1 - h_t^2)\, \frac{\partial L}{\partial h_t}"
        r"\qquad\qquad \frac{\partial L}{\partial c_{t-1}} = f_t \odot \frac{\partial L}{\partial c_t} + \dots"
        r"\qquad\qquad g \leftarrow g \cdot \min\!\left(1, \frac{c}{\lVert g \rVert}\right)",
        "$L$: the loss at the last step. $h_t$, $c_t$: the hidden state and an LSTM's cell at step $t$. The **spectral "
        "radius** of $W_h$ is its greatest absolute eigenvalue. An LSTM's cell is multiplied by the forget gate $f_t$; the "
        "dots are what comes back through the gates and $h_{t-1}$. **Clipping** shortens a gradient $g$ that is longer "
        "than $c$.",
    )
    controls, stage = LESSON.stage()
    with controls:
        radius = LESSON.slider("radius", "Spectral radius of W_h", 0.1, 2.0, 0.9, step=0.05)
        length = LESSON.slider("length", "Length: steps read", 2, 200, 60)
        with LESSON.more():
            why = "So many random networks: each is a thin line, the thick line is their median."
            seeds = LESSON.slider("seeds", "Seeds", 1, 12, 5, help=why)
            clip = LESSON.slider("clip", "Clip at c", 0.1, 10.0, 1.0, step=0.1)
        linear = LESSON.break_it(
            "no_tanh",
            "Break it: take out the tanh",
            "Its slope 1 − h² is never above 1. Without it a step back is W_h alone, and the state has no bounds.",
        )

    runs = gradients(radius, length, seeds, linear)
    median = {name: np.median(norms, axis=0) for name, norms in runs.items()}
    left = median["RNN, h"][-1] / median["RNN, h"][0]
    with stage:
        revealed = LESSON.ask(
            f"Radius {radius:g}: how much of the RNN's gradient is left {steps(length - 1)} back?",
            LEFT,
            LEFT[sum(left < bound for bound in (1, 0.01, 1e-6))],
            f"{radius}_{length}_{seeds}",
        )
        if revealed:
            last = {name: f"{norms[-1]:.1e}" for name, norms in median.items()}
            alt = f"The norm of the gradient against the distance; the medians at the farthest step: {last}"
            LESSON.figure("flow", flow_figure(runs, radius), alt)
            LESSON.caption(what_is_left(median))
            show_shares_left(median, flow("rnn", radius, length, 1), clip)
        st.markdown(
            "Every step back in time multiplies the gradient by the slopes of the tanh, never above 1, and by $W_h^\\top$. "
            "The **spectral radius** of $W_h$ is its greatest absolute eigenvalue: in the long run each multiplication by "
            "$W_h$ grows by this factor."
        )
    if revealed:
        if linear:
            straight = median["RNN without tanh, h"]
            consequence(f"Gradient {steps(length - 1)} back", median["RNN, h"][-1], straight[-1], ".2e", None)
        LESSON.every_number("norms", flow_table, median)

    st.header("Clipping, in a training", anchor=False)
    show_clipping(radius, length, clip)
    st.header("The trained networks on your sentence", anchor=False)
    st.markdown(
        "The same measurement on the networks that were trained on plays: how much does the loss at one character "
        "depend on each state before it?"
    )
    show_trained()

    LESSON.closing(
        code=[
            *(gradient_flow, drawn_weights, with_spectral_radius, spectral_radius),
            *(loss_gradient, largest_drop, clip_factor, train),
        ],
        notebook=[
            "from core.models.recurrent_models.gradient_flow import gradient_flow\n\n"
            f'rnn = gradient_flow("rnn", radius={radius}, length={length}, width={WIDTH}, clip={clip}, seed=1)\n'
            "print(rnn.hidden_norms, rnn.parameter_norm, rnn.clipped_norm)",
            f'lstm = gradient_flow("lstm", radius={radius}, length={length}, width={WIDTH}, seed=1)\n'
            "print(lstm.cell_norms)",
            "from core.models.recurrent_models.clipped_training import train\n\n"
            f"train({radius}, length={min(length, TRAINED_LENGTH_AT_MOST)}, clip={clip}).losses[-1]",
        ],
        plot=(
            "from core.figures.recurrent_models.gradient import flow_figure\n\n"
            'norms = {"RNN, h": rnn.hidden_norms, "LSTM, c": lstm.cell_norms}\n'
            "draw(flow_figure({name: each.flip(0).numpy()[None] for name, each in norms.items()}))"
        ),
        try_this=[
            (
                "Radius 0.5: what is left of the RNN's gradient, and of the LSTM's?",
                {"radius": 0.5, "length": 60},
            ),
            (
                "Radius 1.5, twelve seeds: do all of them explode?",
                {"radius": 1.5, "length": 100, "seeds": 12},
            ),
            (
                "Radius 1.5 without tanh and without clipping",
                {"radius": 1.5, "length": 30, "no_tanh": True, "no_clip": True},
            ),
        ],
        sources=[
            "Yoshua Bengio, Patrice Simard and Paolo Frasconi (1994), Learning long-term dependencies with gradient "
            "descent is difficult.",
            "Sepp Hochreiter and Jürgen Schmidhuber (1997), Long short-term memory.",
            "Razvan Pascanu, Tomas Mikolov and Yoshua Bengio (2013), On the difficulty of training recurrent "
            "neural networks.",
        ],
    )


@st.cache_resource(max_entries=150, show_spinner="Measuring")
def flow(cell: str, radius: float, length: int, seed: int) -> GradientFlow:
    """Return one random network's gradient through time; it depends on no learner's text, so all share it."""
    torch.set_num_threads(1)
    found = gradient_flow(cell, radius, length, WIDTH, seed=seed)
    found.weights.W_h.requires_grad_(False)
    return found


@lru_cache(maxsize=5000)
def norms_back(cell: str, radius: float, length: int, seed: int, of: str) -> np.ndarray:
    """Return one network's norms from the last step backwards, (T,), a few kB where its whole flow is a hundred."""
    return getattr(flow(cell, radius, length, seed), of).flip(0).numpy()


def gradients(radius: float, length: int, seeds: int, linear: bool) -> dict[str, np.ndarray]:
    """Return the norms of dL/dh and dL/dc from the last step backwards, for the seeds 1 to `seeds`, (seeds, T)."""

    def norms(cell: str, of: str = "hidden_norms") -> np.ndarray:
        return np.stack([norms_back(cell, radius, length, seed, of) for seed in range(1, seeds + 1)])

    runs = {"RNN, h": norms("rnn"), "LSTM, h": norms("lstm"), "LSTM, c": norms("lstm", "cell_norms")}
    return runs | ({"RNN without tanh, h": norms("linear")} if linear else {})


def steps(n: int) -> str:
    """Return a number of steps in words that fit it."""
    return "1 step" if n == 1 else f"{n} steps"


def what_is_left(median: Mapping[str, np.ndarray]) -> str:
    """Say how much of the gradient arrives at the farthest step, and what factor a step that comes to."""
    back, said = len(median["RNN, h"]) - 1, []
    for name, of in (("RNN, h", "the RNN's gradient"), ("LSTM, c", "that of the LSTM's cell")):
        share = median[name][-1] / median[name][0]
        comes_to = plain_number(share, 2)
        grown = f"{of} has grown {comes_to} times" if share > 1 else f"{comes_to} of {of} at the loss is left"
        said.append(f"{grown} (×\u00a0{plain_number(share ** (1 / back))} a step)")
    return f"{steps(back)} back, " + ", and ".join(said) + "."


def show_shares_left(median: Mapping[str, np.ndarray], whole: GradientFlow, clip: float) -> None:
    """Show how much of the gradient arrives, and the length of the whole gradient before and after clipping."""
    one, two, three = st.columns(3)
    state, cell = median["RNN, h"], median["LSTM, c"]
    one.metric(f"RNN: × over {steps(len(state) - 1)}", plain_number(state[-1] / state[0], 2))
    two.metric(f"LSTM's cell: × over {steps(len(state) - 1)}", plain_number(cell[-1] / cell[0], 2))
    norm = whole.parameter_norm
    back = len(state) - 1
    LESSON.set_values(
        back=steps(back), factor=plain_number((state[-1] / state[0]) ** (1 / back)), clip=f"{clip:g}"
    )
    LESSON.set_values(rnn=plain_number(state[-1] / state[0], 2), cell=plain_number(cell[-1] / cell[0], 2))
    three.metric(
        "|∂L/∂W_h|, then clipped",
        f"{plain_number(norm)} → {plain_number(norm * clip_factor(norm, clip))}",
    )
    st.caption(
        f"Random networks of {WIDTH} units read random numbers; L = v · h_T with |v| = 1. Thin: one seed each; thick: "
        "their median. Look at the slope: a straight line on this axis is a constant factor a step. W_h of every LSTM "
        "gate has the same radius; its forget gate starts at about 0.73 (bias 1). The clipped norm is that of the RNN "
        "with seed 1."
    )


def flow_table(median: Mapping[str, np.ndarray]) -> tuple[pd.DataFrame, Formula]:
    """Return the median norms at every distance, and the formula of a cell."""
    columns = {"steps back": np.arange(len(median["RNN, h"]))} | dict(median)

    def formula(row: int, column: str) -> str | None:
        """Say how much is left at this distance."""
        return worked_ratio(column[-1], median[column], row) if column in median else None

    return pd.DataFrame(columns), formula


@st.cache_resource(max_entries=60, show_spinner="Training")
def training(radius: float, length: int, clip: float | None) -> ClippedTraining:
    """Return a training of the network with seed 1, the gradient clipped or as it is: None."""
    torch.set_num_threads(1)
    return train(radius, length, clip, seed=1)


def show_clipping(radius: float, length: int, clip: float) -> None:
    """Draw the switch, and what becomes of a training without clipping beside the same one with it."""
    length = min(length, TRAINED_LENGTH_AT_MOST)
    st.markdown(
        f"An RNN of {WIDTH} units, spectral radius {radius:g} at the start, learns to repeat the first of **{length}** "
        f"numbers at the end, by plain gradient descent at rate 0.1, clipped at {clip:g}. Answering 0 every time costs 1/3."
    )
    unclipped = LESSON.break_it(
        "no_clip",
        "Break it: do not clip",
        "Trains the same network again, from the same seed, without clipping.",
    )
    if not unclipped:
        return  # two trainings take seconds, too long to wait for at every move of a slider
    not_clipped = training(radius, length, None)
    never = max(not_clipped.norms) <= clip  # min(1, c / |g|) is 1 at every step: the same training
    went = {
        "clipped": not_clipped if never else training(radius, length, clip),
        "not clipped": not_clipped,
    }
    LESSON.figure(
        "training",
        training_figure({name: run.losses for name, run in went.items()}),
        "The loss at every step of training, with and without clipping",
    )
    st.text(what_clipping_did(*went.values()))
    LESSON.set_values(clipping=what_clipping_did(*went.values()))
    whole, broken = (float(np.mean(run.losses[-20:])) for run in went.values())
    consequence("Mean loss of the last 20 steps", whole, broken, ".3g", more_is_better=False)


def what_clipping_did(clipped: ClippedTraining, not_clipped: ClippedTraining) -> str:
    """Say whether clipping did anything, how long the gradients were, and how the training without it ended."""
    if clipped.used == clipped.norms:
        return f"No gradient was longer than c (at most {max(clipped.norms):.3g}): clipping changed nothing here."
    longest = (
        f"Longest gradient: {plain_number(max(clipped.norms))} with clipping (used: {max(clipped.used):.3g}), "
        f"{plain_number(max(not_clipped.norms))} without."
    )
    if not_clipped.losses[-1] <= LOST:
        return longest
    passed = "passed a million" if not_clipped.losses[-1] > LOST else "was no number any more"
    return f"{longest} Without clipping the loss {passed} at step {len(not_clipped.losses)}; that training ends there."


@cached(120, 30, "The networks read", shared=no_typed_words)
def read_gradient(name: str, ids: tuple[int, ...]) -> LossGradient:
    """Return the gradient of the loss at the last of `ids` in a stored network."""
    torch.set_num_threads(1)
    return loss_gradient(stored_language_model(name).network, torch.tensor(ids))


def show_trained() -> None:
    """Draw how the loss at one character of a sentence depends on the states before it, in every trained network."""
    labels = model_labels()
    controls, stage = LESSON.stage("trained")
    notes = st.container()
    with controls:
        document = text_source()
        stored = {cell: language_model(label, document) for cell, label in CELLS.items() if label in labels}
        text = choose_text(LESSON, document, notes)
        first = next(iter(stored.values()))
        prompt = first.encode(text)
        with notes:
            say_what_was_read(first, prompt)
        if not prompt.ids:
            notes.info("There is no character to foretell. Type a sentence.")
            return
        place = choose_place(len(prompt.ids))
    found = {
        cell: read_gradient(labels[CELLS[cell]], (each.model.start, *each.encode(text).ids[:place]))
        for cell, each in stored.items()
    }
    norms = {f"{cell}, h": run.hidden_gradients.norm(dim=1).numpy() for cell, run in found.items()}
    if "LSTM" in found:
        norms["LSTM, c"] = found["LSTM"].cell_gradients.norm(dim=1).numpy()
    characters = [first.names[i] for i in found[next(iter(found))].ids]
    with stage:
        LESSON.figure(
            "trained",
            reading_figure(norms, characters),
            "The norm of the loss's gradient at every character that was read, for each trained network",
        )
        target = shown(first.names[next(iter(found.values())).target])
        costs = ", ".join(f"{cell} {run.loss:.2f}" for cell, run in found.items())
        st.text(f"The loss at “{target}”, in nats: {costs}.")
        if place > 1:
            st.text(f"Where it drops most in one step back: {drops(norms, characters)}.")
        st.caption(
            "The gradient comes in from the right (↵ at the left is the start token). Where a line is flat, it keeps its "
            "length; where it drops, the network lets go of what came before."
        )


def drops(norms: Mapping[str, np.ndarray], characters: list[str]) -> str:
    """Say for each network over which character its gradient shrinks most, if over any, and by what factor."""
    found = {name: largest_drop(values) for name, values in norms.items()}
    return "; ".join(
        f"{name}, over “{shown(characters[t])}” (× {ratio:.2g})"
        if ratio < 1
        else f"{name}, nowhere (at least × {ratio:.2g})"
        for name, (t, ratio) in found.items()
    )


def choose_place(length: int) -> int:
    """Draw the choice of the character whose loss is looked at; at first it is the last."""
    if LESSON.get_state("place", 1) > length:
        LESSON.set_state("place", length)
    return LESSON.slider("place", "The loss is that of character", 1, length, length) if length > 1 else 1
