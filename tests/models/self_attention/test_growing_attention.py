"""The steps end in what the network computes; one matrix makes scores symmetric and two do not."""

import torch

from core.models.self_attention.gpt import GPT, GPTConfig
from core.models.self_attention.gpt_trace import trace
from core.models.self_attention.growing_attention import grow, with_one_matrix

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
    grown, own = grow(NETWORK, IDS, 1, head=1), trace(NETWORK, IDS).layers[1].attention
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
    for layer in trace(with_one_matrix(NETWORK), IDS).layers:
        torch.testing.assert_close(layer.attention.scores, layer.attention.scores.mT)
