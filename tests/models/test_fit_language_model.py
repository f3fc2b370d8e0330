"""Fitting: a resumed fit is the fit that never stopped, and its rates rise, hold and fall."""

import io

import numpy as np
import pytest
import torch

from core.models.feedforward_language_model import FeedForwardConfig, FeedForwardLanguageModel
from core.models.fit_language_model import FitConfig, Fitting, next_token_loss, shifted
from core.models.self_attention.gpt import GPT, GPTConfig

IDS = torch.arange(500) % 7


def a_gpt():
    return GPT(GPTConfig(7, context=8, layers=1, heads=2, width=16))


def a_network_that_draws():
    return FeedForwardLanguageModel(FeedForwardConfig(7, context=4, embedding=4, hidden=8, cut_short=0.5))


def fitting(steps: int = 12, network=a_gpt) -> Fitting:
    torch.manual_seed(0)
    return Fitting(network(), IDS, FitConfig(steps, batch=4, window=8, warm_up=3))


@pytest.mark.parametrize("network", [a_gpt, a_network_that_draws])
def test_a_resumed_fit_is_the_fit_that_was_never_stopped(network):
    whole = fitting(network=network)
    losses = [whole.step() for _ in range(12)]
    first, second, file = fitting(network=network), fitting(network=network), io.BytesIO()
    for _ in range(5):
        first.step()
    torch.save(first.state(), file)
    file.seek(0)
    second.resume(torch.load(file, weights_only=True))
    assert [second.step() for _ in range(7)] == losses[5:]
    assert second.done


def test_a_text_that_goes_round_is_learned():
    fit = fitting(steps=100)
    while not fit.done:
        loss = fit.step()
    assert loss < 0.2


def test_the_loss_is_the_mean_surprise_of_the_shifted_target():
    x, y = shifted(IDS, torch.tensor([3]), window=4)
    assert (x.tolist(), y.tolist()) == ([[3, 4, 5, 6]], [[4, 5, 6, 0]])
    gpt = fitting().model
    ln_p = torch.log_softmax(gpt(x)[0], -1)[0]
    by_hand = -sum(ln_p[t, token] for t, token in enumerate(y[0])) / 4
    torch.testing.assert_close(next_token_loss(gpt, x, y), by_hand)


def test_the_rates_rise_hold_and_fall_to_nearly_nought():
    fit = fitting(steps=12)  # 3 steps of warm-up, the last half to cool down
    shares = []
    while not fit.done:
        fit.step()
        shares.append(
            [o.param_groups[0]["lr"] / full for o, full in zip(fit.optimisers, fit.full_rates, strict=True)]
        )
    expected = [1 / 3, 2 / 3, 1, 1, 1, 1, 1, 5 / 6, 4 / 6, 3 / 6, 2 / 6, 1 / 6]
    np.testing.assert_allclose(shares, np.column_stack([expected, expected]), rtol=1e-9)
