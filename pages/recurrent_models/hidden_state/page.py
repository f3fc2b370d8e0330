"""The hidden state: what the story shows of one unit that follows the line, and the lab on any sentence and unit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

import numpy as np
import pandas as pd
import streamlit as st
import torch
from streamlit.delta_generator import DeltaGenerator

from core.figures.token_label import label_token
from core.lesson.cache import shared_lru_cache
from core.lesson.cached import cached, no_typed_words
from core.lesson.choices.language_model_choice import ChosenModel
from core.lesson.every_number import Formula
from core.lesson.settings import Choice, Settings, Slider, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.lesson.text_source import text_source
from core.models.recurrent_language_model import (
    RecurrentLanguageModel,
    gru_step,
    lstm_step,
    rnn_step,
    trace_recurrent,
)
from core.models.recurrent_models.broken_memory import HELD_GATES, bits_when_wiped, frozen
from core.models.recurrent_models.telling_units import (
    LEAST,
    TellingUnit,
    correlations,
    features,
    telling_units,
)
from core.models.recurrent_models.weighted_sum import state_before, weighted_sum
from core.models.stored import load_card
from core.models.stored_language_models import BITS, encode, stored_language_model
from core.text.reading.documents import Document
from core.text.samples.shelf import sample
from core.words.numbers import signed
from pages.recurrent_models.hidden_state import LESSON
from pages.recurrent_models.hidden_state.figures import (
    WIPED_EVERY,
    Moment,
    draw_bars,
    draw_gates,
    draw_sum,
    draw_text,
    draw_unrolled,
    frozen_figure,
    hidden_state_payload,
    memory_figure,
    named_terms,
    rows_shown,
    terms_figure,
)
from pages.recurrent_models.shared.recurrent_reading import Sentence, beginning, choose_reading, read_sentence

WORDS = LESSON.words
MODELS = {"rnn": "char_rnn", "gru": "char_gru", "lstm": "char_lstm"}
LSTM, PLAY = "char_lstm", "hamlet"
SENTENCE = "My lord, I will not go to Rom"
QUOTE = (
    "Not a whit, we defy augury: there's a special\n"
    "providence in the fall of a sparrow. If it be now,\n'tis not to come"
)
EXAMPLES = (SENTENCE, QUOTE)
READ_OF_PLAY = 4000  # characters of its last tenth, which no stored model was trained on
IN_LINE, IN_WORD, VOWEL = "place_in_line", "place_in_word", "vowel"
FEATURES = (IN_LINE, IN_WORD, "inside_word", "capital_word", "place_in_sentence", VOWEL)
RNN_UNIT = 74  # of a plain RNN; the sum that makes it is taken apart
SMALL = 0.1  # bits that a wiped memory may cost: what the learner looks for
FOLLOWED = ("vowels", "line", "capitals")
GUESSES = ("lower", "same", "higher")
EVERY = Choice("every", "1", tuple(map(str, (*WIPED_EVERY, 128))))
LINE = Text("line", "O, I could tell you, but let it be. Horatio, I am dead", 120)

# The lab's settings, and what older addresses held.
STEPS = {"RNN": rnn_step, "GRU": gru_step, "LSTM": lstm_step}
LETTERS = {"RNN": ("h",), "GRU": ("h", *"rzn"), "LSTM": ("h", *"ifgoc")}
BY_NUMBER, WIPE = "number", "wipe"
LOOK = Choice(
    "look",
    IN_LINE,
    (*FEATURES, BY_NUMBER),
    {
        "place in the line": IN_LINE,
        "place in the word": IN_WORD,
        "inside a word": "inside_word",
        "in a word with a capital": "capital_word",
        "place in the sentence": "place_in_sentence",
        "a vowel was just read": VOWEL,
        "a unit by its number": BY_NUMBER,
    },
)
PIECE = Choice(
    "piece",
    WIPE,
    (WIPE, *HELD_GATES["gru"], *HELD_GATES["lstm"]),
    {
        "wipe the memory": WIPE,
        "z = 0: keep nothing": "z0",
        "z = 0.5: keep half": "z05",
        "r = 0: propose without the past": "r0",
        "r = 1: propose with all of it": "r1",
        "f = 0: forget all": "f0",
        "f = 0.5: forget half": "f05",
        "f = 1: forget nothing": "f1",
        "i = 1: write everything": "i1",
        "o = 1: show everything": "o1",
    },
)
BROKEN, WIPED = Switch("broken"), Slider("wiped", 1, 1, 64)
LAB = (LOOK, BROKEN, PIECE, WIPED)
START, MEASURED_ON = 18, 1500


# The story: what each beat shows.


def read_line(name: str, text: str):
    """Return a stored model, the characters of a text that it can read, and its trace; the start token comes first."""
    torch.set_num_threads(1)
    model = stored_language_model(name)
    ids = torch.tensor((model.start, *encode(name, text).ids))
    return model, [model.vocabulary[i] for i in ids[1:]], trace_recurrent(model.network, ids)


@cache
def held_out() -> tuple[str, np.ndarray, torch.Tensor]:
    """Return the end of the play as the LSTM reads it: its text, the cell states (T, H), and the ids."""
    _, characters, read = read_line(LSTM, sample(PLAY).read().text[-READ_OF_PLAY:])
    return "".join(characters), read.values("c")[1:], read.ids


@cache
def found_units() -> dict[str, TellingUnit]:
    """Return the unit whose cell follows each feature best, chosen and measured on two halves of the play's end."""
    text, cells, _ = held_out()
    return {each.feature: each for each in telling_units(cells, text)}


def unit_values() -> dict[str, object]:
    """Return the unit that follows the line and its correlation, which all beats name."""
    unit = found_units()[IN_LINE]
    return {"unit": unit.unit, "r": unit.measured, "units": held_out()[1].shape[1], "read": READ_OF_PLAY}


def show_state(settings: Settings) -> Part:
    """The network unrolled over the last characters: each state is made from the one before and a character."""
    model, characters, read = read_line(LSTM, SENTENCE)
    p = torch.softmax(read.logits[-1].double(), dim=0)
    best = p.argsort(descending=True)[:3].tolist()
    bars = [(model.vocabulary[i], p[i].item()) for i in best]
    picture = draw_unrolled(characters, read.hidden[1:].double().numpy(), bars)
    values = {"H": model.network.config.width, "line": SENTENCE, "next": bars[0][0], "p": bars[0][1]}
    return Part("machine", picture, {**values, "n": len(characters), "last": characters[-1]})


def show_sum(settings: Settings) -> Part:
    """One unit of a plain RNN: what the character, the old state and the bias add up to, and its tanh."""
    model, characters, read = read_line(MODELS["rnn"], SENTENCE)
    t = len(characters)
    found = weighted_sum(model.network, read, "h", RNN_UNIT, t, state_before(read, t)[0])
    values = {
        "unit": RNN_UNIT,
        "x": characters[-1],
        "from_x": float(found.input_terms.sum()),
        "from_h": float(found.state_terms.sum()),
        "bias": found.bias,
        "total": found.total,
        "value": found.value,
        "H": model.network.config.width,
    }
    return Part("machine", draw_sum(values), values)


def ask_unit(settings: Settings) -> Part:
    """Hamlet's lines coloured by one unit of the LSTM; the answer puts frames where it starts again."""
    _, characters, read = read_line(LSTM, QUOTE)
    values = {**unit_values(), "revealed": settings.revealed}
    cells = read.values("c")[1:, values["unit"]]
    starts = [t for t, character in enumerate(characters) if character == "\n"]
    values |= {"before": float(cells[starts[0] - 1]), "after": float(cells[starts[0]])}
    picture = draw_text(characters, {"cell": cells}, values)
    if settings.revealed:
        picture["rows"][0]["frames"] = [
            {"from": t - 1, "to": t, "text": WORDS.label("frame"), "mark": f"frame.{i}"}
            for i, t in enumerate(starts)
        ]
    return Part("surprisal_lines", picture, values, {"look": IN_LINE}, choices=FOLLOWED, answer="line")


def show_measure(settings: Settings) -> Part:
    """How well this unit follows each feature, on the half of the text that had no part in choosing it."""
    text, cells, _ = held_out()
    half, values = len(text) // 2, unit_values()
    found = {
        name: float(correlations(cells[half:, [values["unit"]]], feature[half:])[0])
        for name, feature in features(text).items()
    }
    order = sorted(FEATURES, key=lambda name: -abs(found[name]))
    rows = [(name, abs(found[name]), signed(found[name], 2)) for name in order]
    values |= {"second": order[1], "second_r": found[order[1]], "half": half}
    picture = draw_bars((WORDS.label("title.measure", **values), 1.2, rows), best=IN_LINE)
    return Part("layer_bars", picture, values, {"look": IN_LINE})


def gates_at(read, characters: Sequence[str], unit: int, t: int) -> dict[str, object]:
    """Return a unit's cell before and after the character at place t, and the gates between."""
    gates = {name: float(read.gates[name][t + 1, unit]) for name in "ifgc"}
    before = float(read.gates["c"][t, unit])
    return {"x": label_token(characters[t]), "before": before, "written": gates["i"] * gates["g"], **gates}


def show_gates(settings: Settings) -> Part:
    """The LSTM's cell of this unit at the last letter of a line, and at the line break after it."""
    _, characters, read = read_line(LSTM, QUOTE)
    values, at = unit_values(), characters.index("\n")
    rows = [gates_at(read, characters, values["unit"], t) for t in (at - 1, at)]
    values |= {"letter": rows[0], "end": rows[1]}
    return Part("machine", draw_gates(rows), values)


@cache
def play_bits(every: int | None = None, gate: str = "") -> float:
    """Return the LSTM's bits per character on the play's end, with its memory wiped, or with a gate held."""
    torch.set_num_threads(1)
    network = stored_language_model(LSTM).network
    if gate:
        network = frozen(network, *HELD_GATES["lstm"][gate])
    return bits_when_wiped(network, held_out()[2], every).mean().item()


def do_wipe(settings: Settings) -> Part:
    """What it costs to set the state to 0 every so many characters, as the learner chooses."""
    k, whole = int(settings.every), play_bits()
    wiped = play_bits(k)
    first = next(int(each) for each in EVERY.ids if play_bits(int(each)) - whole < SMALL)
    rows = [
        ("each", play_bits(1), f"{play_bits(1):.2f}"),
        ("chosen", wiped, f"{wiped:.2f}"),
        ("never", whole, f"{whole:.2f}"),
    ]
    values = {"k": k, "whole": whole, "wiped": wiped, "lost": wiped - whole, "one": play_bits(1)}
    values |= {"small": SMALL, "found": k == first, "early": k < first, "read": READ_OF_PLAY}
    title = WORDS.label("title.wipe", **values)
    hues = {"each": "grey", "chosen": "vermillion", "never": "blue"}
    picture = draw_bars((title, 5, rows), best="chosen", hues=hues)
    return Part("layer_bars", picture, values, {"broken": True, "wiped": min(k, 64)})


def ask_nothing(settings: Settings) -> Part:
    """Bits with the moving forget gate; the answer adds those with the gate held at 1, and of a uniform guess."""
    whole, held, half = play_bits(), play_bits(gate="f1"), play_bits(gate="f05")
    uniform = float(np.log2(len(stored_language_model(LSTM).vocabulary)))
    known = {"moving": whole, "f1": held, "uniform": uniform}
    rows = [
        (key, value if settings.revealed or key != "f1" else 0, f"{value:.2f}")
        for key, value in known.items()
    ]
    if not settings.revealed:
        rows[1] = ("f1", 0, "?")
    values = {"whole": whole, "held": held, "half": half, "uniform": uniform, "read": READ_OF_PLAY}
    values |= {"revealed": settings.revealed, "V": len(stored_language_model(LSTM).vocabulary)}
    hues = {"moving": "blue", "f1": "vermillion", "uniform": "grey"}
    picture = draw_bars((WORDS.label("title.nothing"), 13, rows), hues=hues)
    shown_in_lab = {"broken": True, "piece": "f1"}
    return Part("layer_bars", picture, values, shown_in_lab, choices=GUESSES, answer="higher")


@cache
def best_in_line(name: str) -> float:
    """Return the correlation of a model's best unit of h with the place in the line, on the second half."""
    _, characters, read = read_line(name, sample(PLAY).read().text[-READ_OF_PLAY:])
    found = telling_units(read.values("h")[1:], "".join(characters))
    return next(each.measured for each in found if each.feature == IN_LINE)


def show_models(settings: Settings) -> Part:
    """A plain RNN, a GRU and an LSTM: how well their best unit follows the line, and their bits per character."""
    r = {cell: best_in_line(name) for cell, name in MODELS.items()}
    reached = {cell: load_card(name).quality[BITS] for cell, name in MODELS.items()}
    hues = {"rnn": "grey", "gru": "pink", "lstm": "blue"}
    panels = [
        (WORDS.label("title.r"), 1.2, [(cell, abs(each), signed(each, 2)) for cell, each in r.items()]),
        (WORDS.label("title.bits"), 3.4, [(cell, each, f"{each:.2f}") for cell, each in reached.items()]),
    ]
    widths = {cell: stored_language_model(name).network.config.width for cell, name in MODELS.items()}
    return Part("layer_bars", draw_bars(*panels, hues=hues), {"r": r, "bits": reached, "widths": widths})


def do_own(settings: Settings) -> Part:
    """A line of the learner's, coloured by the unit that follows the line."""
    _, characters, read = read_line(LSTM, settings.line)
    readable = bool(characters)
    if not readable:
        _, characters, read = read_line(LSTM, LINE.default)
    values = unit_values()
    cells = read.values("c")[1:, values["unit"]]
    below = next((t + 1 for t, each in enumerate(cells) if each < 0), None)
    values |= {"readable": readable, "n": len(characters), "last": float(cells[-1]), "below": below}
    return Part("surprisal_lines", draw_text(characters, {"cell": cells}, values), values)


def show_answer(settings: Settings) -> Part:
    """One line, coloured by three units: the place in the line, the place in the word, the vowels."""
    _, characters, read = read_line(LSTM, QUOTE.split("\n")[0])
    named = {"line": IN_LINE, "word": IN_WORD, "vowel": VOWEL}
    units = {key: found_units()[feature] for key, feature in named.items()}
    cells = read.values("c")[1:]
    values = {
        **unit_values(),
        "found": {key: {"unit": each.unit, "r": each.measured} for key, each in units.items()},
    }
    rows = {key: cells[:, each.unit] for key, each in units.items()}
    return Part("surprisal_lines", draw_text(characters, rows, values), values)


STORY = (
    look("state", show_state),
    look("step", show_sum),
    ask("follow", ask_unit),
    look("measure", show_measure),
    look("gates", show_gates),
    do("wipe", do_wipe, EVERY),
    ask("nothing", ask_nothing),
    look("models", show_models),
    do("own", do_own, LINE),
    end("answer", show_answer),
)


# The lab: a sentence read character by character, one number of a state worked out, and what the memory is worth.


def lab() -> None:
    """A sentence read character by character, one number of a state worked out, and what the memory is worth."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    notes = st.container()
    with controls:
        document = text_source()
        sentence = choose_reading(LESSON, document, notes)
        told = telling(sentence.chosen.label, document.digest, sentence.chosen, document)
        measured = len(beginning(sentence.chosen, document).ids)
        unit = choose_unit(told, sentence.network.config.width, measured, notes)
        letters = Choice(f"letter_{sentence.cell}", "h", LETTERS[sentence.cell])
        letter = LESSON.choose_id(letters, WORDS.label("letter"), {each: each for each in letters.ids})
        notes.caption(f"**{letter}**: {WORDS.label(f'meaning.{letter}')}")
        broken = choose_broken(sentence, notes)
        LESSON.options()
    network, wiped = (broken.network, broken.wiped) if broken else (sentence.network, None)
    name = f"{sentence.chosen.label} {broken.piece if broken else 'moving'}"
    traced = read_sentence(name, tuple(sentence.ids.tolist()), network, wiped)
    probabilities = torch.softmax(traced.logits.double(), dim=1).numpy()
    characters = sentence.characters
    with stage:
        drawn = st.container()
        step = LESSON.step([WORDS.label("before", n=t) for t in range(len(characters))], start=START)
    with drawn:
        likeliest = [label_token(sentence.chosen.names[i]) for i in probabilities[step].argsort()[::-1][:5]]
        read = "".join(map(label_token, characters[max(0, step - 30) : step + 1]))
        about = f"{name}_{hash(tuple(characters[: step + 1]))}"
        revealed = LESSON.ask(WORDS.label("guess", read=read), sorted(likeliest), likeliest[0], about)
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
        LESSON.say(
            "says.unit",
            held(values[: step + 1, unit], letter, unit, characters[step], [] if broken else told),
        )
        notes.caption(WORDS.label("colours"))
    moment = Moment(network, traced, step, wiped, characters[step])
    if box := LESSON.fold("worked"):
        with box:
            show_worked(moment, letter, unit)
    if broken:
        show_worth(sentence, document, broken)
    LESSON.every_number(WORDS.label("table.units"), unit_table, moment)
    LESSON.close_lab(
        code=[
            *(trace_recurrent, STEPS[sentence.cell], weighted_sum, state_before),
            *(telling_units, correlations, frozen, bits_when_wiped),
        ],
        parameters={
            "name": MODELS[sentence.cell.lower()],
            "text": sentence.prompt.text,
            "step": step,
            "unit": unit,
        },
        prompts={
            "counts": {"text:": "Hamlet", "cell": "LSTM", "look": IN_LINE},
            "plain": {"text:": "Hamlet", "cell": "RNN", "look": IN_LINE},
            "nothing": {"cell": "LSTM", "broken": True, "piece": "f1"},
        },
    )


def take_cell(shown_unit: int, told: Sequence[TellingUnit], cell: dict) -> None:
    """Carry the unit and the step chosen in the view over to the controls."""
    LESSON.set_state("step", int(cell["step"]) + 1)
    unit = int(cell["unit"])
    if unit == shown_unit:
        return
    chosen = {each.unit: each.feature for each in told}.get(unit, BY_NUMBER)
    LESSON.set_state("look", chosen)
    if chosen == BY_NUMBER:
        LESSON.set_state("unit", unit)


@cached(40, 12, shared=no_typed_words)
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
    options = (*(name for name in FEATURES if name in units), BY_NUMBER)
    first = IN_LINE if IN_LINE in options else options[0]
    chosen = LESSON.draw(replace(LOOK, ids=options, default=first))  # another text may lack a feature
    if chosen == BY_NUMBER:
        if LESSON.get_state("unit", 0) >= width:
            LESSON.set_state("unit", 0)  # another model, with fewer units
        unit = int(LESSON.number("unit", WORDS.label("unit"), 0, width - 1, 0))
    else:
        found = units[chosen]
        unit = found.unit
        values = {"unit": unit, "width": width, "feature": WORDS.label(f"look.{chosen}")}
        values |= {"half": measured // 2, "rest": measured - measured // 2}
        values |= {"chosen": signed(found.chosen, 2, "+"), "measured": signed(found.measured, 2, "+")}
        notes.caption(WORDS.markdown("chosen", **values))
    if not told:
        notes.caption(WORDS.label("too_short", least=LEAST))
    return unit


def held(
    values: np.ndarray, letter: str, unit: int, character: str, told: Sequence[TellingUnit]
) -> dict[str, object]:
    """Return what the unit holds after the last of `values`, where it has been, and what it was measured to follow."""
    found = {"x": label_token(character), "letter": letter, "unit": unit, "value": signed(values[-1])}
    found |= {"least": signed(values.min()), "most": signed(values.max()), "well": ""}
    followed = [each for each in told if each.unit == unit]
    if letter != "h" or not followed:
        return found
    best = max(followed, key=lambda each: abs(each.measured))
    size = abs(best.measured)
    well = "well" if size >= 0.5 else "little" if size >= 0.2 else "hardly"
    return found | {
        "well": well,
        "feature": WORDS.label(f"look.{best.feature}"),
        "r": signed(best.measured, 2, "+"),
    }


@dataclass(frozen=True)
class Broken:
    """A network with a piece removed: what it is called, how often its memory is wiped, which gate is held."""

    piece: str
    network: RecurrentLanguageModel
    wiped: int | None = None


def choose_broken(sentence: Sentence, notes: DeltaGenerator) -> Broken | None:
    """Draw the switch that breaks the memory; return the broken network, or None while it is whole."""
    if not LESSON.draw(BROKEN):
        return None
    gates = HELD_GATES[sentence.cell.lower()]
    piece = LESSON.draw(replace(PIECE, ids=(WIPE, *gates)))
    if piece != WIPE:
        return Broken(piece, held_still(sentence.network, *gates[piece]))
    wiped = LESSON.draw(WIPED)
    if wiped >= (n := len(sentence.ids)):
        notes.caption(WORDS.label("no_wipe", n=n))
    return Broken(f"{piece} {wiped}", sentence.network, wiped)


@shared_lru_cache(16)
def held_still(network: RecurrentLanguageModel, gate: str, value: float) -> RecurrentLanguageModel:
    """Return a stored network with a gate at one value; all sessions share it."""
    return frozen(network, gate, value)


def show_worked(moment: Moment, name: str, unit: int) -> None:
    """Fill in the equation of one unit at one step; where it is a sum, draw the sum as a staircase."""
    st.latex(moment.formula(name, unit))
    sums = (name,) if name in moment.sums else tuple(moment.sums)
    which = sums[0]
    if len(sums) > 1:
        choice = Choice("sum", which, sums)
        which = LESSON.choose_id(choice, WORDS.label("sum"), {each: each for each in sums})
        st.latex(moment.formula(which, unit))
    found = moment.sum(which, unit)
    parts = ", ".join(f"{part} {value:+.3f}" for part, value in named_terms(found).items())
    LESSON.figure("terms", terms_figure(found), WORDS.label("terms.alt", name=which, unit=unit, parts=parts))


@cached(400, 60, shared=no_typed_words)
def mean_bits(
    label: str, piece: str, digest: str, wiped: int | None, _network: RecurrentLanguageModel, _ids: tuple
) -> float:
    """Return the mean of -log2 p over a text."""
    torch.set_num_threads(1)
    return bits_when_wiped(_network, torch.tensor(_ids), wiped).mean().item()


def show_worth(sentence: Sentence, document: Document, broken: Broken) -> None:
    """Show the bits per character whole and broken, against how often the memory is wiped, and gate by gate."""
    chosen, network = sentence.chosen, sentence.network
    prompt = beginning(chosen, document, MEASURED_ON)
    if not prompt.ids:
        st.info(WORDS.label("nothing_read"))
        return
    ids = (chosen.model.start, *prompt.ids)
    measure = partial(mean_bits, chosen.label, digest=document.digest, _ids=ids)
    whole = measure("whole", _network=network, wiped=None)
    st.header(WORDS.label("worth"), anchor=False)
    st.markdown(WORDS.markdown("worth.measured", n=len(prompt.ids)))
    damaged = measure(broken.piece, _network=broken.network, wiped=broken.wiped)
    LESSON.compare("memory", whole, damaged, more_is_better=False)
    left, right = st.columns(2)
    with left:
        wiped = [measure(f"{WIPE} {k}", _network=network, wiped=k) for k in WIPED_EVERY]
        LESSON.figure("memory", memory_figure(WIPED_EVERY, wiped, whole), WORDS.label("memory.alt"))
    with right:
        gates = HELD_GATES[sentence.cell.lower()]
        if gates:
            by_gate = {
                WORDS.label(f"piece.{piece}"): measure(piece, _network=held_still(network, *gate), wiped=None)
                for piece, gate in gates.items()
            }
            LESSON.figure("frozen", frozen_figure(by_gate, whole), WORDS.label("frozen.alt"))
        else:
            st.markdown(WORDS.label("no_gates"))


def unit_table(moment: Moment) -> tuple[pd.DataFrame, Formula]:
    """Return every unit's numbers at one step, and the formula of a cell."""
    columns = {
        WORDS.label("column.unit"): np.arange(moment.network.config.width),
        WORDS.label("column.h"): moment.state,
    }
    if moment.cell == "lstm":
        columns[WORDS.label("column.c")] = moment.cell_state
    names = [*moment.traced.gates, "h"]
    columns |= {name: moment.traced.values(name)[moment.t] for name in names}

    def formula(row: int, column: str) -> str | None:
        """Fill in a letter's value for a unit."""
        return moment.formula(column, row) if column in names else None

    return pd.DataFrame(columns), formula
