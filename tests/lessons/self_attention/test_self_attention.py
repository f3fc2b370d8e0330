"""The lesson on heads shows core's numbers for every model that is here, and says what it leaves out."""

import base64
import re

import numpy as np
import pytest
import torch

from core.lesson.choices.transformer_choice import LABELS
from core.models.self_attention.ablation import mean_bits, without_queries
from core.models.self_attention.attentive_models import attentive_model, attentive_models
from core.text.samples.shelf import sample
from pages.self_attention.self_attention import LESSON, SENTENCE, open_head
from tests.lessons.lesson_page import (
    figures,
    guess,
    metrics,
    numbers,
    open_lesson,
    prompts,
    said,
    sent,
    table_with,
    try_prompt,
)
from tests.lessons.self_attention.three_texts import ON_THREE_TEXTS

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
    shades = np.frombuffer(base64.b64decode(grid["shades"]), "u1").reshape(weights.shape)
    np.testing.assert_allclose((shades / 255) ** 2, np.nan_to_num(weights), atol=1 / 255)
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
    assert not drawn(app)
    assert not figures(app)
    assert not any("weight" in table.value for table in app.dataframe)
    assert "what this head hands it" not in said(app)
    assert prompts(app)  # the closing shows before the guess too
    guess(app)
    assert {"attention", "head_grid"} <= drawn(app)


def drawn(app):
    """Return the names of the views on the page that show weights."""
    names = {view.proto.component_name.rpartition("attend_")[2] for view in app.get("bidi_component")}
    return names & {"attention", "head_grid"}


def test_a_head_clicked_in_the_grid_is_opened(monkeypatch):
    kept = {}
    monkeypatch.setattr(type(LESSON), "set_state", lambda self, name, value: kept.update({name: value}))
    open_head({"layer": 3, "head": 2})
    assert kept == {"layer": 4, "head": 3}
    assert sent(open_with(typed="the king", **kept), "head_grid")["chosen"] == [3, 2]


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


PLAY = " ".join(sample("hamlet").read().text[5_000:].split()[:40])
THREE = pytest.mark.parametrize(
    "text", [SENTENCE, PLAY, "We sold 3 blue bikes."], ids=["default", "play", "short"]
)


@THREE
@pytest.mark.parametrize("place", [(1, 1), (3, 2), (4, 4)], ids=str)
def test_breaking_a_head_makes_its_picture_even_and_the_sentence_goes_the_way_of_the_measure(text, place):
    layer, head = place
    whole = open_with(typed=text, layer=layer, head=head, step=5)
    broken = open_with(typed=text, layer=layer, head=head, step=5, alike="true")
    before, after = (sent(app, "attention")["heads"][0]["weights"] for app in (whole, broken))
    assert before != after
    assert "takes 20.0% from each of 5 tokens" in said(broken)
    bits = [float(value) for label, value in metrics(broken).items() if label.startswith("Bits per token")]
    more = bits[1] - bits[0]
    told = said(broken)
    if more > 0.002:
        assert re.search(r"needs \d\.\d{3} bits a token more without what this head chooses", told)
    elif more < -0.002:
        assert "The loss **falls** by" in told
    assert ("The loss **falls**" in told) == ("bits a token more" not in told and "as well" not in told)


@THREE
def test_the_sentence_and_the_parts_tell_the_weights_and_scores_of_the_table(text):
    app = open_with(typed=text, layer=2, head=2, step=6)
    table = table_with(app, "q·k")
    s = int(table["weight"].argmax())
    assert f"takes {table['weight'][s]:.1%} of what this head hands it" in said(app)
    lead = table["scaled"][s] - np.delete(table["scaled"][:6].to_numpy(), s).mean()
    stands = re.search(r"stands ([\d.]+) above the mean of the other keys", said(app))
    assert float(stands[1]) == pytest.approx(lead, abs=0.016)  # the sum of three parts, each rounded
    drawn = next(each for each in figures(app) if len(each["data"]) == 4)
    heights = [numbers(trace["y"]) for trace in drawn["data"]]
    np.testing.assert_allclose(np.sum(heights[:3], axis=0), heights[3], atol=1e-4)
    scaled = np.sort(table["scaled"][:6].to_numpy())
    np.testing.assert_allclose(np.diff(np.sort(heights[3])), np.diff(scaled), atol=1e-3)


def test_the_tokens_that_a_query_likes_are_those_of_the_learner_s_text():
    app = open_with(typed=SENTENCE, layer=1, head=1, step=4)
    assert re.search(r"Of \d+ different ones “.+?” scores highest, −?\d+\.\d\d on average", said(app))


def test_characters_that_the_model_reads_as_bytes_are_named_and_explained():
    app = open_with(typed="Grüße, 日本", step=4)
    assert "\\xc3" not in "".join(sent(app, "attention")["outputs"])
    assert {"ü·1/2", "ü·2/2", "日·3/3"} <= set(sent(app, "attention")["outputs"])
    assert "“ü·1/2” names such a byte" in said(app)
    assert "names such a byte" not in said(open_with(typed="the king"))


def test_a_text_that_is_cut_says_how_many_tokens_are_read():
    app = open_with(source="from your text", most="12")
    assert len(sent(app, "attention")["outputs"]) == 12
    assert "at most 12 tokens are read at once here" in said(app)


def test_of_several_heads_it_is_said_that_their_mean_is_shown():
    assert "means over the heads" in said(open_with(typed="the king", whole_layer="true"))
    assert "means over the heads" not in said(open_with(typed="the king"))


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_prompt_brings_all_that_it_names(number):
    app = open_with(source="from your text", model=LABELS["word_masked"], alike="true")
    app = try_prompt(app, "self_attention", number).run()
    assert not app.exception
    view = sent(app, "attention")
    assert "".join(view["outputs"]).endswith("heaven␣and␣the␣earth.")
    if number == 1:
        assert app.selectbox(key="self_attention_model").value == LABELS["char_gpt"]
        weights = matrix(view["heads"][0]["weights"], *[len(view["outputs"])] * 2)
        assert np.diagonal(weights, -1).mean() > 0.5
    if number == 2:
        weights = matrix(view["heads"][0]["weights"], *[len(view["outputs"])] * 2)
        assert weights[1:, 0].mean() > 0.5
    assert (len(view["heads"]) == 4) == (number == 3)


@ON_THREE_TEXTS
def test_how_many_heads_have_a_habit_is_counted_on_the_text(text):
    app = open_lesson("self_attention", text)
    habits = table_with(app, "on the token before")
    before = int((habits["on the token before"] > 0.5).sum()) or "none"
    assert re.search(rf"Of {len(habits)} heads here, {before} puts? over half", said(app))
    habit = (habits[["on the first token", "on the token before", "on itself"]] > 0.5).any(axis=None)
    assert ("Nobody told them to" in said(app)) == habit


@ON_THREE_TEXTS
def test_the_parts_of_a_score_add_up_as_they_are_shown(text):
    sentence = re.search(
        r"stands ([\d.]+) (above|below) .*?: ([+−][\d.]+) by .*?, ([+−][\d.]+) by .*?, ([+−][\d.]+) by",
        said(open_lesson("self_attention", text)),
    )
    parts = [float(part.replace("−", "-")) for part in sentence.groups()[2:]]
    assert abs(sum(parts)) == pytest.approx(float(sentence[1]))
