"""The machine speaks: each draw is the first thing whose cumulative probability exceeds u, as often as its table says."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.models.hidden_markov_models.hmm_tables import ice_cream_diary
from core.models.hidden_markov_models.speaking import chosen_by, drawn, mean_run, speak
from core.models.hidden_markov_models.what_if import with_probability, without_memory


@given(st.lists(st.integers(0, 5), min_size=1, max_size=5).filter(any), st.floats(0, 1, exclude_max=True))
def test_u_lies_in_the_part_of_what_was_chosen(weights, u):
    p = np.array(weights) / sum(weights)
    j = chosen_by(p, u)
    assert p[j] > 0
    assert p[:j].sum() <= u * (1 + 1e-12) + 1e-12
    assert u < p[: j + 1].sum() + 1e-12


def test_every_draw_is_made_from_the_row_of_the_state_it_is_in():
    model = ice_cream_diary()
    draws = speak(model, 30, seed=4)
    states = drawn(draws, "state")
    for draw in draws:
        table = np.exp(model.log_transition if draw.kind == "state" else model.log_emission)
        row = states[draw.t - 1] if draw.kind == "state" else states[draw.t]
        expected = np.exp(model.log_initial) if draw.kind == "state" and draw.t == 0 else table[row]
        assert draw.probabilities == pytest.approx(expected)
        assert draw.row == (-1 if draw.kind == "state" and draw.t == 0 else row)
        assert draw.chosen == next(j for j, end in enumerate(draw.cumulative) if end > draw.uniform)


def test_ten_thousand_days_have_the_shares_that_the_tables_say():
    draws = speak(ice_cream_diary(), 10_000, seed=2)
    states, words = np.array(drawn(draws, "state")), np.array(drawn(draws, "word"))
    assert (states == 0).mean() == pytest.approx(2 / 7, abs=0.02)  # pi = pi A: 0.2 / (0.2 + 0.5)
    assert (states[1:][states[:-1] == 0] == 0).mean() == pytest.approx(0.5, abs=0.02)
    assert np.bincount(words[states == 1], minlength=3) / (states == 1).sum() == pytest.approx(
        [0.6, 0.3, 0.1], abs=0.02
    )


@pytest.mark.parametrize(("hot", "cold"), [(0.5, 0.8), (0.9, 0.9), (0.2, 0.3)])
def test_without_memory_each_state_is_as_frequent_and_runs_are_those_of_chance(hot, cold):
    model = with_probability(ice_cream_diary(), "transition", 0, 0, hot)
    model = with_probability(model, "transition", 1, 1, cold)
    afresh = without_memory(model)
    pi = (1 - cold) / (2 - hot - cold)
    assert np.exp(afresh.log_initial) == pytest.approx([pi, 1 - pi])
    assert np.exp(afresh.log_transition) == pytest.approx(np.array([[pi, 1 - pi]] * 2))
    runs = [mean_run(drawn(speak(each, 20_000, seed=1), "state")) for each in (model, afresh)]
    turns = 2 * pi * (1 - hot), 2 * pi * (1 - pi)  # how often the weather turns: the run is one over that
    assert runs == pytest.approx([1 / turns[0], 1 / turns[1]], rel=0.04)


def test_the_same_seed_is_the_same_luck_whatever_the_tables():
    model = ice_cream_diary()
    luck = [[draw.uniform for draw in speak(each, 5, seed=9)] for each in (model, without_memory(model))]
    assert luck[0] == luck[1]
