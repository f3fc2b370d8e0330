"""Hidden Markov models: the story's draws can be repeated by hand; the lab hides what is guessed and draws any address."""

import json
import math
from itertools import pairwise

import numpy as np
import pytest

from core.models.hidden_markov_models.decoding import decode
from core.models.hidden_markov_models.hmm_tables import ice_cream_diary
from core.models.hidden_markov_models.speaking import drawn, expected_run, mean_run, speak
from core.models.hidden_markov_models.what_if import with_probability
from pages.hidden_markov_models.hidden_markov_model.page import SEED
from tests.lessons.lesson_page import (
    document,
    figures,
    guess,
    metrics,
    open_lesson,
    picture,
    said,
    said_in,
    sent,
    table_with,
)

# The diary's tables: start 0.6 and 0.4; hot to hot 0.5, cold to cold 0.8; hot emits 1, 2, 3 with 0.2, 0.3, 0.5, cold with
# 0.6, 0.3, 0.1.
TRUE_WEATHER = ["hot", "cold", "cold", "cold", "cold"]
FACTORS = [0.6, 0.5, 0.5, 0.6, 0.8, 0.1, 0.8, 0.3, 0.8, 0.6]


def days_of(data, run=0):
    return data["runs"][run]["days"]


def by_hand(seed, days):
    """Return the weather and the ice creams that a seed's random numbers choose, each by comparing with sums."""
    luck = np.random.default_rng(seed).random(2 * days)
    weather, eaten, p_hot = [], [], 0.6
    for t in range(days):
        state = "hot" if luck[2 * t] < p_hot else "cold"
        one, two = (0.2, 0.5) if state == "hot" else (0.6, 0.9)
        u = luck[2 * t + 1]
        eaten.append(1 if u < one else 2 if u < two else 3)
        weather.append(state)
        p_hot = 0.5 if state == "hot" else 0.2
    return weather, eaten, luck


def test_the_story_s_seed_writes_viterbi_s_diary_and_its_weather_is_the_most_probable_one():
    weather, eaten, _ = by_hand(SEED, 5)
    assert (weather, eaten) == (TRUE_WEATHER, [3, 1, 3, 2, 1])
    decoded = decode(ice_cream_diary(), list(map(str, eaten)))
    assert [decoded.model.states[state] for state in decoded.viterbi.path] == weather


def test_the_diary_shows_the_ice_creams_and_sends_no_weather():
    data = picture("hidden_markov_model", "diary")
    assert [day["count"] for day in days_of(data)] == [3, 1, 3, 2, 1]
    assert {(day["name"], day["hue"]) for day in days_of(data)} == {("?", None)}
    assert "hot" not in json.dumps(data) and "cold" not in json.dumps(data)


def test_an_arrow_is_as_thick_as_its_probability_and_hot_is_vermillion():
    data = picture("hidden_markov_model", "states")["machine"]
    assert {(each["from"], each["to"]): each["text"] for each in data["arrows"]} == {
        (0, 0): "0.5",
        (0, 1): "0.5",
        (1, 0): "0.2",
        (1, 1): "0.8",
    }
    assert all(float(each["text"]) == pytest.approx(each["p"]) for each in data["arrows"])
    assert [(each["name"], each["hue"]) for each in data["states"]] == [
        ("hot", "vermillion"),
        ("cold", "blue"),
    ]
    told = said_in(document("hidden_markov_model", "states"))
    assert "stays cold with probability 0.8" in told and "stays hot with 0.5" in told


def test_both_states_emit_a_2_equally_often_and_a_3_is_rare_on_a_cold_day():
    emits = picture("hidden_markov_model", "emissions")["machine"]["emits"]
    assert [[bar["text"] for bar in each["bars"]] for each in emits] == [
        ["0.2", "0.3", "0.5"],
        ["0.6", "0.3", "0.1"],
    ]
    told = said_in(document("hidden_markov_model", "emissions"))
    assert "3 ice creams have probability 0.5, on a cold day only 0.1" in told


def test_the_number_of_day_2_falls_on_cold():
    _, _, luck = by_hand(SEED, 5)
    data = picture("hidden_markov_model", "weather")
    assert f"It is {luck[2]:.3f} and falls on cold. So day 2 is cold" in said_in(
        document("hidden_markov_model", "weather")
    )
    assert data["line"]["u"]["at"] == luck[2] >= 0.5
    assert [(each["from"], each["to"], each["hit"]) for each in data["line"]["segments"]] == [
        (0, 0.5, False),
        (0.5, 1, True),
    ]
    assert [each["name"] for each in days_of(data)] == ["hot", "cold", "", "", ""]
    kinds = {(each["from"], each["to"]): each["kind"] for each in data["machine"]["arrows"]}
    assert kinds[0, 1] == "took" and kinds[0, 0] == "row" and kinds[1, 1] == kinds[-1, 0] == "faint"


def test_the_question_sends_the_number_but_neither_the_parts_of_the_line_nor_the_answer():
    _, _, luck = by_hand(SEED, 5)
    asked = document("hidden_markov_model", "eaten")
    data = asked["picture"]["data"]
    assert data["line"]["segments"] == [] and data["line"]["u"]["at"] == luck[5]
    assert [each["text"] for each in data["line"]["ticks"]] == ["0", "1"]
    assert days_of(data)[2]["count"] == 0 and days_of(data)[2]["name"] == "cold"
    assert not any(bar["hit"] for each in data["machine"]["emits"] for bar in each["bars"])
    assert "answer" not in asked["ask"]
    answered = document("hidden_markov_model", "eaten", True)
    assert answered["ask"]["answer"] == "3" and luck[5] > 0.9
    assert days_of(answered["picture"]["data"])[2]["count"] == 3
    assert [each["text"] for each in answered["picture"]["data"]["line"]["ticks"]] == ["0", "0.6", "0.9", "1"]
    assert "only 0.1 of the line" in said_in(answered)


def test_ten_factors_multiply_to_the_probability_that_viterbi_s_story_names():
    data = picture("hidden_markov_model", "product")
    days = days_of(data)
    assert [each["name"] for each in days] == TRUE_WEATHER
    shown = [text for each in days for text in (each["into"].removeprefix("start: "), each["down"])]
    assert list(map(float, shown)) == FACTORS
    assert data["sum"] == f"{' × '.join(map(str, FACTORS))} = 0.000829"
    assert math.prod(FACTORS) == pytest.approx(0.00082944)
    decoded = decode(ice_cream_diary(), "3 1 3 2 1".split())
    assert math.exp(decoded.viterbi.log_probability) == pytest.approx(math.prod(FACTORS))
    told = said_in(document("hidden_markov_model", "product"))
    assert "all 10 probabilities" in told and "0.000829" in told


def test_with_memory_a_spell_lasts_5_days_and_without_it_2():
    data = picture("hidden_markov_model", "memory")
    turns = [
        sum(one["name"] != other["name"] for one, other in pairwise(days))
        for days in (days_of(data), days_of(data, 1))
    ]
    assert turns[0] == 30 / 5 - 1 and turns[1] == 30 / 2, "the picture makes the point"
    assert [run["note"] for run in data["runs"]] == ["average spell: 5 days", "average spell: 2 days"]
    assert "= 5 days on average" in " ".join(said_in(document("hidden_markov_model", "memory")).split())


@pytest.mark.parametrize(("hot", "cold"), [(0.5, 0.8), (0.95, 0.95), (0.1, 0.3)])
def test_the_expected_spell_is_what_a_long_run_has(hot, cold):
    model = with_probability(ice_cream_diary(), "transition", 0, 0, hot)
    model = with_probability(model, "transition", 1, 1, cold)
    share = (1 - cold) / (2 - hot - cold)  # of hot days
    assert expected_run(model) == pytest.approx(1 / (share * (1 - hot) + (1 - share) * (1 - cold)))
    assert mean_run(drawn(speak(model, 100_000, 3), "state")) == pytest.approx(expected_run(model), rel=0.05)


@pytest.mark.parametrize(
    ("hot", "cold", "says"),
    [
        ("0.05", "0.05", "a hot spell lasts 1.05 days and a cold spell 1.05 days"),
        ("0.95", "0.8", "a hot spell lasts 20 days and a cold spell 5 days"),
    ],
)
def test_the_learner_s_machine_has_the_spells_that_its_sliders_give(hot, cold, says):
    found = document("hidden_markov_model", "own", hot=hot, cold=cold)
    assert says in found["done"]
    days = days_of(found["picture"]["data"])
    turns = sum(one["name"] != other["name"] for one, other in pairwise(days))
    assert len(days) == 30 and (f"<strong>{turns}</strong> times in 30 days" in found["done"] or turns < 2)
    assert (turns > 20) == (hot == "0.05")


def test_the_answer_counts_the_machine_s_probabilities_and_hides_the_weather():
    assert "All it needs are 12 probabilities" in said_in(
        document("hidden_markov_model", "answer")
    )  # 2 + 4 + 6
    data = picture("hidden_markov_model", "answer")
    assert {day["name"] for day in days_of(data)} == {"?"} and len(data["machine"]["arrows"]) == 6


# The lab.

DRAWS = speak(ice_cream_diary(), 10, 1)


def test_the_machine_has_an_arrow_with_each_probability_of_its_tables():
    machine = sent(open_lesson("hidden_markov_model", hot="0.35"))["machine"]
    shown = [each["text"] for each in machine["arrows"]]
    assert shown == ["0.6", "0.4", "0.35", "0.65", "0.2", "0.8"]
    assert [bar["text"] for each in machine["emits"] for bar in each["bars"]] == [
        "0.2",
        "0.3",
        "0.5",
        "0.6",
        "0.3",
        "0.1",
    ]


@pytest.mark.parametrize("step", [1, 2, 7, 20])
def test_each_step_shows_its_draw_and_what_was_written_so_far(step):
    app = open_lesson("hidden_markov_model", step=step)
    draw = DRAWS[step - 1]
    told = "observed" if draw.kind == "word" else "hidden"
    chosen = (["hot", "cold"], ["1", "2", "3"])[draw.kind == "word"][draw.chosen]
    sentence = f"Day {draw.t + 1}, {told}: the random number u = {draw.uniform:.3f} falls on **{chosen}**"
    assert sentence in said(app)
    table = table_with(app, "came out")
    names = ["hot", "cold"], ["1", "2", "3"]
    assert table["came out"].tolist() == [names[each.kind == "word"][each.chosen] for each in DRAWS[:step]]
    counts = [day["count"] for day in days_of(sent(app)) if day["count"]]
    assert counts == [word + 1 for word in drawn(DRAWS[:step], "word")]
    weather = [day["name"] for day in days_of(sent(app)) if day["name"]]
    assert weather == [["hot", "cold"][state] for state in drawn(DRAWS[:step], "state")]


@pytest.mark.parametrize("step", [5, 6])
def test_the_weather_is_nowhere_until_it_is_guessed(step):
    app = open_lesson("hidden_markov_model", predict="true", step=str(step))
    data = sent(app)
    assert {day["name"] for day in days_of(data)} == {"?", ""} and data["line"] is None
    assert {each["kind"] for each in data["machine"]["arrows"]} == {"plain"}
    assert "u =" not in said(app) and not app.latex[1:]
    assert "The code that ran" in [tab.label for tab in app.tabs]
    revealed = guess(app, "hot")
    assert f"u = {DRAWS[step - 1].uniform:.3f}" in said(revealed)


@pytest.mark.parametrize(("hot", "cold", "shorter"), [(0.5, 0.8, True), (0.9, 0.9, True), (0.1, 0.1, False)])
def test_without_memory_runs_are_those_of_chance_and_the_picture_changes(hot, cold, shorter):
    whole = open_lesson("hidden_markov_model", hot=hot, cold=cold)
    broken = open_lesson("hidden_markov_model", hot=hot, cold=cold, forget="true")
    assert sent(whole)["machine"] != sent(broken)["machine"]
    shown = {label: float(value) for label, value in metrics(broken).items()}
    assert (shown["without memory"] < shown["with memory"]) == shorter
    share = 1 / (1 + (1 - hot) / (1 - cold))
    assert shown["without memory"] == pytest.approx(1 / (2 * share * (1 - share)), rel=0.05)


def test_the_two_tables_are_in_a_fold():
    app = open_lesson("hidden_markov_model", tables="true")
    texts = [text for each in figures(app) for trace in each["data"] for text in (trace.get("text") or [])]
    flat = [text for row in texts for text in (row if isinstance(row, list) else [row])]
    assert {"0.6", "0.4", "0.5", "0.8", "0.1"} <= set(flat)


def test_any_address_is_drawn():
    for query in ({"hot": "7"}, {"seed": "x"}, {"step": "999"}, {"cold": ""}):
        app = open_lesson("hidden_markov_model", **query)
        assert not app.exception
        assert sent(app)["machine"]


def test_a_beat_opens_the_lab_at_its_machine():
    link = document("hidden_markov_model", "memory")["lab"]
    assert link == "hidden_markov_model?lab=true&hidden_markov_model_hot=0.8"
