"""The copier against torch's own attention; it learns to copy; the stored one has a head that does, and fails without it."""

import numpy as np
import pytest
import torch
from torch.nn.functional import layer_norm, linear

from core.models.fit_language_model import FitConfig
from core.models.self_attention.attention import causal_mask
from core.models.transformers.copier import Copier, CopierConfig, CopierFitting, repeating, stored_copier
from core.models.transformers.copying import (
    INDUCTION,
    copying,
    copying_without,
    head_weights,
    repeated,
    with_mark,
)

SHAPE = CopierConfig(vocabulary_size=11, layers=2, heads=2, width=8, farthest=3)
IDS = torch.tensor([[3, 7, 1, 10, 3, 7], [2, 2, 9, 0, 5, 6]])


@pytest.fixture(scope="module")
def model():
    torch.manual_seed(4)
    return Copier(SHAPE).eval()


@pytest.fixture(scope="module")
def measured():
    """The stored copier on random tokens that neither its training nor the lesson draws."""
    reader = stored_copier()
    x = with_mark(reader, repeated(len(reader.vocabulary), 24, sequences=24, seed=77))
    return reader.network, x, copying(reader.network, x)


def torchs_attention(ours):
    C = ours.project.weight.shape[0]
    theirs = torch.nn.MultiheadAttention(C, ours.heads, bias=False, batch_first=True)
    stacked = [ours.to_query.weight, ours.to_key.weight, ours.to_value.weight]
    theirs.in_proj_weight.data.copy_(torch.cat(stacked))
    theirs.out_proj.weight.data.copy_(ours.project.weight)
    return theirs


def test_with_copied_weights_it_computes_what_torchs_attention_computes(model):
    B, T = IDS.shape
    x = model.token_embedding.weight[IDS]
    logits, traces = model(IDS)
    for block, trace in zip(model.blocks, traces, strict=True):
        normed = layer_norm(
            x, (SHAPE.width,), block.norm_before_attention.weight, block.norm_before_attention.bias
        )
        mask = (block.attention.bias(T, T) + causal_mask(T)).repeat(B, 1, 1)
        gathered, weights = torchs_attention(block.attention)(
            normed, normed, normed, attn_mask=mask, average_attn_weights=False
        )
        torch.testing.assert_close(trace.weights, weights, atol=1e-5, rtol=1e-5)
        x = x + gathered
    normed = layer_norm(x, (SHAPE.width,), model.final_norm.weight, model.final_norm.bias)
    torch.testing.assert_close(logits, linear(normed, model.output.weight), atol=1e-5, rtol=1e-5)


def test_no_token_sees_a_later_one_and_the_text_may_be_longer_than_any_trained_on(model):
    changed = IDS.clone()
    changed[:, 4:] = 8
    torch.testing.assert_close(model(changed)[0][:, :4], model(IDS)[0][:, :4])
    assert not torch.allclose(model(changed)[0][:, 4:], model(IDS)[0][:, 4:])
    assert model(IDS.repeat(1, 40))[0].shape == (2, 240, 11)


def test_a_run_comes_again_and_again_and_its_length_is_drawn():
    generator, lengths = torch.Generator().manual_seed(1), set()
    for _ in range(60):
        x = repeating(1000, sequences=3, T=32, generator=generator)
        lengths.add(next(n for n in range(1, 32) if bool((x[:, n:] == x[:, :-n]).all())))
    assert min(lengths) >= 4
    assert max(lengths) <= 16
    assert len(lengths) > 9


def test_a_head_is_found_by_its_weights_as_the_network_computes_them(model):
    torch.testing.assert_close(head_weights(model, IDS[0])[1, 0], model(IDS)[1][1].weights[0, 0])


def test_the_loss_falls_and_a_fit_that_is_resumed_is_the_fit_that_never_stopped():
    def fitting():
        torch.manual_seed(2)
        shape = CopierConfig(9, heads=2, width=16, farthest=4)
        return CopierFitting(
            Copier(shape), torch.empty(0), FitConfig(40, batch=8, window=16, warm_up=5, cool_down=0.5)
        )

    whole, first, second = fitting(), fitting(), fitting()
    losses = [whole.step() for _ in range(40)]
    kept = [first.step() for _ in range(20)]
    second.resume(first.state())
    assert kept + [second.step() for _ in range(20)] == losses
    assert np.mean(losses[-5:]) < np.mean(losses[:5]) - 0.3


def test_the_stored_copier_has_one_induction_head_in_its_second_layer(measured):
    _, _, found = measured
    assert found.scores.max() > 0.9
    assert (found.scores >= INDUCTION).sum() == 1
    assert found.best[0] == 1


def test_it_copies_and_without_that_head_it_does_not(measured):
    network, x, found = measured
    without = copying_without(network, x, [found.best])
    assert found.second.mean() < 0.5
    assert found.first.mean() > 5.5
    assert without.second.mean() > 4
    assert abs(without.first.mean() - found.first.mean()) < 1  # what cannot be copied costs about the same


def test_without_the_head_before_it_the_induction_head_no_longer_finds_its_place(measured):
    network, x, found = measured
    before = (0, 1)  # of the first layer's heads the one that looks one back
    weights = torch.stack([head_weights(network, ids) for ids in x]).mean(0)
    one_back = torch.diagonal(weights[0], offset=-1, dim1=1, dim2=2)[:, 10:].mean(1)
    assert int(one_back.argmax()) == before[1]
    assert copying_without(network, x, [before]).scores[found.best] < 0.1
    assert copying_without(network, x, [(0, 0)]).scores[found.best] > 0.9
