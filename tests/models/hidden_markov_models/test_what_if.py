"""What if a table said otherwise: rows stay distributions, and edits are a text that names no word."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.models.hidden_markov_models.decoding import decode
from core.models.hidden_markov_models.edited_tables import (
    TABLES,
    edits_between,
    grids_of,
    read_edits,
    with_edits,
    write_edits,
)
from core.models.hidden_markov_models.hmm_tables import from_probabilities, ice_cream_diary, noun_verb_toy
from core.models.hidden_markov_models.leave_one_out import held_out_log_probabilities
from core.models.hidden_markov_models.search_loss import shares_missed
from core.models.hidden_markov_models.what_if import (
    rows_of,
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


def test_one_state_has_no_probability_to_change():
    one = from_probabilities(["a"], ["x", "y"], [1], [[1]], [[0.5, 0.5]])
    for table in ("initial", "transition"):
        with pytest.raises(ValueError, match="always 1"):
            with_probability(one, table, 0, 0, 0.3)
    changed = with_probability(one, "emission", 0, 0, 0.3)
    assert np.exp(changed.log_emission) == pytest.approx(np.array([[0.3, 0.7]]))


def test_one_state_that_may_end_shares_the_rest_with_the_end():
    one = from_probabilities(["a"], ["x"], [1], [[0.6]], [[1]], [0.4])
    changed = with_probability(one, "transition", 0, 0, 0.3)
    assert np.exp([changed.log_transition[0, 0], changed.log_end[0]]) == pytest.approx([0.3, 0.7])


@given(
    st.dictionaries(st.tuples(st.sampled_from(TABLES), st.integers(0, 2), st.integers(0, 2)), st.floats(0, 1))
)
def test_edits_come_back_from_their_text(edits):
    read = read_edits(write_edits(edits))
    assert read.keys() == edits.keys()
    assert all(read[place] == pytest.approx(edits[place], rel=1e-8, abs=1e-12) for place in edits)


@pytest.mark.parametrize(
    "text", ["", "x", "initial.0.0:", "initial.0:1", "initial.-1.0:0.5", "initial.9.9:0.5 " * 999]
)
def test_a_spoilt_text_of_edits_changes_nothing(text):
    grids = grids_of(ice_cream_diary())
    changed = with_edits(grids, read_edits(text))
    assert edits_between(grids, changed) == {}
