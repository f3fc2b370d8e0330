"""The terms of a sum add up to what the network computed, for every gate, unit and step."""

import numpy as np
import pytest
import torch

from core.models.recurrent_language_model import RecurrentConfig, RecurrentLanguageModel, trace_recurrent
from core.models.recurrent_models.weighted_sum import GATES, weighted_sum


@pytest.mark.parametrize("cell", ["rnn", "gru", "lstm"])
def test_the_terms_of_every_sum_add_up_to_the_value_that_the_network_holds(cell):
    torch.manual_seed(1)
    model = RecurrentLanguageModel(RecurrentConfig(6, cell, width=5))
    read = trace_recurrent(model, torch.tensor([0, 3, 5, 1]))
    for t in range(4):
        state = read.hidden[t - 1].numpy() if t else np.zeros(5)
        for name in GATES[cell]:
            values = read.hidden if name == "h" else read.gates[name]
            for unit in range(5):
                found = weighted_sum(model, read, name, unit, t, state)
                assert found.value == pytest.approx(values[t, unit].item(), abs=1e-5)
                assert found.total == pytest.approx(
                    found.input_terms.sum() + found.state_terms.sum() + found.bias
                )


def test_the_gru_s_proposal_sees_the_past_through_its_reset_gate():
    model = RecurrentLanguageModel(RecurrentConfig(4, "gru", width=3))
    read = trace_recurrent(model, torch.tensor([0, 1]))
    found = weighted_sum(model, read, "n", 2, 1, read.hidden[0].numpy())
    assert found.scale == pytest.approx(read.gates["r"][1, 2].item())
    assert weighted_sum(model, read, "z", 2, 1, read.hidden[0].numpy()).scale == 1
