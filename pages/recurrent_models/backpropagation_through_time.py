"""Backpropagation through time: the unrolled network, and the chain rule back along it with its numbers."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st
import torch
from streamlit.delta_generator import DeltaGenerator

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.frame import frame
from core.figures.generation.sampling import shown
from core.figures.recurrent_models.gradient import (
    matrix,
    unrolled_figure,
    unrolled_states,
    worked_back,
    worked_last,
    worked_weights,
)
from core.figures.worked import number
from core.lesson.break_it import consequence
from core.lesson.cached import cached, no_typed_words
from core.lesson.every_number import Formula
from core.lesson.lesson import Lesson
from core.lesson.predict_first import Question
from core.models.recurrent_models.chain_rule import backpropagated, factors, last_gradient, weight_gradients
from core.models.recurrent_models.gradient_flow import loss_gradient
from core.models.recurrent_models.unrolled_word import Unrolled, unrolled_word

LESSON = Lesson(
    __name__,
    title="Backpropagation through time",
    question="How does an error at the end of a word reach its beginning?",
    icon="rewind",
)
WORD, AT_MOST = "hello", 12


def picture() -> Figure:
    """The way back through a word, three states of it."""
    read = unrolled_word("the", 2, 0.9, seed=1)
    return small(unrolled_figure(read.characters, read.target, read.norms, read.ratios, 2))


def page() -> None:
    """A word is read forwards, its last character's loss comes back step by step, and the way may be cut."""
    LESSON.open(
        r"\frac{\partial L}{\partial h_T} = E^\top (p - y) \qquad "
        r"\frac{\partial L}{\partial h_{t-1}} = W_h^\top \operatorname{diag}(1 - h_t^2)\, \frac{\partial L}{\partial h_t}"
        r"\qquad \frac{\partial L}{\partial W_h} = \sum_t \Big(\operatorname{diag}(1 - h_t^2)\, "
        r"\frac{\partial L}{\partial h_t}\Big)\, h_{t-1}^\top",
        "$L = -\\ln p$(the last character): the loss. $p$: the predicted probabilities; $y$: 1 at the true character, 0 "
        "elsewhere. $1 - h_t^2$: the slope of the tanh. The same $W_h$ is used at every step, so every step but the "
        "first adds to its gradient.",
    )
    controls, stage = LESSON.stage()
    notes = st.container()
    with controls:
        word = choose_word(notes)
        width = LESSON.slider("width", "Hidden units H", 2, 4, 2)
        radius = LESSON.slider(
            "radius",
            "Spectral radius of W_h",
            0.1,
            2.0,
            0.9,
            step=0.05,
            help="The greatest absolute eigenvalue of W_h: in the long run each multiplication by W_h grows by this factor.",
        )
        with LESSON.more():
            seed = LESSON.number("seed", "Seed", 0, 9999, 1)
        truncated = LESSON.break_it(
            "truncated",
            "Break it: stop after k steps",
            "The gradient is not carried farther back: what earlier steps would add is left out.",
        )
        kept = LESSON.slider("kept", "k", 1, AT_MOST - 1, 2) if truncated else AT_MOST

    read = read_word(word, width, radius, seed)
    kept = min(kept, read.T)
    names = names_of_steps(read, kept)
    with stage:
        about = f"{word}_{width}_{radius}_{seed}_{kept}"
        seen = LESSON.ask_in_turn(len(names), lambda step: question_of(read, step, kept, about))
        frames = [frame_of(read, step, kept, names[step]) for step in range(seen)]
        LESSON.steps(frames, len(names), start=2, shared=unrolled_states(read, min(seen, kept), kept))
        share = f"{np.prod(read.ratios):.3g}"
        LESSON.set_values(T=read.T, last=f"{read.norms[-1]:.4g}", first=f"{read.norms[0]:.4g}", share=share)
        st.caption(
            "Grey: reading, forwards. Orange: the gradient, backwards. Above each state stands the length of the gradient "
            "there; above each arrow what that step back multiplied the length by. The network is untrained: its weights "
            "are drawn from the seed."
        )
    if truncated:
        st.markdown(cost_of_cutting(read, kept))
        error = read.error_of_last(kept)
        consequence("Error of ∂L/∂W_h, as a share of it", 0.0, error, ".1%", more_is_better=False)

    # Who predicts first sees the numbers of the steps already taken only.
    LESSON.every_number("gradients", gradient_table, read, kept, min(seen, kept))
    LESSON.closing(
        code=[backpropagated, last_gradient, factors, weight_gradients, loss_gradient, Unrolled],
        notebook=[
            "import torch\n\n"
            "from core.models.recurrent_models.chain_rule import backpropagated, last_gradient\n"
            "from core.models.recurrent_models.drawn_weights import drawn_language_model\n"
            "from core.models.recurrent_models.gradient_flow import loss_gradient\n\n"
            f"word = {word!r}\ntokens = list(dict.fromkeys(word))\n"
            f"model = drawn_language_model(len(tokens), {width}, {radius}, seed={seed})\n"
            "found = loss_gradient(model, torch.tensor([tokens.index(c) for c in word]))",
            "last = last_gradient(model.embedding.weight, found.probabilities, found.target)\n"
            "by_hand = backpropagated(model.step_weights.W_h, found.hidden, last)\n"
            "print(by_hand, found.hidden_gradients)",
        ],
        plot=(
            "from core.figures.recurrent_models.gradient import flow_figure\n\n"
            "norms = found.hidden_gradients.norm(dim=1)\n"
            'draw(flow_figure({"RNN, h": norms.flip(0).numpy()[None]}))'
        ),
        try_this=[
            ("A small radius: how fast do the numbers above the states shrink?", {"radius": 0.3, "step": 4}),
            (
                "A large radius: step back through “abracadabra”. Does the gradient always grow?",
                {"radius": 1.9, "word": "abracadabra"},
            ),
            (
                "Stop after one step: how wrong is the gradient of W_h?",
                {"truncated": True, "kept": 1, "step": 2},
            ),
        ],
        sources=[
            "David Rumelhart, Geoffrey Hinton and Ronald Williams (1986), Learning representations by "
            "back-propagating errors.",
            "Paul Werbos (1990), Backpropagation through time: what it does and how to do it.",
            "Ronald Williams and Jing Peng (1990), An efficient gradient-based algorithm for on-line training of recurrent "
            "network trajectories (truncation).",
        ],
    )


@cached(128, 32, shared=no_typed_words)
def read_word(word: str, width: int, radius: float, seed: int) -> Unrolled:
    """Return the way back through a word."""
    torch.set_num_threads(1)  # a few numbers: more threads would only wait for one another
    return unrolled_word(word, width, radius, seed)


def choose_word(notes: DeltaGenerator) -> str:
    """Draw the field for a word and return one of two to twelve characters, saying when the learner's is shorter."""
    word = LESSON.text("word", "Word to read", WORD, max_chars=AT_MOST, live=True)
    if len(word) < 2:
        notes.info(
            f"A loss needs one character to read and one to foretell. Until there are two, this shows “{WORD}”."
        )
        return WORD
    return word[:AT_MOST]


def names_of_steps(read: Unrolled, kept: int) -> list[str]:
    """Return the names of the steps: the loss, one step back after another as far as it is carried, the sum."""
    middle = [f"from h{t + 1} back to h{t}" for t in range(read.T - 1, read.T - kept, -1)]
    whole = "all steps add up" if kept == read.T else f"the last {kept} of {read.T} steps add up"
    if kept == 1:
        whole = (
            "the last step alone counts"
            if read.T > 1
            else "the only step, with h0 = 0 before it, adds nothing"
        )
    return ["the loss reaches the last hidden state", *middle, f"{whole} in the gradient of W_h"]


def question_of(read: Unrolled, step: int, kept: int, about: str) -> Question | None:
    """Return what is asked before a step back: whether the gradient gets shorter; of the first and the last, nothing."""
    if not 0 < step < kept or not read.norms[-1]:
        return None
    t = read.T - step
    return Question(
        f"The gradient at h{t + 1} has length {read.norms[t]:.3g}. One step further back: is it shorter or longer?",
        ["shorter", "longer"],
        "shorter" if read.norms[t - 1] < read.norms[t] else "longer",
        f"{about}_{step}",
    )


def frame_of(read: Unrolled, step: int, kept: int, name: str) -> dict:
    """Return one step as it is shown: how far back the gradient has come, its equation, and autograd's numbers."""
    reached = min(step + 1, kept)
    cut = reached == kept < read.T  # the gradient has come to where it is cut
    where = f"; the gradient has come back to h{read.T - reached + 1}" + (", where it is cut" if cut else "")
    notes, formulas = compare(read, step, kept)
    return frame(
        name,
        {"kind": "unrolled", "reached": reached},
        f"The network unrolled over {read.T} steps{where}",
        way_back(read, reached, cut),
        notes,
        [formula_of(read, step, kept), *formulas],
    )


def way_back(read: Unrolled, reached: int, cut: bool) -> str:
    """Say in a sentence how long the gradient was at the last state, and how long it is as far back as it has come."""
    if not read.norms[-1]:
        return "The word has one character only, so the network cannot be wrong: p − y is 0, and so is every gradient."
    T, last = read.T, f"At h{read.T} the gradient is {read.norms[-1]:.4g} long"
    if reached == 1:
        return f"{last}; it is cut there." if cut else f"{last}."
    here, share = read.norms[T - reached], np.prod(read.ratios[T - reached :])
    back, end = "1 step" if reached == 2 else f"{reached - 1} steps", ", where it is cut" if cut else ""
    return f"{last}; {back} back, at h{T - reached + 1}, it is {here:.4g}: × {share:.3g}{end}."


def formula_of(read: Unrolled, step: int, kept: int) -> str:
    """Return the step's equation with its numbers."""
    if step == 0:
        return worked_last(
            read.E.numpy(),
            read.automatic.probabilities.numpy(),
            read.automatic.target,
            read.by_hand[-1].numpy(),
            [shown(token) for token in read.tokens],
        )
    if step == kept:
        return worked_weights(read.parts[-kept:].numpy(), last=read.T)
    t = read.T - step  # counts from 0: the state that the gradient leaves
    hidden, gradients = read.automatic.hidden.numpy(), read.by_hand.numpy()
    return worked_back(read.W_h.numpy(), hidden[t], gradients[t], gradients[t - 1], t + 1)


def compare(read: Unrolled, step: int, kept: int) -> tuple[list[str], list[str]]:
    """Return the length of the sum in a sentence, or what autograd has for the gradient of this step as a formula."""
    if step == kept:
        return [f"The length of ∂L/∂W_h: {read.parts[-kept:].sum(0).norm().item():.4g}"], []
    t = read.T - 1 - step
    automatic = read.automatic.hidden_gradients[t].numpy()
    difference = float(np.abs(automatic - read.by_hand[t].numpy()).max())
    return [], [
        rf"\begin{{gathered}}\text{{autograd: }} {matrix(automatic)} \\ "
        rf"\text{{largest difference: }} {number(difference, 2)}\end{{gathered}}"
    ]


def cost_of_cutting(read: Unrolled, kept: int) -> str:
    """Say what cutting leaves out of the gradient of W_h; the first step adds nothing, since no state is before it."""
    if not read.norms[-1]:
        return "Every gradient is 0, so nothing is lost. Type a word of different characters."
    if read.T == 1:
        return "The word has one step, so nothing can be cut. Type a longer word."
    if kept == read.T:
        return f"The word has {read.T} steps to carry the gradient through, so nothing is cut. Choose a smaller k."
    if kept == read.T - 1:
        return "Only the first step is cut. It adds nothing to the gradient of $W_h$: the state before it, $h_0$, is 0."
    last = (
        f"Of {read.T} steps, the last step alone adds"
        if kept == 1
        else f"Only the last **{kept}** of {read.T} steps add"
    )
    return (
        f"{last} to the gradient of $W_h$; what earlier steps would add is left out. This "
        "is **truncated** backpropagation, the usual way for long texts."
    )


def gradient_table(read: Unrolled, kept: int, reached: int) -> tuple[pd.DataFrame, Formula]:
    """Return the last `reached` gradients by hand and by autograd, and the formula of a cell."""
    first = read.T - reached
    columns = {
        "step": np.arange(first + 1, read.T + 1),
        "read": [shown(each) for each in read.characters[first:]],
        "norm by hand": read.norms[first:],
        "times": [*read.ratios[first:], None],  # from the state after it; the last has none
        "at most, for any gradient": [*read.most[first + 1 :], None],
    }
    for j in range(read.by_hand.shape[1]):
        columns[f"by hand, unit {j}"] = read.by_hand[first:, j].numpy()
        columns[f"autograd, unit {j}"] = read.automatic.hidden_gradients[first:, j].numpy()

    def formula(row: int, column: str) -> str | None:
        """Fill in the step that gave this row's gradient."""
        t = first + row
        if column == "times" and row < reached - 1:
            return (
                rf"\frac{{{number(read.norms[t])}}}{{{number(read.norms[t + 1])}}} = {number(read.ratios[t])}"
            )
        if column.startswith("at most") and row < reached - 1:
            return (
                rf"\big\lVert W_h^\top \operatorname{{diag}}(1 - h_{{{t + 2}}}^2) \big\rVert_2 = \Big\lVert "
                rf"{matrix(read.factors[t + 1].numpy())} \Big\rVert_2 = {number(read.most[t + 1])}"
            )
        by_hand = "hand" in column or "autograd" in column
        return formula_of(read, reached - 1 - row, kept) if by_hand else None

    return pd.DataFrame(columns), formula
