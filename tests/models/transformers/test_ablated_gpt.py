"""GPTs without a piece compute what their formula says, and begin from the same numbers."""

import pytest
import torch
from torch import nn
from torch.nn import functional

from core.models.fit_language_model import FitConfig, Fitting
from core.models.self_attention.attention import causal_mask
from core.models.self_attention.gpt import GPT, GPTConfig
from core.models.transformers.ablated_gpt import FORMS, WHOLE, AblatedGPT

SHAPE = GPTConfig(vocabulary_size=11, context=8, layers=2, heads=2, width=8)
IDS = torch.tensor([[3, 1, 4, 1, 5]])


def made(form, seed=1):
    """Return a network of a form whose norms and weights are far from their first values."""
    torch.manual_seed(seed)
    network = AblatedGPT(SHAPE, FORMS[form])
    with torch.no_grad():
        for name, parameter in network.named_parameters():
            if parameter.requires_grad and not name.endswith("bias"):
                parameter.add_(0.4 * torch.randn_like(parameter))
    return network.eval()


def test_the_whole_is_the_course_s_gpt():
    network, gpt = made(WHOLE), GPT(SHAPE)
    gpt.load_state_dict(network.state_dict())
    torch.testing.assert_close(network(IDS)[0], gpt(IDS)[0])


@pytest.mark.parametrize("form", [WHOLE, "post-norm"])
def test_both_places_of_the_norm_are_those_of_torch(form):
    network = made(form)
    x = network.token_embedding(IDS) + network.position_embedding.weight[:5]
    for block in network.blocks:
        layer = nn.TransformerEncoderLayer(
            SHAPE.width,
            SHAPE.heads,
            4 * SHAPE.width,
            dropout=0.0,
            activation=lambda x: functional.gelu(x, approximate="tanh"),
            batch_first=True,
            norm_first=form == WHOLE,
            bias=False,
        )
        copied = {
            "self_attn.in_proj_weight": block.attention.to_query_key_value.weight,
            "self_attn.out_proj.weight": block.attention.project.weight,
            "linear1.weight": block.feed_forward.widen.weight,
            "linear2.weight": block.feed_forward.project.weight,
            "norm1.weight": block.norm_before_attention.weight,
            "norm2.weight": block.norm_before_feed_forward.weight,
        }
        layer.load_state_dict(copied)
        x = layer(x, src_mask=causal_mask(5))
    logits = network.final_norm(x) @ network.token_embedding.weight.T
    torch.testing.assert_close(network(IDS)[0], logits, atol=1e-5, rtol=1e-5)
    assert isinstance(network.final_norm, nn.Identity) == (form == "post-norm")


def parts_of(block, x):
    """Return what a block's two parts make of x, each with its norm as the block has it."""
    gathered = block.attention(block.norm_before_attention(x))[0]
    return gathered, lambda y: block.feed_forward(block.norm_before_feed_forward(y))


@torch.no_grad()
def test_without_the_residual_each_part_s_output_is_all_that_goes_on():
    block, x = made("no residual").blocks[0], torch.randn(1, 5, 8)
    gathered, fed = parts_of(block, x)
    torch.testing.assert_close(block(x)[0], fed(gathered))


@torch.no_grad()
def test_without_norms_parts_read_and_add_to_the_stream_as_it_is():
    block, x = made("no norm").blocks[0], torch.randn(1, 5, 8)
    middle = x + block.attention(x)[0]
    torch.testing.assert_close(block(x)[0], middle + block.feed_forward(middle))
    assert not any("norm" in name for name, _ in made("no norm").named_parameters())


@torch.no_grad()
def test_without_feed_forward_networks_attention_alone_adds():
    network = made("no feed-forward")
    block, x = network.blocks[0], torch.randn(1, 5, 8)
    torch.testing.assert_close(block(x)[0], x + parts_of(block, x)[0])
    assert not any("feed_forward" in name for name, _ in network.named_parameters())


@torch.no_grad()
def test_without_positions_one_layer_cannot_tell_the_order_of_the_past():
    torch.manual_seed(1)
    one = GPTConfig(vocabulary_size=11, context=8, layers=1, heads=2, width=8)
    without, whole = AblatedGPT(one, FORMS["no positions"]), AblatedGPT(one, FORMS[WHOLE])
    turned = IDS[:, [1, 0, 3, 2, 4]]
    torch.testing.assert_close(without(IDS)[0][0, -1], without(turned)[0][0, -1])
    assert not torch.allclose(whole(IDS)[0][0, -1], whole(turned)[0][0, -1], atol=1e-6)


def test_positions_that_were_left_out_are_not_learnt():
    network = made("no positions")
    fitting = Fitting(network, torch.arange(40) % 11, FitConfig(steps=2, batch=2, window=8))
    assert fitting.step() > 0
    assert network.position_embedding.weight.count_nonzero() == 0
    assert network.token_embedding.weight.grad.count_nonzero() > 0


@pytest.mark.parametrize("form", FORMS)
def test_a_form_begins_from_the_same_numbers_as_the_whole(form):
    torch.manual_seed(3)
    whole = AblatedGPT(SHAPE, FORMS[WHOLE]).state_dict()
    torch.manual_seed(3)
    network = AblatedGPT(SHAPE, FORMS[form]).state_dict()
    assert set(network) <= set(whole)
    for name, tensor in network.items():
        if form != "no positions" or "position" not in name:
            torch.testing.assert_close(tensor, whole[name])


@torch.no_grad()
@pytest.mark.parametrize("form", FORMS)
def test_a_form_reads_on_with_its_cache_as_it_reads_at_once(form):
    network = made(form)
    first, caches = network(IDS[:, :3])
    then, _ = network(IDS[:, 3:], caches)
    torch.testing.assert_close(torch.cat((first, then), dim=1), network(IDS)[0], atol=1e-5, rtol=1e-5)
