"""What if a table said otherwise: rows stay distributions, flips are where two paths are equally probable."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.models.hidden_markov_models.decoding import decode
from core.models.hidden_markov_models.hmm import joint_log_probability
from core.models.hidden_markov_models.hmm_tables import ice_cream_diary, noun_verb_toy
from core.models.hidden_markov_models.leave_one_out import held_out_log_probabilities
from core.models.hidden_markov_models.search_loss import shares_missed
from core.models.hidden_markov_models.what_if import (
    rows_of,
    sweep,
    with_probability,
    without_neighbours,
    without_words,
)

MODELS = [ice_cream_diary(), noun_verb_toy()]


@given(
    st.sampled_from(MODELS),
    st.sampled_from(["initial", "transition", "emission"]),
    st.integers(0, 1),
    st.integers(0, 1),
    st.floats(0, 1),
)
def test_one_probability_is_set_and_every_row_still_sums_to_one(model, table, row, column, value):
    row = 0 if table == "initial" else row
    changed = with_probability(model, table, row, column, value)
    assert np.exp(rows_of(changed, table)[row, column]) == pytest.approx(value)
    for name in ("initial", "transition", "emission"):
        assert np.allclose(np.exp(rows_of(changed, name)).sum(axis=1), 1)


def test_the_path_flips_where_both_paths_are_equally_probable():
    # on the diary 2 1: hot cold has p 0.3 * 0.5 * 0.6 = 0.09 p; cold cold 0.3 * 0.8 * 0.6 = 0.144 (1 - p)
    found = sweep(ice_cream_diary(), ["2", "1"], "initial", 0, 0, points=10_001)
    assert found.flips == [pytest.approx(0.144 / (0.144 + 0.09), abs=1e-4)]


def test_without_neighbours_each_word_s_best_state_is_the_path():
    model = without_neighbours(ice_cream_diary())
    decoded = decode(model, "3 1 2 3 1".split())
    best = [int(row.argmax()) for row in decoded.emissions.log_emission]
    assert list(decoded.viterbi.path)[1:] == best[1:]
    assert decoded.greedy.path == decoded.viterbi.path


def test_without_words_every_sentence_of_a_length_has_the_same_path():
    model = without_words(ice_cream_diary())
    assert decode(model, "3 3 3".split()).viterbi.path == decode(model, "1 1 1".split()).viterbi.path


@pytest.mark.parametrize("model", MODELS, ids=["diary", "toy"])
def test_a_wider_beam_misses_no_more_and_the_widest_misses_nothing(model):
    shares = shares_missed(model, sentences=60, length=6)
    assert shares[-1] == 0
    assert shares[0] == max(shares)


def test_a_left_out_sentence_is_judged_by_the_others_alone():
    text = [[("a", "X"), ("b", "Y")], [("c", "X"), ("b", "Y")]]
    # the model of the second sentence: X then Y, with certainty; "a" is unseen, 1 / V = 1/2
    assert held_out_log_probabilities(text, 0, 0)[0] == pytest.approx(np.log(1 / 2))


def test_smoothing_makes_every_left_out_sentence_possible():
    text = [[("a", "X"), ("b", "Y")], [("b", "Y"), ("a", "X")], [("a", "X")]]
    assert np.isneginf(held_out_log_probabilities(text, 0, 0)).any()
    assert np.isfinite(held_out_log_probabilities(text, 0.1, 0.1)).all()


def test_the_path_s_factors_multiply_to_what_the_sweep_reports():
    model, words = noun_verb_toy(), "they can fish".split()
    found = sweep(model, words, "emission", 0, 1, points=5)
    for value, path, log_probability in zip(found.values, found.paths, found.log_probabilities, strict=True):
        changed = with_probability(model, "emission", 0, 1, float(value))
        emission = changed.emissions(words).log_emission
        factors = joint_log_probability(
            path, changed.log_initial, changed.log_transition, emission, changed.log_end
        )
        assert factors.sum() == pytest.approx(log_probability)
