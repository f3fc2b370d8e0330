"""A power law is found where there is one, and what a few points leave open is told."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.optimize import curve_fit

from core.models.transformers.power_law import (
    PowerLaw,
    exponent_interval,
    exponents_without_one,
    fit_power_law,
    floors_that_fit,
    loss_intervals,
    worst_miss,
)

SIZES = [25_000, 100_000, 330_000, 1_000_000]


@given(st.floats(0.5, 20), st.floats(0.01, 0.6), st.floats(0, 1))
def test_the_law_that_made_the_losses_is_found(a, b, c):
    law = fit_power_law(SIZES, PowerLaw(a, b, c)(SIZES), c)
    assert (law.a, law.b, law.c) == pytest.approx((a, b, c), rel=1e-6)


def test_the_fit_is_scipy_s_on_logarithms():
    losses = np.array([1.83, 1.66, 1.52, 1.44])
    found, _ = curve_fit(lambda n, height, b: height - b * n, np.log(SIZES), np.log(losses), p0=(1, 0.1))
    law = fit_power_law(SIZES, losses)
    assert (np.log(law.a), law.b) == pytest.approx(tuple(found), rel=1e-5)


def test_an_interval_holds_the_truth_of_about_19_samples_in_20():
    rng, true, within = np.random.default_rng(1), PowerLaw(4, 0.08), 0
    for _ in range(60):
        hard = rng.normal(0, 0.1, 37)
        sample = true(SIZES)[:, None] + hard + rng.normal(0, 0.05, (4, 37))
        low, high = exponent_interval(SIZES, sample)
        within += low <= true.b <= high
    assert 50 <= within <= 60


def test_pieces_that_differ_alike_for_all_models_widen_losses_but_hardly_the_exponent():
    rng = np.random.default_rng(2)
    hard, noise = rng.normal(0, 0.2, 37), rng.normal(0, 0.2, (4, 37))
    losses = PowerLaw(4, 0.08)(SIZES)[:, None]
    alike, apart = losses + hard, losses + noise
    widths = [np.diff(loss_intervals(each)).mean() for each in (alike, apart)]
    assert widths[0] == pytest.approx(widths[1], rel=0.5)
    narrow, wide = (np.diff(exponent_interval(SIZES, each))[0] for each in (alike, apart))
    assert narrow < wide / 3


def test_the_interval_of_a_mean_is_that_of_the_normal_distribution_at_95_per_cent():
    losses = np.random.default_rng(3).normal(1.5, 0.2, (1, 400))
    low, high = loss_intervals(losses)[0]
    half = stats.norm.ppf(0.975) * losses.std() / np.sqrt(losses.size)
    assert (high - low) / 2 == pytest.approx(half, rel=0.08)  # at 90% it is narrower by 16%


def test_each_model_is_left_out_once():
    losses = PowerLaw(4, 0.08)(SIZES)
    losses[1] += 0.1
    bs = exponents_without_one(SIZES, losses)
    assert bs[1] == pytest.approx(0.08)
    assert all(b != pytest.approx(0.08, rel=1e-3) for b in (bs[0], bs[2], bs[3]))


def test_floors_that_fit_hold_the_true_one_and_none_of_them_misses():
    losses = PowerLaw(8, 0.2, 0.7)(SIZES)
    laws = floors_that_fit(SIZES, losses, within=0.01)
    assert laws[0].c < 0.7 < laws[-1].c
    assert max(worst_miss(law, SIZES, losses) for law in laws) <= 0.01
    assert floors_that_fit(SIZES, [2, 1, 2, 1], within=0.01) == []
