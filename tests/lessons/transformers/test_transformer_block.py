"""Inside a transformer block: every number of the story by hand, and the lab shows what core computes."""

import base64
import re

import numpy as np
import pytest
import torch
from torch.nn import functional

from core.lesson.break_it import format_value
from core.lesson.story import story_of, take_event
from core.models.self_attention.attentive_models import BACK, attentive_model
from core.models.transformers.opened_gpt import open_gpt, without_part
from pages.transformers.transformer_block import LESSON, SENTENCE
from pages.transformers.transformer_block.figures import part_ids
from pages.transformers.transformer_block.page import POSITIONS, TOKENS_AT_MOST, WHICH, go
from tests.lessons.lesson_page import (
    document,
    figure,
    guess,
    metrics,
    open_lesson,
    picture,
    said,
    said_in,
    sent,
    table_with,
    try_prompt,
)
from tests.lessons.n_grams.three_texts import PASTED, THREE

OF_BOTH = pytest.mark.parametrize("name", BACK)


# The story: a forward pass written again, with torch's own functions and hooks on the network.


@pytest.fixture(scope="module")
def by_hand():
    """Return what each part of the network put out on the sentence, and the probabilities of the next token."""
    return read_by_hand()


def read_by_hand(silent=None, text=SENTENCE):
    """Return a reading; the output of the part `silent` (kind, block from 0) is set to 0."""
    model = attentive_model(BACK[0])
    ids, network, outputs, hooks = model.read(text).ids, model.network, {}, []

    def keep(key):
        def hook(module, inputs, output):
            outputs[key] = (torch.zeros_like(output) if key == silent else output).squeeze(0)
            return torch.zeros_like(output) if key == silent else output

        return hook

    for i, block in enumerate(network.blocks):
        for kind in ("attention", "feed_forward"):
            project = getattr(block, kind).project
            hooks.append(project.register_forward_hook(keep((kind, i))))
    with torch.no_grad():
        logits = network(ids[None])[0][0, -1]
    for hook in hooks:
        hook.remove()
    return ids, outputs, logits, functional.softmax(logits, dim=-1)


def words(beat, revealed=False, **changes):
    return said_in(document("transformer_block", beat, revealed, **changes))


def nodes(beat, revealed=False, **changes):
    return {each["key"]: each for each in picture("transformer_block", beat, revealed, **changes)["nodes"]}


def numbers_in(node):
    return [float(cell["text"].replace("−", "-")) for cell in node["cells"]]


def test_after_the_sentence_the_model_predicts_egypt(by_hand):
    _, _, _, p = by_hand
    vocabulary, bars = attentive_model(BACK[0]).vocabulary, nodes("whole")["next"]["bars"]
    order = p.argsort(descending=True)[:5].tolist()
    assert [bar["name"] for bar in bars] == [vocabulary[i].strip() for i in order]
    assert [bar["share"] for bar in bars] == pytest.approx((p[order] / p.max()).tolist(), abs=1e-3)
    assert bars[0]["name"] == "Egypt" and bars[0]["text"] == f"{float(p.max()):.0%}"
    assert "predicts Egypt with 27%" in words("whole")


def test_the_stream_begins_with_the_sum_of_two_rows(by_hand):
    ids, network, drawn = by_hand[0], attentive_model(BACK[0]).network, nodes("embedding")
    token, position = network.token_embedding.weight[ids[-1]], network.position_embedding.weight[len(ids) - 1]
    for key, vector in (("row.token", token), ("row.position", position), ("x", token + position)):
        assert numbers_in(drawn[key]) == pytest.approx(vector[:2].tolist(), abs=6e-5)
    sums = [
        sum(each)
        for each in zip(*(numbers_in(drawn[key]) for key in ("row.token", "row.position")), strict=True)
    ]
    assert numbers_in(drawn["x"]) == pytest.approx(sums, abs=1e-9), "the room can add them up"
    assert (
        int(ids[-1]) == 273 and "the id 273" in words("embedding") and "128 dimensions" in words("embedding")
    )


def test_a_block_adds_two_vectors_to_the_stream_and_the_numbers_add_up_as_they_are_shown(by_hand):
    outputs, drawn = by_hand[1], nodes("block")
    for key, kind in (("added.attention", "attention"), ("added.feed_forward", "feed_forward")):
        assert numbers_in(drawn[key]) == pytest.approx(outputs[kind, 1][-1, :3].tolist(), abs=0.051)
    sums = [
        sum(each)
        for each in zip(
            *(numbers_in(drawn[key]) for key in ("x", "added.attention", "added.feed_forward")), strict=True
        )
    ]
    assert numbers_in(drawn["after"]) == pytest.approx(sums, abs=0.01), "the room can add them up"
    first = [
        drawn[key]["cells"][0]["text"] for key in ("x", "added.attention", "added.feed_forward", "after")
    ]
    told = words("block")
    assert all(each in told for each in first) and first[-1] == "14.3"


def test_attention_s_weight_is_a_softmax_of_scaled_products_and_no_weight_is_told_before():
    model = attentive_model(BACK[0])
    ids, block = model.read(SENTENCE).ids, model.network.blocks[1]
    kept = {}
    hook = block.attention.to_query_key_value.register_forward_hook(
        lambda _, __, out: kept.update(out=out.squeeze(0))
    )
    with torch.no_grad():
        model.network(ids[None])
    hook.remove()
    query, key, _ = kept["out"].chunk(3, dim=-1)
    d, head = 32, slice(64, 96)
    weights = functional.softmax(key[:, head] @ query[-1, head] / d**0.5, dim=0)
    assert int(weights.argmax()) == 9 and f"{float(weights[9]):.2f}" == "0.80"
    assert "gets the weight 0.80" in words("tokens", True)
    drawn = picture("transformer_block", "tokens", True)
    found = {each["from"]: each["weight"] for each in drawn["arrows"] if each["from"].startswith("token.")}
    assert found["token.9"] == pytest.approx(float(weights[9]), abs=1e-3)
    assert sum(found.values()) > 0.95
    asked = document("transformer_block", "tokens")
    assert (
        "0.80" not in str(asked["picture"])
        and document("transformer_block", "tokens", True)["ask"]["answer"] == "attention"
    )


def test_the_feed_forward_part_reads_no_other_token():
    model = attentive_model(BACK[0])
    feed_forward = model.network.blocks[1].feed_forward
    x = torch.randn(1, 4, 128, generator=torch.Generator().manual_seed(0))
    other = x.clone()
    other[0, :3] = 0
    with torch.no_grad():
        assert torch.allclose(feed_forward(x)[0, 3], feed_forward(other)[0, 3], atol=1e-6)


def test_the_active_neurons_are_counted_and_drawn():
    model = attentive_model(BACK[0])
    ids, kept = model.read(SENTENCE).ids, {}
    widen = model.network.blocks[1].feed_forward.widen
    hook = widen.register_forward_hook(lambda _, __, out: kept.update(out=out.squeeze(0)))
    with torch.no_grad():
        model.network(ids[None])
    hook.remove()
    active = int((kept["out"][-1] > 0).sum())
    grid = nodes("feed_forward")["feed_forward.2"]["grid"]
    assert active == 96 and len(grid) == 512 and f"Here {active} of them" in words("feed_forward")
    bright = {i for i, shade in enumerate(grid) if shade > 0.02}
    assert bright <= set(torch.nonzero(kept["out"][-1] > 0).flatten().tolist())
    assert grid[int(kept["out"][-1].argmax())] == 1


def test_the_logits_are_drawn_and_their_softmax_is_over_the_whole_vocabulary(by_hand):
    _, _, logits, p = by_hand
    drawn, top = nodes("output"), int(logits.argmax())
    assert drawn["logits"]["bars"][0]["text"] == f"{float(logits[top]):.1f}"
    assert drawn["next"]["bars"][0]["text"] == f"{float(p[top]):.0%}"
    assert len(logits) == 2048 and "2,048 logits" in words("output")


def test_the_part_with_the_shortest_vector_moves_most_of_the_probability(by_hand):
    outputs, p = by_hand[1], by_hand[3]
    lengths = {f"{kind}.{block + 1}": float(added[-1].norm()) for (kind, block), added in outputs.items()}
    moved = {
        key: float((read_by_hand((key.split(".")[0], int(key[-1]) - 1))[3] - p).abs().sum() / 2)
        for key in lengths
    }
    asked, answered = nodes("length"), nodes("length", True)
    for key in part_ids(4):
        assert asked[f"note.{key}"]["title"] == f"{lengths[key]:.0f}"
        assert answered[f"note.{key}"]["title"] == f"{moved[key]:.0%}"
    assert (
        min(lengths, key=lengths.get) == "attention.1" and max(lengths, key=lengths.get) == "feed_forward.1"
    )
    assert "74% of the probability moves" in words("length", True) and f"{moved['attention.1']:.0%}" == "74%"
    assert (
        moved["feed_forward.4"] < 0.3 < 0.5 < moved["attention.1"]
        and lengths["feed_forward.4"] > 10 * lengths["attention.1"]
    )
    assert document("transformer_block", "length", True)["ask"]["answer"] == "most"


def test_much_of_the_longest_vector_is_the_same_at_every_token(by_hand):
    added = by_hand[1]["feed_forward", 0]
    T = len(added)
    pairs = [
        float(functional.cosine_similarity(added[s], added[t], dim=0))
        for s in range(T)
        for t in range(T)
        if s != t
    ]
    measured = document("transformer_block", "length", True)["measured"]
    assert f"cosine similarity of {np.mean(pairs):.2f}" in measured and np.mean(pairs) > 0.85


@pytest.mark.parametrize(
    ("line", "left_out", "told"),
    [
        (SENTENCE, "nothing", "predicts “Egypt” with 27%"),
        (SENTENCE, "attention.1", "74% of the probability moves"),
        (SENTENCE, "attention.4", "of the probability moves"),
        ("", "nothing", "predicts “Egypt”"),
        ("🦜 مرحبا", "feed_forward.1", "of the probability moves"),
        ("Heute war es sehr kalt draußen.", "nothing", "We read the first 13 tokens"),
        ("x", "nothing", "After “x”"),
    ],
)
def test_any_sentence_is_read_with_any_part_left_out(line, left_out, told):
    changed = document("transformer_block", "own", line=line, left_out=left_out)
    assert told in re.sub("<[^>]*>", "", changed["done"])
    drawn = {each["key"]: each for each in changed["picture"]["data"]["nodes"]}
    assert [key for key, each in drawn.items() if each["state"] == "off"] == (
        [] if left_out == "nothing" else [left_out]
    )
    assert all((bar["was"] is None) == (left_out == "nothing") for bar in drawn["next"]["bars"])


def test_the_picture_of_the_story_reports_nothing():
    beats = story_of("pages.transformers.transformer_block")
    assert all(take_event(beat, "pick", 3) == {} for beat in beats)


@pytest.mark.parametrize("beat", ["block", "tokens", "output"])
def test_a_beat_opens_the_lab_where_it_is(beat):
    link = document("transformer_block", beat)["lab"]
    at = re.search(r"transformer_block_at=([\w.]+)", link)[1]
    data = sent(open_with(at=at), "opened_model")
    level = ("model", "block", "part", "matrix", "cell").index(at.split(".")[0])
    assert data["level"] == level and data["place"]["stage"] == int(at.split(".")[1])


# The lab.


def open_with(text=None, **query):
    return open_lesson("transformer_block", text, **query)


def opened_by(name=BACK[0], text=SENTENCE, most=TOKENS_AT_MOST, left_out=()):
    """Return what core makes of a text, without one part if one is named."""
    model = attentive_model(name)
    network = without_part(model.network, *left_out) if left_out else model.network
    return open_gpt(network, model.read(text, most).ids)


def next_token(opened, t=-1):
    return opened.stages[-1]["output"].probabilities[t].numpy()


def numbers_of(data):
    return np.frombuffer(base64.b64decode(data["values"]), "<f4").reshape(len(data["rows"]), -1)


def named(key):
    return LESSON.words.label(f"which.{key}")


@OF_BOTH
def test_rows_with_a_plus_share_their_shades_and_every_other_row_has_its_own(name):
    data = sent(open_with(model=name), "opened_model")
    longest = numbers_of(data).max(1)
    adds = np.array([row["label"].startswith("+") for row in data["rows"]])
    reach = np.array([row["reach"] for row in data["rows"]])
    np.testing.assert_allclose(reach[adds], longest[adds].max(), rtol=1e-5)
    np.testing.assert_allclose(reach[~adds], longest[~adds], rtol=1e-5)


@OF_BOTH
def test_the_picture_opens_on_the_lengths_that_core_computes_and_the_next_token_of_the_whole_vocabulary(name):
    app = open_with(model=name, added="true")
    assert not app.exception
    opened, data = opened_by(name), sent(app, "opened_model")
    lengths = opened.added()
    np.testing.assert_allclose(numbers_of(data)[1:-2], lengths.flatten(0, 1), rtol=1e-5)
    p, table = next_token(opened), table_with(app, "logit")
    np.testing.assert_allclose(table["p"], np.sort(p)[::-1])
    assert len(table) == attentive_model(name).network.config.vocabulary_size
    assert data["panel"]["chances"]["top"][0]["p"] == pytest.approx(p.max())
    bars = [np.frombuffer(base64.b64decode(trace["y"]["bdata"]), "<f4") for trace in figure(app)["data"]]
    np.testing.assert_allclose(np.array(bars).T, lengths[:, :, -1], rtol=1e-5)


@pytest.mark.parametrize("text", THREE)
def test_the_sentence_names_the_longest_and_the_shortest_vector_and_the_likeliest_token(text):
    app = open_with(THREE[text], **({} if text == "default" else {"source": "from your text"}))
    lengths = numbers_of(sent(app, "opened_model"))[1:-2, -1]
    parts = part_ids(len(lengths) // 2)
    assert f"{named(parts[lengths.argmax()])} adds the longest vector (" in said(app)
    assert f"{named(parts[lengths.argmin()])} adds the shortest (" in said(app)
    assert f"is “{table_with(app, 'logit')['token'][0]}” (" in said(app)


def test_the_address_opens_one_cell_with_its_operands():
    app = open_with(at="cell.2.feed_forward.widened.1.5.100")
    opened, model = opened_by(), attentive_model(BACK[0])
    panel = sent(app, "opened_model")["panel"]
    one, other = (np.frombuffer(base64.b64decode(panel[side]), "<f4") for side in ("one", "other"))
    np.testing.assert_allclose(one, opened.stages[2]["norm_2"].read[4])
    np.testing.assert_allclose(other, model.network.blocks[1].feed_forward.widen.weight[99].detach())
    value = opened.stages[2]["feed_forward"].widened[4, 99].item()
    assert float(one @ other) == pytest.approx(value, rel=1e-4)
    assert float(panel["worked"].split("=")[-1]) == pytest.approx(value, rel=1e-3)
    assert panel["shape"] == f"T × 4C = {len(opened.ids)} × {4 * model.network.config.width}"
    assert panel["code"].startswith("widened = n @ W_1.T")


def test_what_the_picture_reports_is_the_place_that_the_address_then_holds(monkeypatch):
    kept = {}
    monkeypatch.setattr(type(LESSON), "set_query", lambda self, name, value: kept.update({name: value}))
    place = {"stage": 3, "part": "attention", "matrix": "weights", "head": 1, "token": 4, "number": 2}
    go({"level": 3, **place})
    assert kept == {"at": "matrix.3.attention.weights.2.5.3"}
    monkeypatch.undo()
    data = sent(open_with(**kept), "opened_model")
    assert data["place"] == place
    assert data["level"] == 3


@pytest.mark.parametrize("left_out", [(1, "feed_forward"), (3, "attention"), (0, "positions")], ids=str)
@pytest.mark.parametrize("text", [SENTENCE, PASTED])
def test_a_part_left_out_adds_nothing_and_the_probability_moves_as_the_page_says(text, left_out):
    stage, part = left_out
    which = f"{part}.{stage}" if stage else POSITIONS
    app = open_with(typed=text, off="true", which=which)
    whole, broken = opened_by(text=text), opened_by(text=text, left_out=left_out)
    before, after = next_token(whole), next_token(broken)
    likeliest = before.argmax()
    form = ".1%" if after[likeliest] > 0.0005 else ".2g"
    assert list(metrics(app).values()) == [format_value(p[likeliest], form) for p in (before, after)]
    assert "0.0%" not in metrics(app).values()
    moved = np.abs(before - after).sum() / 2
    assert f"Without {named(which)}, {moved:.1%} of the probability moves" in said(app)
    assert ("still the most probable" in said(app)) == (after.argmax() == likeliest)
    rows = numbers_of(sent(app, "opened_model"))
    np.testing.assert_allclose(rows[1:-2], broken.added().flatten(0, 1), rtol=1e-4, atol=1e-4)
    if stage:
        assert not rows[2 * stage - 1 + (part == "feed_forward")].any()


def test_before_the_guess_no_length_is_sent_and_the_answer_is_the_longest():
    app = open_with(predict="true", at="part.2.attention.weights.1.1.1")
    data = sent(app, "opened_model")
    assert not numbers_of(data).any()
    assert "longest vector (" not in said(app)
    assert not app.get("plotly_chart")
    longest = opened_by().added()[:, :, -1].flatten().argmax().item()
    guess(app, named(part_ids(4)[longest]))
    assert "Right." in said(app)
    assert sent(app, "opened_model")["level"] == 2


@pytest.mark.parametrize(
    "query",
    [
        {"typed": ""},
        {"typed": "\n\n\n", "off": "true"},
        {"typed": "x", "at": "cell.9.nowhere.weights.99.99.99"},
        {"typed": "早上好 مرحبا 👍🏽 <b>$a$ `c`</b>", "at": "matrix.5.output.logits.1.1.2048"},
        {"typed": "word " * 390, "at": "part.5.output.probabilities.1.64.1"},
        {"text": "", "source": "from your text"},
    ],
    ids=str,
)
@OF_BOTH
def test_no_text_and_no_address_breaks_the_lab(name, query):
    app = open_with(model=name, counts="true", added="true", **query)
    assert not app.exception
    assert not re.search(r"\b1 tokens", said(app))


@pytest.mark.parametrize("label", sorted(WHICH.was))
def test_an_old_address_with_a_part_s_label_leaves_that_part_out(label):
    key = WHICH.was[label]
    if key in (*part_ids(4), POSITIONS):
        app = open_with(model="GPT, byte pairs", off="true", which=label)
        assert f"Without {named(key)}" in said(app)
        assert app.session_state["transformer_block_model"] == BACK[0]


def test_how_many_numbers_there_are_is_counted():
    told = said(open_with(counts="true"))
    learned = sum(each.numel() for each in attentive_model(BACK[0]).network.parameters())
    assert f"has learned {learned:,} parameters" in told and "Reading 11 tokens computes" in told


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_prompt_brings_all_that_it_names(number):
    app = try_prompt(open_with(PASTED, source="from your text"), "transformer_block", number).run()
    assert not app.exception
    assert sent(app, "opened_model")["level"] == (4, 3, 0)[number - 1]
    assert bool(metrics(app)) == (number == 3)
