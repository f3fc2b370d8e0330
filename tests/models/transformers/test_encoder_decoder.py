"""The transformer that translates: against torch's own, and what its masks and its distances promise."""

from dataclasses import replace

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


def drawn(shape):
    torch.manual_seed(3)
    made = EncoderDecoder(shape).eval()
    for parameter in made.parameters():
        torch.nn.init.normal_(parameter, std=0.4)
    return made


@pytest.fixture(scope="module")
def model():
    return drawn(SHAPE)


@pytest.fixture(scope="module")
def with_cross_distance():
    return drawn(replace(SHAPE, cross_farthest=2))


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
@pytest.mark.parametrize("cross_farthest", [0, 2])
def test_with_copied_weights_it_computes_what_torchs_transformer_computes(cross_farthest):
    model = drawn(replace(SHAPE, cross_farthest=cross_farthest))
    decoders = model.decoder
    with torch.no_grad():  # torch adds one mask to the scores of all layers
        for kind in ["encoder.attention", "decoder.attention"] + ["decoder.cross_attention"] * bool(
            cross_farthest
        ):
            side, attention = kind.split(".")
            first, *rest = (getattr(block, attention) for block in getattr(model, side))
            for each in rest:
                each.distance_embedding.weight.copy_(first.distance_embedding.weight)
    (B, S), T, H = SOURCE.shape, PREVIOUS.shape[1], SHAPE.heads
    padding = torch.zeros(SOURCE.shape).masked_fill(SOURCE == 0, -torch.inf)
    theirs = torchs(model)(
        model.source_embedding(SOURCE),
        model.target_embedding(PREVIOUS),
        src_mask=model.encoder[0].attention.bias(S, S).repeat(B, 1, 1),
        tgt_mask=(decoders[0].attention.bias(T, T) + causal_mask(T)).repeat(B, 1, 1),
        memory_mask=decoders[0].cross_attention.bias(T, S).repeat(B, 1, 1) if cross_farthest else None,
        src_key_padding_mask=padding,
        memory_key_padding_mask=padding,
    )
    assert decoders[0].attention.bias(T, S).shape == (H, T, S)
    ours = model(SOURCE, PREVIOUS).logits
    torch.testing.assert_close(ours, theirs @ model.target_embedding.weight.T, atol=1e-5, rtol=1e-5)


def test_cross_attention_adds_the_number_of_input_place_less_output_place(with_cross_distance):
    trace = with_cross_distance(SOURCE[:1], PREVIOUS[:1]).cross[1]
    table = with_cross_distance.decoder[1].cross_attention.distance_embedding.weight  # (-2 .. 2, H)
    for t, s, distance in ((0, 1, 1), (3, 2, -1), (1, 1, 0), (0, 4, 2), (3, 0, -2)):
        added = trace.masked[0, :, t, s] - trace.scaled[0, :, t, s]
        torch.testing.assert_close(added, table[distance + 2], atol=1e-5, rtol=1e-5)


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
@given(st.lists(st.integers(3, 11), min_size=1, max_size=6), st.integers(1, 4), st.booleans())
def test_padding_and_later_words_change_nothing(model, with_cross_distance, words, more, cross):
    model = with_cross_distance if cross else model
    source, previous = torch.tensor([words]), torch.tensor([[1, 5, 6]])
    longer = torch.cat((source, torch.zeros(1, more, dtype=torch.long)), 1)
    later = torch.cat((previous, torch.full((1, more), 7)), 1)
    whole = model(source, previous).logits
    torch.testing.assert_close(model(longer, previous).logits, whole, atol=1e-5, rtol=1e-4)
    torch.testing.assert_close(model(source, later).logits[:, :3], whole, atol=1e-5, rtol=1e-4)


def test_the_order_of_the_input_words_matters_and_that_of_the_memory_only_with_a_distance(
    model, with_cross_distance
):
    for made, by_place in ((model, False), (with_cross_distance, True)):
        encoded, turned = made.encode(SOURCE[:1]), made.encode(SOURCE[:1].flip(1))
        there = made.decode(PREVIOUS[:1], encoded).logits
        assert not torch.allclose(there, made.decode(PREVIOUS[:1], turned).logits, atol=1e-3)
        shuffled = replace(encoded, memory=encoded.memory.flip(1))
        other = made.decode(PREVIOUS[:1], shuffled).logits
        assert torch.allclose(other, there, atol=1e-5, rtol=1e-4) is not by_place


def test_beyond_the_farthest_distance_all_words_are_equally_far(model):
    bias = model.encoder[0].attention.bias(9, 9)[0]
    assert torch.equal(bias[0, 3:], bias[0, 3].expand(6))
    assert bias[0, 2] != bias[0, 3]
    assert bias[4, 5] == bias[6, 7]
    assert bias[4, 5] != bias[5, 4]


def test_a_new_model_s_heads_begin_with_a_fall_of_their_own_and_noise_about_it():
    torch.manual_seed(5)
    made = EncoderDecoder(replace(SHAPE, heads=4, farthest=16, cross_farthest=16))
    tables = [each for name, each in made.named_parameters() if "distance_embedding" in name]
    assert len(tables) == 2 + 2 * 2
    numbers = torch.stack(tables).detach()  # (6, 33, 4)
    distance = torch.arange(-16, 17).abs()
    for head, fall in enumerate((1, 1 / 2, 1 / 4, 1 / 8)):
        noise = numbers[..., head] + distance * fall
        assert abs(float(noise.mean())) < 0.3
        assert 0.8 < float(noise.std()) < 1.2


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
