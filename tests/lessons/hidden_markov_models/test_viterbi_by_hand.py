"""The student's turn: right and wrong cells are marked, mistakes are named, products are read, help takes the point away."""

import json
import re
from html import unescape
from itertools import product

import numpy as np
import pytest

from core.lesson.story import make_document, take_event
from core.models.hidden_markov_models.decoding import underflow
from core.models.hidden_markov_models.hmm_tables import ice_cream_diary
from core.text.samples.products import read_product
from pages.hidden_markov_models.viterbi_by_hand.page import EXAMPLE, STORY
from tests.lessons.lesson_page import document, open_lesson, picture, said, said_in, sent, table_with

# The story, on the diary 2 1 3. An oracle that knows only the tables, and computes a cell by trying every path to it.

START = {"hot": 0.6, "cold": 0.4}
NEXT = {"hot": {"hot": 0.5, "cold": 0.5}, "cold": {"hot": 0.2, "cold": 0.8}}
EMITS = {"hot": {"1": 0.2, "2": 0.3, "3": 0.5}, "cold": {"1": 0.6, "2": 0.3, "3": 0.1}}
STATES, DAYS = ("hot", "cold"), ("2", "1", "3")


def weight(path, days, following=NEXT):
    p = START[path[0]] * EMITS[path[0]][days[0]]
    for before, after, day in zip(path, path[1:], days[1:], strict=False):
        p *= following[before][after] * EMITS[after][day]
    return p


def best_to(t, state, days=DAYS, following=NEXT):
    """Return the most probable path that ends in a state on day t, from 0, and its probability."""
    paths = [(*path, state) for path in product(STATES, repeat=t)]
    path = max(paths, key=lambda each: weight(each, days[: t + 1], following))
    return path, weight(path, days[: t + 1], following)


def grid(data):
    return [[cell["text"] for cell in column] for column in data["cells"]]


def written(p):
    return f"{p:.3g}"


def came(data, kinds=("way", "kept", "best")):
    return {(each["t"], each["j"], each["i"]) for each in data["arrows"] if each["kind"] in kinds}


def arrows_of(days, following=NEXT):
    return {
        (t, j, STATES.index(best_to(t, state, days, following)[0][-2]))
        for t in range(1, len(days))
        for j, state in enumerate(STATES)
    }


def done(beat, **typed):
    found = document("viterbi_by_hand", beat, False, **typed)
    return unescape(re.sub(r"<[^>]+>", "", found["done"]))


def test_the_first_beat_has_an_empty_table_and_every_probability_that_is_needed():
    data = picture("viterbi_by_hand", "empty")
    assert grid(data) == [["?", "?"]] * 3
    rows = [[cell["text"] for cell in row["cells"]] for row in data["given"]["rows"]]
    assert rows == [["0.6", "0.5", "0.5", "0.2", "0.3", "0.5"], ["0.4", "0.2", "0.8", "0.6", "0.3", "0.1"]]
    assert "only 6 cells instead of 8 paths" in said_in(document("viterbi_by_hand", "empty"))


def test_the_first_cell_is_the_product_of_the_two_factors_below_it():
    data = picture("viterbi_by_hand", "first")
    assert grid(data) == [["0.18", ""], ["", ""], ["", ""]]
    (line,) = data["lines"]
    assert [(each["text"], each["label"]) for each in line["factors"]] == [
        ("0.6", "start hot"),
        ("0.3", "hot emits 2"),
    ]
    assert line["result"] == "0.18"


TURNS = {"first_own": (0, ("cold",)), "second_own": (1, ("cold",)), "third_own": (2, ("hot", "cold"))}


@pytest.mark.parametrize("beat", list(TURNS))
def test_a_cell_to_fill_in_is_sent_without_its_answer(beat):
    t, states = TURNS[beat]
    found = document("viterbi_by_hand", beat)
    data = found["picture"]["data"]
    for state in states:
        assert data["cells"][t][STATES.index(state)] == {"text": "", "kind": "now"}
        answer = written(best_to(t, state)[1])
        assert answer not in json.dumps(found), "what the learner is to find is not sent"
    assert all(line["result"] == "?" for line in data["lines"])
    assert not any(arrow["t"] >= t and STATES[arrow["j"]] in states for arrow in data["arrows"])
    assert [each["name"] for each in data["fields"]] == list(states)
    assert all(cell["text"] == "" for column in data["cells"][t + 1 :] for cell in column)


@pytest.mark.parametrize("beat", list(TURNS))
def test_the_columns_before_hold_the_probability_of_the_best_path_to_each_cell(beat):
    t, _ = TURNS[beat]
    data = picture("viterbi_by_hand", beat)
    assert grid(data)[:t] == [[written(best_to(s, state)[1]) for state in STATES] for s in range(t)]
    assert came(data) == {each for each in arrows_of(DAYS) if each[0] < t} | (
        {(1, 0, 0)} if beat == "second_own" else set()
    )


@pytest.mark.parametrize(
    ("beat", "typed", "says"),
    [
        ("first_own", "0.12", "Right. The first column holds 0.18 and 0.12, so hot is ahead."),
        ("first_own", "0,4 × 0,3", "Right."),
        ("first_own", "0.4", "That is the start probability alone."),
        ("first_own", "0.7", "You added the two numbers."),
        ("first_own", "0.5", "Not yet."),
        ("first_own", "kalt", "We cannot read that number."),
        ("first_own", "🦜 مرحبا", "We cannot read that number."),
        ("second_own", "0.0576", "Right, 0.0576. It comes from cold"),
        ("second_own", "0.12 * 0.8 * 0.6", "Right"),
        ("second_own", "0.058", "Right"),  # within one per cent
        ("second_own", "0.054", "That is the smaller way."),
        ("second_own", "0.1116", "That is the sum of both ways."),
        ("second_own", "0.096", "You forgot the emission"),
        ("second_own", "0.09", "You forgot the emission"),
        ("second_own", "0.6", "Not yet."),
        ("second_own", "-1", "We cannot read that number."),
    ],
)
def test_what_is_typed_into_a_cell_is_marked_and_a_common_mistake_is_named(beat, typed, says):
    assert says in done(beat, cold=typed)
    (field,) = picture("viterbi_by_hand", beat, False, cold=typed)["fields"]
    assert field["verdict"] == ("right" if says.startswith("Right") else "wrong")
    assert field["value"] == typed


def test_a_right_cell_shows_the_products_and_where_it_came_from():
    data = picture("viterbi_by_hand", "second_own", False, cold="0.0576")
    assert [(line["result"], line["kind"]) for line in data["lines"]] == [
        ("0.054", "dropped"),
        ("0.0576", "kept"),
    ]
    assert {"t": 1, "i": 1, "j": 1, "kind": "kept"} in data["arrows"]


def test_the_third_column_has_two_fields_which_are_marked_one_by_one():
    assert "Both are right: 0.00576 and 0.00461. Both arrows lead to cold." in done(
        "third_own", hot="0.00576", cold="0.0576*0.8*0.1"
    )
    assert "One cell is right. cold is still missing." in done("third_own", hot="0.00576")
    assert "In cold you kept the smaller way." in done("third_own", hot="0.00576", cold="0.0009")
    assert "In hot you added both ways." in done("third_own", hot="0.01026")
    data = picture("viterbi_by_hand", "third_own", False, hot="0.00576", cold="1")
    assert [cell["kind"] for cell in data["cells"][2]] == ["right", "wrong"]
    assert (2, 0, 1) in came(data) and not any(each[:2] == (2, 1) for each in came(data))


def test_the_marked_probabilities_are_those_of_the_two_open_cells():
    rows = picture("viterbi_by_hand", "third_own")["given"]["rows"]
    used = [[cell["text"] for cell in row["cells"] if cell["used"]] for row in rows]
    assert used == [["0.5", "0.5", "0.5"], ["0.2", "0.8", "0.1"]]


def test_what_the_fields_report_becomes_the_beat_s_own_settings_and_nothing_else():
    (beat,) = [each for each in STORY if each.name == "third_own"]
    assert take_event(beat, "fill", {"hot": "1", "warm": "2", "cold": 3}) == {"hot": "1", "cold": "3"}
    assert take_event(beat, "fill", ["hot"]) == {} == take_event(beat, "fill", None)
    number = STORY.index(beat) + 1
    made = make_document(
        "viterbi_by_hand", "pages.hidden_markov_models.viterbi_by_hand", number, False, {"hot": "x" * 99}
    )
    assert made["picture"]["data"]["fields"][0]["value"] == "x" * 40


def test_of_two_ways_into_a_cell_the_larger_is_kept_and_the_sum_is_a_wrong_choice():
    asked, revealed = document("viterbi_by_hand", "two_ways"), document("viterbi_by_hand", "two_ways", True)
    ways = [weight(("hot", "hot"), "21"), weight(("cold", "hot"), "21")]
    data = asked["picture"]["data"]
    assert [line["result"] for line in data["lines"]] == [written(way) for way in ways] == ["0.018", "0.0048"]
    assert data["cells"][1][0]["text"] == "?" and data["arrows"] == []
    labels = {each["id"]: each["label"] for each in asked["ask"]["choices"]}
    assert labels["sum"] == f"{written(sum(ways))}, the sum"
    assert revealed["ask"]["answer"] == "larger" and came(revealed["picture"]["data"]) == {(1, 0, 0)}


def test_the_best_path_follows_the_arrows_from_the_largest_last_number_and_begins_cold():
    asked, revealed = document("viterbi_by_hand", "trace"), document("viterbi_by_hand", "trace", True)
    data = asked["picture"]["data"]
    assert grid(data) == [[written(best_to(t, state)[1]) for state in STATES] for t in range(3)]
    assert came(data) == arrows_of(DAYS) and not came(data, ("best",))
    best = max((best_to(2, state) for state in STATES), key=lambda each: each[1])
    assert best[0] == ("cold", "cold", "hot") and "0.00576" in said_in(asked)
    assert revealed["ask"]["answer"] == "cold"
    assert "cold, cold then hot" in said_in(revealed)
    marked = [
        [cell["kind"] for cell in column].index("best") for column in revealed["picture"]["data"]["cells"]
    ]
    assert [STATES[j] for j in marked] == list(best[0])


@pytest.mark.parametrize("even", [True, False])
def test_with_equal_transitions_both_arrows_of_a_column_lead_to_the_same_cell(even):
    following = {state: dict.fromkeys(STATES, 0.5) for state in STATES} if even else NEXT
    found = document("viterbi_by_hand", "equal", False, even=str(even).lower())
    data = found["picture"]["data"]
    assert came(data) == arrows_of(DAYS, following)
    assert grid(data)[2] == [written(best_to(2, state, DAYS, following)[1]) for state in STATES]
    shared = [len({i for s, _, i in came(data) if s == t}) == 1 for t in (1, 2)]
    assert shared == ([True, True] if even else [False, True])
    assert ("Here every transition is 0.5" if even else "with probability 0.8") in said_in(found)


def test_the_answer_s_table_is_that_of_four_days():
    data = picture("viterbi_by_hand", "answer")
    days = ("3", "3", "1", "1")
    assert grid(data) == [[written(best_to(t, state, days)[1]) for state in STATES] for t in range(4)]
    assert came(data) == arrows_of(days)


def test_the_story_s_beats_open_the_lab_at_the_same_column():
    link = document("viterbi_by_hand", "second_own")["lab"]
    assert link == "viterbi_by_hand?lab=true&viterbi_by_hand_diary_sentence=2+1+3&viterbi_by_hand_step=2"


# The lab.


def field(app, label):
    return next(box for box in (*app.text_input, *app.selectbox) if box.label == label)


def press(app, label):
    return next(button for button in app.button if button.label == label).click().run()


def texts(app):
    return [text.value for text in app.text]


def on(sentence, step="1"):
    return open_lesson("viterbi_by_hand", diary_sentence=sentence, step=step)


def table(app):
    return sent(app, "attend_score_table")


def test_a_right_cell_and_a_wrong_one_are_marked():
    app = on("3 1")  # p(hot) p(3 | hot) = 0.6 * 0.5; p(cold) p(3 | cold) = 0.4 * 0.1
    field(app, "Score of hot").set_value("0.6 * 0.5")
    field(app, "Score of cold").set_value("0.4")
    app = press(app, "Check")
    assert texts(app)[:2] == ["✓ right", "✗ not yet"]
    assert "Right at the first check, without a hint: **1** of 2." in said(app)
    assert table(app)["cells"][0] == [{"text": "0.3", "kind": "right"}, {"text": "?", "kind": "wrong"}]


def test_a_column_to_fill_in_is_sent_without_its_answer():
    data = table(on("3 1 3", "2"))
    assert [cell["text"] for cell in data["cells"][1]] == ["?", "?"]
    assert [cell["text"] for cell in data["cells"][2]] == ["", ""] and data["arrows"] == []


def test_the_page_says_how_a_score_is_computed():
    assert "**0** of 4 scores are filled in. A state's score here: its initial probability times" in said(
        on("3 1")
    )
    assert "**2** of 4 scores are filled in. A state's score here: the largest product" in said(
        on("3 1", "2")
    )


def test_an_empty_cell_is_not_called_wrong():
    app = press(on("3 1"), "Check")
    assert "✗ not yet" not in texts(app)


def test_where_a_cell_came_from_is_marked_too():
    app = on("3 1", "2")  # hot: max(0.3 * 0.5, 0.04 * 0.2) * 0.2; cold: max(0.3 * 0.5, 0.04 * 0.8) * 0.6
    for label, value in {
        "Score of hot": "0,03", "Score of cold": "0.09", "hot came from": "hot", "cold came from": "cold",
    }.items():  # fmt: skip
        field(app, label).set_value(value)
    app = press(app, "Check")
    assert texts(app)[:4] == ["✓ right", "✓ right", "✓ right", "✗ not yet"]


def test_a_hint_shows_the_products_without_their_values():
    app = press(on("3 1", "2"), "Hint")
    hint = app.latex[0].value
    assert r"0.3 \cdot 0.5 \cdot 0.2" in hint
    assert "0.03" not in hint


def test_the_answer_can_be_revealed_and_no_longer_counts():
    app = press(on("3 1"), "Show the answer")
    assert "= 0.3" in app.latex[0].value
    field(app, "Score of hot").set_value("0.3")
    app = press(app, "Check")
    assert "first check" not in said(app)


def test_the_path_is_traced_back_in_the_last_step():
    app = on("2 1", "3")  # Viterbi: cold cold
    field(app, "1: 2").set_value("cold")
    field(app, "2: 1").set_value("hot")
    app = press(app, "Check")
    assert texts(app)[:2] == ["✓ right", "✗ not yet"]


@pytest.mark.parametrize("sentence", ["🦜 *1* $x$", "", "heute war es heiß", "1 " * 200, "<b>2</b>"])
def test_any_sentence_is_a_table(sentence):
    assert not on(sentence).exception


def test_a_long_sentence_is_cut_and_the_page_says_so():
    app = on("1 " * 12)
    assert len(table(app)["columns"]) == 10 and "the first 10 of the 12 words are enough" in said(app)


def test_the_arrows_are_the_pointers_of_the_columns_filled_in():
    pointers = underflow(ice_cream_diary(), "3 1 3".split()).backpointers
    assert came(table(on("3 1 3", "1"))) == set()
    assert came(table(on("3 1 3", "3"))) == {(1, j, int(pointers[1, j])) for j in range(2)}


def test_the_path_is_drawn_when_it_is_revealed_and_not_before():
    app = on("2 1", "3")
    assert not came(table(app), ("best",))
    app = press(app, "Show the answer")
    assert came(table(app), ("best",)) == {(1, 1, 1)}


@pytest.mark.parametrize("sentence", ["3 1 3 2 1", "2 1", "2 1 3", "3 3 1 1"])
def test_the_tip_is_no_answer(sentence):
    lattice = underflow(ice_cream_diary(), sentence.split())
    numbers = np.concatenate([lattice.scores.ravel(), lattice.candidates[1:].ravel()])
    assert not np.isclose(numbers, read_product(EXAMPLE), rtol=0.02).any()
    assert EXAMPLE in said(on(sentence))


@pytest.mark.parametrize(
    ("model", "sentence"), [("diary", "3 1 3 2 1"), ("diary", "2 1"), ("toy", "they can fish")]
)
def test_with_equal_transitions_every_cell_of_a_column_comes_from_the_same_state(model, sentence):
    query = {"model": model, f"{model}_sentence": sentence, "step": str(len(sentence.split()) + 1)}
    whole, app = open_lesson("viterbi_by_hand", **query), open_lesson("viterbi_by_hand", even="true", **query)
    assert table(whole)["cells"] != table(app)["cells"]
    scores = table_with(app, "came from")
    possible = scores[(scores["score"].astype(float) > 0) & (scores["came from"] != "")]
    places = possible.index // len(set(scores["state"]))
    assert possible["came from"].groupby(places).nunique().eq(1).all()
    assert re.search(r"the best path keeps its state on \*\*\d\*\* of \d words\.", said(app))


def test_of_two_days_one_keeps_its_state():
    app = open_lesson("viterbi_by_hand", even="true", diary_sentence="2 1")
    assert "keeps its state on **1** of 2 words." in said(app)


def test_where_a_model_ends_its_sentences_the_path_is_traced_from_the_best_end():
    assert "to the left, from the last column's best cell" in said(on("3 1", step="3"))
    assert "The only column's best cell is the whole path." in said(on("3", step="2"))
    toy = open_lesson("viterbi_by_hand", model="toy", toy_sentence="they fish", step="3")
    assert "cell that is best once it is multiplied by its end" in said(toy)
    given = table(toy)["given"]
    assert given["groups"][1]["columns"][-1] == "end"
    assert [[cell["text"] for cell in row["cells"] if cell["used"]] for row in given["rows"]] == [
        ["0.25"],
        ["0.2"],
        ["0.05"],
    ]


def test_the_probabilities_that_a_column_is_computed_from_stand_below_the_table_and_are_marked():
    given = table(open_lesson("viterbi_by_hand", model="toy", toy_sentence="they can fish", step="2"))[
        "given"
    ]
    used = [[cell["text"] for cell in row["cells"] if cell["used"]] for row in given["rows"]]
    assert used == [["0.2", "0.5", "0.05", "0.15"], ["0.5", "0.2", "0.1", "0.3"], ["0.1", "0.8", "0.05", "0"]]
    assert given["groups"][-1]["columns"] == ["can"]
