"""Zipf's law is fitted as scipy fits it, Heaps' line as scipy's, and both find what they were made from."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.optimize import minimize_scalar

from core.models.tokens.zipf import (
    drawn_distances,
    fit_heaps,
    fit_zipf,
    heaps_places,
    monkey_tokens,
    rank_words,
    rarer_half,
    type_growth,
    types_for,
    without_stop_words,
    zipf_probabilities,
)

COUNTS = st.lists(st.integers(1, 10_000), min_size=2, max_size=60).map(
    lambda counts: np.array(sorted(counts)[::-1])
)
TOKENS = st.lists(st.sampled_from("the a cat sat on mat dog The".split()), min_size=2, max_size=80).filter(
    lambda tokens: len(set(tokens)) > 1
)


@pytest.mark.parametrize("exponent", [0.0, 0.5, 1.0, 2.5])
def test_the_probabilities_are_scipy_s_truncated_zeta(exponent):
    np.testing.assert_allclose(
        zipf_probabilities(exponent, 50), stats.zipfian(exponent, 50).pmf(np.arange(1, 51))
    )


@given(COUNTS)
def test_the_exponent_is_where_scipy_s_likelihood_is_highest(counts):
    ranks = np.arange(1, len(counts) + 1)

    def loss(s):
        return -(counts @ stats.zipfian(s, len(counts)).logpmf(ranks)) / counts.sum()

    found = minimize_scalar(loss, bounds=(0, 20), method="bounded", options={"xatol": 1e-9})
    assert fit_zipf(counts).exponent == pytest.approx(found.x, abs=1e-3)


@given(COUNTS)
def test_the_distance_is_kolmogorov_and_smirnov_s_at_its_rank(counts):
    fit = fit_zipf(counts)
    law = stats.zipfian(fit.exponent, len(counts))
    gaps = [abs(counts[:r].sum() / counts.sum() - law.cdf(r)) for r in range(1, len(counts) + 1)]
    assert fit.distance == pytest.approx(max(gaps), abs=1e-9)
    assert gaps[fit.farthest - 1] == pytest.approx(max(gaps), abs=1e-9)


@pytest.mark.parametrize("exponent", [0.3, 0.8, 1.0, 1.5])
def test_the_exponent_that_made_the_counts_is_found_again(exponent):
    counts = np.round(1e9 * zipf_probabilities(exponent, 300))
    fit = fit_zipf(counts)
    assert fit.exponent == pytest.approx(exponent, abs=1e-5)
    assert fit.distance < 1e-6


def test_types_that_occur_equally_often_have_exponent_nought():
    assert fit_zipf(np.array([3, 3, 3])).exponent == 0
    assert fit_zipf(np.array([3, 3, 3])).distance == pytest.approx(0)


def test_a_word_ten_million_times_beside_one_is_fitted():
    assert fit_zipf(np.array([10_000_000, 1])).exponent == pytest.approx(np.log2(1e7))


def test_a_text_that_follows_the_law_is_as_far_from_it_as_drawn_ones_and_a_step_is_farther():
    p = zipf_probabilities(1.0, 500)
    counts = np.sort(np.random.default_rng(7).multinomial(20_000, p))[::-1]
    own = fit_zipf(counts[counts > 0])
    assert own.distance <= 1.5 * drawn_distances(own, 20_000).max()
    step = fit_zipf(np.array([100] * 50 + [1] * 50))
    assert step.distance > 3 * drawn_distances(step, 5050).max()


@given(TOKENS)
def test_ranks_descend_and_hold_every_token(tokens):
    ranked = rank_words(tokens)
    assert (np.diff(ranked.counts) <= 0).all()
    assert dict(zip(ranked.types, ranked.counts, strict=True)) == {w: tokens.count(w) for w in tokens}
    assert ranked.covered[-1] == pytest.approx(1)


@given(TOKENS, st.floats(0.01, 1))
def test_the_types_for_a_share_are_the_fewest(tokens, share):
    ranked = rank_words(tokens)
    k = types_for(ranked, share)
    assert ranked.counts[:k].sum() >= share * len(tokens)
    assert ranked.counts[: k - 1].sum() < share * len(tokens)


@pytest.mark.parametrize("tokens", [[], ["word"], ["🦜", "🦜"]])
def test_fewer_than_two_types_are_answered_with_a_sentence(tokens):
    with pytest.raises(ValueError, match="at least two different words"):
        rank_words(tokens)


@given(TOKENS)
def test_growth_is_the_size_of_the_set_so_far(tokens):
    assert type_growth(tokens).tolist() == [len(set(tokens[: n + 1])) for n in range(len(tokens))]


@given(TOKENS)
def test_heaps_line_is_scipy_s_regression(tokens):
    growth = type_growth(tokens)
    n = heaps_places(len(growth))
    line = stats.linregress(np.log(n), np.log(growth[n - 1]))
    fit = fit_heaps(growth)
    assert (np.log(fit.K), fit.exponent) == pytest.approx((line.intercept, line.slope), abs=1e-9)


@given(TOKENS, st.integers(0, 5))
def test_the_monkey_types_as_many_keys_from_the_same_keyboard(tokens, seed):
    typed = monkey_tokens(tokens, seed)
    assert typed == monkey_tokens(tokens, seed)
    assert set("".join(typed)) <= set("".join(tokens))
    assert len(" ".join(typed)) <= len(" ".join(tokens))


def test_the_monkey_s_words_are_as_long_as_its_space_bar_says():
    """Miller: with a space of probability q, a word has 1 / q letters in the mean once the empty ones are left out."""
    text = ["abcd"] * 20_000  # four letters, one space: q = 1/5
    lengths = [len(word) for word in monkey_tokens(text)]
    assert np.mean(lengths) == pytest.approx(5, rel=0.03)


def test_stop_words_are_left_out_in_any_case_and_nothing_else():
    assert without_stop_words("THE Cat and a hat".split()) == ["Cat", "hat"]


def test_the_rarer_half_leaves_the_middle_word_to_the_head():
    assert rarer_half(np.array([0.5, 0.3, 0.2])) == pytest.approx(0.2)


@pytest.mark.parametrize("exponent", [0.2, 0.9, 3.0, 20.0, 60.0])
def test_the_exponent_is_found_far_beyond_one_too(exponent):
    counts = 1e30 * zipf_probabilities(exponent, 6)
    assert fit_zipf(counts).exponent == pytest.approx(exponent, abs=1e-6)
