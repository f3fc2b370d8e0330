"""The hidden state: what a recurrent network holds in mind, character by character, unit by unit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st
import torch
from streamlit.delta_generator import DeltaGenerator

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.generation.sampling import shown
from core.figures.recurrent_models.recurrent import (
    Moment,
    frozen_figure,
    hidden_state_payload,
    memory_figure,
    named_terms,
    rows_shown,
    terms_figure,
)
from core.figures.worked import signed
from core.lesson.break_it import consequence
from core.lesson.cache import shared_lru_cache
from core.lesson.cached import cached, no_typed_words
from core.lesson.choices.language_model_choice import ChosenModel
from core.lesson.every_number import Formula
from core.lesson.lesson import Lesson
from core.lesson.text_source import text_source
from core.models.recurrent_language_model import RecurrentLanguageModel, gru_step, lstm_step, rnn_step, trace
from core.models.recurrent_models.broken_memory import HELD_GATES, bits, frozen
from core.models.recurrent_models.telling_units import LEAST, TellingUnit, correlations, telling_units
from core.models.recurrent_models.weighted_sum import MEANINGS, state_before, weighted_sum
from core.models.stored_language_models import encode, stored_language_model
from core.text.reading.documents import Document
from pages.recurrent_models.shared.recurrent_reading import Sentence, beginning, choose_reading, read_sentence

LESSON = Lesson(
    __name__,
    title="The hidden state",
    question="What does a recurrent network remember of what it has read?",
    icon="brain",
)
START = 18
STEPS = {"RNN": rnn_step, "GRU": gru_step, "LSTM": lstm_step}
LETTERS = {"RNN": ["h"], "GRU": ["h", *"rzn"], "LSTM": ["h", *"ifgoc"]}
BY_NUMBER, IN_LINE = "a unit by its number", "place in the line"
WIPE = "wipe the memory"
HOLD = "from core.models.recurrent_models.broken_memory import frozen"
WIPED_EVERY = (1, 2, 4, 8, 16, 32, 64)
MEASURED_ON = 1500


def picture() -> Figure:
    """Bits per character when the stored RNN's memory is wiped every so many characters."""
    model, lengths = stored_language_model("char_rnn"), WIPED_EVERY[:-1]
    line = "The king and the queen of France walk in the garden, and all the people follow them.\n"
    ids = torch.tensor((model.start, *encode("char_rnn", line).ids))
    wiped = [bits(model.network, ids, k).mean().item() for k in lengths]
    return small(memory_figure(lengths, wiped, bits(model.network, ids).mean().item()))


def page() -> None:
    """A sentence read character by character, one number of a state worked out, and what the memory is worth."""
    LESSON.open(
        r"\text{RNN}\quad h_t = \tanh(W_x x_t + W_h h_{t-1} + b) \qquad\qquad "
        r"\text{GRU}\quad h_t = (1 - z) \odot n + z \odot h_{t-1} \qquad\qquad "
        r"\text{LSTM}\quad c_t = f \odot c_{t-1} + i \odot g,\quad h_t = o \odot \tanh(c_t)",
        "$x_t$: the numbers of the character just read. $h_t$: the hidden state, one number a unit, made from $x_t$ and "
        "from $h_{t-1}$. The gates $r, z, i, f, o$ are $\\sigma(W_x x_t + W_h h_{t-1} + b)$, between 0 (shut) and 1 "
        "(open); the proposals $n, g$ are a $\\tanh$ of such a sum, in $n$ with $r \\odot W_h h_{t-1}$. The next "
        "character's logits are $h_t E^\\top + b$; $x_t$ is a row of $E$.",
    )
    controls, stage = LESSON.stage()
    notes = st.container()
    with controls:
        document = text_source()
        sentence = choose_reading(LESSON, document, notes)
        told = telling(sentence.chosen.label, document.digest, sentence.chosen, document)
        measured = len(beginning(sentence.chosen, document).ids)
        unit = choose_unit(told, sentence.network.config.width, measured, notes)
        letter = LESSON.choose(f"letter_{sentence.cell}", "Look at", LETTERS[sentence.cell])
        notes.caption(f"**{letter}**: {MEANINGS[letter]}")
        broken = choose_broken(sentence, notes)
    network, wiped = (broken.network, broken.wiped) if broken else (sentence.network, None)
    name = f"{sentence.chosen.label} {broken.piece if broken else 'whole'}"
    traced = read_sentence(name, tuple(sentence.ids.tolist()), network, wiped)
    probabilities = torch.softmax(traced.logits.double(), dim=1).numpy()
    characters = sentence.characters
    with stage:
        drawn = st.container()
        before = [f"the start and {t} more" if t else "the start" for t in range(len(characters))]
        step = LESSON.step(before, start=START)
    with drawn:
        likeliest = [shown(sentence.chosen.names[i]) for i in probabilities[step].argsort()[::-1][:5]]
        revealed = LESSON.ask(
            f"After “{''.join(map(shown, characters[max(0, step - 30) : step + 1]))}”: which next character is likeliest?",
            sorted(likeliest),
            likeliest[0],
            f"{name}_{hash(tuple(characters[: step + 1]))}",
        )
        end = len(characters) if revealed else step + 1
        values = traced.values(letter)
        payload = hidden_state_payload(
            letter,
            values[:end],
            rows_shown(values, told, unit),
            characters[:end],
            probabilities if revealed else None,
            sentence.chosen.names,
            unit,
            step,
        )
        LESSON.view("hidden_state", payload, on={"cell": partial(take_cell, unit, told)})
        LESSON.caption(held(values[: step + 1, unit], letter, unit, characters[step], [] if broken else told))
        LESSON.set_values(
            unit=unit, x=shown(characters[step]), value=signed(values[step, unit]), H=values.shape[1]
        )
        notes.caption(
            "The text is coloured by the chosen unit, blue above 0 and orange below; the rows are the measured units and "
            "those that vary most. Click a character or a cell. ↵ at the left is the start token, an empty line."
        )

    st.header("One number, worked", anchor=False)
    moment = Moment(network, traced, step, wiped, characters[step])
    show_worked(moment, letter, unit)
    if broken:
        show_worth(sentence, document, broken)
    LESSON.every_number("units", unit_table, moment)
    LESSON.closing(
        code=[
            *(trace, STEPS[sentence.cell], weighted_sum, state_before),
            *(telling_units, correlations, frozen, bits),
        ],
        notebook=[
            *sentence.cells,
            *([f"{HOLD}\n\nnetwork = frozen(network, *{broken.gate!r})"] if broken and broken.gate else []),
            "from core.models.recurrent_language_model import trace\n\n"
            f"read_through = trace(network, ids, wiped={wiped})\nread_through.hidden[{step}, {unit}], read_through.gates",
        ],
        plot=(
            "from core.figures.self_attention.word_order import position_heatmap\n\n"
            "draw(position_heatmap(read_through.hidden.numpy(), 0))"
        ),
        try_this=[
            (
                "Which unit counts the characters of a line, and when does it start again?",
                {"text:": "Hamlet", "cell": "LSTM", "look": IN_LINE},
            ),
            (
                "Without gates: does a unit of an RNN count?",
                {"text:": "Hamlet", "cell": "RNN", "look": IN_LINE},
            ),
            ("Forget nothing?", {"cell": "LSTM", "broken": True, "piece": "f = 1: forget nothing"}),
        ],
        sources=[
            "Jeffrey Elman (1990), Finding structure in time.",
            "Sepp Hochreiter and Jürgen Schmidhuber (1997), Long short-term memory.",
            "Felix Gers, Jürgen Schmidhuber and Fred Cummins (2000), Learning to forget (the gate $f$).",
            "Kyunghyun Cho et al. (2014), Learning phrase representations using RNN encoder–decoder (the GRU).",
            "Andrej Karpathy, Justin Johnson and Li Fei-Fei (2016), Visualizing and understanding recurrent networks.",
        ],
    )


def take_cell(shown_unit: int, told: Sequence[TellingUnit], cell: dict) -> None:
    """Carry the unit and the step chosen in the view over to the controls."""
    LESSON.set_state("step", int(cell["step"]) + 1)
    unit = int(cell["unit"])
    if unit == shown_unit:
        return
    look = {each.unit: each.feature for each in told}.get(unit, BY_NUMBER)
    LESSON.set_state("look", look)
    if look == BY_NUMBER:
        LESSON.set_state("unit", unit)


@cached(40, 12, "Looking for units that tell something", shared=no_typed_words)
def telling(label: str, digest: str, _chosen: ChosenModel, _document: Document) -> list[TellingUnit]:
    """Return the units that follow a feature of the learner's text best; none for a text too short to tell."""
    torch.set_num_threads(1)
    prompt, network = beginning(_chosen, _document), _chosen.model.network
    ids = torch.tensor([(_chosen.model.start, *prompt.ids)])
    with torch.inference_mode():
        hidden, _ = network.layer(network.embedding(ids))
    try:
        return telling_units(hidden[0, 1:].double().numpy(), prompt.text)
    except ValueError:
        return []


def choose_unit(told: Sequence[TellingUnit], width: int, measured: int, notes: DeltaGenerator) -> int:
    """Draw the choice of a unit and say how it was found, on so many characters; return its number, 0 to `width` - 1."""
    units = {each.feature: each for each in told}
    options = [*units, BY_NUMBER]
    first = IN_LINE if IN_LINE in options else options[0]
    if LESSON.get_state("look", first) not in options:
        LESSON.set_state("look", first)  # another text, in which this feature never changes
    look = LESSON.select("look", "Unit that follows", options, options.index(first), width=172)
    LESSON.set_values(followed="Your text is too short for that.")
    if look == BY_NUMBER:
        if LESSON.get_state("unit", 0) >= width:
            LESSON.set_state("unit", 0)  # another model, with fewer units
        unit = int(LESSON.number("unit", "Unit", 0, width - 1, 0))
    else:
        found = units[look]
        unit = found.unit
        LESSON.set_values(
            followed=f"Unit {unit} was chosen for “{look}”: r = {signed(found.measured, 2, '+')}."
        )
        notes.caption(
            f"**Unit {unit}**, measured: of {width} units it correlates best with “{look}” on the first {measured // 2:,} "
            f"characters of your text (r = {signed(found.chosen, 2, '+')}). On the next {measured - measured // 2:,}, r = "
            f"**{signed(found.measured, 2, '+')}**."
        )
    if not told:
        notes.caption(
            f"Your text has fewer than {LEAST} characters that the model can read, so units are not measured on it."
        )
    return unit


def held(values: np.ndarray, letter: str, unit: int, character: str, told: Sequence[TellingUnit]) -> str:
    """Say what the unit holds after the last of `values`, where it has been, and what it was measured to follow."""
    now = f"After “{shown(character)}”, {letter} of unit {unit} is {signed(values[-1])}"
    been = f"so far it has been from {signed(values.min())} to {signed(values.max())}"
    followed = [each for each in told if each.unit == unit]
    if letter != "h" or not followed:
        return f"{now}; {been}."
    best = max(followed, key=lambda each: abs(each.measured))
    well = (
        "follows"
        if abs(best.measured) >= 0.5
        else "follows a little"
        if abs(best.measured) >= 0.2
        else "hardly follows"
    )
    return f"{now}; {been}. It {well} “{best.feature}” (r = {signed(best.measured, 2, '+')})."


@dataclass(frozen=True)
class Broken:
    """A network with a piece removed: what it is called, how often its memory is wiped, which gate is held."""

    piece: str
    network: RecurrentLanguageModel
    wiped: int | None = None
    gate: tuple[str, float] | None = None


def choose_broken(sentence: Sentence, notes: DeltaGenerator) -> Broken | None:
    """Draw the switch that breaks the memory; return the broken network, or None while it is whole."""
    if not LESSON.break_it(
        "broken",
        "Break it: the memory",
        "Wipes the state, or holds a gate at one value; the cost is measured on your text.",
    ):
        return None
    gates = HELD_GATES[sentence.cell.lower()]
    pieces = [WIPE, *gates]
    if LESSON.get_state("piece", WIPE) not in pieces:
        LESSON.set_state("piece", WIPE)  # another cell, which has other gates
    piece = LESSON.select("piece", "What to break", pieces)
    if piece != WIPE:
        return Broken(piece, held_still(sentence.network, *gates[piece]), gate=gates[piece])
    wiped = LESSON.slider("wiped", "Wiped every … characters", 1, 64)
    if wiped >= (n := len(sentence.ids)):
        notes.caption(f"What is read, the start included, is no longer than {n}: it is read without a wipe.")
    return Broken(f"{piece} {wiped}", sentence.network, wiped)


@shared_lru_cache(16)
def held_still(network: RecurrentLanguageModel, gate: str, value: float) -> RecurrentLanguageModel:
    """Return a stored network with a gate at one value; all sessions share it."""
    return frozen(network, gate, value)


def show_worked(moment: Moment, name: str, unit: int) -> None:
    """Fill in the equation of one unit at one step; where it is a sum, draw the sum as a staircase."""
    st.latex(moment.formula(name, unit))
    sums = [name] if name in moment.sums else list(moment.sums)
    which = sums[0]
    if len(sums) > 1:
        if LESSON.get_state("sum", which) not in sums:
            LESSON.set_state("sum", which)
        which = LESSON.choose("sum", "The sum behind", sums)
        st.latex(moment.formula(which, unit))
    found = moment.sum(which, unit)
    parts = ", ".join(f"{part} {value:+.3f}" for part, value in named_terms(found).items())
    LESSON.figure("terms", terms_figure(found), f"The sum behind {which} of unit {unit}: {parts}")


@cached(400, 60, "Measuring on your text", shared=no_typed_words)
def mean_bits(
    label: str, piece: str, digest: str, wiped: int | None, _network: RecurrentLanguageModel, _ids: tuple
) -> float:
    """Return the mean of -log2 p over a text."""
    torch.set_num_threads(1)
    return bits(_network, torch.tensor(_ids), wiped).mean().item()


def show_worth(sentence: Sentence, document: Document, broken: Broken) -> None:
    """Show the bits per character whole and broken, against how often the memory is wiped, and gate by gate."""
    chosen, network = sentence.chosen, sentence.network
    prompt = beginning(chosen, document, MEASURED_ON)
    if not prompt.ids:
        st.info("The model can read nothing of your text, so there is nothing to measure the damage on.")
        return
    ids = (chosen.model.start, *prompt.ids)
    measure = partial(mean_bits, chosen.label, digest=document.digest, _ids=ids)
    whole = measure("whole", _network=network, wiped=None)
    st.header("What the memory is worth", anchor=False)
    st.markdown(
        f"Measured on the first {len(prompt.ids):,} characters of your text: the bits that the model needs for each. "
        "Fewer is better."
    )
    damaged = measure(broken.piece, _network=broken.network, wiped=broken.wiped)
    consequence("Bits per character", whole, damaged, more_is_better=False)
    left, right = st.columns(2)
    with left:
        wiped = [measure(f"{WIPE} {k}", _network=network, wiped=k) for k in WIPED_EVERY]
        alt = "Bits per character against how often the memory is wiped"
        LESSON.figure("memory", memory_figure(WIPED_EVERY, wiped, whole), alt)
    with right:
        gates = HELD_GATES[sentence.cell.lower()]
        if gates:
            by_gate = {
                piece: measure(piece, _network=held_still(network, *gate), wiped=None)
                for piece, gate in gates.items()
            }
            alt = "Bits per character with a gate held still"
            LESSON.figure("frozen", frozen_figure(by_gate, whole), alt)
        else:
            st.markdown("A plain RNN has no gates to hold. Choose the GRU or the LSTM to hold one.")


def unit_table(moment: Moment) -> tuple[pd.DataFrame, Formula]:
    """Return every unit's numbers at one step, and the formula of a cell."""
    columns = {"unit": np.arange(moment.network.config.width), "h before": moment.state}
    if moment.cell == "lstm":
        columns["c before"] = moment.cell_state
    names = [*moment.traced.gates, "h"]
    columns |= {name: moment.traced.values(name)[moment.t] for name in names}

    def formula(row: int, column: str) -> str | None:
        """Fill in a letter's value for a unit."""
        return moment.formula(column, row) if column in names else None

    return pd.DataFrame(columns), formula
