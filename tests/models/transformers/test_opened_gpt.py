"""A GPT opened computes what the GPT computes, transformers' GPT-2 and torch's encoder layer with the same weights."""

from functools import partial

import pytest
import torch
from torch import nn
from torch.nn import functional

from core.models.self_attention.gpt import GPT, Block, GPTConfig
from core.models.transformers.opened_gpt import open_block, open_gpt, without_part
from tests.peers.test_gpt_against_transformers import as_gpt2

CONFIG = GPTConfig(vocabulary_size=31, context=12, layers=3, heads=2, width=16)


@pytest.fixture(scope="module")
def network():
    torch.manual_seed(0)
    made = GPT(CONFIG).eval()
    for parameter in made.parameters():
        parameter.data += 0.2 * torch.randn_like(parameter)
    return made


@pytest.fixture(scope="module")
def ids():
    return torch.tensor([3, 1, 4, 1, 5, 9, 2, 6])


def test_streams_logits_and_probabilities_are_those_of_transformers_gpt2(network, ids):
    opened = open_gpt(network, ids)
    with torch.no_grad():
        theirs = as_gpt2(network)(ids[None], output_hidden_states=True)
    assert_close = partial(torch.testing.assert_close, atol=1e-5, rtol=1e-5)
    assert_close(opened.stages[0]["embedding"].stream, theirs.hidden_states[0][0])
    for layer in (1, 2):
        assert_close(opened.stages[layer]["add_2"].after, theirs.hidden_states[layer][0])
    assert_close(opened.stages[-1]["norm"].read, theirs.hidden_states[-1][0])
    output = opened.stages[-1]["output"]
    assert_close(output.logits, theirs.logits[0])
    assert_close(output.probabilities, theirs.logits[0].softmax(-1))


def as_encoder_layer(block: Block, width: int) -> nn.TransformerEncoderLayer:
    """Return torch's layer with the weights of a block; the biases that ours has not are nought."""
    gelu = partial(functional.gelu, approximate="tanh")
    options = {"dim_feedforward": 4 * width, "dropout": 0.0, "norm_first": True, "batch_first": True}
    layer = nn.TransformerEncoderLayer(width, block.attention.heads, activation=gelu, **options).eval()
    for parameter in layer.parameters():
        parameter.data.zero_()
    own = {
        "self_attn.in_proj_weight": block.attention.to_query_key_value.weight,
        "self_attn.out_proj.weight": block.attention.project.weight,
        "linear1.weight": block.feed_forward.widen.weight,
        "linear2.weight": block.feed_forward.project.weight,
        "norm1.weight": block.norm_before_attention.weight,
        "norm1.bias": block.norm_before_attention.bias,
        "norm2.weight": block.norm_before_feed_forward.weight,
        "norm2.bias": block.norm_before_feed_forward.bias,
    }
    assert not layer.load_state_dict({k: v.detach() for k, v in own.items()}, strict=False).unexpected_keys
    return layer


def test_a_block_is_torch_s_transformer_encoder_layer_under_a_causal_mask(network):
    torch.manual_seed(1)
    x = 3 * torch.randn(7, CONFIG.width)
    mask = nn.Transformer.generate_square_subsequent_mask(7)
    with torch.no_grad():
        for block in network.blocks:
            theirs = as_encoder_layer(block, CONFIG.width)(x[None], src_mask=mask)[0]
            torch.testing.assert_close(open_block(block, x)["add_2"].after, theirs, atol=1e-5, rtol=1e-5)


def test_weights_and_probabilities_sum_to_one_and_no_row_looks_ahead(network, ids):
    opened = open_gpt(network, ids)
    T = len(ids)
    for stage in opened.stages[1:-1]:
        weights = stage["attention"].weights
        torch.testing.assert_close(weights.sum(-1), torch.ones(2, T))
        assert not weights.triu(1).any()
        read = stage["norm_1"].normed
        torch.testing.assert_close(read.mean(-1), torch.zeros(T), atol=1e-5, rtol=0)
        torch.testing.assert_close(read.var(-1, unbiased=False), torch.ones(T), atol=1e-3, rtol=0)
    torch.testing.assert_close(opened.stages[-1]["output"].probabilities.sum(-1), torch.ones(T))


def test_a_later_token_changes_no_earlier_number(network, ids):
    opened, other = open_gpt(network, ids), open_gpt(network, torch.cat([ids[:-1], torch.tensor([0])]))
    for stage, changed in zip(opened.stages, other.stages, strict=True):
        for name, part in stage.items():
            last = list(vars(part).values())[-1]
            theirs = list(vars(changed[name]).values())[-1]
            torch.testing.assert_close(last[:-1], theirs[:-1])
            assert (last[-1] - theirs[-1]).abs().max() > 1e-4 or name == "position"


def test_the_lengths_of_what_is_added_are_those_of_the_parts(network, ids):
    opened = open_gpt(network, ids)
    added = opened.added()
    assert added.shape == (3, 2, len(ids))
    gathered, written = opened.stages[2]["attention"].gathered, opened.stages[2]["feed_forward"].written
    assert added[1, 0, 4] == pytest.approx(gathered[4].square().sum().sqrt().item())
    assert added[1, 1, 4] == pytest.approx(written[4].square().sum().sqrt().item())


@pytest.mark.parametrize("part", ["attention", "feed_forward"])
def test_a_part_that_is_left_out_adds_nothing_and_what_stands_before_it_stays(network, ids, part):
    whole, broken = open_gpt(network, ids), open_gpt(without_part(network, 2, part), ids)
    place = ("attention", "feed_forward").index(part)
    assert not broken.added()[1, place].any()
    torch.testing.assert_close(broken.stages[1]["add_2"].after, whole.stages[1]["add_2"].after)
    assert (broken.stages[-1]["output"].logits - whole.stages[-1]["output"].logits).abs().max() > 1e-3
    assert open_gpt(network, ids).added()[1, place].all(), "the model itself has been changed"


def test_without_places_two_like_tokens_begin_alike(network):
    stream = (
        open_gpt(without_part(network, 0, "positions"), torch.tensor([5, 5])).stages[0]["embedding"].stream
    )
    torch.testing.assert_close(stream[0], stream[1])


@pytest.mark.parametrize("T", [0, 13])
def test_no_token_and_too_many_are_refused(network, T):
    with pytest.raises(ValueError, match=f"1 to 12 tokens at once; the text has {T}"):
        open_gpt(network, torch.zeros(T, dtype=torch.long))
