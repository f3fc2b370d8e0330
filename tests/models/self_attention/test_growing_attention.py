"""The steps end in what the network computes; one matrix makes scores symmetric and two do not."""

import torch

from core.models.self_attention.attention_scaling import entropy
from core.models.self_attention.gpt import GPT, GPTConfig
from core.models.self_attention.gpt_trace import trace_gpt
from core.models.self_attention.growing_attention import (
    asymmetry,
    grow,
    pair_through,
    same_both_ways,
    with_one_matrix,
)

IDS = torch.tensor([3, 1, 4, 1, 5])
torch.manual_seed(0)
NETWORK = GPT(GPTConfig(7, context=8, layers=2, heads=2, width=16, causal=False)).requires_grad_(False)
for parameter in NETWORK.parameters():
    parameter.data *= 5


def test_the_last_step_is_what_the_layer_adds_to_its_stream():
    for layer in (0, 1):
        grown = grow(NETWORK, IDS, layer, head=1)
        torch.testing.assert_close(grown.together.output, grown.gathered)


def test_the_scaled_head_is_the_network_s_own():
    grown, own = grow(NETWORK, IDS, 1, head=1), trace_gpt(NETWORK, IDS).layers[1].attention
    torch.testing.assert_close(grown.steps[-1].trace.weights, own.weights[1])
    torch.testing.assert_close(grown.together.heads.weights, own.weights)


def test_scores_are_symmetric_until_queries_and_keys_part():
    scores = [step.trace.scores for step in grow(NETWORK, IDS, 0, head=0).steps]
    for symmetric in scores[:3]:
        torch.testing.assert_close(symmetric, symmetric.T)
    assert not torch.allclose(scores[3], scores[3].T)


def test_a_plain_average_gives_every_token_the_same():
    average = grow(NETWORK, IDS, 0, head=0).steps[0].trace
    assert (average.weights == 1 / 5).all()
    torch.testing.assert_close(average.context, average.value.mean(0).expand(5, -1))


def test_with_one_matrix_every_head_s_scores_are_symmetric():
    for layer in trace_gpt(with_one_matrix(NETWORK), IDS).layers:
        torch.testing.assert_close(layer.attention.scores, layer.attention.scores.mT)


def test_a_pair_is_followed_through_the_steps_as_the_softmax_reads_it():
    steps = grow(NETWORK, IDS, 1, head=0).steps
    found = pair_through(steps, 1, 3)
    assert [step.step for step in found] == [step.name for step in steps]
    last, own = found[-1], steps[-1].trace
    assert (last.score_a_to_b, last.score_b_to_a) == (own.scaled[1, 3].item(), own.scaled[3, 1].item())
    assert (last.weight_a_to_b, last.weight_b_to_a) == (own.weights[1, 3].item(), own.weights[3, 1].item())
    assert last.entropy_of_row_a == -(own.weights[1] * own.weights[1].log2()).sum().item()
    assert not same_both_ways(own.scores, 1, 3)
    assert same_both_ways(steps[2].trace.scores, 1, 3)


def test_one_matrix_takes_the_asymmetry_away():
    whole, broken = (
        grow(each, IDS, 1, head=1).steps[-1].trace for each in (NETWORK, with_one_matrix(NETWORK))
    )
    assert asymmetry(whole.scores) > 0.1
    assert asymmetry(broken.scores) < 1e-3


def test_divided_by_the_root_every_row_is_at_least_as_soft():
    steps = grow(NETWORK, IDS, 1, head=1).steps
    assert (entropy(steps[4].trace.weights) >= entropy(steps[3].trace.weights) - 1e-6).all()
