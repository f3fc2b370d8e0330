"""The soft dictionary shows what core computes, and says what it cannot read."""

import numpy as np
import pytest

from core.figures.translation.soft_lookup import look_up
from core.figures.worked import plain_number
from core.models.translation.kernel_smoothing import soft_lookup
from core.text.reading.entries import read_points
from pages.translation.soft_lookup import LESSON, MOST, TEMPERATURES, move
from tests.lessons.lesson_page import (
    figures,
    guess,
    metrics,
    mounted,
    open_lesson,
    prompts,
    question,
    said,
    sent,
)


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
    assert "NaN" not in mounted(app)[0].json


@pytest.mark.parametrize(
    "points", [TEMPERATURES, "0: 1, 1: 5, 9: 3", "2: 7, 4: 1", "-1000000: -1000000, 1000000: 1000000"]
)
@pytest.mark.parametrize(
    ("end", "way"), [("too narrow", "gaussian"), ("too wide", "gaussian"), ("too wide", "boxcar")]
)
def test_an_end_of_the_bandwidth_changes_the_picture_and_the_weights_as_the_page_says(points, end, way):
    query = {"points": points, "query": "2.5", "bandwidth": "3", "way": way}
    whole, broken = open_with(**query), open_with(**query, ends="true", end=end)
    keys = np.array(sent(whole)["keys"])
    assert sent(broken)["bandwidth"] != sent(whole)["bandwidth"]
    weights = look_up([2.5], keys, keys, sent(broken)["bandwidth"], way).weights[0]
    nearest = np.abs(keys - 2.5) == np.abs(keys - 2.5).min()
    expected = nearest / nearest.sum() if end == "too narrow" else np.full(len(keys), 1 / len(keys))
    np.testing.assert_allclose(weights, expected, atol=1e-5)
    assert metrics(broken)["Largest weight of a key, broken"] == f"{expected.max():.3f}"
    assert (
        "a dictionary that takes the nearest key" if end == "too narrow" else "no longer matters"
    ) in said(broken)


def test_where_an_end_changes_nothing_the_page_says_so():
    assert "has no bandwidth, so nothing changes" in said(open_with(way="exact key", query="9", ends="true"))
    assert "the only key has all the weight" in said(open_with(points="3: 3", ends="true"))
    assert "this kernel reaches no key" in said(open_with(way="boxcar", ends="true"))


def test_the_sentence_below_the_picture_is_made_from_the_weights():
    found = look_up([10.0], *map(np.array, read_points(TEMPERATURES)), 1.5, "gaussian")
    assert (
        f"Asked for 10, the answer is {found.result[0]:.4g}: the key 9 has {found.weights[0][1]:.0%}"
        in said(open_with())
    )
    assert "Nobody wrote an entry for 10" in said(open_with(predict="true"))


def test_before_the_guess_the_closing_is_there_and_the_answer_is_nowhere():
    app = open_with(predict="true")
    answer = f"{look_up([10.0], *map(np.array, read_points(TEMPERATURES)), 1.5, 'gaussian').result[0]:.4g}"
    assert prompts(app)
    assert not figures(app)
    assert answer in question(app).options
    assert answer not in said(app) + str(sent(app))
    assert open_with(points="").tabs  # nor does what cannot be read swallow it


def test_what_was_moved_in_the_view_stands_in_the_fields_and_a_broken_bandwidth_is_not_the_learner_s():
    moved = {"keys": [1.0, 2.5], "values": [3.0, -1.0], "query": 2, "bandwidth": 1e9, "way": "boxcar"}
    for name in ("points", "query", "way", "bandwidth", "ends"):
        LESSON.set_state(name, None)
    move(moved)
    assert [LESSON.get_state(name) for name in ("points", "query", "way")] == ["1: 3, 2.5: -1", 2.0, "boxcar"]
    assert LESSON.get_state("bandwidth") == MOST
    LESSON.set_state("ends", True)
    move(moved | {"bandwidth": 2.0})
    assert LESSON.get_state("bandwidth") == MOST


@pytest.mark.parametrize(
    ("settings", "result"),
    [
        ({"way": "exact key", "query": "9"}, 13.0),
        ({"way": "boxcar", "bandwidth": "1", "query": "10.5"}, np.nan),
        ({"way": "gaussian", "bandwidth": "0.1", "query": "10.6"}, 19.0),
    ],
)
def test_what_the_prompts_to_try_promise_is_there(settings, result):
    table = open_with(points=TEMPERATURES, **settings).dataframe[0].value
    total = table["a · v"].sum() if table["a = K / ΣK"].sum() else np.nan
    assert total == pytest.approx(result, nan_ok=True)


def test_the_table_s_columns_are_each_computed_by_themselves_and_the_largest_difference_is_said():
    app = open_with(query="10.3", bandwidth="0.5")
    table = app.dataframe[0].value
    ways = table[["a = K / ΣK", "softmax of −u² / 2b²", "softmax of (qk − k²/2) / b²"]].to_numpy()
    assert f"it is by {plain_number(np.ptp(ways, axis=1).max(), 2)}, which" in said(app)
    assert "would be 0 / 0" in said(open_with(query="1000"))


def test_where_several_keys_have_the_largest_weight_none_is_singled_out():
    assert "2 keys each have 50% of the weight" in said(
        open_lesson("soft_lookup", points="-5: -3, -5: 4, 0: 0", query=-5)
    )
    assert "6 keys each have 17% of the weight" in said(open_lesson("soft_lookup", bandwidth=1e6))


def test_columns_that_do_not_differ_are_not_said_to_differ_by_rounding():
    page = said(open_lesson("soft_lookup", points="5: 3"))
    assert "they are equal" in page
    assert "which is rounding" not in page
