"""Backpropagation through time: the unrolled network, and the chain rule back along it with its numbers."""

import streamlit as st

from core.lesson.break_it import break_it
from core.lesson.code_that_ran import code_that_ran
from core.lesson.lesson import Lesson
from core.lesson.predict_first import predict_first
from core.lesson.stepper import stepper
from core.lesson.take_away import take_away
from core.lesson.try_this import try_this
from core.models.recurrent_models.gradient_flow import (
    backpropagated,
    factors,
    last_gradient,
    loss_gradient,
    weight_gradients,
)
from core.models.recurrent_models.unrolled_word import unrolled_word
from pages.recurrent_models.parts.recurrent_pictures import backpropagation_through_time as card_picture
from pages.recurrent_models.parts.unrolled import (
    back_table,
    choose_word,
    compare,
    formula_of,
    show_truncated,
    show_unrolled,
    steps_back,
)

LESSON = Lesson(
    __name__,
    title="Backpropagation through time",
    question="How does an error at the end of a word reach its beginning?",
    icon="⏪",
)


def picture():
    """Return the picture of the lesson's card."""
    return card_picture()


def page() -> None:
    """Show the lesson."""
    LESSON.open(
        r"\frac{\partial L}{\partial h_T} = E^\top (p - y) \qquad "
        r"\frac{\partial L}{\partial h_{t-1}} = W_h^\top \operatorname{diag}(1 - h_t^2)\, \frac{\partial L}{\partial h_t}"
        r"\qquad \frac{\partial L}{\partial W_h} = \sum_t \Big(\operatorname{diag}(1 - h_t^2)\, "
        r"\frac{\partial L}{\partial h_t}\Big)\, h_{t-1}^\top",
        "$L = -\\ln p$(the last character): the loss. $p$: the predicted probabilities; $y$: 1 at the true character, 0 "
        "elsewhere. $1 - h_t^2$: the slope of the tanh. The same $W_h$ is used at every step, so every step adds to its "
        "gradient.",
    )
    controls, picture = st.columns([1, 3], gap="medium")
    with controls:
        word = choose_word(LESSON)
        width = st.slider("Hidden units H", 2, 4, 2, key=f"{LESSON}_width", bind="query-params")
        radius = st.slider(
            "Spectral radius of W_h", 0.1, 2.0, 0.9, step=0.05, key=f"{LESSON}_radius", bind="query-params"
        )
        seed = st.number_input("Seed", 0, 9999, 1, key=f"{LESSON}_seed", bind="query-params")
        truncated = break_it(
            LESSON,
            "truncated",
            "Break it: stop after k steps back",
            "Leaves out what earlier steps add to the gradient.",
        )
        kept = 0
        if truncated:
            kept = st.slider("k", 1, 11, 2, key=f"{LESSON}_kept", bind="query-params")

    read = unrolled_word(word, width, radius, seed)
    with picture:
        view = st.container()
        step = stepper(LESSON, steps_back(read), start=2)
        revealed = True
        if 0 < step < read.T:
            t = read.T - step
            answer = "shorter" if read.norms[t - 1] < read.norms[t] else "longer"
            revealed = predict_first(
                LESSON,
                f"The gradient at h{t + 1} has length {read.norms[t]:.3g}. One step further back: is it shorter or longer?",
                ["shorter", "longer"],
                answer,
                f"{word}_{width}_{radius}_{seed}_{step}",
            )
        with view:
            show_unrolled(LESSON, read, step if revealed else step - 1)
        if revealed:
            st.latex(formula_of(read, step))
            compare(read, step)
        st.caption(
            "Grey: reading, forwards. Orange: the gradient, backwards. Above each state stands the length of the gradient "
            "there; above each arrow the norm of its factor, the most by which it can lengthen a gradient. The network is "
            "untrained: its weights are drawn from the seed."
        )

    if truncated:
        show_truncated(read, kept)

    back_table(LESSON, read)
    code_that_ran(backpropagated, last_gradient, factors, weight_gradients, loss_gradient)
    take_away(
        LESSON,
        [
            "import torch\n\nfrom core.models.recurrent_models.gradient_flow import backpropagated, drawn_language_model, last_gradient, "
            "loss_gradient\n\n"
            f"word = {word!r}\ntokens = list(dict.fromkeys(word))\n"
            f"model = drawn_language_model(len(tokens), {width}, {radius}, seed={seed})\n"
            "found = loss_gradient(model, torch.tensor([tokens.index(c) for c in word]))",
            "last = last_gradient(model.embedding.weight, found.probabilities, found.target)\n"
            "by_hand = backpropagated(model.step_weights.W_h, found.hidden, last)\n"
            "print(by_hand, found.hidden_gradients)",
        ],
    )
    try_this(
        LESSON,
        [
            ("A small radius: how fast do the numbers above the states shrink?", {"radius": 0.3, "step": 4}),
            (
                "A large radius: does the gradient always grow?",
                {"radius": 1.9, "word": "abracadabra", "step": 10},
            ),
            (
                "Stop after one step back: how wrong is the gradient of W_h?",
                {"truncated": True, "kept": 1, "step": 5},
            ),
        ],
        [
            "David Rumelhart, Geoffrey Hinton and Ronald Williams (1986), Learning representations by "
            "back-propagating errors.",
            "Paul Werbos (1990), Backpropagation through time: what it does and how to do it.",
            "Ronald Williams and Jing Peng (1990), An efficient gradient-based algorithm for on-line training of recurrent "
            "network trajectories (truncation).",
        ],
    )
