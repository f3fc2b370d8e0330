"""What is said of attention weights: heat maps, a training run, all heads, one query's row, and the softmax."""

import base64
import json
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
import torch

from core.descriptions.document import describe_picture
from core.figures.alignment import attention_view
from core.figures.packed import packed
from core.figures.self_attention.heads import pool_weights, weight_row
from core.models.self_attention.attention import causal_mask
from core.models.self_attention.peeking import TOO_LATE, ZERO
from core.models.self_attention.score_matrix import attend_by_scores
from core.models.translation.fit_translation import Snapshot
from core.words.language import speaking
from pages.gallery import examples, read
from pages.self_attention.causal_mask.figures import causal_mask_payload
from pages.translation.translation_training.figures import replay_payload
from tests.descriptions.top_cells import VALUES, number

HERE = Path(__file__).parent
VIEWS = ("attention", "attention_replay", "head_grid", "weight_row", "causal_mask")
ENGLISH = re.compile(
    r"\b(the|of|and|rows?|columns?|weights?|largest|smallest|masked|head|layer|step|query|key|loss|cells?)\b",
    re.I,
)


def example(view):
    return read(next(iter(examples(view))))


def weights_in(text, columns):
    return np.frombuffer(base64.b64decode(text), "<f4").reshape(-1, columns)


def largest(told):
    return [each.text for each in told.largest]


@pytest.mark.parametrize("view", sorted(set(VIEWS) & set(VALUES)))
def test_the_largest_number_of_an_example_is_known_from_the_text(view):
    told = describe_picture(view, example(view))
    found = [number(each.text) for each in told.largest]
    assert found[:1] == pytest.approx(VALUES[view](example(view))[:1], abs=6e-4)
    assert f"largest {told.largest[0].text} (" in told.sentence


# Heat maps


def test_an_example_s_largest_weight_and_each_row_s_are_told():
    data = example("attention")
    weights = weights_in(data["heads"][0]["weights"], len(data["inputs"]))
    told = describe_picture("attention", data)
    assert largest(told) == [f"{weights.max():.4f}"]
    assert told.sentence.startswith("A heat map of attention weights: 15 rows (output word) and 13 columns")
    for row, values in zip(told.rows, weights, strict=True):
        assert row[1].endswith(f" {data['inputs'][values.argmax()]}")
        assert row[2:15] == tuple(f"{value:.4f}" if value >= 5e-5 else "less than 0.0001" for value in values)


def test_masked_cells_have_no_number_and_heads_are_told_apart_from_their_mean():
    nan = np.nan
    heads = {"one": np.array([[1, nan], [0.9, 0.1]]), "two": np.array([[1, nan], [0.2, 0.8]])}
    told = describe_picture("attention", attention_view(heads, ["a", "b"], ["a", "b"], pinned=(1, 0)))
    assert told.rows[0][1:4] == ("a", "1.0000", "masked") and told.rows[1][1:4] == ("a", "0.5500", "0.4500")
    assert told.rows[1][-2:] == ("a 0.9000", "b 0.8000")
    assert "smallest 0.4500 (b to b)" in told.sentence and "Masked: 1 of 4 cells." in told.sentence
    assert (
        "one: 0.9000 (b to a); two: 0.8000 (b to b)." in told.sentence
    )  # not the first row, which sees itself alone
    assert "mean attention weights of 2 heads (one and two)" in told.sentence
    assert told.sentence.endswith("Selected: output word b, input word a, weight 0.5500.")


def test_the_step_that_the_view_follows_is_the_row_that_is_selected():
    weights = np.array([[0.3, 0.7], [0.6, 0.4]])
    data = attention_view(weights, ["x", "y"], ["a", "b"]) | {"follows": "step", "chosen": None}
    for more, said in (
        ({}, "output word x, input word b, weight 0.7000."),
        ({"predicting": True}, "output word y, input word a, weight 0.6000."),
        ({"chosen": 0}, "output word x, input word a, weight 0.3000."),
    ):
        assert describe_picture("attention", data | more).sentence.endswith(f"Selected: {said}")


def test_a_row_before_its_guess_is_empty_and_says_nothing():
    weights = np.array([[0.3, 0.7], [np.nan, np.nan]])
    follows = {"follows": "step", "chosen": None, "predicting": True}
    told = describe_picture("attention", attention_view(weights, ["x", ""], ["a", "b"]) | follows)
    assert told.rows[1][1:] == ("", "", "") and "0.7000 (1. x to b)" in told.sentence
    assert "Selected: output word 2." in told.sentence


def test_many_inputs_are_told_by_each_row_s_largest_weights():
    weights = np.random.default_rng(3).dirichlet(np.ones(70), 3)
    tokens = [f"t{at}" for at in range(70)]
    told = describe_picture("attention", attention_view(weights, ["x", "y", "z"], tokens))
    assert told.columns == ("output word", "Largest: input word", "Attention weight", "Next largest weights")
    for row, values in zip(told.rows, weights, strict=True):
        first, second, third = np.argsort(-values)[:3]
        assert row[1:3] == (f"t{first}", f"{values[first]:.4f}")
        assert row[3] == f"t{second} {values[second]:.4f}; t{third} {values[third]:.4f}"
    assert largest(told) == [f"{weights.max():.4f}"]
    assert "compared with the largest of its row" in told.axes and "Lines" not in told.axes


def test_the_reference_alignment_is_a_column_and_outlined_cells_are_highlighted():
    view = attention_view(
        np.eye(2), ["le", "chat"], ["the", "cat"], gold={(0, 0), (1, 0), (1, 1)}, marked=[(1, 1)]
    )
    told = describe_picture("attention", view)
    assert told.columns[-1] == "Reference alignment" and [row[-1] for row in told.rows] == ["the", "the, cat"]
    assert "Highlighted: chat to cat." in told.sentence


# The replay


def shots():
    even, sharp = np.full((1, 2), 0.5), np.array([[0.9, 0.1], [0.2, 0.8]])
    yield Snapshot(0.0, 0, float("nan"), ["the", "cat"], ["<end>"], np.float32(even))
    yield Snapshot(0.5, 10, 2.5, ["the", "cat"], ["le"], np.float32(even))
    yield Snapshot(1.0, 1200, 0.5, ["the", "cat"], ["le", "<end>"], np.float32(sharp))


def test_a_replay_is_described_at_its_last_snapshot_with_the_loss_on_the_way():
    told = describe_picture("attention_replay", replay_payload(list(shots())))
    assert told.sentence.startswith(
        "Snapshot 3 of 3 of a training run, after 1,200 steps (100% of the training). The loss is 0.500."
    )
    assert "largest 0.9000 (le to the), smallest 0.1000 (le to cat)" in told.sentence
    assert "The model outputs “le”." in told.sentence
    assert "Loss by snapshot: 2.500 after 10 steps; 0.500 after 1,200 steps." in told.sentence
    assert "Loss (nats per output word) only falls." in told.sentence
    assert told.rows == (("le", "the", "0.9000", "0.1000"), ("<end>", "cat", "0.2000", "0.8000"))


def test_before_the_first_step_there_is_no_loss():
    told = describe_picture("attention_replay", replay_payload(list(shots())[:1], "character"))
    assert told.sentence.startswith("Snapshot 1 of 1 of a training run, before the first step. A heat map")
    assert "The model outputs nothing." in told.sentence and told.columns[0] == "output character"
    assert "oss" not in told.sentence


def test_the_replay_s_example_is_told_by_its_last_weights():
    data = example("attention_replay")
    told = describe_picture("attention_replay", data)
    weights = weights_in(data["shots"][-1]["weights"], len(data["inputs"]))
    assert largest(told) == [f"{weights.max():.4f}"] and len(told.rows) == len(weights)


# All heads


def grid_of(*heads):
    """Return the view's data of one layer's heads, each the weights of a causal head."""
    side = len(heads[0])
    shades = packed(np.rint(255 * np.sqrt(np.array(heads))), "u1")
    size = {"layers": 1, "heads": len(heads), "side": side, "cell": 1}
    return {**size, "chosen": [0, 1], "shades": shades, "address": ""}


PREVIOUS = [[1, 0, 0], [1, 0, 0], [0, 1, 0]]
ITSELF = np.eye(3).tolist()


def test_a_head_is_told_by_where_its_weight_goes():
    told = describe_picture("head_grid", grid_of(PREVIOUS, ITSELF))
    assert told.columns == (
        "Head",
        "Weight on the first token",
        "Weight on the query itself",
        "Weight on the token before",
        "Largest weight of a query",
    )
    assert told.rows == (
        ("layer 1, head 1", "50%", "0%", "100%", "100%"),
        ("layer 1, head 2", "0%", "100%", "0%", "100%"),
    )
    assert (
        "Weight on the token before: largest 100% (layer 1, head 1), smallest 0% (layer 1, head 2)."
        in told.sentence
    )
    assert "Highlighted: layer 1, head 2." in told.sentence


def test_a_head_that_sees_both_sides_has_the_next_and_the_last_token_too():
    told = describe_picture("head_grid", grid_of([[0, 1, 0], [0, 0, 1], [0.5, 0, 0.5]], ITSELF))
    assert told.columns[4:6] == ("Weight on the token after", "Weight on the last token")
    assert told.rows[0][4:6] == ("50%", "75%")


def test_the_example_s_shares_are_those_of_its_weights():
    data = example("head_grid")
    side = data["side"]
    weights = (np.frombuffer(base64.b64decode(data["shades"]), "u1") / 255.0) ** 2
    told = describe_picture("head_grid", data)
    for row, head in zip(told.rows, weights.reshape(-1, side, side), strict=True):
        before = np.mean([head[t, t - 1] / head[t].sum() for t in range(1, side)])
        first = np.mean([head[t, 0] / head[t].sum() for t in range(1, side)])
        assert (row[1], row[3]) == (f"{first:.0%}", f"{before:.0%}")


def test_averaged_cells_count_as_many_tokens_as_they_stand_for():
    scores = torch.zeros(8, 8)
    attention = attend_by_scores(scores, 4, causal_mask(8))
    weights = np.where(causal_mask(8) == -np.inf, np.nan, attention.weights)
    small, size = pool_weights(weights, most=4)
    shades = packed(np.rint(255 * np.sqrt(np.nan_to_num(small))), "u1")
    data = grid_of(ITSELF, ITSELF) | {"heads": 1, "side": 4, "cell": size, "chosen": [0, 0], "shades": shades}
    told = describe_picture("head_grid", data)
    queries = [np.array(weights[t : t + 2]) for t in (2, 4, 6)]
    own = np.mean([np.nansum(pair[:, 2 * at : 2 * at + 2]) / 2 for at, pair in enumerate(queries, start=1)])
    assert told.columns[2] == "Weight on the query's own 2 tokens"
    assert int(told.rows[0][2].rstrip("%")) == pytest.approx(100 * own, abs=2)
    assert "each cell is the mean of 2 by 2 weights" in told.sentence


# One query's row


def test_a_row_as_the_model_has_it_and_as_it_is_edited():
    own, edited = np.array([0.5, 0.25, 0.25]), np.array([0.1, 0.45, 0.45])
    told = describe_picture("weight_row", weight_row(own, own, ["a", "b", "c"], 0, 1, 2))
    assert told.columns == ("Key", "Attention weight") and "Each weight is the model's own." in told.sentence
    data = weight_row(own, edited, ["a", "b", "c"], 0, 1, 2, (0, own))
    told = describe_picture("weight_row", data)
    assert told.sentence.startswith(
        "Layer 1, head 2: what token 3, “c”, attends to. 3 sliders, one for each key."
    )
    assert "Attention weight: largest 0.450 (b and 1 more), smallest 0.100 (a)." in told.sentence
    assert "Model's own weight: largest 0.500 (a)" in told.sentence
    assert told.sentence.endswith("The last edit: a from 0.500 to 0.100.")
    assert told.rows[0] == ("a", "0.100", "0.500")


# The softmax


WAYS = (None, ZERO, TOO_LATE)


def payloads():
    torch.manual_seed(3)
    for size in (0.5, 40):  # so large that rows are shifted
        for way in WAYS:
            scores = torch.randn(4, 4) * size
            yield causal_mask_payload(
                list("abcd"), scores, {(1, 0): -size, (3, 3): 2000.0}, 3, causal_mask(4), way
            )


def test_every_stage_of_the_softmax_is_written_as_the_view_writes_it():
    datas = list(payloads())
    asked = [
        {key: data[key] for key in ("d_k", "hidden", "way")} | {"scores": edited(data)} for data in datas
    ]
    ran = subprocess.run(
        ["node", HERE / "softmax.js"], input=json.dumps(asked), capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr
    for data, stages in zip(datas, json.loads(ran.stdout), strict=True):
        told = describe_picture("causal_mask", data)
        assert len(stages) == 6 and len(told.rows) == 16
        for at, stage in enumerate(stages, start=1):
            assert [row[at].removesuffix(" (masked)") for row in told.rows] == stage


def edited(data):
    scores = [list(row) for row in data["scores"]]
    for t, s, score in data["edits"]:
        scores[t][s] = score
    return scores


@pytest.mark.parametrize("way", WAYS)
def test_the_largest_weight_of_each_query_is_core_s(way):
    torch.manual_seed(1)
    scores = torch.randn(3, 3) * 2
    told = describe_picture(
        "causal_mask", causal_mask_payload(list("cat"), scores, {}, 4, causal_mask(3), way)
    )
    weights = attend_by_scores(scores, 4, causal_mask(3), way).weights
    tops = [f"{'cat'[t]} to {'cat'[row.argmax()]} (" for t, row in enumerate(weights)]
    assert all(top in told.sentence.partition("each query: ")[2] for top in tops)
    assert [each.row for each in told.largest][1:] == [
        f"{'cat'[int(weights.argmax()) // 3]} to {'cat'[int(weights.argmax()) % 3]}"
    ]
    hidden = causal_mask(3) < 0
    share = (weights[hidden].sum() / weights.sum()).item()
    assert (f"Hidden cells get {share:.0%} of all weight." in told.sentence) == (way == ZERO)
    assert ("Sum of each query's weights: c (0." in told.sentence) == (way == TOO_LATE)


def test_the_softmax_s_example_is_told_with_its_typed_score():
    told = describe_picture("causal_mask", example("causal_mask"))
    assert told.sentence.startswith(
        "Attention scores of 3 tokens on their way through the softmax, typed by hand. Step 6 of 6: Softmax eˣ / Σ."
    )
    assert "Score q · k: largest 2 (t to c)" in told.sentence and "Highlighted: t to c." in told.sentence
    e = np.e
    assert ("t to c", "2", "1", "1", "2.72", "4.72", f"{e / (e + 2):.2f}", "typed") in told.rows
    assert ("a to t", "0", "0", "−∞ (masked)", "0 (masked)", "2", "0 (masked)", "") in told.rows


# All of them


def spoken(view):
    with speaking("es"):
        return describe_picture(view, example(view))


@pytest.mark.parametrize("view", VIEWS)
def test_in_spanish_nothing_stays_english(view):
    data, told = example(view), spoken(view)
    own = [
        data.get("from"),
        data.get("to"),
        data.get("label"),
    ]  # words of the lesson, which come with the data
    names = [*data.get("inputs", ()), *data.get("outputs", ()), *data.get("names", ())]
    said = " ".join((told.sentence, told.axes, *told.columns))
    for text in sorted((each for each in [*own, *names] if each and len(each) > 1), key=len, reverse=True):
        said = said.replace(text, "")
    assert not ENGLISH.search(said), said
    assert told.columns != describe_picture(view, data).columns


NOTHING = {
    "attention": attention_view(np.zeros((0, 0)), [], []),
    "attention_replay": replay_payload([Snapshot(0, 0, float("nan"), [], [], np.zeros((0, 0)))]),
    "head_grid": {"layers": 1, "heads": 1, "side": 1, "cell": 1, "chosen": [0, 0], "shades": "AA=="},
    "weight_row": {"names": [], "own": [], "weights": [], "last": None, "label": "Layer 1"},
    "causal_mask": {
        "tokens": [],
        "scores": [],
        "edits": [],
        "d_k": 4,
        "hidden": [],
        "way": None,
        "learned": False,
    },
}


@pytest.mark.parametrize("view", VIEWS)
def test_a_picture_of_nothing_is_described(view):
    told = describe_picture(view, NOTHING[view])
    assert told.sentence and all(told.columns)
    assert not re.search(r"[{}]|None|nan\b", told.sentence), told.sentence


def test_a_query_that_sees_nothing_has_no_largest_weight():
    data = causal_mask_payload(["a", "b"], torch.zeros(2, 2), {}, 4, torch.full((2, 2), -torch.inf))
    told = describe_picture("causal_mask", data)
    assert (
        "each query: " not in told.sentence.replace("Sum of each query's", "")
        and "a (0), b (0)" in told.sentence
    )
    weights = np.full((2, 2), np.nan)
    assert (
        "Masked: 4 of 4 cells." in describe_picture("attention", attention_view(weights, "ab", "cd")).sentence
    )
