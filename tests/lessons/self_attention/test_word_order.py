"""Attention and word order: every number of the story by hand, and what the lab says of any text and shuffle."""

import math
import re
from itertools import permutations

import numpy as np
import pytest
import torch
from torch.nn import functional

from core.models.self_attention.ablation import ablated_token_bits, windows
from core.models.self_attention.attentive_models import attentive_model
from core.models.self_attention.gpt_trace import trace_gpt
from core.text.samples.shelf import sample, shelf
from pages.self_attention.word_order.page import placeless, read_line
from tests.lessons.lesson_page import (
    document,
    figure,
    guess,
    metrics,
    open_lesson,
    picture,
    question,
    said,
    said_in,
)

SENTENCES = ("The man loved the king.", "The king loved the man.")
SWAP = [0, 4, 2, 3, 1, 5]


def words(beat, revealed=False, **changes):
    return said_in(document("word_order", beat, revealed, **changes))


def values_of(line):
    return [bar["value"] for bar in line["bars"]["values"]]


# The story.


def test_the_two_sentences_are_the_same_tokens_of_the_masked_model():
    model = attentive_model("word_masked")
    first, second = (model.read(text).ids for text in SENTENCES)
    assert first[SWAP].tolist() == second.tolist()
    lines = picture("word_order", "notices")["lines"]
    assert [[token["text"] for token in line["tokens"]] for line in lines] == [
        "The man loved the king .".split(),
        "The king loved the man .".split(),
    ]
    hues = [{token["id"]: token["hue"] for token in line["tokens"]} for line in lines]
    assert hues[0] == hues[1], "one token has one hue"


def test_with_positions_every_output_moves_and_that_of_king_most():
    model = attentive_model("word_masked")
    first, second = (model.trace(model.read(text).ids).final for text in SENTENCES)
    by_hand = [float((first[SWAP[t]] - second[t]).norm() / first[SWAP[t]].norm()) for t in SWAP]
    drawn = picture("word_order", "notices")["lines"][0]
    assert values_of(drawn) == pytest.approx(by_hand, abs=1e-3)
    assert max(by_hand) == by_hand[4] and f"{by_hand[4]:.0%}" == "71%" and min(by_hand) > 0.2
    assert "moves by 71% of its length" in words("notices")


def test_without_positions_no_output_moves_and_both_strips_of_a_token_are_the_same():
    asked, answered = (document("word_order", "without", revealed) for revealed in (False, True))
    assert answered["ask"]["answer"] == "none" and "0 of 6 outputs move" in said_in(answered)
    assert all(line["cells"] is None for line in asked["picture"]["data"]["lines"])
    assert (
        values_of(asked["picture"]["data"]["lines"][0]) == [None] * 6
    )  # a bar of height 0 would be the answer
    above, below = answered["picture"]["data"]["lines"]
    strips = {
        token["id"]: cells for token, cells in zip(below["tokens"], below["cells"]["values"], strict=True)
    }
    for token, cells in zip(above["tokens"], above["cells"]["values"], strict=True):
        assert cells == pytest.approx(strips[token["id"]], abs=2e-3)
    assert len({tuple(each) for each in strips.values()}) == 6, "different tokens have different strips"


def test_a_query_s_weights_without_positions_are_a_softmax_of_products_of_word_vectors():
    model = attentive_model("word_masked")
    block, d = model.network.blocks[0], 32
    with torch.no_grad():
        x = block.norm_before_attention(model.network.token_embedding(model.read(SENTENCES[0]).ids))
        query, key, _ = block.attention.to_query_key_value(x).chunk(3, dim=-1)
        by_hand = functional.softmax(key[:, :d] @ query[2, :d] / math.sqrt(d), dim=0).tolist()
    above, below = picture("word_order", "weights")["lines"]
    assert values_of(above) == pytest.approx(by_hand, abs=1e-3)
    assert values_of(below) == pytest.approx([by_hand[s] for s in SWAP], abs=1e-3)
    assert f"{by_hand[4]:.2f}" == "0.13" and "the weight 0.13 in both sentences" in words("weights")
    assert [token["id"] for token in above["tokens"] if token["on"]] == [2]


@pytest.mark.parametrize("number", [1, 2, 100, 360, 720])
def test_in_any_order_without_positions_the_outputs_go_along_with_their_tokens(number):
    drawn = document("word_order", "any", order=number)
    order = list(permutations(range(6)))[number - 1]
    above, below = drawn["picture"]["data"]["lines"]
    assert [token["id"] for token in below["tokens"]] == list(order)
    for place, token in enumerate(order):
        assert below["cells"]["values"][place] == pytest.approx(above["cells"]["values"][token], abs=2e-3)
    assert "<strong>0</strong> of 6" in drawn["done"] and "720" in said_in(drawn)
    assert read_line(order, False).still < 6 or number == 1, "with positions they move"


def test_a_token_s_input_is_its_embedding_plus_that_of_its_position():
    network = attentive_model("word_masked").network
    king = attentive_model("word_masked").read(SENTENCES[0]).ids[4]
    word = network.token_embedding.weight.detach()[king].numpy()
    at = network.position_embedding.weight.detach().numpy()
    rows = [row["cells"] for row in picture("word_order", "sum")["rows"]]
    for start, t in ((0, 4), (3, 1)):
        for cells, vector in zip(rows[start : start + 3], (word, at[t], word + at[t]), strict=True):
            assert cells == pytest.approx(vector[:32].tolist(), abs=1e-3)
    far = np.linalg.norm(at[4] - at[1]) / np.linalg.norm(word + at[4])
    assert f"by {far:.0%} of their length" in words("sum") and f"{far:.0%}" == "80%"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("Only he saw the king", "outputs move. “"),
        ("a", "One token has only one order"),
        ("", "outputs move. “"),
        ("Heute war es sehr kalt", "We draw the first 8 tokens"),
        ("🦜 مرحبا", "outputs move. “"),
    ],
)
def test_the_learner_s_sentence_is_shuffled_whatever_it_is(line, told):
    changed = document("word_order", "own", line=line, mix=3)
    assert told in re.sub("<[^>]*>", "", changed["done"])
    assert 1 <= len(changed["picture"]["data"]["lines"][0]["tokens"]) <= 8


def test_a_gpt_without_positions_still_moves_every_output_from_the_first_swapped_word_on():
    model = attentive_model("word_gpt")
    first, second = (model.read(text).ids for text in SENTENCES)
    order = [0, 1, 5, 3, 4, 2, 6]
    assert first[order].tolist() == second.tolist()
    network = placeless("word_gpt")
    one, other = trace_gpt(network, first).final, trace_gpt(network, second).final
    by_hand = [float((one[s] - other[order.index(s)]).norm() / one[s].norm()) for s in range(7)]
    drawn = values_of(picture("word_order", "mask")["lines"][0])
    assert drawn == pytest.approx(by_hand, abs=1e-3)
    assert max(by_hand[:2]) < 1e-4 and min(by_hand[2:]) > 0.1
    assert "5 of 7 outputs still move" in words("mask")
    assert "attend to 5 earlier tokens, in the second only to 2" in words("mask")


def test_without_positions_hamlet_costs_as_much_as_a_blind_guess():
    text, model = sample("hamlet").read().text, attentive_model("word_masked")
    runs = windows(model, text[int(0.9 * len(text)) :], 8)
    kept, lost = (
        [ablated_token_bits(model, ids, net) for ids in runs] for net in (None, placeless("word_masked"))
    )
    for one, other in zip(kept, lost, strict=True):
        assert other.mean() > 2 * one.mean(), "the fold says so of every window"
    costs = [f"{np.concatenate(each).mean():.1f}" for each in (kept, lost)]
    assert costs == ["4.6", "11.1"] and f"{math.log2(2049):.1f}" == "11.0"
    assert "costs 4.6 bits" in words("worth") and "costs 11.1 bits" in words("worth")
    drawn = picture("word_order", "worth")["panels"][0]["rows"]
    assert [row["text"] for row in drawn] == ["4.6", "11.1", "11.0"]


def test_the_end_shows_all_outputs_move_with_positions_and_none_without():
    above, below = picture("word_order", "answer")["lines"]
    assert min(values_of(above)) > 0.2 and max(values_of(below)) < 1e-3
    assert "moves 6 of 6 outputs" in words("answer") and "Without them it moves 0" in words("answer")


# The lab.


PLAY = next(each for each in shelf() if "Macbeth" in each.title)
TEXTS = {
    "the default": {},
    "a play": {"text": PLAY.read().text, "source": "from your text", "sentence": 40},
    "a short text": {"text": "The dog saw the man. He ran away.", "source": "from your text"},
}


def opened(settings, **more):
    given = dict(settings)
    text = given.pop("text", None)
    return open_lesson("word_order", *([text] if text else []), **given, **more)


@pytest.mark.parametrize("settings", TEXTS.values(), ids=TEXTS)
def test_without_positions_the_masked_model_gives_the_same_outputs_in_another_order(settings):
    whole, broken = opened(settings), opened(settings, no_positions="true")
    moved = re.search(r"With positions, \*\*(\d+)\*\* of (\d+) outputs", said(whole))
    still = re.search(r"Without positions, \*\*(\d+)\*\* of (\d+) outputs", said(broken))
    assert int(moved[1]) < int(moved[2])
    assert still[1] == still[2]
    assert figure(broken) != figure(whole)


@pytest.mark.parametrize("model", ["GPT, byte pairs", "word_gpt"])
@pytest.mark.parametrize("settings", TEXTS.values(), ids=TEXTS)
def test_a_causal_model_s_outputs_move_without_positions_too(settings, model):
    app = opened(settings, model=model, no_positions="true")
    still = re.search(r"Without positions, \*\*(\d+)\*\* of (\d+) outputs (are|is) the same", said(app))
    assert (still[3] == "is") == (still[1] == "1")
    assert int(still[1]) < int(still[2])
    assert f"the shuffle moves {int(still[2]) - int(still[1])} output" in said(app)


@pytest.mark.parametrize("settings", TEXTS.values(), ids=TEXTS)
def test_where_a_text_costs_no_more_without_positions_the_page_says_so(settings):
    app = opened(settings, worth="true")
    shown = metrics(app)
    whole, broken = (float(shown[label]) for label in shown)
    found = re.search(r"On these (\d+) tokens the model does no worse without its positions", said(app))
    assert bool(found) == (broken <= whole)


def test_the_heads_of_both_orders_are_drawn_in_their_fold():
    app = open_lesson("word_order", heads="true", layer=2, head=3)
    assert not app.exception
    assert "Layer 2, head 3. A row is a query" in said(app)


def test_the_outputs_are_hidden_until_the_guess():
    asked = open_lesson("word_order", predict="true")
    assert question(asked).options == ["all of them", "some of them", "none of them"]
    assert "the same after the shuffle" not in said(asked)
    assert "the same after the shuffle" in said(guess(asked))


def test_a_text_of_one_token_cannot_be_shuffled_and_the_rest_of_the_page_stays():
    app = open_lesson("word_order", typed="a")
    assert not app.exception
    assert "A shuffle needs two tokens" in said(app)
    assert app.tabs
