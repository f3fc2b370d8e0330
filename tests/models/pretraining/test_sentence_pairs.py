"""Pairs of sentences as the network reads them: against transformers' pre-norm encoder, and by hand."""

from functools import cache

import numpy as np
import pytest
import torch
from torch import nn
from transformers import RobertaPreLayerNormConfig, RobertaPreLayerNormModel

from core.models.pretraining.sentence_pairs import PairNetwork, SentencePairs, pair_input
from core.models.tokens.byte_pairs import BytePairs

SHAPE = {"vocabulary_size": 259, "context": 16, "layers": 2, "heads": 2, "width": 8}


@cache
def model():
    torch.manual_seed(3)
    network = PairNetwork(SHAPE)
    for parameter in network.parameters():  # far from nought, so that a part left out would be seen
        parameter.data.add_(0.3 * torch.randn_like(parameter))
    return SentencePairs(network.requires_grad_(False).eval(), BytePairs(()))


@cache
def theirs():
    """Return transformers' pre-norm RoBERTa with our weights; it has biases, which are nought, and one norm more."""
    config = RobertaPreLayerNormConfig(
        vocab_size=259,
        hidden_size=8,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        hidden_act="gelu_new",
        max_position_embeddings=16,
        type_vocab_size=2,
        layer_norm_eps=1e-5,
        pad_token_id=0,
    )
    encoder = RobertaPreLayerNormModel(config, add_pooling_layer=True).eval()
    encoder.embeddings.LayerNorm = nn.Identity()
    ours, C = model().network, 8
    copies = {
        encoder.embeddings.word_embeddings.weight: ours.encoder.token_embedding.weight,
        encoder.embeddings.position_embeddings.weight: ours.encoder.position_embedding.weight,
        encoder.embeddings.token_type_embeddings.weight: ours.segment_embedding.weight,
        encoder.LayerNorm.weight: ours.encoder.final_norm.weight,
        encoder.LayerNorm.bias: ours.encoder.final_norm.bias,
        encoder.pooler.dense.weight: ours.pool.weight,
        encoder.pooler.dense.bias: ours.pool.bias,
    }
    for layer, block in zip(encoder.encoder.layer, ours.encoder.blocks, strict=True):
        for part in ("query", "key", "value"):
            copies[getattr(layer.attention.self, part).bias] = torch.zeros(C)
        q, k, v = block.attention.to_query_key_value.weight.split(C)
        copies |= {
            layer.attention.self.query.weight: q,
            layer.attention.self.key.weight: k,
            layer.attention.self.value.weight: v,
            layer.attention.output.dense.weight: block.attention.project.weight,
            layer.attention.output.dense.bias: torch.zeros(C),
            layer.attention.LayerNorm.weight: block.norm_before_attention.weight,
            layer.attention.LayerNorm.bias: block.norm_before_attention.bias,
            layer.intermediate.LayerNorm.weight: block.norm_before_feed_forward.weight,
            layer.intermediate.LayerNorm.bias: block.norm_before_feed_forward.bias,
            layer.intermediate.dense.weight: block.feed_forward.widen.weight,
            layer.intermediate.dense.bias: torch.zeros(4 * C),
            layer.output.dense.weight: block.feed_forward.project.weight,
            layer.output.dense.bias: torch.zeros(C),
        }
    for to, weights in copies.items():
        to.data.copy_(weights)
    return encoder


@pytest.mark.parametrize("segments", [(0, 1), (1, 0), (0, 0)], ids=str)
def test_states_class_vector_and_attention_are_those_of_transformers(segments):
    pair = pair_input([70, 111, 33], [97, 98, 99, 33], model().cls, model().sep, segments)
    trace = model().trace(pair)
    with torch.no_grad():
        found = theirs()(
            torch.tensor([pair.ids]),
            token_type_ids=torch.tensor([pair.segments]),
            position_ids=torch.arange(len(pair.ids))[None],
        )
    assert torch.allclose(trace.h, found.last_hidden_state[0], atol=1e-5)
    assert torch.allclose(trace.c, found.pooler_output[0], atol=1e-5)


def test_the_trace_is_what_the_network_itself_computes_and_its_sum_is_the_three_rows():
    pair = model().read("Go up.", "He went.")
    trace = model().trace(pair)
    ids, segments = torch.tensor([pair.ids]), torch.tensor([pair.segments])
    h = model().network(ids, segments)
    assert torch.allclose(trace.h, h[0], atol=1e-5)
    assert trace.p_next == pytest.approx(float(model().p_next([pair])[0]), abs=1e-6)
    assert torch.equal(trace.summed, trace.layers[0].stream)
    t = 5
    by_hand = (
        model().network.encoder.token_embedding.weight[pair.ids[t]]
        + model().network.segment_embedding.weight[pair.segments[t]]
        + model().network.encoder.position_embedding.weight[t]
    )
    assert torch.allclose(trace.summed[t], by_hand)
    w, b = model().network.next_output.weight[0], model().network.next_output.bias
    assert trace.logit == pytest.approx(float(w @ trace.c + b), abs=1e-6)
    assert trace.p_next == pytest.approx(1 / (1 + np.exp(-trace.logit)))


def test_a_pair_is_cls_a_sep_b_sep_and_every_mark_belongs_to_the_sentence_before_it():
    pair = model().read("ab", "c")
    assert pair.ids == (257, 97, 98, 258, 99, 258)
    assert pair.segments == (0, 0, 0, 0, 1, 1)
    assert model().read("ab", "c", segments=(1, 0)).segments == (1, 1, 1, 1, 0, 0)
    assert model().read("ab", "c", separated=False).ids == (257, 97, 98, 99)
    assert model().vocabulary[257:] == ("[CLS]", "[SEP]")
    assert model().vocabulary[256] == "<mask>"


def test_sentences_that_are_too_long_are_cut_so_that_both_fit_with_the_marks():
    pair = model().read("a" * 50, "b" * 50)
    assert len(pair.ids) <= 16
    assert pair.ids.count(97) == pair.ids.count(98) == model().longest == 6


def test_of_a_long_pair_the_end_of_the_first_and_the_beginning_of_the_second_are_read():
    pair = model().read("x" * 40 + "abcdef", "ghijkl" + "y" * 40)
    text = bytes(token for token in pair.ids if token < 256).decode()
    assert text == "abcdefghijkl"


def test_each_of_the_three_rows_reaches_the_answer():
    whole = model().trace(model().read("ab", "cd")).logit
    others = [
        model().read("cd", "ab"),
        model().read("ab", "cd", segments=(0, 0)),
        model().read("ab", "cd", separated=False),
    ]
    for pair in others:
        assert model().trace(pair).logit != pytest.approx(whole, abs=1e-3)


def test_attention_from_cls_is_a_distribution_over_all_places():
    trace = model().trace(model().read("ab", "cd"))
    assert trace.from_class.shape == (2, 2, len(trace.pair.ids))
    assert trace.from_class.sum(axis=2) == pytest.approx(np.ones((2, 2)), abs=1e-5)
