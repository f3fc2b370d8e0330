"""The steps from averages to attention: numbers on the page are those of core, and the last are the network's own."""

import json
import re

import pytest

from core.models.self_attention.attentive_models import attentive_model
from core.models.self_attention.growing_attention import grow, themselves_most, with_one_matrix
from core.text.reading.documents import Document
from tests.lessons.lesson_page import (
    frames,
    go_to,
    guess,
    metrics,
    open_lesson,
    prompts,
    question,
    said,
    sent,
    table_with,
    unpacked,
)
from tests.lessons.self_attention.three_texts import ON_THREE_TEXTS, PASTED

LINE = "the king saw the queen"


def own_steps(text=LINE, layer=0, head=0, broken=False):
    model = attentive_model("word_masked")
    network = with_one_matrix(model.network) if broken else model.network
    return grow(network, model.read(text, 20).ids, layer, head).steps


def test_a_pair_s_scores_and_weights_are_core_s_in_every_step():
    app = open_lesson("growing_attention", typed=LINE, a=2, b=5, layer=2, head=3)
    table = table_with(app, "weight a to b")
    steps = own_steps(layer=1, head=2)
    expected = [step.trace.weights[1, 4].item() for step in steps]
    assert table["weight a to b"].tolist() == pytest.approx(expected, abs=1e-4)
    assert table["score a to b"][:3].tolist() == pytest.approx(table["score b to a"][:3].tolist())


FUNCTIONS = [
    "average_of_all",
    "dot_product_attention",
    "symmetric_attention",
    "query_key_value_attention",
    "scaled_dot_product_attention",
    "multi_head",
    "multi_head_attention",
]


def test_every_step_has_a_picture_and_the_function_that_computed_it():
    steps = frames(open_lesson("growing_attention"))
    assert [step["code"][1].split("(")[0] for step in steps] == [f"def {name}" for name in FUNCTIONS]
    assert all(step["picture"]["panels"] for step in steps)


def test_the_weights_in_the_pictures_are_core_s_and_the_last_is_the_network_s_own_output():
    steps = frames(open_lesson("growing_attention", typed=LINE, layer=2, head=3))
    model = attentive_model("word_masked")
    found = grow(model.network, model.read(LINE, 20).ids, 1, 2)
    for shown, step in zip(steps, found.steps, strict=False):
        assert unpacked(shown["picture"]["panels"][0]["values"]) == pytest.approx(
            step.trace.weights.flatten()
        )
    heads = [unpacked(panel["values"]) for panel in steps[5]["picture"]["panels"]]
    assert heads == [pytest.approx(head.flatten()) for head in found.together.heads.weights]
    output = unpacked(steps[6]["picture"]["panels"][1]["values"])
    assert output == pytest.approx(found.gathered.flatten(), abs=1e-5)


def test_all_steps_together_are_small():
    app = open_lesson("growing_attention")
    assert len(json.dumps(frames(app))) < 60_000


@pytest.mark.parametrize("text", ["", "a", "\N{GRINNING FACE}", "word " * 300])
def test_any_text_is_read_or_an_example_stands_in(text):
    app = open_lesson("growing_attention", typed=text)
    weights = table_with(app, "weight a to b")
    T = round(1 / weights["weight a to b"][0])
    assert min(20, len(attentive_model("word_masked").read(text or "The king saw the queen.").ids)) == T
    assert ("There is no token to look at yet" in said(app)) == (text == "")
    assert ("at most 20 tokens are read" in said(app)) == (len(text) > 100)


def test_the_sentence_below_the_picture_is_that_step_s():
    shown = [step["said"] for step in frames(open_lesson("growing_attention", typed=LINE))]
    weights = own_steps()[1].trace.weights
    assert f"a weight of {weights[1, 4]:.3f} and gets {weights[4, 1]:.3f} from it" in shown[1]
    assert f"{themselves_most(weights)} of 5 tokens look most at themselves" in shown[1]
    softer = re.search(r"goes from ([\d.]+) to ([\d.]+) bits", shown[4])
    assert float(softer[2]) >= float(softer[1])


def test_what_is_learned_and_what_it_was_learned_for_is_said():
    steps = [" ".join(step["notes"]) for step in frames(open_lesson("growing_attention"))[1:4]]
    assert "But x is learned" in steps[0]
    assert "on a job that it was not trained for" in steps[1]
    assert "trained together, but with the root" in steps[2]
    assert not any("Nothing is learned" in each for each in steps)


@ON_THREE_TEXTS
def test_one_matrix_changes_the_picture_makes_scores_symmetric_and_costs_bits(text):
    whole, broken = (
        open_lesson("growing_attention", text, **settings) for settings in ({}, {"one_matrix": True})
    )
    for place in (3, 4):
        assert frames(whole)[place]["picture"] != frames(broken)[place]["picture"]
    shown, measure = metrics(broken), "A score less the one back"
    assert float(shown[f"{measure}, whole"]) > 0.1
    assert shown[f"{measure}, broken"] == "0.00"
    assert float(shown["Bits per hidden token, broken"]) > float(shown["Bits per hidden token, whole"])
    pair = table_with(broken, "score a to b")
    assert pair["score a to b"].tolist() == pytest.approx(pair["score b to a"].tolist(), abs=2e-4)


@pytest.mark.parametrize(
    ("layer", "words"), [(1, "at most 0.000."), (3, "by what the layers before have made of x")]
)
def test_where_there_are_no_keys_yet_the_break_says_that_it_changes_nothing(layer, words):
    steps = frames(open_lesson("growing_attention", one_matrix=True, layer=layer))
    notes = steps[0 if layer == 1 else 1]["notes"][-1]
    assert words in notes
    assert "Go to step 4" in notes
    assert "The weights of this head move by up to" in steps[3]["notes"][-1]


def test_the_weights_of_the_broken_picture_are_core_s():
    table = table_with(open_lesson("growing_attention", typed=LINE, one_matrix=True), "weight a to b")
    expected = [step.trace.weights[1, 4].item() for step in own_steps(broken=True)]
    assert table["weight a to b"].tolist() == pytest.approx(expected, abs=1e-4)


def test_until_the_guess_neither_picture_nor_table_is_there_and_later_steps_stay_hidden():
    app = open_lesson("growing_attention", predict=True)
    assert not frames(app)
    assert len(app.dataframe) == 0
    assert prompts(app)
    for step, answer in enumerate(["yes", "yes", "yes", "no"], start=1):
        app = guess(app, answer)
        assert any(each.value.startswith("Right") for each in app.text)
        assert len(frames(app)) == len(table_with(app, "weight a to b")) == step
        assert sent(app, "steps")["total"] == len(FUNCTIONS)
    assert "“scaled”" in question(app).label


def test_while_a_step_with_keys_is_not_guessed_the_break_does_not_give_it_away():
    app = guess(open_lesson("growing_attention", predict=True, one_matrix=True))
    assert "A score less the one back, broken" not in metrics(app)


def test_a_pasted_text_turns_the_lesson_to_it_once():
    app = open_lesson("growing_attention", typed=LINE)
    app.session_state["text_source_own"] = Document("mine", PASTED)
    app = go_to(app, "growing_attention").run()
    assert "“␣gave”" in frames(app)[0]["said"]
    app.segmented_control(key="growing_attention_source").set_value("typed").run()
    assert "“␣gave”" not in frames(app)[0]["said"]


def test_an_over_long_line_is_cut_and_that_is_said():
    app = open_lesson("growing_attention", typed="word " * 500)
    assert "The first 2,000 of 2,500 characters are read" in said(app)


def test_a_script_that_the_model_has_no_tokens_for_is_named():
    assert "reads their bytes as tokens: 早 as 3" in said(open_lesson("growing_attention", typed="早"))


def test_a_text_of_one_token_shares_nothing():
    assert "there is one token only." in frames(open_lesson("growing_attention", typed="a"))[0]["said"]


def test_with_one_matrix_the_page_no_longer_says_that_asking_and_offering_part():
    steps = [" ".join(step["notes"]) for step in frames(open_lesson("growing_attention", one_matrix="true"))]
    assert "Asking and offering part" not in steps[3]
    assert "a scores b as b scores a" in steps[3]
    assert "This is the trained head" not in steps[4]
