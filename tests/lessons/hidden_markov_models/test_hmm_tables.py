"""Editing HMM probabilities: the story's flips are those of a search by hand; the lab refuses what is no distribution."""

from itertools import pairwise, product
from math import sqrt

import numpy as np
import pytest

from core.models.hidden_markov_models.decoding import decode
from core.models.hidden_markov_models.edited_tables import grids_of, model_of_grids
from core.models.hidden_markov_models.hmm_tables import ice_cream_diary, noun_verb_toy
from core.models.hidden_markov_models.what_if import with_probability
from tests.lessons.lesson_page import (
    document,
    figures,
    go_to,
    metrics,
    numbers,
    open_lesson,
    picture,
    said,
    said_in,
    try_prompt,
)

# The story, against every path tried. The diary's tables: start 0.6 and 0.4; hot to hot 0.5, cold to cold 0.8; hot emits
# 1, 2, 3 with 0.2, 0.3, 0.5, cold with 0.6, 0.3, 0.1.

START, STEP, EMIT = (
    np.array(each) for each in ([0.6, 0.4], [[0.5, 0.5], [0.2, 0.8]], [[0.2, 0.3, 0.5], [0.6, 0.3, 0.1]])
)


def probability(path, words, start=START, step=STEP, emit=EMIT):
    p = start[path[0]] * emit[path[0], int(words[0]) - 1]
    for t in range(1, len(words)):
        p *= step[path[t - 1], path[t]] * emit[path[t], int(words[t]) - 1]
    return p


def best(words, **tables):
    return max(product(range(2), repeat=len(words)), key=lambda path: probability(path, words, **tables))


def moved(cell, p):
    """Return the tables with one number moved, the others of its row scaled."""
    table, row, column = cell.split(".")
    tables = {"initial": START[None].copy(), "transition": STEP.copy(), "emission": EMIT.copy()}
    rest = tables[table][int(row)].copy()
    rest[int(column)] = 0
    tables[table][int(row)] = rest / rest.sum() * (1 - p)
    tables[table][int(row), int(column)] = p
    return {"start": tables["initial"][0], "step": tables["transition"], "emit": tables["emission"]}


def edges(data, kind):
    return {(edge["t"], edge["i"], edge["j"]) for edge in data["edges"] if edge["kind"] == kind}


def edges_of(path):
    return {(t, path[t - 1], path[t]) for t in range(1, len(path))}


def labels(data, kind):
    return [edge["text"] for edge in data["edges"] if edge["kind"] == kind]


def test_the_best_path_of_3_1_3_is_hot_cold_hot_and_the_row_of_hot_stands_at_its_edges():
    data = picture("hmm_tables", "before")
    assert best("313") == (0, 1, 0) and edges(data, "best") == edges_of((0, 1, 0))
    at = {(edge["t"], edge["i"], edge["j"]): edge["text"] for edge in data["edges"]}
    assert (at[1, 0, 0], at[1, 0, 1]) == ("0.5", "0.5")


def test_a_move_to_0_55_flips_day_2_and_both_products_stand_below():
    data, told = picture("hmm_tables", "nudge"), said_in(document("hmm_tables", "nudge"))
    world = moved("transition.0.0", 0.55)
    assert best("313", **world) == (0, 0, 0)
    assert edges(data, "best") == edges_of((0, 0, 0)) and edges(data, "dropped") == edges_of((0, 1, 0))
    assert labels(data, "best") == ["0.55", "0.55"] and "0.45" in labels(data, "dropped")
    assert "0.03 · 0.55² = 0.009075" in data["sum"] and "0.018 · 0.45 = 0.0081" in data["sum"]
    assert probability((0, 0, 0), "313", **world) == pytest.approx(0.009075)
    assert probability((0, 1, 0), "313", **world) == pytest.approx(0.0081)
    assert "from 0.5 to 0.55 and lower p(cold after hot) to 0.45" in told


def test_the_two_curves_cross_where_the_equation_says():
    root = (-0.018 + sqrt(0.018**2 + 4 * 0.03 * 0.018)) / (2 * 0.03)  # 0.03 p² = 0.018 (1 − p)
    told = said_in(document("hmm_tables", "crossing"))
    assert f"= {root:.3f}" in told and f"a move of only {root - 0.5:.3f}" in told and round(root, 3) == 0.531
    data = picture("hmm_tables", "crossing")["figure"]["data"]
    for trace, path in zip(data[:2], ((0, 1, 0), (0, 0, 0)), strict=True):
        x, y = numbers(trace["x"]), numbers(trace["y"])
        at = len(x) // 3
        p = x[at]
        assert np.exp(y[at]) == pytest.approx(probability(path, "313", **moved("transition.0.0", p)))
    assert data[2]["x"] == [pytest.approx(root)] and np.exp(data[2]["y"][0]) == pytest.approx(0.03 * root**2)


CELLS = {
    "p(hot | hot)": "transition.0.0",
    "p(hot | cold)": "transition.1.0",
    "p(hot | start)": "initial.0.0",
    "p(3 | hot)": "emission.0.2",
    "p(3 | cold)": "emission.1.2",
    "p(1 | hot)": "emission.0.0",
    "p(1 | cold)": "emission.1.0",
}


def nearest(words, cell, now, step=0.0005):
    """Return how far a number must move until another path is the best, tried on a grid; None for never."""
    path = best(words)
    for k in range(1, int(1 / step)):
        for p in (now - k * step, now + k * step):
            if 0 < p < 1 and best(words, **moved(cell, p)) != path:
                return k * step
    return None


@pytest.mark.parametrize(("beat", "words"), [("distances", "313"), ("answer", "333")])
def test_every_number_s_way_to_its_nearest_flip_is_that_of_a_search(beat, words):
    data = picture("hmm_tables", beat)["figure"]
    names = data["layout"]["yaxis"]["ticktext"]
    written = [each["text"] for each in data["layout"]["annotations"]]
    nows = next(trace for trace in data["data"] if trace.get("name") == "in the table")["x"]
    assert set(names) <= set(CELLS) and len(names) == len(written) == (7 if words == "313" else 5)
    for name, text, now in zip(names, written, nows, strict=True):
        way = nearest(words, CELLS[name], now)
        assert text == "no flip" if way is None else float(text) == pytest.approx(way, abs=0.001), name
    ways = [float(text) for text in written if text != "no flip"]
    assert ways == sorted(ways)


def test_the_numbers_in_the_words_are_those_of_the_shortest_and_the_longest_way():
    told = said_in(document("hmm_tables", "distances"))
    assert "p(3 | cold): a move of 0.025 is enough. p(hot | start) can move by 0.36" in told
    answered = said_in(document("hmm_tables", "answer"))
    assert "that of p(3 | cold), is 0.30 away, and p(hot | cold) never flips the path" in answered


def test_no_value_of_p_hot_after_cold_flips_3_3_3_and_the_strongest_rival_is_drawn():
    for p in np.linspace(0.001, 0.999, 300):
        world = moved("transition.1.0", p)
        assert best("333", **world) == (0, 0, 0)
        uses = [path for path in product(range(2), repeat=3) if (1, 0) in pairwise(path)]
        assert max(uses, key=lambda path: probability(path, "333", **world)) == (0, 1, 0)
    assert "There are 0 flips" in said_in(document("hmm_tables", "never"))
    flat, rising, *more = picture("hmm_tables", "never")["figure"]["data"]
    level = numbers(flat["y"])
    assert np.ptp(level) == 0 and max(numbers(rising["y"])) < level[0] and not more


def test_3_1_3_2_1_flips_three_times():
    data = picture("hmm_tables", "several")["figure"]["data"]
    found = {}
    for p in np.linspace(0.001, 0.999, 999):
        found.setdefault(best("31321", **moved("transition.0.0", p)), []).append(p)
    assert len(found) == len(data) == 4
    for trace, (path, places) in zip(data, found.items(), strict=True):
        assert trace["name"] == " → ".join(["hot", "cold"][state] for state in path)
        assert numbers(trace["x"])[-1] == pytest.approx(max(places), abs=0.006)
    assert "flips 3 times, at 0.36, 0.62 and 0.76" in said_in(document("hmm_tables", "several"))
    hot = [sum(pair == (0, 0) for pair in pairwise(path)) for path in found]
    assert hot == sorted(hot) and hot[0] == 0  # what the words and the note say of the paths


def test_where_hot_days_end_only_the_middle_day_turns_cold_and_the_question_does_not_say_so():
    asked, told = document("hmm_tables", "hot_days"), document("hmm_tables", "hot_days", True)
    world = moved("transition.0.0", 0.1)
    assert best("333", **world) == (0, 1, 0) and told["ask"]["answer"] == "second"
    assert not edges(asked["picture"]["data"], "best")
    assert {edge["text"] for edge in asked["picture"]["data"]["edges"]} == {"0.1", "0.9", "0.2", "0.8"}
    assert edges(told["picture"]["data"], "best") == edges_of((0, 1, 0))
    assert probability((0, 1, 0), "333", **world) == pytest.approx(0.0027)
    assert probability((0, 0, 0), "333", **world) == pytest.approx(0.00075)
    assert "with probability 0.0027. The old one, dotted, has only 0.00075" in said_in(told)
    assert "The flip lies at 0.181" in said_in(told)
    assert [best("333", **moved("transition.0.0", p)) for p in (0.18, 0.182)] == [(0, 1, 0), (0, 0, 0)]


def test_without_words_the_path_is_cold_throughout():
    data = picture("hmm_tables", "mute_words")
    assert best("313", emit=np.full((2, 3), 1 / 3)) == (1, 1, 1)
    assert edges(data, "best") == edges_of((1, 1, 1)) and edges(data, "dropped") == edges_of((0, 1, 0))
    assert "2 of 3 days change" in said_in(document("hmm_tables", "mute_words"))


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"p": "0.53"}, "You moved p(hot | hot) by 0.03, and the best path is still the same."),
        ({"p": "0.54"}, "Flipped: you moved p(hot | hot) by 0.04. The flip is at 0.5307, a move of 0.0307."),
        ({"p": "0.5"}, "p(hot | hot) has the value of the table, 0.5. Move it."),
        ({"cell": "emission.1.2", "p": "0.13"}, "Flipped: you moved p(3 | cold) by 0.03."),
        ({"cell": "nonsense", "p": "nan"}, "has the value of the table"),
    ],
)
def test_what_the_learner_moves_is_answered(changes, says):
    made = document("hmm_tables", "own", **changes)
    assert says in said_in({"words": made["done"]}).replace("\\", "")
    flipped = says.startswith("Flipped")
    assert bool(edges(made["picture"]["data"], "dropped")) == flipped


def test_what_one_beat_edits_is_in_no_other_beat():
    before = [document("hmm_tables", number) for number in range(1, 11)]
    document("hmm_tables", "own", p="0.9", cell="initial.0.0")
    assert [document("hmm_tables", number) for number in range(1, 11)] == before
    for each in ("before", "crossing", "distances", "several", "mute_words", "answer"):
        assert "edits" not in document("hmm_tables", each)["lab"], each


def test_a_beat_opens_the_lab_in_its_world():
    link = document("hmm_tables", "hot_days")["lab"]
    assert "diary_sentence=3+3+3" in link and "diary_edits=transition.0.0%3A0.1+transition.0.1%3A0.9" in link
    assert "mute=true" in document("hmm_tables", "mute_words")["lab"]


# The lab.


@pytest.mark.parametrize("model", [ice_cream_diary(), noun_verb_toy()], ids=["diary", "toy"])
def test_tables_come_back_from_the_grids_as_they_were(model):
    again = model_of_grids(model, grids_of(model))
    assert np.allclose(np.exp(again.log_transition), np.exp(model.log_transition))
    assert np.allclose(np.exp(again.log_emission), np.exp(model.log_emission))
    assert (again.log_end is None) == (model.log_end is None)


def test_a_row_that_does_not_sum_to_one_is_refused_with_its_name():
    model = ice_cream_diary()
    tables = grids_of(model)
    tables["transition"][0, 1] = 0.7
    with pytest.raises(ValueError, match=r"The transitions from hot sum to 1\.2"):
        model_of_grids(model, tables)


def test_an_empty_cell_is_refused():
    model = ice_cream_diary()
    tables = grids_of(model)
    tables["emission"][0, 0] = np.nan
    with pytest.raises(ValueError, match="emissions of hot"):
        model_of_grids(model, tables)


def test_the_page_says_where_the_path_flips():
    app = open_lesson("hmm_tables", diary_sentence="2 1", diary_cell="p(hot | start)")
    assert "Flips at p = 0.6154" in [text.value for text in app.text]


def test_words_that_say_nothing_change_the_path():
    app = open_lesson("hmm_tables", mute="true", diary_sentence="3 3 1 1")
    assert metrics(app)["without the words"] != "100%"


def test_a_kept_model_is_offered_in_the_other_lessons():
    app = open_lesson("hmm_tables")
    app = app.button(key="hmm_tables_keep").click().run()
    app.query_params["lab"] = "true"
    app = go_to(app, "viterbi").run()
    assert app.segmented_control(key="viterbi_model").options == ["diary", "toy", "tagger", "yours"]
    app = app.segmented_control(key="viterbi_model").set_value("yours").run()
    assert not app.exception


EDITS = "transition.0.0:0.1 transition.0.1:0.9"


def test_edited_tables_come_back_from_the_address():
    app = open_lesson("hmm_tables", diary_sentence="3 3 3", diary_edits=EDITS)
    grids = [each.value for each in app.dataframe if {"hot", "cold"} <= set(each.value.columns)]
    assert grids[1][["hot", "cold"]].to_numpy().tolist() == [[0.1, 0.9], [0.2, 0.8]]
    model = with_probability(ice_cream_diary(), "transition", 0, 0, 0.1)
    now, before = (decode(each, ["3"] * 3).viterbi for each in (model, ice_cream_diary()))
    assert now.path == (0, 1, 0) != before.path == (0, 0, 0)  # the middle one of 3 3 3 turns cold
    assert "The path flipped" in said(app)
    assert app.query_params["hmm_tables_diary_edits"] in (EDITS, [EDITS])
    app = app.button(key="hmm_tables_undo").click().run()
    assert "The path is the same" in said(app)
    assert "hmm_tables_diary_edits" not in app.query_params


def test_a_prompt_edits_the_tables_and_the_link_says_so():
    app = try_prompt(open_lesson("hmm_tables"), "hmm_tables", 1).run()
    assert "The path flipped" in said(app)
    assert app.query_params["hmm_tables_diary_edits"] in (EDITS, [EDITS])
    app = app.button(key="hmm_tables_undo").click().run()
    assert "The path is the same" in said(app)


def test_a_link_from_the_midst_of_an_edit_shows_the_tables_that_were_right_last():
    half = f"{EDITS} transition.1.0:0.5"
    app = open_lesson("hmm_tables", diary_sentence="3 3 3", diary_edits=half, diary_last_right=EDITS)
    assert app.warning
    assert "The path flipped" in said(app)
    assert app.query_params["hmm_tables_diary_last_right"] in (EDITS, [EDITS])
    spoilt = open_lesson("hmm_tables", diary_edits=half, diary_last_right="initial.0.0:0.9")
    assert not spoilt.exception
    assert "The path is the same" in said(spoilt)


@pytest.mark.parametrize(
    "edits", ["", "nonsense", "initial.0.0:0.9", "initial.9.9:1", "initial.0.0:inf " * 300]
)
def test_a_spoilt_address_keeps_the_tables(edits):
    app = open_lesson("hmm_tables", diary_edits=edits)
    assert not app.exception
    assert "The path is the same" in said(app)
    assert bool(app.warning) == (edits == "initial.0.0:0.9")  # that row no longer sums to one


@pytest.mark.parametrize(
    ("model", "sentence"), [("diary", "3 1 3 2 1"), ("diary", "3 3 1 1"), ("toy", "they can fish")]
)
def test_words_that_say_nothing_change_the_picture_or_the_page_says_the_path_stays(model, sentence):
    query = {"model": model, f"{model}_sentence": sentence}
    whole, broken = open_lesson("hmm_tables", **query), open_lesson("hmm_tables", mute="true", **query)
    same = metrics(broken)["without the words"] == "100%"
    drawn = [{trace["name"]: trace["y"] for trace in figures(app)[0]["data"]} for app in (whole, broken)]
    places = [
        next([round(y) for y in of[drawn_name]] for drawn_name in of if name in drawn_name)
        for of, name in zip(drawn, ("your tables", "without the words"), strict=True)
    ]
    assert (places[0] == places[1]) == same
    names = " ".join(drawn[1])
    assert "with the words" in names and "your tables" not in names, "nobody changed a table"
    assert ("The path is the same" if same else "The path flipped") in said(broken)


def test_the_flip_is_solved():
    app = open_lesson("hmm_tables")
    assert "Flips at p = 0.2424" in [text.value for text in app.text]  # .08 / .33
    assert any("0.2424" in latex.value for latex in app.latex)


def test_edits_are_kept_while_another_model_is_looked_at():
    app = open_lesson("hmm_tables", diary_sentence="3 3 3", diary_edits=EDITS)
    app = app.segmented_control(key="hmm_tables_model").set_value("toy").run()
    app = app.segmented_control(key="hmm_tables_model").set_value("diary").run()
    assert "The path flipped" in said(app)
