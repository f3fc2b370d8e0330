"""The lesson on soft lookup says what its numbers show: each beat against numpy, and the lab against core."""

import re

import numpy as np
import pytest
import torch

from core.models.stored import load_card
from core.models.translation.kernel_smoothing import soft_lookup
from core.text.reading.entries import read_points
from core.words.numbers import plain_number
from pages.translation.soft_lookup import LESSON, TEMPERATURES
from pages.translation.soft_lookup.figures import EXACT, look_up
from pages.translation.soft_lookup.page import MOST, move
from tests.lessons.lesson_page import (
    document,
    figures,
    guess,
    metrics,
    mounted,
    open_lesson,
    picture,
    prompts,
    question,
    said,
    said_in,
    sent,
)

NAME = "soft_lookup"
HOURS, DEGREES = np.array([6, 9, 12, 14, 17, 21.0]), np.array([9, 13, 19, 21, 18, 12.0])

# The story.


def weights_at(query, b):
    """Return the Gaussian's weights as the beat's formula has them."""
    K = np.exp(-((query - HOURS) ** 2) / (2 * b * b))
    return K / K.sum()


def bold(beat, revealed=False, /, **changes):
    return re.findall(r"<strong>(.*?)</strong>", document(NAME, beat, revealed, **changes)["words"])


def drawn(beat, revealed=False, /, **changes):
    """Return the query, the bandwidth and the way that a beat draws."""
    data = picture(NAME, beat, revealed, **changes)
    assert data["keys"] == HOURS.tolist() and data["values"] == DEGREES.tolist()
    return data["query"], data["bandwidth"], data["way"]


def test_a_dictionary_has_no_answer_at_10():
    assert drawn("missing")[::2] == (10, EXACT) and 10 not in HOURS
    assert picture(NAME, "missing")["labels"]["none"] == "no answer"


def test_a_window_takes_the_mean_of_9_and_12():
    assert drawn("window") == (10, 2.5, "boxcar")
    inside = np.abs(HOURS - 10) <= 2.5
    assert HOURS[inside].tolist() == [9, 12] and DEGREES[inside].mean() == 16
    assert bold("window") == ["16 °C"] and "Here these are 9 and 12 o'clock" in said_in(
        document(NAME, "window")
    )


def test_a_moving_window_s_answer_jumps_once_between_9_and_10_and_only_when_revealed():
    queries = np.linspace(9, 10, 601)
    inside = np.abs(queries[:, None] - HOURS) <= 2.5
    answers = (inside @ DEGREES) / inside.sum(1)
    assert np.unique(answers).tolist() == [13, 16] and np.count_nonzero(np.diff(answers)) == 1
    assert queries[np.argmax(answers == 16)] == pytest.approx(9.5)
    before, after = picture(NAME, "moved"), picture(NAME, "moved", True)
    assert before["hidden"] and not after["hidden"] and after["query"] == 9.5
    assert document(NAME, "moved", True)["ask"]["answer"] == "jump"
    assert "from 13 °C to 16 °C, 3 degrees" in said_in(document(NAME, "moved", True))
    assert bold("moved", True) == ["3 degrees"]


def test_the_bell_s_weights_are_shares_of_the_kernel():
    assert drawn("bell") == (10, 1.5, "gaussian")
    weights = weights_at(10, 1.5)
    told = said_in(document(NAME, "bell"))
    assert f"The key 9 gets {weights[1]:.0%}, the key 12 gets {weights[2]:.0%}" in told
    assert bold("bell")[0] == f"{weights @ DEGREES:.1f} °C" == "15.0 °C"


def test_a_very_narrow_bell_is_the_nearest_key_s_value_at_every_query():
    _, b, _ = drawn("narrow")
    for query in (4.0, 7.4, 7.6, 10.0, 12.9, 13.1, 18.9, 19.1, 22.0):
        nearest = DEGREES[np.abs(HOURS - query).argmin()]
        assert look_up([query], HOURS, DEGREES, b, "gaussian").result[0] == pytest.approx(nearest, abs=0.01)
    assert picture(NAME, "narrow")["hidden"] and not picture(NAME, "narrow", True)["hidden"]
    assert weights_at(10, b)[1] == pytest.approx(1) and bold("narrow", True) == ["100%"]
    assert document(NAME, "narrow", True)["ask"]["answer"] == "stairs"
    assert "At 10 o'clock the answer is 13 °C" in said_in(document(NAME, "narrow", True))


def test_a_very_wide_bell_is_the_mean_at_every_query():
    _, b, _ = drawn("wide")
    for query in (4.0, 10.0, 22.0):
        weights = weights_at(query, b)
        assert {f"{weight:.0%}" for weight in weights} == {"17%"}
        assert weights @ DEGREES == pytest.approx(DEGREES.mean(), abs=0.07)
    assert bold("wide") == ["15.3 °C"] and f"{DEGREES.mean():.1f}" == "15.3"


@pytest.mark.parametrize(("query", "b"), [(18, 0.2), (18, 20), (4, 0.1), (23, 3)])
def test_the_learner_s_own_query_and_bandwidth_are_looked_up(query, b):
    done = document(NAME, "own", query=query, bandwidth=b)["done"]
    weights = weights_at(query, b)
    assert f"<strong>{weights @ DEGREES:.1f} °C</strong>" in done
    many = int((weights >= 0.01).sum())
    assert f"{many} {'key has' if many == 1 else 'keys have'} 1% or more" in done
    assert drawn("own", query=query, bandwidth=b) == (query, b, "gaussian")


def test_the_query_can_be_moved_in_the_picture_of_one_beat_only():
    moving = [
        beat
        for beat in ("missing", "window", "bell", "wide", "own", "answer")
        if picture(NAME, beat)["moves"]
    ]
    assert moving == ["own"] and document(NAME, "own")["events"] == ["lookup"]


def test_at_19_the_answer_hardly_depends_on_the_bandwidth_and_at_18_it_does():
    """The lecturer's note."""
    at = {q: [weights_at(q, b) @ DEGREES for b in (0.2, 0.5, 1.0, 1.5)] for q in (18, 19)}
    assert np.ptp(at[19]) < 0.05 < 0.5 < np.ptp(at[18])


def test_the_weights_are_a_softmax_of_the_scores_on_the_picture():
    rows = picture(NAME, "softmax")["panels"][0]["rows"]
    scores = -((10 - HOURS) ** 2) / (2 * 1.5**2)
    assert [row["score"] for row in rows] == pytest.approx(scores, abs=1e-4)
    assert [row["weight"] for row in rows] == pytest.approx(weights_at(10, 1.5), abs=1e-6)
    told = said_in(document(NAME, "softmax"))
    assert f"{np.exp(scores[1]):.2f}. All powers add up to {np.exp(scores).sum():.2f}" in told
    assert f"{np.exp(-0.22):.2f}" == f"{np.exp(scores[1]):.2f}"  # with the exponent as it is written
    assert min(scores) > picture(NAME, "softmax")["least"]


def test_the_translator_s_weights_are_a_softmax_and_red_gets_nearly_all():
    panel = picture(NAME, "translator")["panels"][0]
    rows = panel["rows"]
    scores = torch.tensor([row["score"] for row in rows])
    assert [row["weight"] for row in rows] == pytest.approx(scores.softmax(0).tolist(), abs=1e-4)
    best = max(rows, key=lambda row: row["weight"])
    assert best["name"] == "red" and bold("translator") == [f"{best['weight']:.0%}"] == ["98%"]
    assert "“la petite fille lit le livre rouge”" in said_in(document(NAME, "translator"))
    assert panel["title"] == "The translator writes “rouge”"
    assert "mark:key.5" in LESSON.words.source("translator")[0] and rows[5] is best


def test_the_translator_is_as_good_on_held_out_sentences_as_the_fold_says():
    quality = load_card("translate_french_additive").quality
    assert quality["exact_match"] == 1.0 and quality["held_out_pairs"] == 1000


def test_the_last_picture_has_both_extremes_and_the_usual_line():
    lines = picture(NAME, "answer")["lines"]
    assert [line["bandwidth"] for line in lines] == [0.05, 100] and drawn("answer")[1] == 1.5
    assert "at 10 o'clock, 15.0 °C" in said_in(document(NAME, "answer"))


# The lab.


def open_with(**query):
    return open_lesson(NAME, **query)


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


@pytest.mark.parametrize("way", ["exact", "exact key"])
def test_a_dictionary_answers_on_a_key_only(way):
    on, beside = (open_with(way=way, query=query, predict="true") for query in ("9", "9.5"))
    assert "13" in question(on).options
    guess(on, "13")
    guess(beside, "no answer")
    assert all("Right" in said(app) for app in (on, beside))


def test_extreme_bandwidths_give_the_nearest_value_and_the_mean():
    app = open_with(points="0: 1, 1: 5, 9: 3", query="0.8", extremes="true")
    shown = metrics(app)
    assert [shown[name] for name in ("Gaussian, b near 0", "Boxcar, b near 0", "Gaussian, b very large")] == [
        "5",
        "no answer",
        "3",
    ]


def test_the_bandwidth_s_line_is_at_the_bandwidth_that_the_picture_has():
    def line(**query):
        layout = figures(open_with(extremes="true", **query))[0]["layout"]
        return next(each["x0"] for each in layout["shapes"] if each["x0"] == each["x1"])

    assert line(bandwidth="2.5") == pytest.approx(2.5)
    low, high = line(ends="true", end="narrow"), line(ends="true", end="wide")
    assert low == pytest.approx(15 / 1000) and high == pytest.approx(15 * 100)  # the ends of the axis


def test_at_the_lab_s_own_bandwidth_three_kernels_have_three_lines_to_see():
    lines = figures(open_with(kernels="true"))[0]["data"][:3]
    assert len({(line["line"]["dash"], line["line"]["width"]) for line in lines}) == 3
    results = [look_up([8.0, 11.0], HOURS, DEGREES, 3.0, way).result for way in ("boxcar", "triangle")]
    assert np.abs(results[0] - results[1]).max() > 0.3


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
        {"points": "3: 3, 3: 4", "query": "3", "way": "exact"},
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
    app = open_with(**settings, extremes="true", kernels="true", softmax="true")
    assert not app.exception
    assert "NaN" not in mounted(app)[0].json


@pytest.mark.parametrize(
    "points", [TEMPERATURES, "0: 1, 1: 5, 9: 3", "2: 7, 4: 1", "-1000000: -1000000, 1000000: 1000000"]
)
@pytest.mark.parametrize(
    ("end", "way"), [("too narrow", "gaussian"), ("too wide", "gaussian"), ("too wide", "boxcar")]
)
def test_an_extreme_bandwidth_changes_the_picture_and_the_weights_as_the_page_says(points, end, way):
    query = {"points": points, "query": "2.5", "bandwidth": "3", "way": way}
    own, extreme = open_with(**query), open_with(**query, ends="true", end=end)
    keys = np.array(sent(own)["keys"])
    assert sent(extreme)["bandwidth"] != sent(own)["bandwidth"]
    weights = look_up([2.5], keys, keys, sent(extreme)["bandwidth"], way).weights[0]
    nearest = np.abs(keys - 2.5) == np.abs(keys - 2.5).min()
    expected = nearest / nearest.sum() if end == "too narrow" else np.full(len(keys), 1 / len(keys))
    np.testing.assert_allclose(weights, expected, atol=1e-5)
    assert metrics(extreme)["Largest weight, extreme bandwidth"] == f"{expected.max():.3f}"
    told = "a dictionary that takes the nearest key" if end == "too narrow" else "no longer matters"
    assert told in said(extreme)


def test_where_an_extreme_changes_nothing_the_page_says_so():
    assert "has no bandwidth, so nothing changes" in said(open_with(way="exact", query="9", ends="true"))
    assert "the only key has all the weight" in said(open_with(points="3: 3", ends="true"))
    assert "this kernel reaches no key" in said(open_with(way="boxcar", ends="true"))


def test_the_sentence_below_the_picture_is_made_from_the_weights():
    found = look_up([10.0], *map(np.array, read_points(TEMPERATURES)), 1.5, "gaussian")
    told = f"Asked for 10, the answer is **{found.result[0]:.4g}**. The key 9 has {found.weights[0][1]:.0%}"
    assert told in said(open_with(bandwidth="1.5"))
    assert "Nobody wrote an entry for 10" in said(open_with(predict="true"))
    assert "There is an entry for 9 among" in said(open_with(predict="true", query="9"))


def test_before_the_guess_the_closing_is_there_and_the_answer_is_nowhere():
    app = open_with(predict="true")
    answer = f"{look_up([10.0], *map(np.array, read_points(TEMPERATURES)), 3.0, 'gaussian').result[0]:.4g}"
    assert prompts(app)
    assert not figures(app)
    assert answer in question(app).options
    assert answer not in said(app) + str(sent(app))
    assert open_with(points="").tabs  # nor does what cannot be read swallow it


def test_what_was_moved_in_the_view_is_in_the_fields_and_an_extreme_bandwidth_is_not_the_learner_s():
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
        ({"way": "exact", "query": "9"}, 13.0),
        ({"way": "boxcar", "bandwidth": "1", "query": "10.5"}, np.nan),
        ({"way": "gaussian", "bandwidth": "0.1", "query": "10.6"}, 19.0),
    ],
)
def test_what_the_prompts_to_try_promise_is_there(settings, result):
    table = open_with(points=TEMPERATURES, **settings).dataframe[0].value
    total = table["a · v"].sum() if table["a = K / ΣK"].sum() else np.nan
    assert total == pytest.approx(result, nan_ok=True)


def test_the_table_s_columns_are_each_computed_by_themselves_and_the_largest_difference_is_said():
    app = open_with(query="10.3", bandwidth="0.5", softmax="true")
    table = app.dataframe[0].value
    ways = table[["a = K / ΣK", "softmax of −u² / 2b²", "softmax of (qk − k²/2) / b²"]].to_numpy()
    assert f"it is by {plain_number(np.ptp(ways, axis=1).max(), 2)}, which" in said(app)
    assert "would be 0 / 0" in said(open_with(query="1000", softmax="true"))


def test_where_several_keys_have_the_largest_weight_none_is_singled_out():
    assert "2 keys each have 50% of the weight" in said(
        open_with(points="-5: -3, -5: 4, 0: 0", query=-5, bandwidth=1)
    )
    assert "6 keys each have 17% of the weight" in said(open_with(bandwidth=1e6))


def test_columns_that_do_not_differ_are_not_said_to_differ_by_rounding():
    page = said(open_with(points="5: 3", softmax="true"))
    assert "they are equal" in page
    assert "which is rounding" not in page
