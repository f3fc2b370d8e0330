"""Attention heads: the story's numbers follow from queries and keys; the lab shows core's numbers for every model."""

import base64
import json
import re
from html import unescape
from math import sqrt

import numpy as np
import pytest
import torch
from torch.nn import functional

from core.models.self_attention.ablation import mean_bits, without_heads, without_queries
from core.models.self_attention.attentive_models import attentive_model, attentive_models
from core.models.transformers.copier import stored_copier
from core.text.samples.shelf import sample
from pages.self_attention.self_attention import SENTENCE
from pages.self_attention.self_attention.page import LESSON, OLD_MODELS, held_out_lines, open_head
from tests.lessons.lesson_page import (
    document,
    figures,
    guess,
    metrics,
    numbers,
    open_lesson,
    picture,
    prompts,
    said,
    said_in,
    sent,
    table_with,
    try_prompt,
    views,
)
from tests.lessons.self_attention.three_texts import ON_THREE_TEXTS

LABELS = {name: label for label, name in OLD_MODELS.items()}  # as old addresses have them
LINE, S, R, E = (
    "A horse! a hors",
    (6, 15),
    14,
    7,
)  # the places of its letters, after the token that starts a text

# The story. Its numbers are computed again from the stored weights: embeddings, layer norm and the rows of the matrices.


def layer_one(line=LINE):
    """Return queries, keys and values (H, T, d) of the first layer of the GPT of characters, from its weights alone."""
    model = attentive_model("char_gpt")
    network, ids = model.network, model.read(line).ids
    block = network.blocks[0]
    x = network.token_embedding.weight[ids] + network.position_embedding.weight[: len(ids)]
    norm = block.norm_before_attention
    x = functional.layer_norm(x, x.shape[-1:], norm.weight, norm.bias, norm.eps)
    rows = (block.attention.to_query_key_value.weight @ x.T).T.detach()
    H = network.config.heads
    return [part.reshape(len(ids), H, -1).transpose(0, 1) for part in rows.chunk(3, dim=1)]


def causal_softmax(scores):
    T = len(scores)
    return functional.softmax(scores.masked_fill(torch.ones(T, T).triu(1) > 0, -torch.inf), dim=-1)


@pytest.fixture(scope="module")
def weights():
    q, k, _ = layer_one()
    return [causal_softmax(each / sqrt(q.shape[-1])) for each in q @ k.transpose(1, 2)]


def test_the_first_head_gives_every_letter_s_weight_to_the_letter_before(weights):
    links = picture("self_attention", "before")["links"]
    assert [(each["from"], each["to"]) for each in links] == [(t, t - 1) for t in range(1, 16)]
    expected = [float(weights[4][t, t - 1]) for t in range(1, 16)]
    np.testing.assert_allclose([each["weight"] for each in links], expected, atol=1e-4)
    assert min(expected) > 0.95


def test_two_heads_have_their_habits_on_lines_that_they_were_not_trained_on():
    """Counted here by loops; that a head has a habit is what the words say."""
    before, equal, chance = [], [], []
    for line in held_out_lines():
        q, k, _ = layer_one(line)
        ids = attentive_model("char_gpt").read(line).ids.tolist()
        found = [causal_softmax(q[h] @ k[h].T / sqrt(32)) for h in (4, 0)]
        for t in range(1, len(ids)):
            before.append(float(found[0][t, t - 1]))
            places = [s for s in range(t + 1) if ids[s] == ids[t]]
            if len(places) > 1:
                equal.append(float(found[1][t, places].sum()))
                chance.append(len(places) / (t + 1))
    assert len(held_out_lines()) == 80 and np.mean(before) > 0.97 and np.mean(equal) > 0.85
    assert f"In 80 lines of Hamlet, this head gives {np.mean(before):.0%} of its attention" in said_in(
        document("self_attention", "before")
    )
    told = said_in(document("self_attention", "letter", True))
    assert f"it gives {np.mean(equal):.0%} to equal letters" in told
    assert f"would give them {np.mean(chance):.0%}" in told


def test_a_score_is_the_sum_of_a_row_of_products():
    rows = picture("self_attention", "score")["rows"]
    q, k, _ = layer_one()
    for i, place in enumerate((R, R - 1)):
        key, product = (
            next(row for row in rows if row["mark"] == f"{mark}.{i}") for mark in ("key", "product")
        )
        np.testing.assert_allclose(key["cells"], k[4, place], atol=1e-3)
        np.testing.assert_allclose(product["cells"], q[4, 15] * k[4, place], atol=1e-2)
        total = float(q[4, 15] @ k[4, place])
        assert product["text"] == f"Σ = {total:+.1f}".replace("-", "−")
        assert sum(product["cells"]) == pytest.approx(total, abs=0.01)


@pytest.mark.parametrize(
    ("beat", "head", "chosen", "high", "flat"), [("where", 4, [R], 1, 0), ("what", 0, list(S), 0, 1)]
)
def test_one_head_s_reason_is_the_position_and_the_other_s_the_letter(beat, head, chosen, high, flat):
    """A part is computed here by moving one embedding at a time through the norm, whose divisor is kept."""
    model = attentive_model("char_gpt").network
    ids = attentive_model("char_gpt").read(LINE).ids
    block, T = model.blocks[0], len(ids)
    q, _, _ = layer_one()
    tokens, places = model.token_embedding.weight[ids].detach(), model.position_embedding.weight[:T].detach()
    deviation = (tokens + places).std(1, unbiased=False, keepdim=True)
    to_key = block.attention.to_query_key_value.weight[192 + 32 * head : 192 + 32 * head + 32].detach()
    gain = block.norm_before_attention.weight.detach()
    parts = [
        (gain * (x - x.mean(1, keepdim=True)) / deviation) @ to_key.T @ q[head, 15] / sqrt(32)
        for x in (tokens, places)
    ]
    lead = [
        float(part[chosen].mean() - part[[s for s in range(T) if s not in chosen]].mean()) for part in parts
    ]
    assert lead[high] > 7 and abs(lead[flat]) < 0.5
    assert f"{lead[high]:+.1f}" in said_in(document("self_attention", beat))
    rows = picture("self_attention", beat)["rows"]
    tallest = [int(np.argmax(np.abs([bar["value"] for bar in row["bars"]]))) for row in rows]
    assert tallest[high] in chosen
    assert rows[high]["bars"][chosen[0]]["value"] > 0.9
    assert max(abs(rows[flat]["bars"][s]["value"]) for s in chosen) < 0.1


def test_before_the_guess_no_weight_is_sent_and_after_it_both_equal_letters_have_all(weights):
    asked = document("self_attention", "letter")
    assert all(bar["value"] == 0 for bar in asked["picture"]["data"]["rows"][0]["bars"])
    assert {each["to"] for each in asked["picture"]["data"]["links"]} == {R, E, *S}
    assert "0.46" not in json.dumps(asked, default=str) and "46%" not in json.dumps(asked, default=str)
    revealed = document("self_attention", "letter", True)
    shown = [bar["value"] for bar in revealed["picture"]["data"]["rows"][0]["bars"]]
    np.testing.assert_allclose(shown, weights[0][15], atol=1e-4)
    assert shown[S[0]] + shown[S[1]] > 0.99 and revealed["ask"]["answer"] == "same"
    assert f"{shown[S[0]]:.0%} to the earlier one, {shown[S[1]]:.0%} to the query" in said_in(revealed)


def test_the_output_is_the_sum_of_the_weighed_values(weights):
    rows = {row["mark"]: np.array(row["cells"]) for row in picture("self_attention", "average")["rows"]}
    _, _, v = layer_one()
    np.testing.assert_allclose(rows["output"], weights[0][15] @ v[0], atol=1e-3)
    np.testing.assert_allclose(rows["value.6"] + rows["value.15"] + rows["others"], rows["output"], atol=1e-3)
    share = float(weights[0][15, list(S)].sum())
    assert f"make up {share:.1%} of the average" in said_in(document("self_attention", "average"))


def copied(off=None):
    copier = stored_copier()
    ids = torch.tensor([*copier.before, *copier.encode(LINE).ids])
    network = without_heads(copier.network, [off]) if off else copier.network
    with torch.no_grad():
        logits, traces = network(ids[None])
    return traces[1].weights[0, 1, -1], functional.softmax(logits[0, -1].double(), -1), copier.vocabulary


def test_the_copier_s_head_finds_what_followed_and_needs_the_head_below_for_it():
    row, p, vocabulary = copied()
    assert row.argmax() == E and row[E] > 0.9 and vocabulary[int(p.argmax())] == "e"
    found = document("self_attention", "next")
    assert f"The last s gives {row[E]:.0%} to e" in said_in(found)
    assert found["picture"]["data"]["sum"] == f"next letter: “e”, p = {p.max():.2f}"
    off, _, _ = copied((0, 1))
    broken = document("self_attention", "next", without="true")
    shown = [bar["value"] for bar in broken["picture"]["data"]["rows"][0]["bars"]]
    np.testing.assert_allclose(shown, off, atol=1e-4)
    assert off[E] < 0.1 and f"falls to {off[E]:.0%}" in found["notes"]
    other, _, _ = copied((0, 0))
    assert other.argmax() == E  # the other head of the layer is not the one that carries


def test_the_copier_s_head_has_its_habit_on_hamlet_too():
    told = document("self_attention", "next")["measured"]
    told = document("self_attention", "next")["measured"]
    measured = re.search(r"this head gives (\d+)% to letters that followed an equal letter", told)
    total, count = 0.0, 0
    copier = stored_copier()
    for line in held_out_lines():
        ids = torch.tensor([*copier.before, *copier.encode(line).ids])
        with torch.no_grad():
            found = copier.network(ids[None])[1][1].weights[0, 1]
        for t in range(1, len(ids)):
            keys = [s for s in range(1, t + 1) if ids[s - 1] == ids[t]]
            if keys:
                total, count = total + float(found[t, keys].sum()), count + 1
    assert int(measured[1]) == round(100 * total / count) > 80


def test_21_of_24_heads_have_neither_habit():
    points = picture("self_attention", "heads")["figure"]["data"][0]
    x, y = (np.array(numbers({"v": points[axis]})) for axis in ("x", "y"))
    assert len(x) == 24 and x.argmax() == 4 and y.argmax() == 0 and x[4] > 0.95 and y[0] > 0.85
    assert f"{int(((x < 0.5) & (y < 0.5)).sum())} heads give less than half" in said_in(
        document("self_attention", "heads")
    )


def test_one_of_the_other_heads_attends_two_letters_back():
    shares = []
    for line in held_out_lines():
        q, k, _ = layer_one(line)
        shares.append(float(causal_softmax(q[2] @ k[2].T / sqrt(32)).diagonal(-2).mean()))
    assert np.mean(shares) > 0.5
    assert "One of them attends two letters back." in said_in(document("self_attention", "heads"))


def done(**changes):
    return unescape(re.sub(r"<[^>]+>", "", document("self_attention", "own", **changes)["done"]))


@pytest.mark.parametrize(
    ("line", "tells"),
    [
        ("x", "We read 1 letter. “x” attends most to itself"),
        ("the cat", "We read 7 letters."),
        ("Heute war es sehr kalt draußen.", "We read the first 19 letters."),
        ("🦜", "We read 16 letters."),  # no letter that the model knows: the example is read
        ("مرحبا", "We read 16 letters."),
    ],
)
def test_any_line_is_read_under_every_head(line, tells):
    for habit in ("before", "same", "next"):
        data = picture("self_attention", "own", line=line, habit=habit)
        total = sum(bar["value"] for bar in data["rows"][0]["bars"])
        assert total == pytest.approx(1, abs=0.003)
    assert tells in done(line=line, habit="same")


def test_a_press_on_a_letter_makes_it_the_query_and_nonsense_makes_none():
    from core.lesson.story import story_of, take_event

    beat = next(each for each in story_of("pages.self_attention.self_attention") if each.name == "own")
    assert take_event(beat, "pick", 3) == {"at": "3"}
    for strange in (None, [], "x", -5, 99, {"a": 1}):
        assert take_event(beat, "pick", strange) == {"at": "-1"}
    data = picture("self_attention", "own", line="abcab", habit="before", at="3")
    assert data["queries"] == [3] and data["links"][0]["to"] == 2
    assert picture("self_attention", "own", line="ab", at="19")["queries"] == [2]


def test_at_the_end_one_letter_has_three_answers():
    data = picture("self_attention", "answer")
    strongest = [int(np.argmax([bar["value"] for bar in row["bars"][:15]])) for row in data["rows"]]
    assert strongest == [R, S[0], E]
    assert "r is one step back, s is the same letter, e followed it" in said_in(
        document("self_attention", "answer")
    )


@pytest.mark.parametrize("beat", ["before", "letter"])
def test_a_beat_opens_the_lab_on_its_own_head(beat):
    link = document("self_attention", beat)["lab"]
    assert "self_attention_model=char_gpt" in link and "self_attention_step=16" in link
    head = 5 if beat == "before" else 1
    app = open_lesson("self_attention", model="char_gpt", typed=LINE, layer=1, head=head, step=16)
    assert sent(app, "attention")["pinned"] == [15, R if beat == "before" else S[1]]


# The lab.

TEXT = "The king said to the queen, Come to the gate of the town. " * 60
EVERY_MODEL = pytest.mark.parametrize("name", attentive_models())
# One puts special tokens around a text and is causal, the other does neither.
BYTE_PAIRS = pytest.mark.parametrize("name", [name for name in attentive_models() if name.startswith("word")])


FOLDS = dict.fromkeys(("grid", "parts", "pair", "values"), "true")


def open_with(**query):
    return open_lesson("self_attention", TEXT, **{**FOLDS, **query})


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
    assert "of its attention" not in said(app)
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
    assert "gives 20.0% of its attention to each of 5 tokens" in said(broken)
    bits = [
        float(value) for label, value in metrics(broken).items() if label.startswith("Bits per token with")
    ]
    more = bits[1] - bits[0]
    told = said(broken)
    if more > 0.002:
        assert re.search(r"needs \*\*\d\.\d{3}\*\* bits per token more with uniform attention", told)
    elif more < -0.002:
        assert "The loss **falls** by" in told
    assert ("The loss **falls**" in told) == (
        "bits per token more" not in told and "does as well" not in told
    )


@THREE
def test_the_sentence_and_the_parts_tell_the_weights_and_scores_of_the_table(text):
    app = open_with(typed=text, layer=2, head=2, step=6)
    table = table_with(app, "q·k")
    s = int(table["weight"].argmax())
    assert f"gives **{table['weight'][s]:.1%}** of its attention" in said(app)
    lead = table["scaled"][s] - np.delete(table["scaled"][:6].to_numpy(), s).mean()
    stands = re.search(r"is ([\d.]+) above the mean of the other keys", said(app))
    assert float(stands[1]) == pytest.approx(lead, abs=0.016)  # the sum of three parts, each rounded
    drawn = next(each for each in figures(app) if len(each["data"]) == 4)
    heights = [numbers(trace["y"]) for trace in drawn["data"]]
    np.testing.assert_allclose(np.sum(heights[:3], axis=0), heights[3], atol=1e-4)
    scaled = np.sort(table["scaled"][:6].to_numpy())
    np.testing.assert_allclose(np.diff(np.sort(heights[3])), np.diff(scaled), atol=1e-3)


def test_the_tokens_that_a_query_likes_are_those_of_the_learner_s_text():
    app = open_with(typed=SENTENCE, layer=1, head=1, step=4)
    assert re.search(r"Of \d+ different tokens “.+?” scores highest, −?\d+\.\d\d on average", said(app))


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
    assert "".join(view["outputs"]).endswith("for␣a␣horse!" if number != 2 else "heaven␣and␣the␣earth.")
    if number == 1:
        assert app.session_state["self_attention_model"] == "char_gpt"
        weights = matrix(view["heads"][0]["weights"], *[len(view["outputs"])] * 2)
        assert np.diagonal(weights, -1).mean() > 0.5
    if number == 2:
        weights = matrix(view["heads"][0]["weights"], *[len(view["outputs"])] * 2)
        assert weights[1:, 0].mean() > 0.5
    assert (len(view["heads"]) == 4) == (number == 3)


@ON_THREE_TEXTS
def test_how_many_heads_have_a_habit_is_counted_on_the_text(text):
    app = open_lesson("self_attention", text, grid="true")
    habits = table_with(app, "on the token before")
    before = int((habits["on the token before"] > 0.5).sum())
    first = int((habits["on the first token"] > 0.5).sum())
    told = said(app)
    assert f"On this text {before} of {len(habits)} heads give over half of their attention" in told
    assert f"the token before, {first} to the first token" in told


@ON_THREE_TEXTS
def test_the_parts_of_a_score_add_up_as_they_are_shown(text):
    number = r"([+−]?[\d.]+) from .*?"
    sentence = re.search(
        rf"is ([\d.]+) (above|below) the mean of the other keys: {number}, {number}, {number}",
        said(open_lesson("self_attention", text, parts="true")),
    )
    parts = [float(part.replace("−", "-")) for part in sentence.groups()[2:]]
    assert abs(sum(parts)) == pytest.approx(float(sentence[1]))


def test_the_query_the_key_and_their_products_are_drawn_and_add_up():
    app = open_with(typed="the king of the land", layer=1, head=1, step=4)
    rows = next(view["rows"] for view in views(app) if view.get("rows", [{}])[0].get("mark") == "query")
    query, key, product = (np.array(row["cells"]) for row in rows)
    assert np.abs(query).max() > 0 and np.abs(key).max() > 0
    np.testing.assert_allclose(query * key, product, atol=2e-3)
    table = table_with(app, "q·k")
    s = int(table["weight"].argmax())
    assert product.sum() == pytest.approx(table["q·k"][s], abs=0.01)


@pytest.mark.parametrize("label", sorted(OLD_MODELS))
def test_an_old_address_with_a_model_s_label_opens_that_model(label):
    if OLD_MODELS[label] in attentive_models():
        app = open_with(model=label, typed="the king")
        assert app.session_state["self_attention_model"] == OLD_MODELS[label]
