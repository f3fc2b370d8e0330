"""The soft dictionary shows what core computes, and says what it cannot read."""

import numpy as np
import pytest

from core.models.translation.kernel_smoothing import soft_lookup
from tests.lessons.lesson_page import guess, open_lesson, question, said, sent


def open_with(**query):
    return open_lesson("soft_lookup", **query)


@pytest.mark.parametrize("way", ["gaussian", "boxcar", "triangle"])
def test_the_table_is_core_s_look_up(way):
    app = open_with(points="1: 2, 2.5: -3; 4: 10", query="2", bandwidth="0.8", way=way)
    found = soft_lookup(np.array([2.0]), np.array([1, 2.5, 4.0]), np.array([2, -3, 10.0]), 0.8, way)
    table = app.dataframe[0].value
    np.testing.assert_allclose(table["a = K / ΣK"], found.weights[0])
    assert table["a · v"].sum() == pytest.approx(found.result[0])


def test_three_ways_to_the_gaussian_s_weights_agree_to_the_last_digit_shown():
    table = open_with(query="10.3", bandwidth="2").dataframe[0].value
    ways = table[["a = K / ΣK", "softmax of −u² / 2b²", "softmax of (qk − k²/2) / b²"]].to_numpy()
    np.testing.assert_allclose(ways[:, 1:], ways[:, :1].repeat(2, axis=1), rtol=1e-9)


def test_a_dictionary_answers_on_a_key_only():
    on, beside = (open_with(way="exact key", query=query, predict="true") for query in ("9", "9.5"))
    assert "13" in question(on).options
    guess(on, "13")
    guess(beside, "no answer")
    assert all("Right" in said(app) for app in (on, beside))


def test_the_ends_of_the_bandwidth_are_the_nearest_value_and_the_mean():
    app = open_with(points="0: 1, 1: 5, 9: 3", query="0.8", ends="true")
    assert [metric.value for metric in app.metric][1:4] == ["5", "no answer", "3"]


def test_a_prediction_hides_every_number_until_it_is_made():
    app = open_with(predict="true")
    assert sent(app)["hidden"]
    assert not app.dataframe
    guess(app)
    assert not sent(app)["hidden"]
    assert app.dataframe


@pytest.mark.parametrize(
    ("points", "complaint"),
    [
        ("", "There is no entry"),
        ("👍", "“👍” is not an entry"),
        ("مرحبا: 3", "is not a number"),
        ("1: x", "The value “x” is not a number"),
        ("1: 1e99", "too large"),
        ("1: nan", "too large"),
        (", ".join(f"{i}: 1" for i in range(41)), "41 entries; at most 40"),
    ],
)
def test_what_cannot_be_read_is_said_and_nothing_typed_is_lost(points, complaint):
    app = open_with(points=points)
    assert not app.exception
    assert complaint in said(app)
    assert app.text_area[0].value == points


@pytest.mark.parametrize(
    "settings",
    [
        {"points": "3: 3"},
        {"points": "3: 3, 3: 4", "query": "3", "way": "exact key"},
        {"query": "1000000", "ends": "true"},
        {"bandwidth": "0.000001", "ends": "true"},
        {"bandwidth": "1000000"},
        {"way": "triangle", "query": "-1000000"},
        {"points": "-1000000: -1000000, 1000000: 1000000"},
        {"points": "0: 0, 0.000001: 0"},
    ],
    ids=str,
)
def test_no_end_of_a_control_breaks_the_page(settings):
    app = open_with(**settings)
    assert not app.exception
    assert "NaN" not in app.get("bidi_component")[0].proto.json
