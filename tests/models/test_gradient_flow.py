"""The gradient through time is autograd's, the chain rule's by hand, and vanishes or explodes with the radius."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from core.models.gradient_flow import (
    backpropagated,
    drawn_weights,
    gradient_flow,
    spectral_radius,
    with_spectral_radius,
)


@settings(max_examples=15, deadline=None)
@given(radius=st.floats(0.2, 1.5), length=st.integers(1, 15), seed=st.integers(0, 1000))
def test_the_chain_rule_by_hand_gives_autograds_gradients(radius, length, seed):
    flow = gradient_flow("rnn", radius, length, width=6, seed=seed)
    by_hand = backpropagated(flow.weights.W_h.detach(), flow.hidden, flow.hidden_gradients[-1])
    torch.testing.assert_close(by_hand, flow.hidden_gradients, atol=1e-6, rtol=1e-3)


def test_a_small_radius_vanishes_a_large_one_explodes_and_one_in_between_lasts():
    first = {
        radius: gradient_flow("rnn", radius, length=40).hidden_norms[0].item() for radius in (0.5, 1.0, 1.8)
    }
    assert first[0.5] < 1e-6 < 0.01 < first[1.0] < 10 < first[1.8]


def test_the_gradient_never_outgrows_the_spectral_norm():
    flow = gradient_flow("rnn", 0.9, length=30)
    most = torch.linalg.matrix_norm(flow.weights.W_h.detach(), 2)
    assert (flow.hidden_norms <= most**flow.distance * 1.0001).all()


def test_an_lstms_cell_keeps_what_a_plain_rnn_has_lost():
    rnn, lstm = (gradient_flow(cell, radius=0.5, length=30) for cell in ("rnn", "lstm"))
    assert lstm.cell_norms[0] > 100 * rnn.hidden_norms[0]


def test_the_parameters_gradient_is_clipped_as_torch_clips_it():
    free = gradient_flow("rnn", 1.8, length=40)
    clipped = gradient_flow("rnn", 1.8, length=40, clip=2.0)
    W = nn.Parameter(torch.zeros(1))
    W.grad = torch.tensor([free.parameter_norm])
    nn.utils.clip_grad_norm_([W], 2.0)
    assert free.parameter_norm == free.clipped_norm > 2
    assert clipped.clipped_norm == pytest.approx(W.grad.item(), rel=1e-4)


@given(radius=st.floats(0.01, 5), seed=st.integers(0, 100))
def test_a_matrix_gets_the_spectral_radius_asked_for(radius, seed):
    W = torch.randn(5, 5, generator=torch.Generator().manual_seed(seed))
    assert spectral_radius(with_spectral_radius(W, radius)) == pytest.approx(radius, rel=1e-3)


def test_every_gate_of_an_lstm_gets_the_radius_and_only_the_forget_gate_a_bias():
    weights = drawn_weights("lstm", width=6, radius=0.7, seed=1, forget_bias=2.0)
    assert [spectral_radius(block) for block in weights.W_h.chunk(4)] == pytest.approx([0.7] * 4, rel=1e-4)
    assert weights.b_x.view(4, 6).mean(1).tolist() == [0, 2, 0, 0]
