"""The transformer that translates: against torch's own, and what its masks and its distances promise."""

import hypothesis.strategies as st
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from torch.nn.functional import gelu

from core.models.self_attention.attention import causal_mask
from core.models.transformers.broken_encoder_decoder import without_cross_attention, without_mask
from core.models.transformers.encoder_decoder import EncoderDecoder, EncoderDecoderConfig

SHAPE = EncoderDecoderConfig(12, 15, encoder_layers=2, decoder_layers=2, heads=2, width=8, farthest=3)
SOURCE = torch.tensor([[5, 6, 7, 8, 9], [4, 4, 11, 0, 0]])
PREVIOUS = torch.tensor([[1, 5, 6, 7], [1, 9, 3, 14]])


@pytest.fixture(scope="module")
def model():
    torch.manual_seed(3)
    made = EncoderDecoder(SHAPE).eval()
    for parameter in made.parameters():
        torch.nn.init.normal_(parameter, std=0.4)
    return made


def copied(theirs, ours, pairs):
    """Put our weights, which have no biases, where torch keeps its own."""
    for name, module in pairs.items():
        own = ours.get_submodule(module)
        for kind, value in own.named_parameters():
            theirs.get_submodule(name).get_parameter(kind).data.copy_(value)


def attention_copied(theirs, ours):
    stacked = [ours.to_query.weight, ours.to_key.weight, ours.to_value.weight]
    theirs.in_proj_weight.data.copy_(torch.cat(stacked))
    theirs.out_proj.weight.data.copy_(ours.project.weight)


def torchs(model):
    """Return torch.nn.Transformer with the weights of ours; the biases that ours has not are nought."""
    c = model.config
    theirs = torch.nn.Transformer(
        c.width,
        c.heads,
        c.encoder_layers,
        c.decoder_layers,
        4 * c.width,
        dropout=0.0,
        activation=lambda x: gelu(x, approximate="tanh"),
        batch_first=True,
        norm_first=True,
    )
    for name, parameter in theirs.named_parameters():
        if name.endswith("bias"):
            parameter.data.zero_()
    for side in ("encoder", "decoder"):
        blocks = getattr(model, side)
        copied(theirs, model, {f"{side}.norm": f"{side}_norm"})
        for i, block in enumerate(blocks):
            layer = getattr(theirs, side).layers[i]
            norms = ["norm_before_attention", "norm_before_feed_forward"]
            attention_copied(layer.self_attn, block.attention)
            if side == "decoder":
                attention_copied(layer.multihead_attn, block.cross_attention)
                norms.insert(1, "norm_before_cross_attention")
            copied(layer, block, {f"norm{n}": name for n, name in enumerate(norms, 1)})
            copied(layer, block, {"linear1": "feed_forward.widen", "linear2": "feed_forward.project"})
    return theirs


@pytest.mark.filterwarnings("ignore:enable_nested_tensor")
def test_with_copied_weights_it_computes_what_torchs_transformer_computes(model):
    with torch.no_grad():
        for side in (model.encoder, model.decoder):  # torch adds one mask to the scores of all layers
            for block in side:
                block.attention.distance_embedding.weight.copy_(side[0].attention.distance_embedding.weight)
    B, S, T, H = *SOURCE.shape, PREVIOUS.shape[1], SHAPE.heads
    padding = torch.zeros(SOURCE.shape).masked_fill(SOURCE == 0, -torch.inf)
    theirs = torchs(model)(
        model.source_embedding(SOURCE),
        model.target_embedding(PREVIOUS),
        src_mask=model.encoder[0].attention.bias(S).repeat(B, 1, 1),
        tgt_mask=(model.decoder[0].attention.bias(T) + causal_mask(T)).repeat(B, 1, 1),
        src_key_padding_mask=padding,
        memory_key_padding_mask=padding,
    )
    assert model.decoder[0].attention.bias(T).shape == (H, T, T)
    ours = model(SOURCE, PREVIOUS).logits
    torch.testing.assert_close(ours, theirs @ model.target_embedding.weight.T, atol=1e-5, rtol=1e-5)


def test_weights_are_shares_and_nought_where_a_mask_hides(model):
    encoded = model.encode(SOURCE)
    decoded = model.decode(PREVIOUS, encoded)
    for trace in (*encoded.attention, *decoded.attention, *decoded.cross):
        torch.testing.assert_close(trace.weights.sum(-1), torch.ones(trace.weights.shape[:-1]))
    for trace in (*encoded.attention, *decoded.cross):
        assert (trace.weights[1, ..., 3:] == 0).all()
        assert (trace.weights[0] > 0).all()
    assert (decoded.attention[0].weights.triu(1) == 0).all()
    assert (decoded.attention[0].weights.tril() > 0).sum() == 2 * SHAPE.heads * 10


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(3, 11), min_size=1, max_size=6), st.integers(1, 4))
def test_padding_and_later_words_change_nothing(model, words, more):
    source, previous = torch.tensor([words]), torch.tensor([[1, 5, 6]])
    longer = torch.cat((source, torch.zeros(1, more, dtype=torch.long)), 1)
    later = torch.cat((previous, torch.full((1, more), 7)), 1)
    whole = model(source, previous).logits
    torch.testing.assert_close(model(longer, previous).logits, whole, atol=1e-5, rtol=1e-4)
    torch.testing.assert_close(model(source, later).logits[:, :3], whole, atol=1e-5, rtol=1e-4)


def test_the_order_of_the_input_words_matters_and_that_of_the_memory_does_not(model):
    encoded, turned = model.encode(SOURCE[:1]), model.encode(SOURCE[:1].flip(1))
    there = model.decode(PREVIOUS[:1], encoded).logits
    assert not torch.allclose(there, model.decode(PREVIOUS[:1], turned).logits, atol=1e-3)
    shuffled = type(encoded)(encoded.memory.flip(1), encoded.mask, encoded.attention)
    torch.testing.assert_close(model.decode(PREVIOUS[:1], shuffled).logits, there, atol=1e-5, rtol=1e-4)


def test_beyond_the_farthest_distance_all_words_are_equally_far(model):
    bias = model.encoder[0].attention.bias(9)[0]
    assert torch.equal(bias[0, 3:], bias[0, 3].expand(6))
    assert bias[0, 2] != bias[0, 3]
    assert bias[4, 5] == bias[6, 7]
    assert bias[4, 5] != bias[5, 4]


def test_without_cross_attention_the_input_is_not_heard_and_the_trained_model_stays(model):
    broken, before = without_cross_attention(model), model(SOURCE, PREVIOUS).logits
    one, other = (broken(source, PREVIOUS).logits for source in (SOURCE, SOURCE.flip(0)))
    assert torch.equal(one, other)
    assert torch.equal(model(SOURCE, PREVIOUS).logits, before)
    assert not torch.allclose(before, model(SOURCE.flip(0), PREVIOUS).logits)


def test_without_the_mask_a_later_word_changes_the_earlier_ones(model):
    changed = PREVIOUS.clone()
    changed[:, -1] = 8
    same, other = (without_mask(model)(SOURCE, each).logits[:, 0] for each in (PREVIOUS, changed))
    assert not torch.allclose(same, other, atol=1e-4)
    assert np.isfinite(same.detach().numpy()).all()
