"""The gradient through time is autograd's, the chain rule's by hand, and vanishes or explodes with the radius."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from core.models.recurrent_language_model import RecurrentConfig, RecurrentLanguageModel
from core.models.recurrent_models.chain_rule import backpropagated, weight_gradients
from core.models.recurrent_models.drawn_weights import (
    drawn_language_model,
    drawn_weights,
    spectral_radius,
    with_spectral_radius,
)
from core.models.recurrent_models.gradient_flow import gradient_flow, loss_gradient
from core.models.recurrent_models.unrolled_word import unrolled_word


@settings(max_examples=8, deadline=None)
@given(radius=st.floats(0.2, 1.5), length=st.integers(1, 15), seed=st.integers(0, 1000))
def test_the_chain_rule_by_hand_gives_autograds_gradients(radius, length, seed):
    flow = gradient_flow("rnn", radius, length, width=6, seed=seed)
    by_hand = backpropagated(flow.weights.W_h.detach(), flow.hidden, flow.hidden_gradients[-1])
    torch.testing.assert_close(by_hand, flow.hidden_gradients, atol=1e-6, rtol=1e-3)


def test_a_small_radius_vanishes_a_large_one_explodes_and_one_in_between_lasts():
    def first(radius):
        norms = [gradient_flow("rnn", radius, 40, seed=seed).hidden_norms[0].item() for seed in range(1, 8)]
        return sorted(norms)[
            3
        ]  # the median; by its tanh an RNN may tame a large radius with one seed or other

    assert first(0.5) < 1e-6 < 0.01 < first(1.0) < 10 < first(1.8)


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


@pytest.mark.parametrize("cell", ["rnn", "gru", "lstm"])
def test_the_loss_s_gradient_is_that_of_torchs_own_layers(cell):
    torch.manual_seed(5)
    model = RecurrentLanguageModel(RecurrentConfig(6, cell, width=4)).double()
    ids = torch.tensor([0, 4, 2, 2, 5])
    found = loss_gradient(model, ids)
    x = model.embedding(ids[None, :-1]).detach().requires_grad_()
    hidden, _ = model.layer(x)
    nn.functional.cross_entropy(model.logits(hidden[0, -1:]), ids[-1:]).backward()
    torch.testing.assert_close(found.hidden, hidden[0].detach())
    ln_p = torch.log_softmax(model.logits(hidden[0, -1]), dim=0)
    assert found.loss == pytest.approx(-ln_p[5].item())
    # The first input reaches the loss only through the first state, so its gradient tells that state's.
    again = model.embedding(ids[:-1]).detach()
    first = hidden[0, :1].detach().requires_grad_()
    if cell != "lstm":
        rest, _ = model.layer(again[None, 1:], first[None])
        nn.functional.cross_entropy(model.logits(rest[0, -1:]), ids[-1:]).backward()
        torch.testing.assert_close(found.hidden_gradients[0], first.grad[0])


@settings(max_examples=15, deadline=None)
@given(word=st.text(min_size=2, max_size=10), width=st.integers(2, 4), seed=st.integers(0, 99))
def test_a_word_s_gradients_by_hand_are_autograds(word, width, seed):
    read = unrolled_word(word, width, 0.9, seed)
    torch.testing.assert_close(read.by_hand, read.automatic.hidden_gradients)
    for t in range(1, read.T):
        torch.testing.assert_close(read.factors[t] @ read.by_hand[t], read.by_hand[t - 1])
        assert read.norms[t - 1] <= read.most[t] * read.norms[t] * (1 + 1e-9)


def test_the_steps_parts_add_up_to_the_gradient_of_the_weights():
    model = drawn_language_model(5, 3, 0.9, seed=2)
    ids = torch.tensor([0, 1, 2, 3, 4])
    found = loss_gradient(model, ids)
    model.layer.weight_hh_l0.requires_grad_()
    nn.functional.cross_entropy(model(ids[None, :-1])[0][0, -1:], ids[-1:]).backward()
    parts = weight_gradients(found.hidden, found.hidden_gradients)
    torch.testing.assert_close(parts.sum(0), model.layer.weight_hh_l0.grad)


def test_a_loss_needs_something_to_read_and_something_to_foretell():
    with pytest.raises(ValueError, match="at least one token"):
        loss_gradient(drawn_language_model(3, 2, 0.9, seed=1), torch.tensor([0]))


def test_without_the_tanh_the_gradient_is_the_matrix_s_power():
    flow = gradient_flow("linear", 1.1, length=12, width=5)
    W = flow.weights.W_h.detach()
    expected = torch.linalg.matrix_power(W.T, 11) @ flow.hidden_gradients[-1]
    torch.testing.assert_close(flow.hidden_gradients[0], expected)


def test_the_weights_that_read_are_drawn_with_a_variance_of_one_over_the_width():
    weights = drawn_weights("rnn", width=64, radius=0.9, seed=1)
    assert weights.W_x.std().item() * 64**0.5 == pytest.approx(1, abs=0.05)
    assert spectral_radius(weights.W_h) == pytest.approx(0.9)


def test_an_untrained_language_model_s_rows_are_a_tenth_and_its_memory_is_orthogonal():
    torch.manual_seed(1)
    model = RecurrentLanguageModel(RecurrentConfig(50, "rnn", width=40))
    assert model.embedding.weight.std().item() == pytest.approx(0.1, rel=0.05)
    W = model.layer.weight_hh_l0
    torch.testing.assert_close(W @ W.T, torch.eye(40), atol=1e-5, rtol=0)


def test_what_is_read_is_a_tenth_of_the_standard_normal():
    flow = gradient_flow("linear", radius=0.01, length=200, width=32)
    assert flow.hidden.std().item() == pytest.approx(0.1, rel=0.1)


def test_a_step_s_ratio_is_that_of_lengths_and_never_above_the_factor_s_norm():
    read = unrolled_word("abracadabra", 3, 1.2, seed=2)
    assert read.norms[:-1] == pytest.approx(read.ratios * read.norms[1:])
    assert (read.ratios <= read.most[1:] * (1 + 1e-9)).all()
    assert (read.ratios < 0.99 * read.most[1:]).any()


def test_the_error_of_the_last_steps_is_what_the_first_ones_would_have_added():
    read = unrolled_word("hello", 2, 0.9, seed=1)
    errors = [read.error_of_last(k) for k in (1, 2, 3, 4)]
    expected = [(read.parts[:-k].sum(0).norm() / read.parts.sum(0).norm()).item() for k in (1, 2, 3)]
    assert errors == pytest.approx([*expected, 0.0])
