"""The lesson on heads shows core's numbers for every model that is here, and says what it leaves out."""

import base64

import numpy as np
import pytest
import torch

from core.models.self_attention.ablation import mean_bits, without_queries
from core.models.self_attention.attentive_models import attentive_model, attentive_models
from pages.self_attention.parts.head_choice import LABELS
from tests.lessons.lesson_page import guess, mounted, open_lesson, said, sent, table_with

TEXT = "The king said to the queen, Come to the gate of the town. " * 60
EVERY_MODEL = pytest.mark.parametrize("name", attentive_models())
# One puts marks around a text and looks back, the other does neither.
BYTE_PAIRS = pytest.mark.parametrize("name", [name for name in attentive_models() if name.startswith("word")])


def open_with(**query):
    return open_lesson("self_attention", TEXT, **query)


def matrix(text, *shape):
    return np.frombuffer(base64.b64decode(text), "<f4").reshape(shape)


@EVERY_MODEL
def test_the_heatmap_and_the_grid_hold_the_model_s_own_weights_and_masked_cells_are_blank(name):
    model = attentive_model(name)
    app = open_with(model=LABELS[name], typed="the king of the land", layer="2", head="3", step="2")
    assert not app.exception
    read = model.read("the king of the land")
    weights = torch.stack([layer.attention.weights for layer in model.trace(read.ids).layers]).numpy()
    T = len(read.ids)
    if model.causal:
        weights = np.where(np.tril(np.ones((T, T))) > 0, weights, np.nan)
    view, grid = sent(app, "attention"), sent(app, "head_grid")
    assert len(view["outputs"]) == T
    assert (view["from"], view["to"]) == ("query", "key")
    np.testing.assert_allclose(matrix(view["heads"][0]["weights"], T, T), weights[1, 2], atol=1e-6)
    np.testing.assert_allclose(matrix(grid["weights"], *weights.shape), weights, atol=1e-6)
    assert grid["chosen"] == [1, 2]
    assert view["pinned"] == [1, int(np.nanargmax(weights[1, 2, 1]))]


def test_the_row_s_table_goes_from_dot_product_to_weight():
    text = "In the beginning God made the heaven and the earth."
    app = open_with(typed=text, layer="2", head="3", step="9")
    model = attentive_model("word_gpt")
    trace = model.trace(model.read(text).ids)
    heads, row = trace.layers[1].attention, table_with(app, "q·k")
    np.testing.assert_allclose(row["q·k"], heads.query[2, 8] @ heads.key[2].T, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(row["weight"], heads.weights[2, 8], atol=1e-6)
    assert row["weight"].sum() == pytest.approx(1)
    assert list(row["masked"]) == [""] * 9 + ["−∞"] * (len(row) - 9)


def test_a_head_that_looks_everywhere_alike_is_measured_in_bits_on_the_text():
    text = "the king of the land"
    app = open_with(typed=text, layer="2", head="1", alike="true")
    model = attentive_model("word_gpt")
    ids = model.read(text).ids
    expected = mean_bits(model, [ids]), mean_bits(model, [ids], without_queries(model.network, [(1, 0)]))
    assert [metric.value for metric in app.metric] == [f"{bits:.3f}" for bits in expected]
    T = len(ids)
    alike = np.where(np.tril(np.ones((T, T))) > 0, 1 / np.arange(1, T + 1)[:, None], np.nan)
    np.testing.assert_allclose(matrix(sent(app, "attention")["heads"][0]["weights"], T, T), alike, atol=1e-6)


@EVERY_MODEL
def test_a_long_text_is_cut_at_the_context_and_that_is_said(name):
    model = attentive_model(name)
    app = open_with(model=LABELS[name], source="from your text", most=str(model.context), whole_layer="true")
    assert not app.exception
    assert f"at most {model.context:,} tokens" in said(app)
    view = sent(app, "attention")
    assert len(view["outputs"]) == model.context
    assert len(view["heads"]) == (model.network.config.heads if model.context <= 128 else 1)


def test_all_heads_of_a_layer_can_be_shown():
    heads = sent(open_with(typed="the king", whole_layer="true", layer="3"), "attention")["heads"]
    assert [head["name"] for head in heads] == ["head 1", "head 2", "head 3", "head 4"]


def test_a_prediction_hides_the_picture_until_the_guess():
    app = open_with(predict="true", step="6")
    assert not mounted(app)
    guess(app)
    assert sent(app, "attention")


def test_a_head_clicked_in_the_grid_is_opened():
    app = open_with(typed="the king")
    app.session_state["self_attention_grid"] = {"head": {"layer": 3, "head": 2}}
    app.run()
    assert not app.exception
    assert app.session_state["self_attention_layer"] == 4
    assert sent(app, "head_grid")["chosen"] == [3, 2]


@pytest.mark.parametrize(
    "query",
    [
        {"typed": ""},
        {"typed": "x"},
        {"typed": "早上好 مرحبا 👍🏽 <b>$a$ `c`</b>"},
        {"typed": "word " * 390},
        {"layer": "9", "head": "9", "step": "999"},
        {"source": "from your text", "most": "4", "sentence": "60"},
        {"input": "nonsense"},
    ],
    ids=str,
)
@BYTE_PAIRS
def test_no_text_and_no_end_of_a_control_breaks_the_page(name, query):
    assert not open_with(model=LABELS[name], **query).exception
