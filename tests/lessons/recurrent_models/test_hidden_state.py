"""The hidden state: the story's unit by a second reckoning; the lab shows what core traces, and measures what it breaks."""

import base64
import re
from unittest.mock import patch

import numpy as np
import pytest
import torch

from core.lesson.lesson import Lesson
from core.models.recurrent_language_model import trace_recurrent
from core.models.recurrent_models.broken_memory import HELD_GATES, bits_when_wiped, frozen
from core.models.recurrent_models.telling_units import telling_units
from core.models.stored_language_models import encode, stored_language_model
from core.text.samples.shelf import sample
from core.words.numbers import signed
from pages.recurrent_models.hidden_state.page import EVERY, QUOTE, READ_OF_PLAY, SMALL, take_cell
from tests.lessons.lesson_page import (
    document,
    figures,
    guess,
    metrics,
    numbers,
    open_lesson,
    said,
    said_in,
    sent,
    table_with,
)

TEXT = "The king sat by Ann. He saw a dog!\nThen Bob ran to the sea. " * 8
MODELS = {"RNN": "char_rnn", "GRU": "char_gru", "LSTM": "char_lstm"}


def open_with(text=TEXT, **query):
    return open_lesson("hidden_state", text, timeout=90, **{"worked": "true", **query})


def values(payload):
    rows = np.frombuffer(base64.b64decode(payload["values"]), dtype="<f4")
    return rows.reshape(len(payload["rows"]), len(payload["characters"]))


@pytest.mark.parametrize("cell", MODELS)
def test_the_view_shows_the_states_and_the_next_characters_that_core_traces(cell):
    app = open_with(cell=cell, typed="My lord", step="3")
    assert not app.exception
    model = stored_language_model(MODELS[cell])
    read = trace_recurrent(model.network, torch.tensor((model.start, *encode(MODELS[cell], "My lord").ids)))
    payload = sent(app)
    units = [row["unit"] for row in payload["rows"]]
    np.testing.assert_allclose(values(payload), read.hidden[:, units].T.numpy(), atol=1e-6)
    p = torch.softmax(read.logits[2].double(), dim=0).numpy()
    assert [each[1] for each in payload["next"][2]] == pytest.approx(np.sort(p)[::-1][:8].tolist())


@pytest.mark.parametrize(("cell", "letter"), [("GRU", "z"), ("LSTM", "c"), ("LSTM", "f")])
def test_a_gate_is_shown_and_its_worked_value_is_the_traced_one(cell, letter):
    query = {f"letter_{cell}": letter, "look": "a unit by its number", "unit": "5", "step": "4"}
    app = open_with(cell=cell, typed="To be", **query)
    model = stored_language_model(MODELS[cell])
    read = trace_recurrent(model.network, torch.tensor((model.start, *encode(MODELS[cell], "To be").ids)))
    value = read.gates[letter][3, 5].item()
    worked = next(each.value for each in app.latex if rf"{letter}_t[5]" in each.value)
    shown = float(re.search(r"\\mathbf\{([-\d.]+)", worked)[1])
    assert shown == pytest.approx(value, rel=1e-3)


def test_the_unit_offered_is_the_one_that_measures_best():
    app = open_with(cell="LSTM", look="inside a word")
    model = stored_language_model("char_lstm")
    prompt = encode("char_lstm", TEXT)
    with torch.inference_mode():
        ids = torch.tensor([(model.start, *prompt.ids)])
        hidden, _ = model.network.layer(model.network.embedding(ids))
    found = {each.feature: each for each in telling_units(hidden[0, 1:].double().numpy(), prompt.text)}
    best = found["inside_word"]
    assert sent(app)["unit"] == best.unit
    assert signed(best.measured, 2, "+") in said(app)


def test_a_frozen_gate_costs_what_core_measures():
    app = open_with(cell="LSTM", broken="true", piece="f = 1: forget nothing")
    model = stored_language_model("char_lstm")
    ids = torch.tensor((model.start, *encode("char_lstm", TEXT[:1500]).ids))
    whole, broken = (
        bits_when_wiped(model.network, ids).mean(),
        bits_when_wiped(frozen(model.network, "f", 1.0), ids).mean(),
    )
    assert [metric.value for metric in app.metric[:2]] == [f"{whole:.2f}", f"{broken:.2f}"]


def test_wiping_at_every_step_leaves_no_state_to_sum():
    app = open_with(cell="RNN", broken="true", step="5")
    assert any("every number is 0" in each.value for each in app.latex)


def test_every_unit_s_number_can_be_filled_in():
    app = open_with(cell="GRU", typed="To be", step="4")
    table = table_with(app, "h before")
    assert list(table.columns) == ["unit", "h before", "r", "z", "n", "h"]
    np.testing.assert_allclose(
        (1 - table["z"]) * table["n"] + table["z"] * table["h before"], table["h"], atol=1e-6
    )


def test_a_prediction_hides_the_next_character_and_the_rest_of_the_sentence():
    app = open_with(cell="RNN", typed="My lord", step="4", predict="true")
    assert sent(app)["next"] == []
    assert len(sent(app)["characters"]) == 4
    guess(app)
    assert len(sent(app)["next"]) == 8


def test_a_cell_chosen_in_the_view_is_what_is_worked_out():
    app = open_with(cell="RNN", typed="My lord")
    reported, opened = {"unit": 9, "step": 2}, Lesson.open_lab

    def report_first(lesson, **options):  # a component's callback runs before the page
        take_cell(sent(app)["unit"], [], reported)
        return opened(lesson, **options)

    with patch.object(Lesson, "open_lab", report_first):
        app.run()
    assert not app.exception
    assert (sent(app)["unit"], sent(app)["step"]) == (9, 2)
    assert any("h_t[9]" in each.value for each in app.latex)


ON = {"the default": None, "a play": sample("hamlet").read().text, "a short text": TEXT[:180]}


@pytest.mark.parametrize("text", ON.values(), ids=ON)
@pytest.mark.parametrize(("cell", "piece"), [("RNN", "wipe the memory"), ("LSTM", "f = 1: forget nothing")])
def test_damage_changes_the_picture_and_costs_bits(text, cell, piece):
    whole, broken = (
        open_lesson("hidden_state", text, timeout=90, cell=cell, broken=on, piece=piece, step="9")
        for on in ("false", "true")
    )
    assert sent(whole)["values"] != sent(broken)["values"]
    before, after = (float(metrics(broken)[each]) for each in ("with the memory", "with the memory broken"))
    assert after > before


@pytest.mark.parametrize("cell", ["GRU", "LSTM"])
@pytest.mark.parametrize("text", ON.values(), ids=ON)
def test_no_gate_held_still_is_better_than_one_that_moves(text, cell):
    app = open_lesson("hidden_state", text, timeout=90, cell=cell, broken="true")
    bars = next(spec for spec in figures(app) if "moving gates" in str(spec["data"][0].get("y")))["data"][0]
    whole, *held = numbers(bars["x"])
    assert len(held) == len(HELD_GATES[cell.lower()])
    assert min(held) > whole


def test_a_wipe_that_never_comes_in_so_short_a_sentence_is_said():
    app = open_with(cell="RNN", typed="My lord", broken="true", wiped="8")
    assert "read without a wipe" in said(app)
    assert "read without a wipe" not in said(open_with(cell="RNN", typed="My lord", broken="true", wiped="7"))


def test_the_sentence_below_the_picture_is_made_from_the_state():
    app = open_with(cell="LSTM", typed="My lord", step="4", look="a unit by its number", unit="9")
    model = stored_language_model("char_lstm")
    read = trace_recurrent(model.network, torch.tensor((model.start, *encode("char_lstm", "My lord").ids)))
    values = read.hidden[:4, 9].tolist()
    assert f"h of unit 9 is {signed(values[-1])}" in said(app)
    assert f"from {signed(min(values))} to {signed(max(values))}" in said(app)


def test_a_paste_that_is_too_long_is_cut_and_that_is_said():
    app = open_with(typed="word " * 252)
    assert "The sentence has 1,260 characters. Its first 400 are read." in said(app)
    assert len(sent(app)["characters"]) == 401


@pytest.mark.parametrize(
    "query",
    [
        {"typed": ""},
        {"typed": "x"},
        {"typed": "caf\u00e9 \U0001f44d \u0645"},
        {"typed": "\u65e9\u4e0a"},
        {"typed": "a" * 400, "step": "401"},
        {"source": "from your text"},
        {"broken": "true", "wiped": "64"},
        {"look": "a unit by its number", "unit": "159"},
        {"look": "no such feature"},
        {"step": "9999"},
    ],
    ids=str,
)
def test_no_end_of_a_control_breaks_the_page(query):
    assert not open_with(cell="LSTM", **query).exception


def test_another_model_with_fewer_units_and_other_gates_is_taken_in_stride():
    app = open_with(
        cell="GRU", look="a unit by its number", unit="380", broken="true", piece="z = 0: keep nothing"
    )
    app.button_group(key="hidden_state_cell").set_value("RNN").run()
    assert not app.exception
    assert sent(app)["unit"] == 0


def test_what_the_model_cannot_read_is_said():
    app = open_with(typed="caf\u00e9 \U0001f44d")
    assert "\u00e9 as e" in said(app)
    assert "\U0001f44d" in said(app)


def test_a_long_sentence_of_the_text_is_cut_and_that_is_said():
    app = open_with("word " * 200 + ".", source="from your text")
    assert "Its first 400 are read" in said(app)
    assert len(sent(app)["characters"]) == 401


@pytest.mark.parametrize("text", ["one", "\u65e9\u4e0a\u597d\u3002", "\U0001f44d\U0001f3fd <b>$a$ `c`"])
def test_a_text_too_short_to_measure_on_is_said_and_breaks_nothing(text):
    app = open_with(text, broken="true")
    assert not app.exception
    assert "units are not measured" in said(app)


def test_a_unit_is_measured_on_the_beginning_of_a_long_text_and_the_page_says_how_much():
    page = said(open_lesson("hidden_state"))
    assert "on the first 2,000 characters of your text" in page
    assert "On the next 2,000, r =" in page


def test_the_difference_that_breaking_makes_is_that_of_the_two_numbers_shown():
    app = open_lesson("hidden_state", broken="true", wiped=64)
    whole, broken = app.metric[-2:]
    assert float(broken.delta) == pytest.approx(float(broken.value) - float(whole.value))


# The story.


def beat(number, revealed=False, **changes):
    """Return a beat's document, its words and its picture."""
    made = document("hidden_state", number, revealed, **changes)
    return made, said_in(made), made["picture"]["data"]


@pytest.fixture(scope="module")
def read():
    """Return the play's end, the LSTM's cells by torch's own layer, step by step, and its bits."""
    model = stored_language_model("char_lstm")
    text = sample("hamlet").read().text[-READ_OF_PLAY:]
    ids = torch.tensor((model.start, *encode("char_lstm", text).ids))
    cells, state = [], None
    with torch.inference_mode():
        for x in model.network.embedding(ids):
            _, state = model.network.layer(x[None, None], state)
            cells.append(state[1][0, 0].double().numpy())
        logits, _ = model.network(ids[None, :-1])
    loss = torch.nn.functional.cross_entropy(logits[0].double(), ids[1:]).item() / np.log(2)
    return "".join(model.vocabulary[i] for i in ids[1:]), np.stack(cells)[1:], loss


def place_in_line(text):
    """Return how many characters were read since the last line break, by splitting the text."""
    return np.array([place for line in text.split("\n") for place in (*range(1, len(line) + 1), 0)][:-1])


def test_the_story_s_unit_is_the_one_that_follows_the_line_best_on_the_first_half(read):
    text, cells, _ = read
    half, place = len(text) // 2, place_in_line(text)
    r = [np.corrcoef(cells[:half, unit], place[:half])[0, 1] for unit in range(cells.shape[1])]
    unit = int(np.abs(r).argmax())
    measured = np.corrcoef(cells[half:, unit], place[half:])[0, 1]
    _, words, drawn = beat(4)
    assert f"−{-measured:.2f}" in words
    first = drawn["panels"][0]["rows"][0]
    assert (first["name"], first["to"]) == ("place in the line", pytest.approx(abs(measured), abs=1e-6))
    assert f"unit {unit}" in said_in(document("hidden_state", 3))
    assert all(row["to"] < 0.4 for row in drawn["panels"][0]["rows"][1:]), "small with everything else"


def test_the_colour_is_the_cell_which_falls_along_a_line_and_starts_again_at_its_break(read):
    _, words, drawn = beat(3, True)
    cells = drawn["rows"][0]["cells"]
    shares = np.array([cell["share"] for cell in cells])
    assert len(shares) == len(QUOTE)
    for end in (i for i, character in enumerate(QUOTE) if character == "\n"):
        assert shares[end - 1] > 0.9 and shares[end] < 0.05
    assert np.corrcoef(shares, place_in_line(QUOTE + "\n")[:-1])[0, 1] > 0.9
    assert "jumps from −0.91 to 0.98" in words


def test_the_sum_of_a_unit_is_what_the_layer_computes():
    model = stored_language_model("char_rnn")
    ids = torch.tensor([(model.start, *encode("char_rnn", "My lord, I will not go to Rom").ids)])
    with torch.inference_mode():
        hidden, _ = model.network.layer(model.network.embedding(ids))
    assert f"tanh makes it {hidden[0, -1, 74].item():.2f}" in beat(2)[1]


def test_the_gates_make_the_new_cell_from_the_old_one():
    titles = {node["key"]: node["title"] for node in beat(5)[2]["nodes"]}
    value = {
        key: float(text.replace("−", "-").lstrip("× +")) for key, text in titles.items() if "read" not in key
    }
    for row in "01":
        new = value[f"before.{row}"] * value[f"kept.{row}"] + value[f"written.{row}"]
        assert new == pytest.approx(value[f"after.{row}"], abs=0.02)
    assert value["kept.0"] > 0.9 and value["kept.1"] < 0.05


def test_wiping_costs_less_the_later_it_comes_and_the_words_say_from_when_on_it_costs_little(read):
    whole, costs = read[2], {}
    for k in EVERY.ids:
        made, _, drawn = beat(6, every=k)
        bars = [row["to"] for row in drawn["panels"][0]["rows"]]
        assert bars[2] == pytest.approx(whole, abs=1e-4)
        costs[int(k)] = bars[1] - bars[2]
        small = [each for each, cost in costs.items() if cost < SMALL]
        right = "Yes:" if small[:1] == [int(k)] else "Try a larger" if not small else "a smaller k"
        assert right in re.sub(r"<[^>]+>|\$", "", made["done"]), k
    assert list(costs.values()) == sorted(costs.values(), reverse=True)


def test_never_forgetting_is_worse_than_blind_guessing(read):
    rows = beat(7, True)[2]["panels"][0]["rows"]
    moving, held, uniform = (row["to"] for row in rows)
    assert moving == pytest.approx(read[2], abs=1e-4)
    assert uniform == pytest.approx(np.log2(63)) and held > uniform > moving
    hidden = document("hidden_state", 7)
    assert f"{held:.2f}" not in str(hidden)


def test_an_lstm_follows_the_line_better_than_a_plain_rnn_and_predicts_better():
    r, bits_of = ({row["name"]: row["to"] for row in panel["rows"]} for panel in beat(8)[2]["panels"])
    assert r["LSTM"] > r["GRU"] > r["plain RNN"]
    assert bits_of["plain RNN"] > max(bits_of["LSTM"], bits_of["GRU"])


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("x", "still above 0"),
        ("Es war einmal ein König, der hatte eine Tochter. Sie war schön.", "below 0 for the first time"),
        ("早上好", "knows no character"),
        ("", "below 0 for the first time"),
        pytest.param("no " * 200, "below 0 for the first time", id="one word 200 times"),
    ],
)
def test_what_is_said_of_an_own_line_follows_its_cell(line, told):
    made, _, drawn = beat(9, line=line)
    if line:
        assert told in made["done"]
    shares = [cell["share"] for cell in drawn["rows"][0]["cells"]]
    if "first time" in made.get("done", ""):
        first = int(re.search(r"character <strong>(\d+)", made["done"])[1])
        assert shares[first - 1] > 0.5 >= max(shares[: first - 1])


def test_the_three_units_of_the_answer_follow_what_is_said(read):
    text, cells, _ = read
    half = len(text) // 2
    vowels = np.array([character in "aeiouyAEIOUY" for character in text], dtype=float)
    rows = beat(10)[2]["rows"]
    unit, r = int(re.search(r"\d+", rows[2]["name"])[0]), float(rows[2]["note"].replace("r = −", "-"))
    assert np.corrcoef(cells[half:, unit], vowels[half:])[0, 1] == pytest.approx(r, abs=0.006)
    assert all(float(row["note"].replace("r = −", "-")) < -0.5 for row in rows)
