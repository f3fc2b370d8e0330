"""The feed-forward network computes its equations, and cuts windows short in training only."""

import pytest
import torch
from torch.nn import functional

from core.models.feedforward_language_model import (
    FeedForwardConfig,
    FeedForwardLanguageModel,
    trace_feedforward,
)

V = 5
IDS = torch.tensor([[1, 4, 0, 2, 2, 3]])


def network(**more):
    torch.manual_seed(4)
    return FeedForwardLanguageModel(FeedForwardConfig(V, context=3, embedding=2, hidden=6, layers=2, **more))


def test_a_trace_is_the_equations_with_torch_s_own_norm():
    model = network()
    x = model.embedding(IDS[0, -3:]).flatten()
    h1 = torch.relu(model.hidden.weight @ x + model.hidden.bias)
    deeper = model.deeper[0]
    h2 = h1 + torch.relu(deeper.weight @ functional.rms_norm(h1, (6,)) + deeper.bias)
    logits = model.output.weight @ functional.rms_norm(h2, (6,)) + model.output.bias
    found = trace_feedforward(model, IDS[0])
    torch.testing.assert_close(found.hidden, torch.stack([h1, h2]))
    torch.testing.assert_close(found.logits, logits + model.direct_output.weight @ x)
    torch.testing.assert_close(model(IDS)[0][0, -1], found.logits)


def test_what_stands_before_the_window_changes_nothing():
    model = network()
    other = torch.cat((torch.tensor([[3, 3, 3]]), IDS[:, 3:]), dim=1)
    torch.testing.assert_close(model(IDS)[0][0, -1], model(other)[0][0, -1])


def test_a_window_cut_short_keeps_its_last_tokens_and_begins_the_text_there():
    windows = torch.tensor([[[1, 2, 3]] * 300])
    cut = network(cut_short=0.5).cut_short(windows)[0]
    kept = {(1, 2, 3), (V, 2, 3), (V, V, 3)}
    assert set(map(tuple, cut.tolist())) == kept
    # Half of the windows are cut to 1, 2 or 3 tokens: a third of those are left whole.
    assert (cut == windows[0]).all(dim=1).float().mean().item() == pytest.approx(2 / 3, abs=0.1)


@pytest.mark.parametrize("noise", [{"cut_short": 1.0}, {"dropout": 0.5}])
def test_windows_are_cut_short_and_units_dropped_in_training_only(noise):
    model = network(**noise)
    first = model(IDS)[0]
    assert any(not torch.equal(model(IDS)[0], first) for _ in range(20))
    model.eval()
    torch.testing.assert_close(model(IDS)[0], network().eval()(IDS)[0])
