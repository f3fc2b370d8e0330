"""A frozen gate is constant, a wiped memory remembers nothing, and both cost what the step functions say."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.models.recurrent_language_model import RecurrentConfig, RecurrentLanguageModel, trace_recurrent
from core.models.recurrent_models.broken_memory import bits_when_wiped, frozen
from core.models.stored_language_models import encode, stored_language_model

IDS = torch.tensor([0, 3, 1, 5, 2, 2, 4, 1])


def network(cell):
    torch.manual_seed(1)
    return RecurrentLanguageModel(RecurrentConfig(6, cell, width=5)).requires_grad_(False)


@pytest.mark.parametrize(
    ("cell", "gate"), [("gru", "r"), ("gru", "z"), ("lstm", "i"), ("lstm", "f"), ("lstm", "o")]
)
@pytest.mark.parametrize("value", [0.0, 0.5, 1.0])
def test_a_frozen_gate_has_one_value_and_the_others_stay_alive(cell, gate, value):
    whole = network(cell)
    read = trace_recurrent(frozen(whole, gate, value), IDS)
    assert torch.equal(read.gates[gate], torch.full_like(read.gates[gate], value))
    assert all(torch.isfinite(each).all() for each in read.gates.values())
    assert trace_recurrent(whole, IDS).gates[gate].std() > 0


def test_an_lstm_that_forgets_nothing_adds_up_all_that_it_wrote():
    read = trace_recurrent(frozen(network("lstm"), "f", 1.0), IDS)
    written = (read.gates["i"] * read.gates["g"]).cumsum(0)
    torch.testing.assert_close(read.gates["c"], written)


@pytest.mark.parametrize("cell", ["rnn", "gru", "lstm"])
@settings(max_examples=8, deadline=None)
@given(wiped=st.integers(1, 9))
def test_wiped_bits_are_those_of_the_trace_whose_state_is_emptied(cell, wiped):
    model = network(cell)
    ln_p = torch.log_softmax(trace_recurrent(model, IDS[:-1], wiped).logits.double(), dim=1)
    expected = -ln_p[torch.arange(len(IDS) - 1), IDS[1:]] / torch.log(torch.tensor(2.0))
    torch.testing.assert_close(
        bits_when_wiped(model, IDS, wiped), expected, atol=1e-5, rtol=1e-4, check_dtype=False
    )


def test_a_memory_wiped_at_every_step_sees_one_character_only():
    read = trace_recurrent(network("lstm"), torch.tensor([4, 2, 4]), wiped=1)
    torch.testing.assert_close(read.hidden[0], read.hidden[2])


@pytest.mark.parametrize("name", ["char_rnn", "char_lstm"])
def test_the_less_a_trained_network_may_remember_the_more_bits_it_needs(name):
    model = stored_language_model(name)
    text = "My lord, the king and all his men are come to speak with you before the day is done.\n" * 3
    ids = torch.tensor((model.start, *encode(name, text).ids))
    needed = [bits_when_wiped(model.network, ids, k).mean().item() for k in (1, 3, 10, None)]
    assert needed == sorted(needed, reverse=True)
    assert needed[0] > needed[-1] + 0.5


@pytest.mark.parametrize("ids", [[], [2]], ids=["none", "one"])
def test_where_nothing_is_to_be_foretold_that_is_said(ids):
    with pytest.raises(ValueError, match="two ids or more"):
        bits_when_wiped(network("gru"), torch.tensor(ids, dtype=torch.long))
