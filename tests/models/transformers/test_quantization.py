"""Quantization: the rounding against torch's own, the error bound, and outliers that change no output."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.models.self_attention.gpt import GPT, GPTConfig
from core.models.transformers.quantization import (
    GROUP,
    PLAIN,
    ROW,
    SHARED_BY,
    TENSOR,
    add_outlier,
    count_bytes,
    largest_integer,
    matrices,
    pieces_of,
    quantize,
    quantize_network,
)

BITS = (8, 7, 6, 5, 4, 3, 2)


@pytest.fixture
def matrix():
    """Return a matrix of random weights."""
    return torch.randn(12, 128, generator=torch.Generator().manual_seed(1))


def network():
    """Return a small GPT with random weights and norms that are not all 1."""
    torch.manual_seed(1)
    made = GPT(GPTConfig(vocabulary_size=11, context=16, layers=2, heads=2, width=64)).eval()
    with torch.no_grad():
        for block in made.blocks:
            for norm in (block.norm_before_attention, block.norm_before_feed_forward):
                norm.weight.uniform_(0.5, 1.5)
                norm.bias.uniform_(-0.5, 0.5)
    return made


@pytest.mark.parametrize("bits", BITS)
def test_one_scale_for_a_matrix_is_torch_s_fake_quantization(matrix, bits):
    found, most = quantize(matrix, bits, TENSOR), largest_integer(bits)
    scale = float(matrix.abs().max()) / most
    expected = torch.fake_quantize_per_tensor_affine(matrix, scale, 0, -most, most)
    assert found.weights == pytest.approx(expected, abs=1e-6)
    assert found.scale_count == 1


@pytest.mark.parametrize("bits", BITS)
@pytest.mark.parametrize("by", [ROW, GROUP])
def test_a_scale_per_row_or_group_is_torch_s_per_channel_quantization(matrix, bits, by):
    found, most = quantize(matrix, bits, by), largest_integer(bits)
    rows = matrix if by == ROW else matrix.view(24, 64)
    scales = rows.abs().max(dim=1).values / most
    zeros = torch.zeros(len(rows), dtype=torch.int32)
    expected = torch.fake_quantize_per_channel_affine(rows, scales, zeros, 0, -most, most)
    assert found.weights.view_as(rows) == pytest.approx(expected, abs=1e-6)
    assert found.scale_count == len(rows)


def test_in_8_bits_it_is_torch_s_quantized_tensor(matrix):
    found = quantize(matrix, 8, TENSOR)
    scale = float(matrix.abs().max()) / 127
    theirs = torch.quantize_per_tensor(matrix, scale, 0, torch.qint8)
    assert torch.equal(theirs.int_repr().float(), found.integers)
    assert found.weights == pytest.approx(theirs.dequantize(), abs=1e-6)
    rows = torch.quantize_per_channel(
        matrix, matrix.abs().max(dim=1).values / 127, torch.zeros(12), 0, torch.qint8
    )
    assert quantize(matrix, 8, ROW).weights == pytest.approx(rows.dequantize(), abs=1e-6)


@given(
    st.lists(st.floats(-50, 50, width=32), min_size=4, max_size=4),
    st.sampled_from(BITS),
    st.sampled_from(SHARED_BY),
)
def test_no_error_is_above_half_a_scale_and_the_largest_weight_has_none(values, bits, by):
    W = torch.tensor([values, values[::-1]], dtype=torch.float64)
    found = quantize(W, bits, by, group=2)
    assert ((W - found.weights).abs() <= found.scales / 2 + 1e-12).all()
    assert found.integers.abs().max() <= largest_integer(bits)
    largest = W.abs().argmax()
    assert found.weights.flatten()[largest] == pytest.approx(float(W.flatten()[largest]))


@given(st.lists(st.floats(-5, 5, width=32), min_size=8, max_size=8), st.sampled_from(BITS))
def test_a_smaller_company_has_no_larger_scale(values, bits):
    W = torch.tensor([values, [2 * v for v in values]], dtype=torch.float64)
    by_tensor, by_row, by_group = (pieces_of(W, by, 4).abs().amax(dim=1) for by in SHARED_BY)
    assert (by_row <= by_tensor + 1e-12).all() and (by_group <= by_row.repeat_interleave(2) + 1e-12).all()


def test_outliers_change_no_output_but_what_a_shared_scale_rounds():
    plain = network()
    odd = add_outlier(plain)
    ids = torch.randint(0, 11, (2, 12), generator=torch.Generator().manual_seed(2))
    assert torch.allclose(odd(ids)[0], plain(ids)[0], atol=1e-5)
    W, changed = (each.blocks[0].feed_forward.widen.weight for each in (plain, odd))
    assert torch.equal(changed[:, 0], 32 * W[:, 0])

    def error(before, by):
        """Return the mean error of the columns that are no outlier."""
        return float((before - quantize(before, 6, by).weights)[:, 1:].abs().mean())

    assert error(changed, TENSOR) > 5 * error(W, TENSOR)
    with pytest.raises(ValueError, match="whole number of groups"):
        quantize(torch.ones(2, 5), 4, GROUP)
    with pytest.raises(ValueError, match="at least 2 bits"):
        quantize(torch.ones(2, 4), 1)


def test_a_network_keeps_all_but_its_matrices_and_is_itself_unchanged():
    plain = network()
    before = {name: each.clone() for name, each in plain.state_dict().items()}
    rounded = quantize_network(plain, 3, GROUP).state_dict()
    changed = {
        name.removesuffix(".weight") for name in before if not torch.equal(before[name], rounded[name])
    }
    assert changed == set(matrices(plain))
    assert all(torch.equal(before[name], each) for name, each in plain.state_dict().items())
    same = quantize_network(plain, PLAIN).state_dict()
    assert all(torch.equal(before[name], each) for name, each in same.items())


def test_bytes_are_those_of_integers_scales_and_the_rest():
    plain = network()
    n = sum(each.weight.numel() for each in matrices(plain).values())
    rest = sum(each.numel() for each in plain.parameters()) - n
    assert count_bytes(plain, 16) == {"integers": 2 * n, "scales": 0, "others": 2 * rest}
    assert count_bytes(plain, 4, GROUP) == {"integers": n / 2, "scales": 4 * n / 64, "others": 2 * rest}
    assert count_bytes(plain, 4, TENSOR)["scales"] == 4 * 8
    assert quantize(torch.ones(4, 64), 4, GROUP).bytes == 4 * 32 + 4 * 4


def test_weights_that_are_all_0_stay_0():
    found = quantize(torch.zeros(2, 4), 4, ROW)
    assert (found.weights == 0).all() and (found.scales == 1).all()
