"""Sinusoids depend on distance alone; without positions attention does not know the order of its tokens."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.models.self_attention.attention import dot_product_attention
from core.models.self_attention.positions import (
    nearest_positions,
    rotary_score,
    rotation,
    similarity_by_distance,
    sinusoidal_positions,
)


@given(one=st.integers(0, 200), other=st.integers(0, 200), distance=st.integers(0, 100))
def test_the_dot_product_of_two_positions_depends_on_their_distance_alone(one, other, distance):
    P = sinusoidal_positions(301, 32)
    torch.testing.assert_close(P[one] @ P[one + distance], P[other] @ P[other + distance], atol=1e-3, rtol=0)


def test_a_position_is_most_like_itself():
    similarity = similarity_by_distance(sinusoidal_positions(100, 64))
    assert similarity[0] == pytest.approx(32, abs=1e-3)
    assert similarity[1:].max() < similarity[0]


@given(seed=st.integers(0, 1000))
def test_shuffled_tokens_get_the_same_contexts_shuffled_unless_positions_are_added(seed):
    generator = torch.Generator().manual_seed(seed)
    x, order = torch.randn(6, 8, generator=generator), torch.tensor([3, 1, 0, 5, 4, 2])
    plain = dot_product_attention(x).context
    torch.testing.assert_close(dot_product_attention(x[order]).context, plain[order])
    P = sinusoidal_positions(6, 8)
    placed = dot_product_attention(x + P).context[order]
    assert not torch.allclose(dot_product_attention(x[order] + P).context, placed, atol=1e-3)


def test_an_odd_width_is_refused():
    with pytest.raises(ValueError, match="even"):
        sinusoidal_positions(3, 5)


@given(t=st.integers(0, 100), s=st.integers(0, 100), on=st.integers(0, 400), seed=st.integers(0, 1000))
def test_a_rotary_score_depends_on_the_two_vectors_and_the_distance_alone(t, s, on, seed):
    q, k = torch.randn(2, 8, generator=torch.Generator().manual_seed(seed))
    assert rotary_score(q, k, t + on, s + on) == pytest.approx(rotary_score(q, k, t, s), abs=1e-3)
    by_complex = torch.view_as_complex(q.view(4, 2)) * torch.view_as_complex(k.view(4, 2)).conj()
    turns = torch.exp(-1j * (t - s) * torch.tensor([1, 0.1, 0.01, 0.001]))
    assert rotary_score(q, k, t, s) == pytest.approx(float((by_complex * turns).real.sum()), abs=1e-3)


def test_rotary_positions_tell_before_from_after():
    q, k = torch.tensor([1.0, 0.0]), torch.tensor([0.6, 0.8])
    assert rotary_score(q, k, 3, 2) != pytest.approx(rotary_score(q, k, 2, 3), abs=0.1)
    assert torch.allclose(rotation(-2, 8), rotation(2, 8).T)


def test_the_nearest_position_of_sinusoids_is_a_neighbour():
    found = nearest_positions(sinusoidal_positions(40, 32))
    assert ((found - torch.arange(40)).abs() == 1).all()
