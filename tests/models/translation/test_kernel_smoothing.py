"""Kernel smoothing against scikit-learn-free oracles: the sum written out, its limits, and torch's attention."""

import hypothesis.strategies as st
import numpy as np
import pytest
import torch
from hypothesis import given
from torch.nn.functional import scaled_dot_product_attention

from core.models.translation.kernel_smoothing import (
    KERNELS,
    dictionary_lookup,
    kernel,
    kernel_quotient,
    nearness,
    product_scores,
    soft_lookup,
    softmax,
)

KEYS = np.array([0.0, 1.0, 2.5, 4.0])
VALUES = np.array([1.0, 3.0, 2.0, 5.0])


@pytest.mark.parametrize("name", KERNELS)
def test_a_look_up_is_the_weighted_mean_written_out(name):
    found = soft_lookup(np.array([1.2, 3.0]), KEYS, VALUES, 2.0, name)
    for q, result in zip((1.2, 3.0), found.result, strict=True):
        K = [kernel(q - k, 2.0, name) for k in KEYS]
        assert result == pytest.approx(sum(k * v for k, v in zip(K, VALUES, strict=True)) / sum(K))


@given(st.floats(0.01, 50), st.lists(st.floats(-10, 10), min_size=1, max_size=8))
def test_gaussian_weights_sum_to_one_at_any_bandwidth(bandwidth, queries):
    found = soft_lookup(np.array(queries), KEYS, VALUES, bandwidth)
    assert np.allclose(found.weights.sum(1), 1)
    assert VALUES.min() - 1e-9 <= found.result.min() <= found.result.max() <= VALUES.max() + 1e-9


def test_a_small_bandwidth_is_a_dictionary_of_the_nearest_key():
    found = soft_lookup(KEYS + 0.1, KEYS, VALUES, 1e-4)
    assert np.allclose(found.result, VALUES)


@pytest.mark.parametrize("bandwidth", [1e-9, 1e-160, 1e-200, 1e-300])
def test_no_bandwidth_is_so_small_that_a_gaussian_has_no_answer(bandwidth):
    found = soft_lookup(np.array([0.9, 1.75, 4.0]), KEYS, VALUES, bandwidth)
    assert found.result.tolist() == [3.0, 2.5, 5.0]  # 1.75 is as near to 1 as to 2.5
    assert np.isfinite(found.weights).all()


def test_nearness_is_the_score_less_the_largest_of_its_row():
    distance = np.array([[0.7, -0.3, -1.8], [1.0, -1.0, 2.0]])
    scores = -(distance**2) / (2 * 0.8**2)
    assert np.allclose(nearness(distance, 0.8), scores - scores.max(1, keepdims=True))


@given(st.floats(0.2, 50), st.floats(-10, 10))
def test_three_ways_to_the_gaussian_s_weights_are_one(bandwidth, query):
    ways = soft_lookup(np.array([query]), KEYS, VALUES, bandwidth).weights[0]
    assert np.allclose(softmax(product_scores(query, KEYS, bandwidth)), ways)
    quotient = kernel_quotient(query, KEYS, bandwidth)
    assert quotient is None or np.allclose(quotient, ways)


def test_a_large_bandwidth_is_the_mean_of_all_values():
    assert soft_lookup(np.array([0.3]), KEYS, VALUES, 1e6).result == pytest.approx(VALUES.mean())


def test_gaussian_weights_are_the_softmax_of_the_scores():
    found = soft_lookup(np.array([0.7, 2.2]), KEYS, VALUES, 0.8)
    assert np.allclose(found.weights, softmax(found.scores))
    assert np.allclose(np.exp(found.scores), kernel(np.array([[0.7], [2.2]]) - KEYS, 0.8))


def test_for_keys_of_one_length_it_is_dot_product_attention_with_the_bandwidth_as_temperature():
    angle = np.linspace(0, np.pi, 5)
    keys, query, b = np.stack((np.cos(angle), np.sin(angle)), 1), np.array([0.6, 0.3]), 0.7
    near = softmax(-((query - keys) ** 2).sum(1) / (2 * b**2))
    q, k, v = (torch.tensor(x)[None] for x in (query[None], keys, np.eye(5)))
    assert np.allclose(near, scaled_dot_product_attention(q, k, v, scale=1 / b**2)[0, 0])


def test_a_boxcar_that_reaches_no_key_has_no_mean():
    found = soft_lookup(np.array([10.0]), KEYS, VALUES, 0.5, "boxcar")
    assert np.isnan(found.result[0])
    assert found.weights.sum() == 0


def test_a_bandwidth_of_zero_and_an_unknown_kernel_are_refused():
    with pytest.raises(ValueError, match="larger than 0"):
        kernel(KEYS, 0)
    with pytest.raises(ValueError, match="gaussian, boxcar, triangle"):
        kernel(KEYS, 1, "cosine")


def test_a_dictionary_answers_its_own_keys_and_no_other():
    assert dictionary_lookup(KEYS, KEYS, VALUES).result.tolist() == VALUES.tolist()
    assert np.isnan(dictionary_lookup(KEYS + 1e-9, KEYS, VALUES).result).all()
