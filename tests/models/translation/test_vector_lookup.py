"""Looking up among vectors: by distance and by dot product are one where keys are equally long, and only there."""

import hypothesis.strategies as st
import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis.extra.numpy import arrays
from torch.nn.functional import scaled_dot_product_attention

from core.models.translation.kernel_smoothing import soft_lookup
from core.models.translation.vector_lookup import lookup_by_distance, lookup_by_dot_product

NUMBERS = st.floats(-3, 3, allow_subnormal=False)
VALUES = np.array([1.0, 5.0, -2.0, 0.5])


@given(arrays(float, (4, 3), elements=NUMBERS), arrays(float, 3, elements=NUMBERS), st.floats(0.1, 10))
def test_both_are_the_same_for_keys_of_one_length(keys, query, bandwidth):
    lengths = np.linalg.norm(keys, axis=1)
    if lengths.min() < 1e-6:
        return
    keys = keys / lengths[:, None]
    near = lookup_by_distance(query, keys, VALUES, bandwidth)
    dot = lookup_by_dot_product(query, keys, VALUES, bandwidth)
    assert np.allclose(near.weights, dot.weights, atol=1e-9)
    assert np.allclose(near.result, dot.result, atol=1e-8)


def test_a_long_key_wins_the_dot_product_though_another_is_nearer():
    query, keys = np.array([1.0, 0.0]), np.array([[1.0, 0.0], [5.0, 5.0]])
    values = np.array([1.0, 2.0])
    assert lookup_by_distance(query, keys, values, 1).weights.argmax() == 0
    assert lookup_by_dot_product(query, keys, values, 1).weights.argmax() == 1


def test_by_distance_in_one_dimension_is_the_gaussian_kernel_on_a_line():
    keys, values = np.array([0.0, 1.0, 2.5]), np.array([1.0, 3.0, 2.0])
    line = soft_lookup(np.array([0.8]), keys, values, 0.6)
    near = lookup_by_distance(np.array([0.8]), keys[:, None], values, 0.6)
    assert np.allclose(line.weights[0], near.weights)
    assert np.allclose(line.result[0], near.result)


def test_by_dot_product_is_torch_s_attention_also_for_values_that_are_vectors():
    rng = np.random.default_rng(0)
    query, keys, values = rng.normal(size=5), rng.normal(size=(7, 5)), rng.normal(size=(7, 3))
    q, k, v = (torch.tensor(x)[None] for x in (query[None], keys, values))
    found = lookup_by_dot_product(query, keys, values, 0.5)
    assert np.allclose(found.result, scaled_dot_product_attention(q, k, v, scale=4.0)[0, 0])


@pytest.mark.parametrize("lookup", [lookup_by_distance, lookup_by_dot_product])
def test_a_bandwidth_whose_square_is_no_float_is_refused(lookup):
    with pytest.raises(ValueError, match="too near to 0"):
        lookup(np.ones(2), np.eye(2), np.ones(2), 1e-200)


@pytest.mark.parametrize("lookup", [lookup_by_distance, lookup_by_dot_product])
def test_a_bandwidth_of_zero_is_refused(lookup):
    with pytest.raises(ValueError, match="larger than 0"):
        lookup(np.ones(2), np.eye(2), np.ones(2), 0)
