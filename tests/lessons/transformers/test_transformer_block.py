"""The opened block shows what core computes: the lengths, the cell that the address names, a part left out."""

import base64
import re

import numpy as np
import pytest

from core.figures.transformers.added_vectors import longest_said, part_names
from core.lesson.break_it import written
from core.lesson.choices.transformer_choice import LABELS
from core.models.self_attention.attentive_models import BACK, attentive_model
from core.models.transformers.opened_gpt import open_gpt, without_part
from pages.transformers.transformer_block import LESSON, POSITIONS, SENTENCE, TOKENS_AT_MOST, go
from tests.lessons.lesson_page import (
    figure,
    guess,
    metrics,
    open_lesson,
    said,
    sent,
    table_with,
    try_prompt,
)
from tests.lessons.n_grams.three_texts import PASTED, THREE

OF_BOTH = pytest.mark.parametrize("name", BACK)


def open_with(document=None, **query):
    return open_lesson("transformer_block", document, **query)


def opened_by(name=BACK[0], text=SENTENCE, most=TOKENS_AT_MOST, left_out=()):
    """Return what core makes of a text, without one part if one is named."""
    model = attentive_model(name)
    network = without_part(model.network, *left_out) if left_out else model.network
    return open_gpt(network, model.read(text, most).ids)


def next_token(opened, t=-1):
    return opened.stages[-1]["output"].probabilities[t].numpy()


def numbers_of(data):
    return np.frombuffer(base64.b64decode(data["values"]), "<f4").reshape(len(data["rows"]), -1)


@OF_BOTH
def test_rows_with_a_plus_share_their_shades_and_every_other_row_has_its_own_as_the_tour_says(name):
    app = open_with(model=LABELS[name], beat="transformer_block.1")
    data = sent(app, "opened_model")
    longest = numbers_of(data).max(1)
    adds = np.array([row["label"].startswith("+") for row in data["rows"]])
    reach = np.array([row["reach"] for row in data["rows"]])
    np.testing.assert_allclose(reach[adds], longest[adds].max(), rtol=1e-5)
    np.testing.assert_allclose(reach[~adds], longest[~adds], rtol=1e-5)
    assert "the longer that vector, the bluer the cell. A row without a plus has shades of its own." in said(
        app
    )


@OF_BOTH
def test_the_picture_opens_on_the_lengths_that_core_computes_and_the_next_token_of_the_whole_vocabulary(name):
    app = open_with(model=LABELS[name])
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
    names = part_names(len(lengths) // 2)
    assert f"{names[lengths.argmax()]} adds the longest vector (" in said(app)
    assert f"{names[lengths.argmin()]} the shortest (" in said(app)
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
    which = f"block {stage}'s {part.replace('_', '-')}" if stage else POSITIONS
    app = open_with(typed=text, off="true", which=which)
    whole, broken = opened_by(text=text), opened_by(text=text, left_out=left_out)
    before, after = next_token(whole), next_token(broken)
    likeliest = before.argmax()
    form = ".1%" if after[likeliest] > 0.0005 else ".2g"
    assert list(metrics(app).values()) == [written(p[likeliest], form) for p in (before, after)]
    assert "0.0%" not in metrics(app).values()
    moved = np.abs(before - after).sum() / 2
    assert f"Without {which} {moved:.1%} of the probability is elsewhere" in said(app)
    assert ("still the likeliest" in said(app)) == (after.argmax() == likeliest)
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
    guess(app, part_names(4)[longest])
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
        {"document": "", "source": "from your text"},
    ],
    ids=str,
)
@OF_BOTH
def test_no_text_and_no_address_breaks_the_page(name, query):
    app = open_with(model=LABELS[name], **query)
    assert not app.exception
    assert not re.search(r"\b1 tokens", said(app))


def test_the_shortest_and_the_longest_are_named_in_words_that_fit():
    assert longest_said(np.array([[3.0, 1.0], [2.0, 0.5]]), "a", 0) == (
        "At “a” (token 1) block 1's attention adds the longest vector (3.00), block 2's feed-forward the shortest (0.50)."
    )


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_prompt_brings_all_that_it_names(number):
    app = try_prompt(open_with(PASTED, source="from your text"), "transformer_block", number).run()
    assert not app.exception
    assert sent(app, "opened_model")["level"] == (4, 3, 0)[number - 1]
    assert bool(metrics(app)) == (number == 3)
