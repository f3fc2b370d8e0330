"""The gradient microscope: how much of a loss reaches a state many steps back, and what clipping does."""

import streamlit as st

from core.lesson.break_it import break_it, consequence
from core.lesson.code_that_ran import code_that_ran
from core.lesson.lesson import Lesson
from core.lesson.predict_first import predict_first
from core.lesson.take_away import take_away
from core.lesson.text_source import text_source
from core.lesson.try_this import try_this
from core.models.recurrent_models.clipped_training import train
from core.models.recurrent_models.gradient_flow import (
    clip_factor,
    drawn_weights,
    gradient_flow,
    loss_gradient,
)
from pages.recurrent_models.parts.gradient_runs import (
    WIDTH,
    bands,
    choose_network,
    flow,
    flow_table,
    show_clipping,
    show_flow,
    show_shares_left,
    show_trained,
)
from pages.recurrent_models.parts.recurrent_pictures import gradient_microscope as card_picture

LESSON = Lesson(
    __name__,
    title="The gradient microscope",
    question="Why do recurrent networks find it hard to learn from long ago?",
    icon="🔬",
)
LEFT = ["more than 1", "between 1 and 0.01", "between 0.01 and a millionth", "less than a millionth"]


def picture():
    """Return the picture of the lesson's card."""
    return card_picture()


def page() -> None:
    """Show the lesson."""
    LESSON.open(
        r"\frac{\partial L}{\partial h_{t-1}} = W_h^\top \operatorname{diag}(1 - h_t^2)\, \frac{\partial L}{\partial h_t}"
        r"\qquad\qquad \frac{\partial L}{\partial c_{t-1}} = f_t \odot \frac{\partial L}{\partial c_t} + \dots"
        r"\qquad\qquad g \leftarrow g \cdot \min\!\left(1, \frac{c}{\lVert g \rVert}\right)",
        "$L$: the loss at the last step. $h_t$, $c_t$: the hidden state and an LSTM's cell at step $t$. Every step back "
        "multiplies by $W_h^\\top$, whose **spectral radius** is its greatest absolute eigenvalue. An LSTM's cell is "
        "multiplied by the forget gate $f_t$ instead. **Clipping** shortens a gradient $g$ that is longer than $c$.",
    )
    controls, picture = st.columns([1, 3], gap="medium")
    with controls:
        radius, length, seeds, clip = choose_network(LESSON)
        linear = break_it(
            LESSON,
            "no_tanh",
            "Break it: take out the tanh",
            "Its slope 1 − h² is never above 1: it holds the gradient down, and the state in bounds.",
        )
        unclipped = break_it(
            LESSON,
            "no_clip",
            "Break it: do not clip",
            "Trains a network with clipping and without, from one seed.",
        )

    found = bands(radius, length, seeds, linear)
    left = found["RNN, h"].median[-1] / found["RNN, h"].median[0]
    answer = LEFT[sum(left < bound for bound in (1, 0.01, 1e-6))]
    with picture:
        if predict_first(
            LESSON,
            f"Radius {radius:g}: how much of the RNN's gradient is left {length - 1} steps back?",
            LEFT,
            answer,
            f"{radius}_{length}_{seeds}",
        ):
            show_flow(LESSON, found, radius)
            show_shares_left(found, flow("rnn", radius, length, 1), clip)

    if linear:
        straight = found["RNN without tanh, h"].median
        consequence(
            f"Gradient {length - 1} steps back",
            found["RNN, h"].median[-1],
            straight[-1],
            ".2e",
            more_is_better=False,
        )
    if unclipped:
        st.header("A training, clipped and not", anchor=False)
        show_clipping(LESSON, radius, length, clip, 1)

    st.header("The trained networks on your sentence", anchor=False)
    st.markdown(
        "The same measurement on the three networks that were trained on plays: how much does the loss at one character "
        "depend on each state before it?"
    )
    show_trained(LESSON, text_source())

    flow_table(LESSON, found)
    code_that_ran(gradient_flow, drawn_weights, loss_gradient, clip_factor, train)
    take_away(
        LESSON,
        [
            "from core.models.recurrent_models.gradient_flow import gradient_flow\n\n"
            f'rnn = gradient_flow("rnn", radius={radius}, length={length}, width={WIDTH}, clip={clip}, seed=1)\n'
            "print(rnn.hidden_norms, rnn.parameter_norm, rnn.clipped_norm)",
            f'lstm = gradient_flow("lstm", radius={radius}, length={length}, width={WIDTH}, seed=1)\n'
            "print(lstm.cell_norms)",
            "from core.models.recurrent_models.clipped_training import train\n\n"
            f"train({radius}, length={min(length, 30)}, clip={clip}).losses[-1]",
        ],
    )
    try_this(
        LESSON,
        [
            (
                "Radius 0.5: what is left of the RNN's gradient, and of the LSTM's?",
                {"radius": 0.5, "length": 60},
            ),
            ("Radius 1.5: some seeds explode, others do not", {"radius": 1.5, "length": 100, "seeds": 12}),
            (
                "Radius 1.5 without tanh and without clipping",
                {"radius": 1.5, "length": 30, "no_tanh": True, "no_clip": True},
            ),
        ],
        [
            "Yoshua Bengio, Patrice Simard and Paolo Frasconi (1994), Learning long-term dependencies with gradient "
            "descent is difficult.",
            "Sepp Hochreiter and Jürgen Schmidhuber (1997), Long short-term memory.",
            "Razvan Pascanu, Tomas Mikolov and Yoshua Bengio (2013), On the difficulty of training recurrent "
            "neural networks.",
        ],
    )
