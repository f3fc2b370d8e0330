"""The student's turn: right and wrong cells are marked, products are read, help takes the point away."""

import numpy as np
import pytest

from core.models.hidden_markov_models.decoding import underflow
from core.models.hidden_markov_models.hmm_tables import ice_cream_diary
from core.text.samples.products import read_product
from pages.hidden_markov_models.viterbi_by_hand import EXAMPLE
from tests.lessons.lesson_page import figures, open_lesson, said, table_with


def field(app, label):
    return next(box for box in (*app.text_input, *app.selectbox) if box.label == label)


def press(app, label):
    return next(button for button in app.button if button.label == label).click().run()


def texts(app):
    return [text.value for text in app.text]


def on(sentence, step="1"):
    return open_lesson("viterbi_by_hand", diary_sentence=sentence, step=step)


def test_a_right_cell_and_a_wrong_one_are_marked():
    app = on("3 1")  # p(hot) p(3 | hot) = 0.6 * 0.5; p(cold) p(3 | cold) = 0.4 * 0.1
    field(app, "Score of hot").set_value("0.6 * 0.5")
    field(app, "Score of cold").set_value("0.4")
    app = press(app, "Check")
    assert texts(app)[:2] == ["✓ right", "✗ not yet"]
    assert "Right at the first check, without a hint: 1 of 2." in said(app)


def test_the_page_says_how_a_score_is_computed():
    assert "0 of 4 scores are filled in. A state's score here: its initial probability times" in said(
        on("3 1")
    )
    assert "2 of 4 scores are filled in. A state's score here: the largest product" in said(on("3 1", "2"))


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


def test_states_that_look_like_mark_up_are_shown_as_they_stand():
    app = on("🦜 *1* $x$")
    assert not app.exception


def figure(app):
    """The table that is filled in: the only picture with a column marked."""
    return next(each for each in figures(app) if each["layout"].get("shapes"))


def arrows(app):
    notes = figure(app)["layout"].get("annotations", [])
    return {
        (round(note["ax"]), note["ay"], round(note["x"]), note["y"]) for note in notes if note["showarrow"]
    }


def test_the_arrows_are_the_pointers_of_the_columns_filled_in():
    pointers = underflow(ice_cream_diary(), "3 1 3".split()).backpointers
    assert arrows(on("3 1 3", "1")) == set()
    shown = arrows(on("3 1 3", "3"))
    assert shown == {(1, j, 0, int(pointers[1, j])) for j in range(2)}


def test_the_path_is_drawn_when_it_is_revealed_and_not_before():
    app = on("2 1", "3")
    assert "best path" not in [trace.get("name") for trace in figure(app)["data"]]
    app = press(app, "Show the answer")
    line = next(trace for trace in figure(app)["data"] if trace.get("name") == "best path")
    assert [round(y - 0.28) for y in line["y"]] == [1, 1]


@pytest.mark.parametrize("sentence", ["3 1 3 2 1", "2 1"])
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
    assert figure(whole)["data"] != figure(app)["data"]
    table = table_with(app, "came from")
    possible = table[(table["score"].astype(float) > 0) & (table["came from"] != "")]
    places = possible.index // len(set(table["state"]))
    assert possible["came from"].groupby(places).nunique().eq(1).all()


def test_where_a_model_ends_its_sentences_the_path_is_traced_from_the_best_end():
    assert "to the left, from the last column's best cell" in said(on("3 1", step="3"))
    assert "The only column's best cell is the whole path." in said(on("3", step="2"))
    toy = open_lesson("viterbi_by_hand", model="toy", toy_sentence="they fish", step="3")
    assert "cell that is best once it is multiplied by its end" in said(toy)
