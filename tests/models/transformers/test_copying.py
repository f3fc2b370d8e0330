"""What counts as copying is found where it was built in, and not where nothing is looked up."""

import numpy as np
import pytest
import torch

from core.models.self_attention.attentive_models import attentive_model
from core.models.self_attention.gpt import GPT, GPTConfig
from core.models.self_attention.gpt_trace import trace_gpt
from core.models.transformers.copying import (
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
        weights = trace_gpt(model.network, ids).layers[layer].attention.weights[head]
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
