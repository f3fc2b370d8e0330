"""Held-out documents are judged as scikit-learn counts them, with statsmodels' formula for Wilson's interval."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, confusion_matrix

from core.models.documents.held_out import judge, wilson


@given(
    st.lists(st.tuples(st.integers(0, 2), st.floats(0.01, 1), st.floats(0.01, 1)), min_size=1, max_size=40)
)
def test_confusion_and_accuracy_are_scikit_learn_s(rows):
    y = np.array([row[0] for row in rows])
    posteriors = np.array([[a, b, 0.5] for _, a, b in rows])
    judged = judge(posteriors, y)
    assert (
        judged.confusion[:, :3].tolist()
        == confusion_matrix(y, posteriors.argmax(axis=1), labels=[0, 1, 2]).tolist()
    )
    assert judged.accuracy == pytest.approx(accuracy_score(y, posteriors.argmax(axis=1)))
    assert judged.undecided == 0


def test_a_document_that_every_class_rules_out_is_decided_by_none_and_wrong():
    judged = judge(np.array([[np.nan, np.nan], [0.2, 0.8]]), np.array([0, 1]))
    assert judged.confusion.tolist() == [[0, 0, 1], [0, 1, 0]]
    assert (judged.right, judged.undecided, judged.most_misread(3).tolist()) == (1, 1, [0])


def test_the_most_misread_come_first():
    judged = judge(np.array([[0.4, 0.6], [0.1, 0.9], [0.9, 0.1], [0.3, 0.7]]), np.array([0, 0, 0, 0]))
    assert judged.most_misread(2).tolist() == [1, 3]


@given(st.integers(1, 300), st.floats(0, 1))
def test_wilson_s_interval_is_its_formula(n, share):
    k, z = round(share * n), 1.959963984540054
    p = k / n
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    reach = z * np.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    assert wilson(k, n) == pytest.approx((middle - reach, middle + reach), abs=1e-9)
