"""Causal masking: the story's numbers follow from its scores; the lab shows what core computes, right mask and wrong."""

import json
import re
from html import unescape
from math import exp, sqrt

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest
from torch.nn import functional

from core.models.generation.character_split import MEASURED
from core.models.self_attention.attention import causal_mask
from core.models.self_attention.gpt_trace import trace_gpt
from core.models.self_attention.parallel_training import in_one_pass
from core.models.self_attention.peeking import TOO_LATE, ZERO, leak, peeking, prediction_influence
from core.models.self_attention.score_matrix import MASKS, attend_by_scores, weights_influence
from core.models.stored_language_models import encode, stored_language_model
from core.text.reading.documents import Document
from core.text.samples.shelf import microworld_text
from pages.self_attention.causal_mask.figures import worked_weight
from tests.lessons.lesson_page import (
    document,
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
    views,
)
from tests.lessons.self_attention.three_texts import ON_THREE_TEXTS

# The story. Its numbers are checked against softmax of torch on the queries and keys of the stored model.

TOKENS = ["The", "old", "king", "loved", "his", "son"]


def texts(data):
    return [[cell["text"] for cell in row] for row in data["cells"]]


def value(text):
    return float(text.replace("−", "-").replace("∞", "inf"))


def values(data):
    return np.array([[value(text) for text in row] for row in texts(data)])


@pytest.fixture(scope="module")
def scaled():
    """Return q · k / √32 of layer 4, head 1, from the model's own queries and keys."""
    ids = torch.tensor(encode("word_gpt", "The old king loved his son").ids)
    attention = trace_gpt(stored_language_model("word_gpt").network, ids).layers[3].attention
    return (attention.query[0] @ attention.key[0].T / sqrt(32)).double()


def future(matrix):
    return np.asarray(matrix)[np.triu_indices(6, 1)]


def test_each_row_reads_its_prefix_and_predicts_the_token_after_it():
    data = picture("causal_mask", "answers")
    assert data["tokens"] == TOKENS and texts(data) == [TOKENS] * 6
    assert data["side"]["texts"] == ["→ old", "→ king", "→ loved", "→ his", "→ son", "→ ."]
    kinds = [[cell["kind"] for cell in row] for row in data["cells"]]
    assert all((kinds[t][s] == "masked") == (s > t) for t in range(6) for s in range(6))
    framed = [(t, s) for t in range(6) for s in range(6) if data["cells"][t][s]["framed"]]
    assert framed == [(t, t + 1) for t in range(5)]  # the answer of every row but the last
    assert "makes 6 predictions" in said_in(document("causal_mask", "answers"))


def test_every_pair_has_a_score_and_that_of_his_is_largest_on_son(scaled):
    data = picture("causal_mask", "scores")
    np.testing.assert_allclose(values(data), scaled, atol=0.0501)
    assert int(scaled[4].argmax()) == 5 and data["row"] == 4
    assert f"the largest, {scaled[4, 5]:.1f}, is on son" in said_in(document("causal_mask", "scores"))
    raw, result = re.fullmatch(r"(\S+) / √32 = (\S+)", data["sum"]).groups()
    assert value(raw) / sqrt(32) == pytest.approx(value(result), abs=0.06)


def test_the_mask_makes_the_future_minus_infinity_and_leaves_the_past(scaled):
    before, after = values(picture("causal_mask", "scores")), values(picture("causal_mask", "infinity"))
    assert (future(after) == -np.inf).all() and len(future(after)) == 15
    past = np.tril_indices(6)
    np.testing.assert_array_equal(before[past], after[past])
    assert "15 of 36 cells become −∞" in said_in(document("causal_mask", "infinity"))


def test_after_the_softmax_the_future_has_nothing_and_every_row_sums_to_1(scaled):
    data = picture("causal_mask", "softmax")
    expected = functional.softmax(scaled + causal_mask(6), dim=-1)
    np.testing.assert_allclose(values(data), expected, atol=0.00501)
    assert {text for row, line in enumerate(texts(data)) for text in line[row + 1 :]} == {"0"}
    assert data["side"]["texts"] == ["1"] * 6 and texts(data)[0][0] == "1"


def test_zeros_send_more_than_half_of_all_attention_to_the_future(scaled):
    asked = document("causal_mask", "zero")
    shown = values(asked["picture"]["data"])
    assert (future(shown) == 0).all() and asked["picture"]["data"]["side"] is None
    assert "62%" not in json.dumps(asked, default=str)
    below = int((scaled[np.tril_indices(6)] < 0).sum())
    assert f"{below} of these 21 are below 0" in said_in(asked)
    revealed = document("causal_mask", "zero", True)
    zeros = scaled.masked_fill(causal_mask(6) < 0, 0.0)
    weights = functional.softmax(zeros, dim=-1)
    np.testing.assert_allclose(values(revealed["picture"]["data"]), weights, atol=0.00501)
    share = float(future(weights).sum() / 6)
    assert share > 0.5 and revealed["ask"]["answer"] == "more"
    assert f"{share:.0%} of all attention goes to future tokens" in said_in(revealed)
    rows = [f"{float(weights[t, t + 1 :].sum()):.0%}" for t in range(6)]
    assert revealed["picture"]["data"]["side"]["texts"] == rows and rows[-1] == "0%"


def test_cut_after_the_softmax_five_rows_sum_to_less_than_1(scaled):
    data = picture("causal_mask", "late")
    weights = functional.softmax(scaled, dim=-1).tril()
    np.testing.assert_allclose(values(data), weights, atol=0.00501)
    sums = [value(text) for text in data["side"]["texts"]]
    np.testing.assert_allclose(sums, weights.sum(-1), atol=0.00501)
    assert data["side"]["low"] == [True] * 5 + [False]
    terms, _, total = data["sum"].rpartition(" = ")
    assert sum(map(value, terms.split(" + "))) == pytest.approx(value(total), abs=1e-9)  # as it stands there
    told = said_in(document("causal_mask", "late"))
    assert "5 row sums are below 1" in told and f"Row his keeps only {total}." in told


def test_the_recorded_leak_has_the_lowest_training_loss_and_the_highest_test_loss():
    told = said_in(document("causal_mask", "training"))
    with open("assets/runs/peeking.json", encoding="utf-8") as file:
        last = json.load(file)[ZERO][-1]
    leaky, right = last["peeking"], last["honest"]
    assert leaky["training_loss"] < right["training_loss"] and leaky["honest_loss"] > right["honest_loss"]
    assert (
        f"falls to {leaky['training_loss']:.2f}. With −∞ the training loss is {right['training_loss']:.2f}"
        in told
    )
    assert f"loss is {leaky['honest_loss']:.2f}, and the other model's is {right['honest_loss']:.2f}" in told
    lines = picture("causal_mask", "training")["figure"]["data"]
    ends = [line["y"][-1] for line in lines]
    assert ends == [right["honest_loss"], leaky["training_loss"], leaky["honest_loss"]]


def done(**changes):
    return unescape(re.sub(r"<[^>]+>", "", document("causal_mask", "raise", **changes)["done"]))


def test_a_raised_score_takes_weight_from_its_row_and_from_no_other(scaled):
    before, after = (values(picture("causal_mask", "raise", **each)) for each in ({}, {"add": 3}))
    raised = scaled.clone()
    raised[4, 1] += 3
    expected = functional.softmax(raised + causal_mask(6), dim=-1)
    np.testing.assert_allclose(after, expected, atol=0.00501)
    np.testing.assert_array_equal(np.delete(before, 4, 0), np.delete(after, 4, 0))
    weight = float(expected[4, 1])
    assert (
        f"old has a weight of {weight:.2f} now. The other visible tokens of the row share {1 - weight:.2f}"
        in done(add=3)
    )
    score, powers = picture("causal_mask", "raise", add=3)["sum"].split("\n")
    own = float(scaled[4, 1])
    assert score.replace("−", "-") == f"score {own:.3f} + 3 + mask 0 = {own + 3:.3f}"
    power, row_sum, share = re.search(r"Σ = (\S+) / (\S+) = (\S+)", powers).groups()
    assert value(power) == pytest.approx(exp(value(f"{own + 3:.3f}")), rel=6e-3)  # as a learner computes it
    assert value(share) == pytest.approx(value(power) / value(row_sum), abs=0.006)
    assert value(share) == pytest.approx(weight, abs=0.00501)


def test_zeros_let_other_heads_see_more_or_less_of_the_future():
    ids = torch.tensor(encode("word_gpt", "The old king loved his son").ids)
    shares = []
    for layer in trace_gpt(stored_language_model("word_gpt").network, ids).layers:
        q, k = layer.attention.query, layer.attention.key  # (heads, T, 32)
        scores = (q @ k.transpose(-1, -2) / sqrt(32)).masked_fill(causal_mask(6) < 0, 0.0)
        weights = functional.softmax(scores, dim=-1)
        shares += [float(future(each).sum() / 6) for each in weights]
    assert len(shares) == 16
    told = document("causal_mask", "zero", True)["measured"]
    assert 0 < min(shares) < 0.005
    assert f"over the 16 heads of this model it runs from less than 1% to {max(shares):.0%}" in told


def test_most_test_sentences_of_the_micro_world_also_occur_in_its_training_text():
    text = microworld_text()
    cut = int(0.9 * len(text))
    known = set(text[:cut].split("\n"))
    tested = [line for line in text[cut : cut + MEASURED].split("\n")[1:-1] if line]
    assert np.mean([line in known for line in tested]) > 0.5
    told = document("causal_mask", "training")["measured"]
    assert "first 4,000 characters" in told and "most of its sentences also occur" in told


def test_a_masked_cell_asks_to_be_raised():
    assert "The weight is 0. Raise the score and see." in done(cell="4.5", add=0)


@pytest.mark.parametrize("add", [1, 12])
def test_no_score_brings_a_masked_cell_back(add):
    data = picture("causal_mask", "raise", cell="4.5", add=add)
    assert texts(data)[4][5] == "0" and data["chosen"] == [4, 5]
    assert "= −∞" in data["sum"] and "= 0" in data["sum"]
    assert "The weight stays 0." in done(cell="4.5", add=add)


def test_the_first_row_always_gives_itself_all():
    assert "Row The sees only itself, so its weight is always 1" in done(cell="0.0", add=5)


def test_a_press_on_a_cell_chooses_it_and_nonsense_chooses_none():
    from core.lesson.story import story_of, take_event

    beat = next(each for each in story_of("pages.self_attention.causal_mask") if each.name == "raise")
    assert take_event(beat, "pick", [2, 5]) == {"cell": "2.5"}
    for strange in (None, [], [1], ["a", "b"], [-1, 0], [99, 0], {"a": 1}, 7):
        assert take_event(beat, "pick", strange) == {"cell": "4.1"}
    assert document("causal_mask", "raise", cell="2.0", add=2)["changes"] == {"cell": "2.0", "add": "2"}


def test_the_lab_opens_on_the_raised_score():
    link = document("causal_mask", "raise", add=3)["lab"]
    edits = re.search(r"edits=([^&]+)", link)[1].replace("+", " ")
    row, column, score = edits.split()
    app = open_lesson(
        "causal_mask",
        source="head",
        layer=4,
        sentence="The old king loved his son",
        start="false",
        edits=edits,
    )
    assert (row, column) == ("5", "2") and sent(app)["edits"] == [[4, 1, float(score)]]
    weights = table(app)["weight"].to_numpy().reshape(6, 6)
    np.testing.assert_allclose(values(picture("causal_mask", "raise", add=3)), weights, atol=0.0051)


@pytest.mark.parametrize(
    ("mask", "sentence", "tells"),
    [
        ("bidirectional", "The old king loved his son.", "We read 6 tokens. This mask hides nothing."),
        ("causal", "The old king loved his son.", "We read 6 tokens. This mask hides 15 of 36 cells."),
        (
            "window",
            "The old king loved his son.",
            "This mask hides 21 of 36 cells.",
        ),  # 15, and 3 + 2 + 1 too far back
        ("causal", "The king", "We read 1 token. It has no future"),
        ("causal", "x", "We read 1 token. It has no future"),
        ("causal", "Heute war es sehr kalt draußen.", "We read the first 7 tokens."),
        ("causal", "🦜", "We read 3 tokens."),
        ("causal", "مرحبا", "We read the first 7 tokens."),
    ],
)
def test_any_sentence_stands_under_any_mask(mask, sentence, tells):
    found = document("causal_mask", "masks", mask=mask, sentence=sentence)
    assert tells in unescape(re.sub(r"<[^>]+>", "", found["done"]))
    data = found["picture"]["data"]
    np.testing.assert_allclose(values(data).sum(1), 1, atol=0.04)
    if mask == "causal":
        assert not np.triu(values(data), 1).any()


def test_bytes_are_named_as_in_the_other_lessons():
    assert "ü·1/2" in picture("causal_mask", "masks", sentence="für")["tokens"]


def test_the_causal_mask_leaves_the_last_row_as_it_is_without_one():
    none, causal = (
        values(picture("causal_mask", "masks", mask=each)) for each in ("bidirectional", "causal")
    )
    np.testing.assert_array_equal(none[-1], causal[-1])
    assert all((none[t] != causal[t]).any() for t in range(5))


def test_at_the_end_every_framed_answer_has_no_weight():
    cells = [cell for row in picture("causal_mask", "answer")["cells"] for cell in row if cell["framed"]]
    assert [cell["text"] for cell in cells] == ["0"] * 5


def test_the_story_s_beats_open_the_lab_at_what_they_show(scaled):
    link = document("causal_mask", "late")["lab"]
    assert "source=head" in link and "broken=true" in link and "way=late" in link
    app = open_lesson(
        "causal_mask", source="head", layer=4, sentence="The old king loved his son", start="false"
    )
    assert sent(app)["tokens"] == ["The", "␣old", "␣king", "␣loved", "␣his", "␣son"]
    np.testing.assert_allclose(np.array(sent(app)["scores"]) / sqrt(32), scaled, rtol=1e-4, atol=1e-4)


# The lab.

TEXT = "The king saw the queen. She was in the house of her sister, who slept."
HEAD, BY_HAND = {"source": "trained head"}, {"source": "by hand"}  # as old links have them


def open_with(text=TEXT, **query):
    return open_lesson("causal_mask", text, timeout=120, **query)


def table(app):
    return table_with(app, "row sum")


def shown(app):
    return [view for view in views(app) if "hidden" in view]


def read(text=TEXT, name="word_gpt", most=12):
    model = stored_language_model(name)
    return model, torch.tensor([model.start, *encode(name, text.split(". ")[0] + ".").ids][:most])


@pytest.mark.parametrize("text", [None, TEXT])
def test_it_opens_on_a_trained_head_whose_weights_differ(text):
    app = open_lesson("causal_mask", text, timeout=120)
    view = sent(app)
    assert view["learned"]
    assert app.query_params["causal_mask_source"] in ("head", ["head"])
    assert [app.number_input(key=f"causal_mask_{name}").value for name in ("layer", "head")] == [4, 1]
    assert view["tokens"][1] == ("␣old" if text is None else "The")
    assert max(abs(score) for row in view["scores"] for score in row) > 1
    weights = table(app)["weight"].to_numpy().reshape(len(view["tokens"]), -1)
    assert max(np.nanmax(row) - np.nanmin(row) for row in weights) > 0.1


def test_a_link_to_scores_by_hand_with_nothing_else_set_opens_them():
    app = open_with(**BY_HAND)
    assert app.query_params["causal_mask_by_hand"] in ("true", ["true"])
    assert not sent(open_with(by_hand="true"))["learned"]
    assert "causal_mask_by_hand" not in open_with(**HEAD).query_params


@pytest.mark.parametrize("query", [{"word": "dog"}, {"edits": "3 1 2"}, {"d_k": "9"}])
def test_a_link_made_when_it_opened_on_scores_by_hand_still_shows_them(query):
    assert not sent(open_with(**query))["learned"]


def test_by_hand_it_begins_as_the_lecture_does():
    app = open_with(**BY_HAND)
    assert sent(app)["tokens"] == ["c", "a", "t"]
    assert sent(app)["scores"] == [[0, 0, 0]] * 3
    weights = table(app)["weight"].to_numpy().reshape(3, 3)
    third = 1 / 3
    np.testing.assert_allclose(weights, [[1, 0, 0], [0.5, 0.5, 0], [third] * 3], rtol=1e-6)


def test_a_heads_scores_are_those_of_the_trained_model_on_the_learner_s_sentence():
    app = open_with(**HEAD, layer="2", head="3")
    model, ids = read()
    attention = trace_gpt(model.network, ids).layers[1].attention
    np.testing.assert_allclose(sent(app)["scores"], attention.scores[2], rtol=1e-6)
    assert sent(app)["d_k"] == model.network.config.width // model.network.config.heads
    weights = table(app)["weight"].to_numpy().reshape(len(ids), -1)
    np.testing.assert_allclose(np.nan_to_num(weights), attention.weights[2], rtol=1e-4, atol=1e-6)


def test_a_long_sentence_is_cut_and_that_is_said():
    app = open_with(**HEAD, sentence="word " * 40)
    assert len(sent(app)["tokens"]) == 12
    assert "12 of" in said(app)


def test_edits_in_the_address_reach_the_view_and_the_table():
    app = open_with(edits="3 1 2; 9 9 1")
    assert sent(app)["edits"] == [[2, 0, 2.0]]
    trace_ = attend_by_scores(torch.tensor([[0.0, 0, 0], [0, 0, 0], [2, 0, 0]]), 4, causal_mask(3))
    np.testing.assert_allclose(table(app)["weight"][6:], trace_.weights[2], rtol=1e-6)


def test_edits_are_forgotten_when_other_scores_come_but_not_when_the_tokens_are_renamed():
    app = open_with(edits="3 1 2")
    app.text_input(key="causal_mask_word").set_value("dog").run()
    assert sent(app)["edits"] == [[2, 0, 2.0]]
    app.segmented_control(key="causal_mask_source").set_value("head").run()
    assert sent(app)["edits"] == []


def test_an_edit_that_cannot_be_read_is_said():
    app = open_with(edits="1 1 x; 2 1 5")
    assert sent(app)["edits"] == [[1, 0, 5.0]]
    assert "left out: 1 1 x" in said(app)


@pytest.mark.parametrize(
    "kind", [*MASKS, "causal and padding", "sliding window", "sliding window, both sides"]
)
@pytest.mark.parametrize("source", ["by hand", "trained head"])
def test_every_mask_hides_what_core_hides(kind, source):
    app = open_with(source=source, mask=kind)
    hidden, tokens = np.array(sent(app)["hidden"]), sent(app)["tokens"]
    T = len(tokens)
    row, column = np.indices((T, T))
    expected = {
        "causal": column > row,
        "bidirectional": np.zeros((T, T), bool),
        "padding": column == T - 1,
        "causal_padding": (column > row) | (column == T - 1),
        "window": (column > row) | (row - column >= 2),
        "both_sides": abs(row - column) >= 2,
    }
    expected["causal and padding"] = expected["causal_padding"]  # the names in old links
    expected["sliding window"], expected["sliding window, both sides"] = (
        expected["window"],
        expected["both_sides"],
    )
    np.testing.assert_array_equal(hidden, expected[kind])
    assert (tokens[-1] == "⟨pad⟩") == ("padding" in kind)


def test_filling_is_read_by_the_model_and_leaves_the_scores_before_it_alone():
    plain, filled = (
        sent(open_with(**HEAD, mask=kind))["scores"] for kind in ("causal", "causal and padding")
    )
    T = len(plain)
    np.testing.assert_allclose(np.array(filled)[:T, :T], plain, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("way", [ZERO, TOO_LATE])
def test_the_leak_of_typed_scores_is_core_s_and_nought_when_whole(way):
    app = open_with(**BY_HAND, broken="true", way=way, leak="true")
    expected = leak(weights_influence(torch.zeros(3, 3), 4, causal_mask(3), way))
    assert [app.metric[0].value, app.metric[1].value] == ["0", f"{expected:.3g}"]
    assert expected > 0.05


def test_the_leak_into_the_model_s_predictions_is_core_s():
    app = open_with(**HEAD, broken="true", way=TOO_LATE, leak="true")
    model, ids = read()
    spoiled = peeking(model.network, TOO_LATE).requires_grad_(False)
    assert app.metric[0].value == "0"
    assert app.metric[1].value == f"{leak(prediction_influence(spoiled, ids)):.3g}"
    losses = [f"{in_one_pass(each, ids).mean:.2f}" for each in (model.network, spoiled)]
    assert [each.value for each in app.metric[2:4]] == losses


def test_a_cell_of_the_table_is_worked_with_its_operands():
    scores, mask = torch.tensor([[0.0, 5.0], [2.0, 0.0]]), causal_mask(2)
    whole, late = attend_by_scores(scores, 4, mask), attend_by_scores(scores, 4, mask, TOO_LATE)
    assert worked_weight(whole, 4, 1, 0, "weight") == r"\frac{2.718}{3.718} = 0.7311"
    assert worked_weight(whole, 4, 1, 0, "÷ √4") == r"\frac{2}{\sqrt{4}} = 1"
    assert worked_weight(whole, 4, 0, 1, "e^x") == r"e^{-\infty} = 0"
    assert worked_weight(late, 4, 0, 1, "weight") == r"\text{cut after the softmax: } 0.9241 \to 0"
    assert worked_weight(whole, 4, 0, 1, "from") is None


def test_a_prediction_hides_the_matrix_until_it_is_made():
    app = open_with(**BY_HAND, predict="true")
    assert not shown(app)
    assert len(app.dataframe) == 0
    assert prompts(app)
    assert "0.33" in question(app).options
    guess(app, "0.33")
    assert shown(app)
    assert any("Right" in each.value for each in app.text)


@pytest.mark.parametrize(
    "word", ["", " ", "x", "早上好", "مرحبا", "👍🏽👍🏽", "<b>$a$ `c`", "a b c d e f g h i j"]
)
@pytest.mark.parametrize("source", ["by hand", "trained head"])
def test_no_text_breaks_the_page(word, source):
    app = open_with(
        word or "?",
        source=source,
        word=word,
        sentence=word,
        model="GPT, characters",
        broken="true",
        leak="true",
    )
    assert 1 <= len(sent(app)["tokens"]) <= 12


@pytest.mark.parametrize(
    "settings",
    [
        {"d_k": "1"},
        {"d_k": "1024"},
        {"mask": "padding", "padding": "4", "word": "a"},
        {"mask": "sliding window", "window": "12"},
        {**HEAD, "layer": "4", "head": "4"},
        {
            **HEAD,
            "model": "GPT, characters",
            "layer": "4",
            "head": "6",
            "mask": "causal and padding",
            "padding": "4",
        },
        {"edits": "1 1 1000; 2 2 -1000"},
    ],
    ids=str,
)
def test_no_end_of_a_control_breaks_the_page(settings):
    app = open_with(**settings)
    visible = table(app)["weight"].to_numpy()[~np.array(sent(app)["hidden"]).ravel()]
    assert np.isfinite(visible).all()
    np.testing.assert_allclose(np.nansum(table(app)["weight"]), len(sent(app)["tokens"]), rtol=1e-5)


@ON_THREE_TEXTS
@pytest.mark.parametrize("way", [ZERO, TOO_LATE])
def test_a_spoiled_mask_changes_the_picture_and_lets_the_future_through(text, way):
    whole, broken = (
        open_lesson("causal_mask", text, timeout=120, **HEAD, layer=3, head=3, **spoiled)
        for spoiled in ({}, {"broken": "true", "way": way, "leak": "true"})
    )
    assert (sent(whole)["way"], sent(broken)["way"]) == (None, {ZERO: "zero", TOO_LATE: "late"}[way])
    assert not np.array_equal(table(whole)["weight"].fillna(0), table(broken)["weight"].fillna(0))
    shown = metrics(broken)
    assert shown["influence with the right mask"] == "0"
    assert float(shown["influence with the wrong mask"]) > 0.001
    assert "they get no weight at all" in said(whole)
    weights = table(broken)["weight"].to_numpy().reshape(12, 12)
    if way == ZERO:
        behind = weights[np.array(sent(broken)["hidden"])].sum() / 12
        assert f"should hide get {behind:.0%} of all weight" in said(broken)
    else:
        assert f"The smallest sum is {weights.sum(1).min():.2f}." in said(broken)
    worse = float(shown["loss with the wrong mask"]) > float(shown["loss with the right mask"])
    assert ("Here the leak raises the loss." in said(broken)) == worse


def test_a_mask_that_hides_nothing_cannot_be_spoiled_and_that_is_said():
    app = open_with(mask="bidirectional", broken="true", way=ZERO)
    assert "This mask hides nothing" in said(app)


def test_a_pasted_text_turns_the_lesson_to_it_once():
    app = open_lesson("causal_mask", timeout=120, **BY_HAND, word="dog", edits="3 1 2")
    app.session_state["text_source_own"] = Document("mine", "Rain fell on the hills. It was late.")
    app = go_to(app, "causal_mask").run()
    assert "".join(sent(app)["tokens"]).startswith("↵Rain␣fell")
    assert sent(app)["edits"] == []
    app.segmented_control(key="causal_mask_source").set_value("hand").run()
    assert not sent(app)["learned"]


def test_an_edit_made_in_the_view_is_kept_in_the_address_s_field():
    app = AppTest.from_function(edited).run()
    assert app.session_state["causal_mask_edits"] == "3 1 2"


def edited():
    from pages.self_attention.causal_mask.page import keep_edits

    keep_edits({"id": "x", "cells": [[2, 0, 2.0]]})


def test_characters_that_the_model_does_not_know_are_named_with_what_it_makes_of_them():
    text = "Größe 早"
    assert "reads their bytes as tokens: ö as 2, ß as 2, 早 as 3" in said(open_with(text, **HEAD))
    accents = said(open_with(text, **HEAD, model="GPT, characters"))
    assert "read as something else: ö as o" in accents
    assert "leaves out: ß 早" in accents


def test_an_over_long_sentence_is_cut_and_that_is_said():
    app = open_with(**HEAD, sentence="word " * 100)
    assert "The first 400 of 500 characters are read" in said(app)
