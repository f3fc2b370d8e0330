"""Units are found by correlation on one half of a text and measured on the other."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.models.recurrent_models.telling_units import LEAST, correlations, features, telling_units

TEXT = "The cat sat by Ann. It saw a dog!\nThen Bob ran. " * 12


@given(st.lists(st.tuples(*[st.floats(-9, 9)] * 3), min_size=3, max_size=30))
def test_correlations_are_numpy_s(rows):
    values = np.array(rows)
    hidden, feature = values[:, :2], values[:, 2]
    found = correlations(hidden, feature)
    for unit in range(2):
        if hidden[:, unit].std() > 1e-3 and feature.std() > 1e-3:
            assert found[unit] == pytest.approx(np.corrcoef(hidden[:, unit], feature)[0, 1], abs=1e-6)


def test_a_unit_that_is_a_feature_is_found_among_noise():
    given_features = features(TEXT)
    noise = np.random.default_rng(1).normal(size=(len(TEXT), 40))
    noise[:, 7] = -given_features["place_in_line"]
    found = {unit.feature: unit for unit in telling_units(noise, TEXT)}
    assert found["place_in_line"].unit == 7
    assert found["place_in_line"].measured == pytest.approx(-1)


def test_noise_looks_better_where_it_was_chosen_than_where_it_is_measured():
    found = telling_units(np.random.default_rng(2).normal(size=(len(TEXT), 300)), TEXT)
    assert np.mean([abs(unit.chosen) for unit in found]) > 2 * np.mean([abs(unit.measured) for unit in found])


def test_features_by_hand():
    found = {name: values.astype(int).tolist() for name, values in features("Al!\nb e").items()}
    assert found["inside_word"] == [1, 1, 0, 0, 1, 0, 1]
    assert found["place_in_word"] == [1, 2, 0, 0, 1, 0, 1]
    assert found["capital_word"] == [1, 1, 0, 0, 0, 0, 0]
    assert found["place_in_line"] == [1, 2, 3, 0, 1, 2, 3]
    assert found["place_in_sentence"] == [1, 2, 0, 1, 2, 3, 4]
    assert found["vowel"] == [1, 0, 0, 0, 0, 0, 1]


def test_a_text_that_is_too_short_is_refused_and_a_constant_feature_left_out():
    with pytest.raises(ValueError, match=str(LEAST)):
        telling_units(np.zeros((LEAST - 1, 2)), "a" * (LEAST - 1))
    names = {
        unit.feature for unit in telling_units(np.random.default_rng(3).normal(size=(300, 2)), "a" * 300)
    }
    assert names == {"place_in_word", "place_in_line", "place_in_sentence"}
