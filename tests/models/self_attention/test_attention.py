"""Attention agrees with torch's, its rows sum to one, and under the causal mask the future counts for nothing."""

from math import inf, sqrt

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn
from torch.nn import functional

from core.models.self_attention.attention import (
    attend,
    attend_masked_after_softmax,
    attend_masked_with_zero,
    average_of_the_past,
    bidirectional_mask,
    causal_mask,
    dot_product_attention,
    influence,
    multi_head,
    multi_head_attention,
    padding_mask,
    query_key_value_attention,
    scaled_dot_product_attention,
    sliding_window_mask,
    symmetric_attention,
)


def drawn(*shape, seed=0):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


MASKS = {
    "causal": causal_mask(6),
    "bidirectional": bidirectional_mask(6),
    "padding": padding_mask(torch.tensor([1, 1, 1, 1, 0, 0])),
    "sliding window": sliding_window_mask(6, 2),
    "sliding window, both sides": sliding_window_mask(6, 2, causal=False),
}


@pytest.mark.parametrize("mask", MASKS)
def test_it_is_torchs_scaled_dot_product_attention(mask):
    q, k, v = (drawn(6, 4, seed=seed) for seed in (1, 2, 3))
    trace = attend(q, k, v, 1 / sqrt(4), MASKS[mask])
    theirs = functional.scaled_dot_product_attention(q, k, v, attn_mask=MASKS[mask].expand(6, 6))
    torch.testing.assert_close(trace.context, theirs)


@pytest.mark.parametrize("mask", MASKS)
def test_it_is_torchs_multihead_attention_with_the_same_weights(mask):
    theirs = nn.MultiheadAttention(8, 2, bias=False, batch_first=True)
    W_q, W_k, W_v = (part.T for part in theirs.in_proj_weight.chunk(3))
    x = drawn(6, 8)
    ours = multi_head_attention(x, W_q, W_k, W_v, theirs.out_proj.weight.T, 2, MASKS[mask])
    expected, weights = theirs(x, x, x, attn_mask=MASKS[mask].expand(6, 6), average_attn_weights=False)
    torch.testing.assert_close(ours.output, expected)
    torch.testing.assert_close(ours.heads.weights, weights)


def test_the_first_lecture_no_scores_and_three_characters():
    trace = average_of_the_past(torch.eye(3))
    expected = torch.tensor([[1, 0, 0], [1 / 2, 1 / 2, 0], [1 / 3, 1 / 3, 1 / 3]])
    torch.testing.assert_close(trace.weights, expected)
    torch.testing.assert_close(trace.context, expected)
    assert trace.masked[0].tolist() == [0, -inf, -inf]
    assert trace.row_sums[:, 0].tolist() == [1, 2, 3]


def test_a_row_worked_by_hand():
    q, k, v = (
        torch.tensor([[1.0, 1.0]]),
        torch.tensor([[1.0, 0.0], [1.0, 1.0]]),
        torch.tensor([[10.0], [20.0]]),
    )
    trace = attend(q, k, v)
    assert trace.scores.tolist() == [[1, 2]]
    torch.testing.assert_close(trace.exponentials, torch.tensor([[2.71828, 7.38906]]))
    torch.testing.assert_close(trace.weights, torch.tensor([[0.26894, 0.73106]]), atol=1e-5, rtol=0)
    torch.testing.assert_close(trace.context, torch.tensor([[17.3106]]), atol=1e-4, rtol=0)


def test_without_learned_weights_or_with_one_matrix_scores_are_symmetric_with_two_they_are_not():
    x, W, W_k = drawn(5, 4), drawn(4, 4, seed=1), drawn(4, 4, seed=2)
    for trace in (dot_product_attention(x), symmetric_attention(x, W)):
        torch.testing.assert_close(trace.scores, trace.scores.T)
    asymmetric = query_key_value_attention(x, W, W_k, W).scores
    assert (asymmetric - asymmetric.T).abs().max() > 0.1


def test_without_a_square_root_the_scores_spread_with_d_and_with_it_they_do_not():
    d = 256
    x, W_q, W_k = drawn(300, d), drawn(d, d, seed=1) / sqrt(d), drawn(d, d, seed=2) / sqrt(d)
    trace = scaled_dot_product_attention(x, W_q, W_k, W_q)
    assert trace.scores.std() == pytest.approx(sqrt(d), rel=0.1)
    assert trace.scaled.std() == pytest.approx(1, rel=0.1)


def test_every_head_attends_by_itself():
    x, W_q, W_k, W_v = (drawn(5, 6, seed=0), *(drawn(6, 6, seed=seed) for seed in (1, 2, 3)))
    trace = multi_head(x, W_q, W_k, W_v, heads=3)
    second = scaled_dot_product_attention(x, W_q[:, 2:4], W_k[:, 2:4], W_v[:, 2:4])
    torch.testing.assert_close(trace.weights[1], second.weights)


@given(seed=st.integers(0, 10**6), T=st.integers(1, 8), size=st.floats(0, 300))
def test_rows_sum_to_one_however_large_the_scores(seed, T, size):
    q, k, v = (size * drawn(T, 4, seed=seed + i) for i in range(3))
    trace = attend(q, k, v, mask=causal_mask(T))
    torch.testing.assert_close(trace.weights.sum(-1), torch.ones(T))
    assert trace.exponentials.isfinite().all()


def test_weights_are_those_of_the_shown_exponentials_whether_or_not_a_row_was_shifted():
    keys = torch.tensor([[1.0], [1.01]])
    trace = attend(torch.tensor([[1.0], [1000.0]]), keys, keys)
    assert trace.shift[:, 0].tolist() == [0, pytest.approx(1010)]
    torch.testing.assert_close(trace.weights, torch.softmax(trace.scores, -1))


def test_a_row_that_may_look_nowhere_gathers_nothing():
    trace = attend(drawn(2, 3), drawn(2, 3), drawn(2, 3), mask=padding_mask(torch.tensor([0, 0])))
    assert trace.weights.abs().max() == 0
    assert trace.context.abs().max() == 0


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), T=st.integers(2, 7), heads=st.sampled_from([1, 2, 4]))
def test_under_the_causal_mask_the_gradient_to_the_future_is_exactly_nought(seed, T, heads):
    x = drawn(T, 8, seed=seed).requires_grad_()
    W_q, W_k, W_v, W_o = (drawn(8, 8, seed=seed + i) for i in range(1, 5))
    output = multi_head_attention(x, W_q, W_k, W_v, W_o, heads, causal_mask(T)).output
    depends = influence(output, x)
    assert (depends.triu(1) == 0).all()
    assert (depends.diagonal() > 0).all()


@pytest.mark.parametrize("broken", [attend_masked_with_zero, attend_masked_after_softmax])
def test_a_mask_of_zero_or_after_the_softmax_leaks_the_future(broken):
    x = drawn(5, 4).requires_grad_()
    context = broken(x, x, x, 0.5, causal_mask(5)).context
    assert influence(context, x).triu(1).max() > 0.01
    assert influence(attend(x, x, x, 0.5, causal_mask(5)).context, x).triu(1).max() == 0
