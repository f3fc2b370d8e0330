"""Sampling: exact over the whole vocabulary, at its ends too, and drawn as the probabilities say."""

from fractions import Fraction
from itertools import accumulate
from math import inf, log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import chisquare

from core.models.generation.sampling import (
    SamplingSettings,
    count_sampled_tokens,
    distribution,
    draw_next_token,
    entropy,
    generate,
    misses,
    not_renormalised,
    softmax,
    top_p,
)
from core.models.language_model import UniformModel

logits = arrays(np.float64, st.integers(1, 40), elements=st.floats(-50, 50))
settings_drawn = st.builds(
    SamplingSettings,
    temperature=st.one_of(st.just(0.0), st.just(inf), st.floats(0.01, 100)),
    top_k=st.integers(0, 50),
    top_p=st.floats(0, 1),
)


@given(z=logits, chosen=settings_drawn)
def test_what_is_left_is_a_distribution_over_the_kept_tokens(z, chosen):
    trace = distribution(z, chosen)
    assert trace.probabilities.sum() == pytest.approx(1)
    assert trace.kept.any()
    assert (trace.probabilities[~trace.kept] == 0).all()
    assert 0 <= trace.entropy <= log2(len(z)) + 1e-9


@given(z=logits, chosen=settings_drawn, u=st.floats(0, 1, exclude_max=True))
def test_a_draw_is_a_kept_token_whatever_u(z, chosen, u):
    trace = distribution(z, chosen)
    assert trace.kept[draw_next_token(trace, u)]


@given(z=logits)
def test_a_temperature_of_nought_is_greedy(z):
    assert softmax(z, 0.0)[np.argmax(z)] == 1


@given(z=logits)
def test_a_temperature_without_end_is_uniform_and_a_very_large_one_nearly(z):
    np.testing.assert_allclose(softmax(z, inf), 1 / len(z))
    np.testing.assert_allclose(softmax(z, 1e9), 1 / len(z), atol=1e-6)


@given(z=logits, shift=st.floats(-100, 100), temperature=st.floats(0.1, 10))
def test_adding_a_constant_to_every_logit_changes_nothing(z, shift, temperature):
    np.testing.assert_allclose(softmax(z + shift, temperature), softmax(z, temperature), atol=1e-9)


def test_the_columns_of_a_distribution_worked_by_hand():
    trace = distribution(np.log([0.4, 0.1, 0.3, 0.2]), SamplingSettings(temperature=1.0, top_k=3, top_p=0.7))
    assert trace.rank.tolist() == [1, 4, 2, 3]
    assert trace.cut_by.tolist() == ["", "top-k", "", "top-p"]  # of 4/9, 3/9, 2/9 the first two reach 0.7
    np.testing.assert_allclose(trace.probabilities, [4 / 7, 0, 3 / 7, 0])
    np.testing.assert_allclose(trace.cumulative, [4 / 7, 1, 1, 1])
    assert trace.tail_mass == pytest.approx(0.3)


def test_top_p_of_nought_and_top_k_of_one_leave_the_likeliest_token():
    z = np.array([0.0, 2.0, 1.0])
    for chosen in (SamplingSettings(top_p=0.0), SamplingSettings(top_k=1)):
        assert distribution(z, chosen).probabilities.tolist() == [0, 1, 0]


def test_cuts_go_by_the_logits_even_where_the_temperature_has_made_all_alike():
    z = np.array([0.0, 2.0, 1.0, -1.0])
    assert distribution(z, SamplingSettings(temperature=inf, top_k=2)).probabilities.tolist() == [
        0,
        0.5,
        0.5,
        0,
    ]
    assert distribution(z, SamplingSettings(temperature=inf, top_p=0.5)).probabilities.tolist() == [
        0,
        0.5,
        0.5,
        0,
    ]


def test_impossible_tokens_stay_impossible_at_any_temperature():
    z = np.array([0.0, -inf, 1.0])
    for temperature in (0.0, 0.5, 1e9, inf):
        assert softmax(z, temperature)[1] == 0


@pytest.mark.parametrize(
    "wrong", [{"temperature": -1}, {"temperature": float("nan")}, {"top_k": -1}, {"top_p": 1.1}]
)
def test_settings_that_make_no_sense_are_refused_in_a_sentence(wrong):
    with pytest.raises(ValueError, match=r"\.$"):
        SamplingSettings(**wrong)


def test_draws_follow_the_probabilities():
    trace = distribution(np.log([0.5, 0.3, 0.15, 0.05]), SamplingSettings())
    counts = count_sampled_tokens(trace, 2000, seed=1)
    assert chisquare(counts, 2000 * trace.probabilities).pvalue > 0.01


def test_many_draws_at_once_are_the_draws_one_by_one():
    trace = distribution(np.log([0.5, 0.3, 0.15, 0.05]), SamplingSettings(top_p=0.9))
    luck = np.random.default_rng(7).random(50)
    one_by_one = np.bincount([draw_next_token(trace, u) for u in luck], minlength=4)
    assert count_sampled_tokens(trace, 50, seed=7).tolist() == one_by_one.tolist()


def test_the_entropy_of_four_equal_tokens_is_two_bits_and_their_perplexity_four():
    assert entropy(np.full(4, 0.25)) == 2
    assert distribution(np.zeros(4), SamplingSettings()).perplexity == 4


def test_the_same_seed_gives_the_same_text_and_another_seed_another():
    model = UniformModel(tuple("abcdefgh"))
    texts = [[step.token for step in generate(model, [], 20, SamplingSettings(), seed)] for seed in (1, 1, 2)]
    assert texts[0] == texts[1] != texts[2]


def test_forcing_a_token_leaves_the_luck_of_the_others_alone():
    model = UniformModel(tuple("abcdefgh"))
    free = list(generate(model, [], 5, SamplingSettings(), 3))
    forced = list(generate(model, [], 5, SamplingSettings(), 3, forced={2: 0}))
    assert [step.u for step in free] == [step.u for step in forced]
    assert forced[2].token == 0
    assert forced[2].forced
    assert [s.token for s in forced[3:]] == [s.token for s in free[3:]]


def test_top_p_keeps_the_fewest_tokens_that_reach_p_exactly_as_fractions_do():
    rng = np.random.default_rng(0)
    for _ in range(1000):
        shares = sorted((Fraction(int(n)) for n in rng.integers(1, 20, rng.integers(2, 8))), reverse=True)
        whole = sum(shares)
        reached = list(accumulate(share / whole for share in shares))
        at = int(rng.integers(0, len(shares)))  # p is what the first of them have together
        kept = top_p(np.log([float(share / whole) for share in shares]), float(reached[at]))
        assert kept.sum() == (at + 1 if reached[at] < 1 else len(shares))


def test_top_p_does_not_keep_a_token_too_many_where_a_sum_is_rounded():
    kept = distribution(np.log([0.7, 0.2, 0.1]), SamplingSettings(top_p=0.9)).kept
    assert kept.tolist() == [True, True, False]


@given(z=logits, temperature=st.floats(5e-324, 1e-3))
def test_a_temperature_next_to_nought_is_a_distribution_that_leaves_the_likeliest(z, temperature):
    p = softmax(z, temperature)
    assert p.sum() == pytest.approx(1)
    assert p[np.argmax(z)] == p.max()


def test_a_temperature_next_to_nought_shares_among_equals():
    trace = distribution(np.array([3.0, 3.0, -5.0]), SamplingSettings(temperature=1e-320))
    assert trace.probabilities.tolist() == [0.5, 0.5, 0.0]


def test_what_is_cut_and_not_renormalised_is_lost_and_so_are_the_draws_that_fall_there():
    trace = distribution(np.log([0.5, 0.3, 0.2]), SamplingSettings(top_k=2))
    broken = not_renormalised(trace)
    np.testing.assert_allclose(broken.probabilities, [0.5, 0.3, 0])
    np.testing.assert_allclose(broken.cumulative, [0.5, 0.8, 0.8])
    luck = np.random.default_rng(3).random(1000)
    assert misses(broken, luck).tolist() == (luck >= 0.8).tolist()
    assert not misses(trace, luck).any()
    assert count_sampled_tokens(broken, 1000, seed=3).tolist() == [
        ((luck < 0.5).sum()),
        ((luck >= 0.5) & (luck < 0.8)).sum(),
        0,
    ]
