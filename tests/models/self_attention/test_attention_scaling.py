"""What the softmax lets through, to its input and to the products before the root, is what autograd finds."""

import pytest
import torch
from torch.autograd.functional import jacobian as autograd_jacobian

from core.models.self_attention.attention_scaling import (
    head_softness,
    heaviest_first,
    jacobian,
    last_rows,
    random_scores,
    share_of_the_top_tenth,
    softness,
    sweep,
)
from core.models.self_attention.gpt import GPT, GPTConfig
from core.models.self_attention.gpt_trace import trace_gpt


@pytest.mark.parametrize("scale", [1.0, 1 / 8])
def test_the_gradient_to_the_products_is_autograd_s(scale):
    scores = random_scores(64, queries=30, keys=5, seed=2)
    norms = torch.stack([autograd_jacobian(lambda s: (s * scale).softmax(-1), row).norm() for row in scores])
    found = softness(scores, scale)
    assert found.to_products == pytest.approx(norms.mean().item(), rel=1e-4)
    assert found.median_to_products == pytest.approx(norms.median().item(), rel=1e-4)
    assert found.top_tenth == pytest.approx((norms.topk(3).values.sum() / norms.sum()).item(), rel=1e-4)
    assert found.gradient == pytest.approx(found.to_products / scale, rel=1e-6)


def test_the_jacobian_is_autograd_s():
    s = torch.tensor([0.5, -1.0, 2.0])
    torch.testing.assert_close(jacobian(s.softmax(-1)), autograd_jacobian(lambda x: x.softmax(-1), s))


@pytest.mark.parametrize("keys", [2, 16, 64])
@pytest.mark.parametrize("seed", [1, 2, 9999])
def test_the_root_keeps_queries_from_getting_nothing_though_the_mean_at_the_products_is_smaller(keys, seed):
    drawn = {1024: random_scores(1024, keys=keys, seed=seed)}
    (without,), (with_root,) = sweep(drawn, root=False), sweep(drawn, root=True)
    assert without.gradient < with_root.gradient
    assert without.to_products > with_root.to_products
    assert without.median_to_products < 0.1 * with_root.median_to_products
    assert without.top_tenth > 2 * with_root.top_tenth


def test_the_mean_of_the_heaviest_weights_is_the_largest_that_is_measured():
    scores = random_scores(16, keys=7)
    assert heaviest_first(scores)[0].item() == pytest.approx(softness(scores).largest, rel=1e-6)
    assert heaviest_first(scores).sum().item() == pytest.approx(1, rel=1e-5)


def test_equal_amounts_give_the_top_tenth_a_tenth():
    assert share_of_the_top_tenth(torch.ones(200)) == pytest.approx(0.1)


def test_a_head_s_last_row_is_measured_with_its_own_root():
    torch.manual_seed(0)
    network, ids = GPT(GPTConfig(7, context=8, layers=2, heads=2, width=16)), torch.tensor([1, 2, 3, 4])
    for parameter in network.parameters():
        parameter.data *= 20
    rows, found = last_rows(network, ids), head_softness(network, ids)
    own = trace_gpt(network, ids).layers[1].attention
    torch.testing.assert_close(rows[2:], own.scaled[:, -1])
    assert found[3].scaled.largest == pytest.approx(own.weights[1, -1].max().item(), rel=1e-5)
    assert found[3].unscaled.spread == pytest.approx(8**0.5 * found[3].scaled.spread, rel=1e-5)
