"""Codes are those of scikit-learn and of Python's own binary numbers; what is said of adding and comparing them holds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.preprocessing import OneHotEncoder

from core.models.tokens.codes import binary, bits_needed, different_bits, one_hot, third_token

IDS = st.integers(1, 300).flatmap(
    lambda V: st.tuples(st.just(V), st.lists(st.integers(0, V - 1), min_size=1, max_size=12))
)


@given(IDS)
def test_one_hot_rows_are_scikit_learn_s(case):
    V, ids = case
    encoder = OneHotEncoder(categories=[range(V)], sparse_output=False, dtype=int)
    np.testing.assert_array_equal(one_hot(ids, V), encoder.fit_transform(np.array(ids)[:, None]))


@given(IDS)
def test_binary_codes_are_python_s_and_all_different(case):
    V, ids = case
    b = bits_needed(V)
    assert b == max(1, int(np.ceil(np.log2(V))))
    assert ["".join(map(str, code)) for code in binary(ids, V)] == [f"{i:0{b}b}" for i in ids]
    assert len({tuple(code) for code in binary(range(V), V)}) == V


@given(IDS)
def test_any_two_different_one_hot_rows_are_the_root_of_two_apart_and_their_sum_counts(case):
    V, ids = case
    rows = one_hot(ids, V).astype(int)
    for i, one in zip(ids, rows, strict=True):
        for j, other in zip(ids, rows, strict=True):
            assert np.linalg.norm(one - other) == pytest.approx(0 if i == j else np.sqrt(2))
            assert one @ other == (i == j)
    assert rows.sum(axis=0).tolist() == [ids.count(i) for i in range(V)]


@given(IDS)
def test_the_sum_of_two_binary_codes_is_a_third_one(case):
    V, ids = case
    found = third_token(ids, V)
    if found:
        i, j, k = found
        one, other, both = binary([i, j, k], V)
        np.testing.assert_array_equal(one + other, both)
        assert {i, j} <= set(ids) and len({i, j, k, 0}) == 4
    else:
        codes = {i: binary([i], V)[0] for i in set(ids) - {0}}
        sums = [codes[i] + codes[j] for i in codes for j in codes if i < j]
        assert not any((total == code).all() for total in sums for code in binary(range(V), V))


def test_bits_that_differ_worked_by_hand():
    assert different_bits(binary([5, 3], 8)).tolist() == [[0, 2], [2, 0]]  # 101 and 011
