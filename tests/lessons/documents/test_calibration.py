"""Calibration: the diagram by scikit-learn, the temperature by another search, and the claims of the lesson."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.calibration import calibration_curve
from sklearn.metrics import log_loss

from core.models.documents.calibration import (
    bin_answers,
    divide_probabilities,
    fit_temperature,
    refuse_below,
    scale_logits,
)
from core.models.documents.held_out_answers import (
    BAYES,
    DIGITS,
    GPT,
    REGRESSION,
    SCALED,
    held_out_answers,
    held_out_tokens,
    reliability_of,
)
from tests.lessons.lesson_page import document, metrics, open_lesson, picture, said, said_in

LESSON = "calibration"


def error_by_hand(confidence, right, bins=10):
    """Return the expected calibration error, bin by bin in a loop."""
    total = 0.0
    for b in range(bins):
        inside = [i for i, c in enumerate(confidence) if b / bins < c <= (b + 1) / bins]
        if inside:
            gap = np.mean([right[i] for i in inside]) - np.mean([confidence[i] for i in inside])
            total += len(inside) / len(confidence) * abs(gap)
    return total


@pytest.mark.parametrize("name", SCALED)
def test_the_diagram_is_scikit_learn_s_and_the_error_that_of_a_loop(name):
    answers = held_out_answers(name)
    confidence, right = answers.confidence(), answers.right
    found = answers.reliability()
    shares, means = calibration_curve(right, confidence, n_bins=10)
    there = found.counts > 0
    assert found.accuracy[there] == pytest.approx(shares)
    assert found.confidence[there] == pytest.approx(means)
    assert found.error == pytest.approx(error_by_hand(confidence, right), abs=1e-9)


def test_the_language_model_s_diagram_is_that_of_its_tokens():
    confidence, right = held_out_tokens()
    assert reliability_of(GPT).error == pytest.approx(error_by_hand(confidence, right), abs=1e-9)


@pytest.mark.parametrize("name", SCALED)
def test_the_temperature_has_the_smallest_loss_of_a_grid(name):
    answers = held_out_answers(name)
    logits, y = answers.logits[~answers.measured], answers.y[~answers.measured]

    def loss(T):
        return log_loss(y, scale_logits(logits, T), labels=range(logits.shape[1]))

    grid = np.geomspace(0.2, 8, 200)
    best = grid[np.argmin([loss(T) for T in grid])]
    assert answers.temperature == pytest.approx(best, rel=0.03)
    assert loss(answers.temperature) <= min(loss(T) for T in grid) + 1e-6


@given(st.lists(st.tuples(st.floats(-9, 9), st.floats(-9, 9)), min_size=1, max_size=20), st.floats(0.1, 10))
def test_a_temperature_changes_no_answer_and_a_large_one_makes_all_less_sure(pairs, T):
    logits = np.array(pairs)
    logits[:, 1] += (logits[:, 0] == logits[:, 1]) * 0.01
    before, after = scale_logits(logits, 1.0), scale_logits(logits, T)
    assert after.sum(axis=1) == pytest.approx(1)
    assert T < 1 or (after.max(axis=1) <= before.max(axis=1) + 1e-12).all()
    apart = np.abs(logits[:, 0] - logits[:, 1]) > 1e-6
    assert (before.argmax(axis=1) == after.argmax(axis=1))[apart].all()


def test_divided_probabilities_stay_as_they_were():
    logits = held_out_answers(BAYES).logits[:50]
    assert divide_probabilities(logits, 3.0) == pytest.approx(scale_logits(logits, 1.0))


def test_bins_are_closed_above_and_an_empty_one_is_no_gap():
    found = bin_answers(np.array([0.6, 0.61, 1.0]), np.array([1, 0, 1]))
    assert found.counts.tolist() == [0, 0, 0, 0, 0, 1, 1, 0, 0, 1]
    assert (
        found.gaps[0] == 0 and found.gaps[5] == pytest.approx(-0.4) and found.gaps[6] == pytest.approx(0.61)
    )


def test_a_threshold_keeps_what_is_at_least_as_sure():
    found = refuse_below(np.array([0.7, 0.7, 0.9, 0.5]), np.array([1, 0, 1, 0]), 0.7)
    assert (found.coverage, found.accuracy) == (0.75, pytest.approx(2 / 3))
    assert np.isnan(refuse_below(np.array([0.7]), np.array([1]), 0.9).accuracy)


def test_naive_bayes_promises_more_than_it_keeps_and_regression_less_so():
    answers = held_out_answers(BAYES)
    confidence, right = answers.confidence(), answers.right
    sure = confidence > 0.9
    told = said_in(document(LESSON, "sure"))
    assert f"its {sure.sum()} surest answers" in told
    assert (
        f"{confidence[sure].mean():.0%} sure" in told and f"only {right[sure].mean():.0%} were right" in told
    )
    gaps = reliability_of(BAYES).gaps[5:]
    assert f"too sure in {(gaps > 0).sum()} of 5 bins" in said_in(document(LESSON, "diagram"))
    asked = document(LESSON, "regression", True)
    assert reliability_of(REGRESSION).error < reliability_of(BAYES).error - 0.01
    assert asked["ask"]["answer"] == "less" and "off by 2%, that of naive Bayes by 7%" in said_in(asked)


def test_before_the_guess_regression_has_no_bars():
    before, after = (picture(LESSON, "regression", shown)["figure"]["data"] for shown in (False, True))
    assert [trace["type"] for trace in before] == ["scatter"]
    assert sum(trace["type"] == "bar" for trace in after) >= 2


def test_the_parts_of_the_error_are_drawn_and_add_up():
    data = picture(LESSON, "error")
    found = reliability_of(BAYES)
    (panel,) = data["panels"]
    parts = [row["to"] for row in panel["rows"]]
    assert sum(parts) == pytest.approx(found.error)
    assert data["sum"].endswith(f"= {found.error:.1%}")


def test_the_temperature_of_other_answers_shrinks_the_error_and_changes_no_answer():
    answers = held_out_answers(BAYES)
    T = answers.temperature
    assert answers.reliability(T).error < answers.reliability().error / 2
    asked = document(LESSON, "changed", True)
    assert asked["ask"]["answer"] == "0" and f"is {answers.right.mean():.0%} as before" in said_in(asked)
    assert not (answers.measured & ~answers.measured).any() and answers.measured.sum() == 1060
    for at in ("1.0", "2.0", "4.0"):
        error = answers.reliability(float(at)).error
        told = said_in(document(LESSON, "scaling", temperature=at))
        assert f"error is {error:.0%}" in told
        assert ("more than the" in told) == (float(at) != 1 and error >= answers.reliability().error)


def test_the_digits_are_too_modest_and_the_language_model_is_calibrated():
    digits = held_out_answers(DIGITS)
    assert digits.temperature < 1 and digits.confidence().mean() < digits.right.mean()
    assert digits.reliability(digits.temperature).error < digits.reliability().error
    right = held_out_tokens()[1]
    assert reliability_of(GPT).error < 0.03 and f"Only {right.mean():.0%}" in said_in(document(LESSON, "gpt"))


@pytest.mark.parametrize("threshold", ["0.5", "0.8", "0.99"])
def test_fewer_answers_are_more_often_right(threshold):
    answers = held_out_answers(BAYES)
    confidence = answers.confidence(answers.temperature)
    kept = confidence >= float(threshold)
    told = said_in(document(LESSON, "refusal", threshold=threshold))
    if kept.any():
        assert f"answers {kept.mean():.0%} of the reviews" in told
        assert answers.right[kept].mean() >= answers.right.mean()


def test_a_word_said_again_makes_naive_bayes_surer():
    shares = []
    for text in ("funny", "funny funny", "funny funny funny"):
        done = document(LESSON, "own", review=text)["done"]
        shares.append(int(done.split("It was ")[1].split("%")[0]))
    assert shares[0] < shares[1] < shares[2]
    assert "It knows none of these words" in document(LESSON, "own", review="qwertz")["done"]
    assert "It knows 1 of 2 words and calls this" in document(LESSON, "own", review="funny qwertz")["done"]


def test_the_lab_shows_each_model_and_the_mistake_that_changes_nothing():
    app = open_lesson(LESSON, model="bayes", temperature="2.0", divided="true")
    assert not app.exception
    whole, broken = metrics(app).values()
    answers = held_out_answers(BAYES)
    assert whole == f"{answers.reliability(answers.temperature).error:.1%}"
    assert broken == f"{answers.reliability().error:.1%}"
    assert "T cancels" in said(app)
    app = open_lesson(LESSON, model="gpt")
    assert not app.exception and app.slider(key="calibration_temperature").disabled
    app = open_lesson(LESSON, model="digits", temperature="0.6")
    assert not app.exception


@given(st.lists(st.tuples(st.floats(0.01, 0.99), st.booleans()), min_size=1, max_size=60))
def test_the_error_lies_between_0_and_1_and_is_that_of_the_loop(pairs):
    confidence, right = (np.array(each) for each in zip(*pairs, strict=True))
    error = bin_answers(confidence, right).error
    assert 0 <= error <= 1
    assert error == pytest.approx(error_by_hand(confidence, right), abs=1e-6) or any(
        abs(10 * c - round(10 * c)) < 1e-9 for c in confidence
    )


def test_a_calibrated_model_needs_no_temperature():
    rng = np.random.default_rng(3)
    p = rng.uniform(0.01, 0.99, 40_000)
    y = (rng.uniform(size=p.size) < p).astype(int)
    logits = np.log(np.stack([1 - p, p], axis=1))
    assert fit_temperature(logits, y) == pytest.approx(1, abs=0.03)
    assert fit_temperature(2.5 * logits, y) == pytest.approx(2.5, abs=0.08)
