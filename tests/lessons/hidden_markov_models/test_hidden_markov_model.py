"""The machine: what is shown is what the tables and the seed give, hidden until guessed; without memory runs are shorter."""

import json

import pytest

from core.models.hidden_markov_models.hmm_tables import ice_cream_diary
from core.models.hidden_markov_models.speaking import drawn, speak
from tests.lessons.lesson_page import figures, guess, metrics, open_lesson, said, table_with

DRAWS = speak(ice_cream_diary(), 10, 1)


def written(figure):
    """Return every text of a figure: of its marks and its arrows."""
    notes = [note.get("text", "") for note in figure["layout"].get("annotations", [])]
    return notes + [text for trace in figure["data"] for text in (trace.get("text") or [])]


def test_the_machine_has_an_arrow_with_each_probability_of_its_tables():
    machine = figures(open_lesson("hidden_markov_model", hot="0.35"))[0]
    numbers = [text.strip("</b>") for text in written(machine)]
    for number in ("0.6", "0.4", "0.35", "0.65", "0.2", "0.8", "0.3", "0.5", "0.1"):
        assert number in numbers


@pytest.mark.parametrize("step", [1, 2, 7, 20])
def test_each_step_shows_its_draw_and_what_was_said_so_far(step):
    app = open_lesson("hidden_markov_model", step=step)
    draw = DRAWS[step - 1]
    names = ["hot", "cold"], ["1 ice cream,", "2 ice creams,", "3 ice creams,"]
    told = "seen" if draw.kind == "word" else "hidden"
    chosen = names[draw.kind == "word"][draw.chosen]
    assert f"Day {draw.t + 1}, {told}: the random number u = {draw.uniform:.4f} falls on {chosen}" in said(
        app
    )
    table = table_with(app, "came out")
    names = ["hot", "cold"], ["1", "2", "3"]
    assert table["came out"].tolist() == [names[each.kind == "word"][each.chosen] for each in DRAWS[:step]]
    words = [text for trace in figures(app)[2]["data"][:1] for text in trace["text"]]
    assert words == [str(word + 1) for word in drawn(DRAWS[:step], "word")]


def test_the_state_is_nowhere_until_it_is_guessed():
    app = open_lesson("hidden_markov_model", predict="true", step="6")
    hidden = json.dumps(figures(app)[1:2]) + said(app)
    assert "u =" not in hidden.replace("random number", "") and not app.latex[1:]
    assert not [
        trace for trace in figures(app)[1]["data"] if "hot" in trace["text"] or "cold" in trace["text"]
    ]
    assert "The code that ran" in [tab.label for tab in app.tabs]
    revealed = guess(app, "hot")
    assert f"u = {DRAWS[5].uniform:.4f}" in said(revealed)


@pytest.mark.parametrize(("hot", "cold", "shorter"), [(0.5, 0.8, True), (0.9, 0.9, True), (0.1, 0.1, False)])
def test_without_memory_runs_are_those_of_chance_and_the_picture_changes(hot, cold, shorter):
    whole = open_lesson("hidden_markov_model", hot=hot, cold=cold)
    broken = open_lesson("hidden_markov_model", hot=hot, cold=cold, forget="true")
    assert figures(whole)[0] != figures(broken)[0]
    shown = {label.rpartition(", ")[2]: float(value) for label, value in metrics(broken).items()}
    assert (shown["broken"] < shown["whole"]) == shorter
    share = 1 / (1 + (1 - hot) / (1 - cold))
    assert shown["broken"] == pytest.approx(1 / (2 * share * (1 - share)), rel=0.05)


def test_any_address_is_drawn():
    for query in ({"hot": "7"}, {"seed": "x"}, {"step": "999"}, {"cold": ""}):
        app = open_lesson("hidden_markov_model", **query)
        assert not app.exception
        assert len(figures(app)) >= 3
