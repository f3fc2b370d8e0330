"""What counts as copying is found where it was built in, and not where nothing is looked up."""

import numpy as np
import pytest
import torch

from core.figures.transformers.gpt_writes import INDUCTION, heads_said, switched_off_said, twice_said
from core.models.self_attention.attentive_models import attentive_model
from core.models.self_attention.gpt import GPT, GPTConfig
from core.models.self_attention.gpt_trace import trace
from core.models.transformers.copying import (
    Copying,
    copying,
    copying_without,
    looking_alike,
    repeated,
    with_mark,
)


@pytest.fixture(scope="module")
def measured():
    model = attentive_model("char_gpt")
    x = with_mark(model, repeated(len(model.vocabulary), 12, sequences=3, seed=9))
    return model, x, copying(model.network, x)


def test_a_score_is_the_weight_on_what_followed_the_same_token(measured):
    model, x, found = measured
    layer, head = found.best
    by_hand = []
    for ids in x:
        weights = trace(model.network, ids).layers[layer].attention.weights[head]
        for q in range(13, 24):
            before = ids[1:q].tolist().index(int(ids[q])) + 1
            by_hand.append(weights[q, before + 1].item())
    assert found.scores[layer, head] == pytest.approx(np.mean(by_hand), rel=1e-5)


def test_bits_are_those_of_the_network(measured):
    model, x, found = measured
    ln_p = model.network(x)[0].double().log_softmax(-1)
    assert found.second[2, 0] == pytest.approx(-ln_p[2, 13, x[2, 14]].item() / np.log(2), rel=1e-5)
    assert found.first[2, 0] == pytest.approx(-ln_p[2, 1, x[2, 2]].item() / np.log(2), rel=1e-5)


def test_a_head_that_is_off_changes_the_bits(measured):
    model, x, found = measured
    assert copying_without(model.network, x, [found.best]).second.mean() != found.second.mean()


def test_a_head_that_looks_everywhere_alike_has_the_score_that_is_said():
    torch.manual_seed(0)
    network = GPT(GPTConfig(30, 41, 1, 2, 8)).eval()
    network.blocks[0].attention.to_query_key_value.weight.data[:8] = 0.0  # no queries
    x = torch.cat((torch.zeros(3, 1, dtype=torch.long), repeated(30, 20, sequences=3)), 1)
    assert copying(network, x).scores == pytest.approx(np.full((1, 2), looking_alike(20)), rel=1e-5)


def test_sentences_follow_the_numbers():
    bits = np.random.default_rng(0).normal(5, 0.1, (8, 6))
    scores = np.array([[0.1, 0.93]])
    assert "An induction head" in heads_said("it", Copying(bits, bits - 3, scores), 0.02)
    assert "No induction head" in heads_said("it", Copying(bits, bits, scores * INDUCTION), 0.02)
    assert "2.83 and 3.17 less" in twice_said(
        Copying(bits, bits - 3 - np.linspace(-0.289, 0.289, 8)[:, None], scores)
    )
    assert "more (95%" in twice_said(Copying(bits, bits + 1 + bits.mean(1, keepdims=True) / 50, scores))
    around = bits + np.array([1, -1] * 4)[:, None]
    assert "no difference that 8 sequences could show" in twice_said(Copying(bits, around, scores))
    assert "on this one text of 7 tokens" in twice_said(Copying(bits[:1], bits[:1], scores))


def test_a_head_switched_off_is_judged_by_both_times_of_which_only_one_can_copy():
    rows = np.full((4, 3), 5.0)
    wobble = np.array([-0.1, 0.1, -0.1, 0.1])[:, None]
    off = Copying(rows + 1 + wobble, rows - 2 + wobble, np.zeros((1, 1)))
    said = switched_off_said(Copying(rows, rows, np.zeros((1, 1))), off)
    assert "first time +1.00 bits a token (95% interval +0.82 to +1.18)" in said  # 3.182 * 0.1155 / 2
    assert "second time −2.00 bits a token (95% interval −2.18 to −1.82)" in said
    assert "on 4 sequences" in said
    assert "interval" not in switched_off_said(
        Copying(rows[:1], rows[:1], np.zeros((1, 1))), Copying(rows[:1], rows[:1] + 1, np.zeros((1, 1)))
    )
