"""Fitting a translator: the rate rises over the first twentieth of the steps and falls to nought along a cosine."""

from math import cos, pi

import pytest
import torch

from core.models.translation.fit_translation import Fit
from core.models.translation.seq2seq import Seq2Seq, Seq2SeqConfig


def a_fit(epochs):
    torch.manual_seed(0)
    model = Seq2Seq(Seq2SeqConfig(8, 8, embedding=4, hidden=4))
    return Fit(model, [[4, 5], [5, 6, 7]] * 10, [[4, 2], [6, 2]] * 10, epochs, batch=2, rate=0.01, seed=1)


def test_the_rate_rises_and_falls_along_a_cosine():
    fit, rates = a_fit(epochs=4), []
    for number in range(fit.epochs):
        for _ in fit.epoch(number):
            rates.append(fit.optimiser.param_groups[0]["lr"])
    expected = [0.01 * min((i + 1) / 2, 0.5 * (1 + cos(pi * i / 40))) for i in range(40)]
    assert rates == pytest.approx(expected)
    assert rates[20] == pytest.approx(0.005)  # half the way down at half the steps


def test_a_gradient_is_shortened_to_a_norm_of_one():
    fit = a_fit(epochs=1)
    with torch.no_grad():
        for parameter in fit.model.parameters():
            parameter.mul_(20)
    for _ in fit.epoch(0):
        gradients = [p.grad.flatten() for p in fit.model.parameters() if p.grad is not None]
        assert torch.cat(gradients).norm() <= 1 + 1e-4
