"""The logit lens reads the model's own streams through the model's own norm and unembedding."""

import math

import pytest
import torch
from torch.nn import functional

from core.models.self_attention.ablation import mean_bits
from core.models.self_attention.attentive_models import attentive_model
from core.models.self_attention.gpt import GPT, GPTConfig
from core.models.transformers.logit_lens import lens_over, log_p_of, logit_lens, rank_of, settled_after


@pytest.fixture(scope="module")
def small():
    torch.manual_seed(3)
    network = GPT(GPTConfig(vocabulary_size=11, context=9, layers=3, heads=2, width=8)).eval()
    for parameter in network.parameters():  # a norm that does something, and weights that disagree
        parameter.data += 0.3 * torch.randn_like(parameter)
    return network, torch.tensor([1, 4, 4, 10, 0, 7])


def hooked(network, ids):
    """Return each block's input and the last block's output, as torch's own hooks see them."""
    seen = []
    handles = [block.register_forward_pre_hook(lambda _, x: seen.append(x[0][0])) for block in network.blocks]
    handles.append(network.blocks[-1].register_forward_hook(lambda _, __, out: seen.append(out[0][0])))
    with torch.no_grad():
        logits = network(ids[None])[0][0]
    for handle in handles:
        handle.remove()
    return torch.stack(seen), logits


def test_streams_are_those_that_torch_s_hooks_see_and_the_last_reading_is_the_model_s_own(small):
    network, ids = small
    streams, logits = hooked(network, ids)
    found = logit_lens(network, ids)
    torch.testing.assert_close(found.streams, streams)
    torch.testing.assert_close(found.log_p[-1].float(), logits.log_softmax(-1))
    assert found.answers.tolist() == logits.argmax(-1).tolist()
    normed = functional.layer_norm(streams[1], (8,), network.final_norm.weight, network.final_norm.bias)
    expected = functional.linear(normed, network.token_embedding.weight).log_softmax(-1)
    torch.testing.assert_close(found.log_p[1].float(), expected.detach())


def test_without_the_norm_the_stream_itself_is_read(small):
    network, ids = small
    streams, _ = hooked(network, ids)
    expected = (streams @ network.token_embedding.weight.T).log_softmax(-1).detach()
    torch.testing.assert_close(logit_lens(network, ids, normed=False).log_p.float(), expected)


def test_a_place_is_settled_after_the_last_reading_that_says_something_else():
    says = torch.tensor([[1, 1, 2, 3], [2, 1, 1, 3], [1, 1, 2, 3], [1, 1, 1, 3]])
    assert settled_after(says, torch.tensor([1, 1, 1, 4])).tolist() == [2, 0, 3, 4]


def test_rank_counts_what_is_likelier_and_entropy_is_torch_s(small):
    network, ids = small
    found = logit_lens(network, ids)
    order = found.log_p.argsort(-1, descending=True)
    tokens = torch.tensor([3, 0, 9, 10, 2, 5])
    place = (order == tokens[:, None]).nonzero()[:, -1].view(4, 6) + 1
    assert rank_of(found.log_p, tokens).tolist() == place.tolist()
    assert (rank_of(found.log_p, found.answers)[-1] == 1).all()
    expected = torch.distributions.Categorical(logits=found.log_p).entropy() / math.log(2)
    torch.testing.assert_close(found.bits, expected)
    torch.testing.assert_close(log_p_of(found.log_p, tokens)[2, 3], found.log_p[2, 3, 10])


def test_measures_over_texts_are_sums_over_their_places(small):
    network, ids = small
    texts = [ids, ids[:1], ids[2:5]]
    measured = lens_over(network, texts)
    assert measured.n == 5 + 2
    settled, right = [0] * 4, [0] * 4
    for text in (ids, ids[2:5]):
        found = logit_lens(network, text)
        for layer in range(4):
            for t in range(len(text) - 1):
                right[layer] += int(found.says[layer, t] == text[t + 1])
                settled[layer] += all(found.says[k, t] == found.answers[t] for k in range(layer, 4))
    assert (measured.settled, measured.right) == (settled, right)
    assert measured.settled[-1] == measured.n
    assert lens_over(network, [ids[:1]]).n == 0


def test_the_last_layer_s_bits_are_those_of_the_model_and_its_entropy_is_below_log_v():
    model = attentive_model("char_gpt")
    ids = model.read("The king said to the queen, Come.").ids
    measured = lens_over(model.network, [ids])
    assert measured.bits[-1] == pytest.approx(mean_bits(model, [ids]), abs=1e-5)
    assert max(measured.entropy) <= math.log2(len(model.vocabulary))
