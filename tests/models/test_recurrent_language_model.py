"""The step functions are torch's fused layers, one step at a time; the trace is what the model computes."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.models.feedforward_language_model import (
    FeedForwardConfig,
    FeedForwardLanguageModel,
    trace_feedforward,
)
from core.models.recurrent_language_model import RecurrentConfig, RecurrentLanguageModel, trace_recurrent


@pytest.mark.parametrize("cell", ["rnn", "gru", "lstm"])
@settings(max_examples=10, deadline=None)
@given(ids=st.lists(st.integers(0, 5), min_size=1, max_size=12))
def test_steps_one_by_one_are_torchs_fused_layer(cell, ids):
    torch.manual_seed(1)
    model = RecurrentLanguageModel(RecurrentConfig(6, cell, width=5))
    traced, ids = trace_recurrent(model, torch.tensor(ids)), torch.tensor([ids])
    hidden, _ = model.layer(model.embedding(ids))
    torch.testing.assert_close(traced.hidden, hidden[0], atol=1e-5, rtol=1e-4)
    torch.testing.assert_close(traced.logits, model(ids)[0][0], atol=1e-5, rtol=1e-4)


def test_gates_are_named_as_in_the_equations_and_lie_where_they_must():
    ids = torch.arange(6)
    lstm = trace_recurrent(RecurrentLanguageModel(RecurrentConfig(6, "lstm", width=4)), ids).gates
    gru = trace_recurrent(RecurrentLanguageModel(RecurrentConfig(6, "gru", width=4)), ids).gates
    assert list(lstm) == ["i", "f", "g", "o", "c"]
    assert list(gru) == ["r", "z", "n"]
    assert trace_recurrent(RecurrentLanguageModel(RecurrentConfig(6, "rnn", width=4)), ids).gates == {}
    assert all(
        ((gate > 0) & (gate < 1)).all() for gate in (lstm["i"], lstm["f"], lstm["o"], gru["r"], gru["z"])
    )


@pytest.mark.parametrize("layers", [1, 3])
@pytest.mark.parametrize("length", [1, 3, 9])
def test_the_feed_forward_trace_is_the_last_prediction_of_the_forward_pass(length, layers):
    model = FeedForwardLanguageModel(FeedForwardConfig(6, context=4, embedding=3, hidden=5, layers=layers))
    ids = torch.randint(0, 6, (length,))
    torch.testing.assert_close(trace_feedforward(model, ids).logits, model(ids[None])[0][0, -1].detach())


def test_a_feed_forward_model_sees_its_window_and_nothing_before():
    model = FeedForwardLanguageModel(FeedForwardConfig(6, context=3, embedding=3, hidden=5))
    one, other = torch.tensor([[1, 2, 3, 4, 5]]), torch.tensor([[0, 0, 3, 4, 5]])
    torch.testing.assert_close(model(one)[0][0, -1], model(other)[0][0, -1])
    assert not torch.allclose(model(one)[0][0, -2], model(other)[0][0, -2])
