"""Temperature, top-k and top-p cut and weigh as transformers' own logits processors do."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers import TemperatureLogitsWarper, TopKLogitsWarper, TopPLogitsWarper

from core.models.generation.sampling import SamplingSettings, distribution, softmax

seeds = st.integers(0, 2**32 - 1)


def logits(seed: int, size: int = 200) -> np.ndarray:
    return np.random.default_rng(seed).normal(0, 3, size)


def warped(z: np.ndarray, *warpers) -> np.ndarray:
    scores = torch.from_numpy(z)[None]
    for warper in warpers:
        scores = warper(None, scores)
    return torch.softmax(scores, dim=-1)[0].numpy()


@settings(max_examples=50, deadline=None)
@given(seed=seeds, temperature=st.floats(0.05, 20))
def test_temperature(seed, temperature):
    z = logits(seed)
    np.testing.assert_allclose(
        softmax(z, temperature), warped(z, TemperatureLogitsWarper(temperature)), atol=1e-12
    )


@settings(max_examples=50, deadline=None)
@given(seed=seeds, k=st.integers(1, 300))
def test_top_k(seed, k):
    z = logits(seed)
    ours = distribution(z, SamplingSettings(top_k=k)).probabilities
    np.testing.assert_allclose(ours, warped(z, TopKLogitsWarper(k)), atol=1e-12)


@settings(max_examples=50, deadline=None)
@given(seed=seeds, p=st.floats(0.01, 0.999))
def test_top_p(seed, p):
    z = logits(seed)
    ours = distribution(z, SamplingSettings(top_p=p)).probabilities
    np.testing.assert_allclose(ours, warped(z, TopPLogitsWarper(p)), atol=1e-12)


@settings(max_examples=50, deadline=None)
@given(seed=seeds, temperature=st.floats(0.2, 5), k=st.integers(1, 250), p=st.floats(0.05, 0.999))
def test_all_three_one_after_the_other(seed, temperature, k, p):
    z = logits(seed)
    ours = distribution(z, SamplingSettings(temperature, k, p)).probabilities
    theirs = warped(z, TemperatureLogitsWarper(temperature), TopKLogitsWarper(k), TopPLogitsWarper(p))
    np.testing.assert_allclose(ours, theirs, atol=1e-12)


@pytest.mark.parametrize("p", [0.0, 1e-9])
def test_the_smallest_top_p_leaves_one_token_as_theirs_does(p):
    z = logits(1)
    assert (distribution(z, SamplingSettings(top_p=p)).probabilities > 0).tolist() == (
        warped(z, TopPLogitsWarper(p)) > 0
    ).tolist()
