"""Self-attention, step by step: the story's numbers follow from the weights; the last step is the network's own."""

import json
import re
from html import unescape
from math import sqrt

import numpy as np
import pytest
import torch
from torch.nn import functional

from core.models.self_attention.attentive_models import attentive_model
from core.models.self_attention.growing_attention import grow, themselves_most, with_one_matrix
from core.text.reading.documents import Document
from tests.lessons.lesson_page import (
    document,
    frames,
    go_to,
    guess,
    metrics,
    open_lesson,
    picture,
    prompts,
    question,
    said,
    said_in,
    sent,
    table_with,
    unpacked,
)
from tests.lessons.self_attention.three_texts import ON_THREE_TEXTS, PASTED

# The story. Its numbers are computed again from the stored weights and torch's own functions.

TOKENS = ["The", "king", "saw", "the", "queen", "."]
KING, QUEEN = 1, 4


@pytest.fixture(scope="module")
def layer():
    """Return x (T, C) as the first layer reads it, and W_q, W_k and W_v of all heads, (C, C) each."""
    model = attentive_model("word_masked")
    network, ids = model.network, model.read("The king saw the queen.").ids
    block = network.blocks[0]
    x = network.token_embedding.weight[ids] + network.position_embedding.weight[: len(ids)]
    norm = block.norm_before_attention
    x = functional.layer_norm(x, x.shape[-1:], norm.weight, norm.bias, norm.eps).detach()
    return x, [W.detach().T for W in block.attention.to_query_key_value.weight.chunk(3)]


def head_of(layer, h=0):
    """Return Q, K and V of one head, (T, 32) each."""
    x, matrices = layer
    return [x @ W[:, 32 * h : 32 * h + 32] for W in matrices]


def bars(beat, row=0, revealed=False):
    return [bar["value"] for bar in picture("growing_attention", beat, revealed)["rows"][row]["bars"]]


def test_the_average_gives_each_token_the_same():
    data = picture("growing_attention", "average")
    assert [token["text"] for token in data["tokens"]] == TOKENS
    assert bars("average") == pytest.approx([1 / 6] * 6, abs=1e-4) and len(data["links"]) == 6


def test_by_dot_products_king_attends_most_to_itself_and_then_to_queen(layer):
    x, _ = layer
    weights = functional.softmax(x @ x.T, dim=-1)
    np.testing.assert_allclose(bars("dot"), weights[KING], atol=1e-4)
    order = weights[KING].argsort(descending=True).tolist()
    assert order[:2] == [KING, QUEEN]
    told = said_in(document("growing_attention", "dot"))
    assert f"It gives {weights[KING, KING]:.2f} to itself" in told
    others = weights - 2 * torch.eye(6)
    count = int((weights.diagonal() > others.amax(1)).sum())
    assert f"{count} of 6 tokens attend most to themselves" in document("growing_attention", "dot")["notes"]


def cells(data):
    return [[cell["text"] for cell in row] for row in data["cells"]]


def test_the_scores_of_one_matrix_are_a_mirror_whose_half_is_hidden_until_the_guess(layer):
    x, (W_q, _, _) = layer
    scores = (x @ W_q[:, :32]) @ (x @ W_q[:, :32]).T
    asked, revealed = (document("growing_attention", "one_matrix", each) for each in (False, True))
    hidden, shown = (cells(each["picture"]["data"]) for each in (asked, revealed))
    assert all((hidden[t][s] == "?") == (s > t) for t in range(6) for s in range(6))
    np.testing.assert_allclose(
        [[float(c.replace("−", "-")) for c in row] for row in shown], scores, atol=0.0501
    )
    assert all(shown[t][s] == shown[s][t] for t in range(6) for s in range(6))
    assert revealed["ask"]["answer"] == "same"
    assert f"the score is {scores[QUEEN, KING]:.1f}" in said_in(asked)
    assert f"is {scores[KING, QUEEN]:.1f} too" in said_in(revealed)


def test_with_two_matrices_king_attends_to_queen_and_queen_does_not_attend_back(layer):
    q, k, _ = head_of(layer)
    weights = functional.softmax(q @ k.T, dim=-1)
    np.testing.assert_allclose(bars("query_key", 0), weights[KING], atol=1e-4)
    np.testing.assert_allclose(bars("query_key", 1), weights[QUEEN], atol=1e-4)
    assert weights[KING, QUEEN] > 0.9 and weights[QUEEN, KING] < 0.01
    told = said_in(document("growing_attention", "query_key"))
    assert (
        f"king gives {weights[KING, QUEEN]:.2f} to queen, and queen gives {weights[QUEEN, KING]:.2f}" in told
    )


def test_the_division_by_the_root_makes_the_row_softer(layer):
    q, k, _ = head_of(layer)
    sharp, soft = (functional.softmax(q @ k.T / by, dim=-1)[KING] for by in (1, sqrt(32)))
    np.testing.assert_allclose(bars("scaled", 0), sharp, atol=1e-4)
    np.testing.assert_allclose(bars("scaled", 1), soft, atol=1e-4)
    assert f"queen goes from {sharp[QUEEN]:.2f} to {soft[QUEEN]:.2f}" in said_in(
        document("growing_attention", "scaled")
    )
    assert soft.argmax() == QUEEN


def test_the_output_is_torch_s_own_scaled_dot_product_attention(layer):
    q, k, v = head_of(layer)
    expected = functional.scaled_dot_product_attention(q[None], k[None], v[None])[0, KING]
    rows = picture("growing_attention", "output")["rows"]
    np.testing.assert_allclose(rows[-1]["cells"], expected, atol=1e-3)
    np.testing.assert_allclose(np.sum([row["cells"] for row in rows[:-1]], axis=0), expected, atol=1e-3)
    assert rows[-1]["kind"] == "total" and len(rows) == 7


def test_each_head_of_the_layer_has_weights_of_its_own(layer):
    best = []
    for h in range(4):
        q, k, _ = head_of(layer, h)
        weights = functional.softmax(q @ k.T / sqrt(32), dim=-1)[KING]
        np.testing.assert_allclose(bars("heads", h), weights, atol=1e-4)
        best.append(TOKENS[int(weights.argmax())])
    assert len(set(best)) > 2
    told = said_in(document("growing_attention", "heads"))
    assert (
        f"Head 1 attends most to {best[0]}, head 2 to {best[1]}, head 3 to {best[2]}, head 4 to {best[3]}."
        in told
    )


def test_the_last_row_is_what_the_block_s_own_attention_computes(layer):
    x, _ = layer
    model = attentive_model("word_masked")
    with torch.no_grad():
        own = model.network.blocks[0].attention(x[None])
    own = (own[0] if isinstance(own, tuple) else own)[0, KING]
    rows = {row["mark"]: row for row in picture("growing_attention", "layer")["rows"]}
    np.testing.assert_allclose(rows["network"]["cells"], own, atol=1e-3)
    assert rows["ours"]["cells"] == pytest.approx(rows["network"]["cells"], abs=1e-4)
    assert rows["concatenated"]["parts"] == 4 and len(rows["concatenated"]["cells"]) == 128
    difference = re.search(
        r"largest difference is (\S+?)\.", said_in(document("growing_attention", "layer"))
    )[1]
    assert float(difference.replace("·10⁻", "e-").translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789"))) < 1e-5


def done(**changes):
    return unescape(re.sub(r"<[^>]+>", "", document("growing_attention", "own", **changes)["done"]))


@pytest.mark.parametrize(
    ("sentence", "tells"),
    [
        ("x", "There is only one token, so its weight is always 1."),
        ("The king", "“king” attends most to itself"),
        ("The king saw the queen and the queen saw the king.", "We read the first 10 tokens."),
        ("Heute war es sehr kalt draußen.", "We read the first 10 tokens."),
        ("🦜", "attends most to"),
        ("مرحبا", "attends most to"),
    ],
)
def test_any_sentence_is_read_in_every_step(sentence, tells):
    for stage in ("average", "dot", "one_matrix", "query_key_value", "scaled"):
        data = picture("growing_attention", "own", sentence=sentence, stage=stage)
        assert sum(bar["value"] for bar in data["rows"][0]["bars"]) == pytest.approx(1, abs=0.002)
    assert tells in done(sentence=sentence, stage="dot")


def test_of_equal_weights_no_largest_is_named():
    assert "“people” gives 0.17 to each of 6 tokens." in done(stage="average")


def test_a_press_on_a_token_makes_it_the_query_and_nonsense_makes_none():
    from core.lesson.story import story_of, take_event

    beat = next(each for each in story_of("pages.self_attention.growing_attention") if each.name == "own")
    assert take_event(beat, "pick", 3) == {"at": "3"}
    for strange in (None, [], "x", -5, 99, {"a": 1}):
        assert take_event(beat, "pick", strange) == {"at": "1"}
    assert picture("growing_attention", "own", at="3")["queries"] == [3]
    assert picture("growing_attention", "own", sentence="x", at="9")["queries"] == [0]


def test_at_the_end_the_three_rows_are_those_of_the_beats_before():
    assert [bars("answer", row) for row in range(3)] == [bars("average"), bars("dot"), bars("scaled", 1)]


@pytest.mark.parametrize("beat", ["average", "scaled", "layer"])
def test_a_beat_opens_the_lab_at_its_step(beat):
    link = document("growing_attention", beat)["lab"]
    step = {"average": None, "scaled": "5", "layer": "7"}[beat]
    assert re.findall(r"step=(\d)", link) == ([step] if step else [])


# The lab.

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
    assert ("We have nothing to read yet" in said(app)) == (text == "")
    assert ("at most 20 tokens are read" in said(app)) == (len(text) > 100)


def test_the_sentence_below_the_picture_is_that_step_s():
    shown = [step["said"] for step in frames(open_lesson("growing_attention", typed=LINE))]
    weights = own_steps()[1].trace.weights
    assert f"a weight of {weights[1, 4]:.3f} and gets {weights[4, 1]:.3f} back" in shown[1]
    assert f"{themselves_most(weights)} of 5 tokens attend most to themselves" in shown[1]
    softer = re.search(r"goes from ([\d.]+) to ([\d.]+) bits", shown[4])
    assert float(softer[2]) >= float(softer[1])


def test_what_is_learned_and_what_it_was_learned_for_is_said():
    steps = [" ".join(step["notes"]) for step in frames(open_lesson("growing_attention"))[1:4]]
    assert "But x is learned" in steps[0]
    assert "which was trained to be compared with keys of another matrix" in steps[1]
    assert "trained together, but with the division by √d" in steps[2]
    assert not any("Nothing is learned" in each for each in steps)


@ON_THREE_TEXTS
def test_one_matrix_changes_the_picture_makes_scores_symmetric_and_costs_bits(text):
    whole, broken = (
        open_lesson("growing_attention", text, **settings) for settings in ({}, {"one_matrix": True})
    )
    for place in (3, 4):
        assert frames(whole)[place]["picture"] != frames(broken)[place]["picture"]
    shown = metrics(broken)
    assert float(shown["difference with two matrices"]) > 0.1
    assert shown["difference with one matrix"] == "0.00"
    assert float(shown["bits with one matrix"]) > float(shown["bits with two matrices"])
    pair = table_with(broken, "score a to b")
    assert pair["score a to b"].tolist() == pytest.approx(pair["score b to a"].tolist(), abs=2e-4)


@pytest.mark.parametrize(("layer", "words"), [(1, "at most 0.000."), (3, "because earlier layers changed x")])
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
    assert "“Scaled”" in question(app).label


def test_while_a_step_with_keys_is_not_guessed_the_break_does_not_give_it_away():
    app = guess(open_lesson("growing_attention", predict=True, one_matrix=True))
    assert "difference with one matrix" not in metrics(app)


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
    assert "There is only one token." in frames(open_lesson("growing_attention", typed="a"))[0]["said"]


def test_with_one_matrix_the_page_no_longer_says_that_asking_and_offering_part():
    steps = [" ".join(step["notes"]) for step in frames(open_lesson("growing_attention", one_matrix="true"))]
    assert "Queries and keys have matrices of their own" not in steps[3]
    assert "a scores b as b scores a" in steps[3]
    assert "This is the head as it was trained" not in steps[4]
