"""The hidden state: what a recurrent network holds in mind, character by character, unit by unit."""

import streamlit as st
import torch

from core.figures.generation.sampling import shown
from core.figures.recurrent_models.recurrent import hidden_state_payload
from core.lesson.browser_view import browser_view
from core.lesson.code_that_ran import code_that_ran
from core.lesson.lesson import Lesson
from core.lesson.predict_first import predict_first
from core.lesson.stepper import stepper
from core.lesson.take_away import take_away
from core.lesson.text_source import text_source
from core.lesson.try_this import try_this
from core.models.recurrent_language_model import gru_step, lstm_step, rnn_step, trace
from core.models.recurrent_models.telling_units import correlations, telling_units
from pages.recurrent_models.parts.memory_worth import choose_broken, show_worth
from pages.recurrent_models.parts.recurrent_pictures import hidden_state as card_picture
from pages.recurrent_models.parts.recurrent_reading import choose_reading, read_sentence, told_by_units
from pages.recurrent_models.parts.state_table import Step, choose_letter, show_worked, state_table, values_of
from pages.recurrent_models.parts.unit_choice import choose_unit, rows_shown, take_cell

LESSON = Lesson(
    __name__,
    title="The hidden state",
    question="What does a recurrent network remember of what it has read?",
    icon="🧠",
)
START = 18
STEPS = {"RNN": rnn_step, "GRU": gru_step, "LSTM": lstm_step}


def picture():
    """Return the picture of the lesson's card."""
    return card_picture()


def page() -> None:
    """Show the lesson."""
    LESSON.open(
        r"\text{RNN}\quad h_t = \tanh(W_x x_t + W_h h_{t-1} + b) \qquad\qquad "
        r"\text{GRU}\quad h_t = (1 - z) \odot n + z \odot h_{t-1} \qquad\qquad "
        r"\text{LSTM}\quad c_t = f \odot c_{t-1} + i \odot g,\quad h_t = o \odot \tanh(c_t)",
        "$x_t$: the numbers of the character just read. $h_t$: the hidden state, one number a unit, made from $x_t$ and "
        "from $h_{t-1}$. The gates $r, z, i, f, o$ are $\\sigma(W_x x_t + W_h h_{t-1} + b)$, between 0 (shut) and 1 "
        "(open); the proposals $n, g$ are a $\\tanh$ of such a sum. The next character's logits are $h_t E^\\top + b$.",
    )
    document = text_source()
    controls, picture = st.columns([1, 3], gap="medium")
    with controls:
        sentence = choose_reading(LESSON, document)
        told = told_by_units(sentence.chosen.label, document.digest, sentence.chosen, document)
        take_cell(LESSON, f"{LESSON}_view", told)
        unit = choose_unit(LESSON, told, sentence.network.config.width)
        broken = choose_broken(LESSON, sentence.cell, sentence.network)

    network, wiped = (broken.network, broken.wiped) if broken else (sentence.network, None)
    name = f"{sentence.chosen.label} {broken.piece if broken else 'whole'}"
    traced = read_sentence(name, tuple(sentence.ids.tolist()), network, wiped)
    probabilities = torch.softmax(traced.logits.double(), dim=1).numpy()
    with picture:
        letter = choose_letter(LESSON, sentence.cell, traced)
        view = st.container()
        characters = sentence.characters
        before = [f"the start and {t} characters read" if t else "the start" for t in range(len(characters))]
        step = stepper(LESSON, before, start=START)
    with view:
        likeliest = [shown(sentence.chosen.names[i]) for i in probabilities[step].argsort()[::-1][:5]]
        revealed = predict_first(
            LESSON,
            f"After “{''.join(map(shown, characters[max(0, step - 30) : step + 1]))}”: which next character is likeliest?",
            sorted(likeliest),
            likeliest[0],
            f"{name}_{hash(tuple(characters[: step + 1]))}",
        )
        end = len(characters) if revealed else step + 1
        values = values_of(traced, letter)
        labels = rows_shown(values, told, unit)
        payload = hidden_state_payload(
            letter,
            values[:end],
            labels,
            characters[:end],
            probabilities if revealed else None,
            sentence.chosen.names,
            unit,
            step,
        )
        browser_view("hidden_state", payload, f"{LESSON}_view", {"cell": None})
        st.caption(
            "The text is coloured by the chosen unit, blue above 0 and orange below; the rows are the measured units and "
            "those that vary most. Click a character or a cell. ↵ at the left is the start token, an empty line."
        )

    st.header("One number, worked", anchor=False)
    moment = Step(sentence.cell, network, traced, step, wiped)
    show_worked(LESSON, moment, letter, unit, characters[step])
    if broken:
        show_worth(LESSON, sentence.cell, sentence.chosen, document, broken)

    state_table(LESSON, moment, characters[step])
    code_that_ran(trace, STEPS[sentence.cell], telling_units, correlations)
    take_away(
        LESSON,
        [
            *sentence.cells,
            *(broken.cells if broken else []),
            "from core.models.recurrent_language_model import trace\n\n"
            f"read_through = trace(network, ids, wiped={wiped})\nread_through.hidden[{step}, {unit}], read_through.gates",
        ],
    )
    try_this(
        LESSON,
        [
            (
                "Which unit counts the characters of a line, and when does it start again?",
                {"look": "place in the line"},
            ),
            (
                "An RNN without gates: does any of its units count as well?",
                {"cell": "RNN", "look": "place in the line"},
            ),
            (
                "Forget nothing: is a perfect memory better?",
                {"broken": True, "piece": "f = 1: forget nothing"},
            ),
        ],
        [
            "Jeffrey Elman (1990), Finding structure in time.",
            "Sepp Hochreiter and Jürgen Schmidhuber (1997), Long short-term memory.",
            "Kyunghyun Cho et al. (2014), Learning phrase representations using RNN encoder–decoder (the GRU).",
            "Andrej Karpathy, Justin Johnson and Li Fei-Fei (2016), Visualizing and understanding recurrent networks.",
        ],
    )
