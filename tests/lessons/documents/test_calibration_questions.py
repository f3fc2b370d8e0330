"""The key of the exercises on calibration, by plain Python."""

import math

import pytest

from tests.exercises.drawn import drawn, entries


def mean(values):
    """Return the mean of some numbers."""
    return math.fsum(values) / len(values)


def test_the_bins_are_the_means_of_the_answers_between_their_ends():
    for exercise in drawn("calibration", "bins"):
        draw = exercise.draw
        confidences, marks = entries(draw.given["answers"])
        wanted, failed = [], []
        for name in draw.table.rows:
            least, most = (round(100 * float(end)) for end in name.split("–"))
            inside = [i for i, c in enumerate(confidences) if least < round(100 * c) <= most]
            wanted += [mean([confidences[i] for i in inside]), mean([marks[i] == "✓" for i in inside])]
            failed += [wanted[-2], 1 - wanted[-1]]
        assert draw.answer == pytest.approx(wanted)
        assert draw.mistakes["errors"] == pytest.approx(failed)


def test_the_error_is_the_mean_gap_of_all_answers():
    for exercise in drawn("calibration", "error"):
        draw = exercise.draw
        rows = entries(draw.given["bins"])
        gaps = [abs(conf - acc) for n, conf, acc in rows for _ in range(n)]
        assert draw.answer == pytest.approx(mean(gaps))
        assert draw.mistakes["largest"] == pytest.approx(max(gaps))
        assert draw.mistakes["signed"] == pytest.approx(
            abs(mean([conf - acc for n, conf, acc in rows for _ in range(n)]))
        )


def test_a_scaled_probability_is_a_softmax_of_divided_logits():
    for exercise in drawn("calibration", "temperature"):
        draw, given = exercise.draw, exercise.draw.given
        z, T, k = given["logits"], given["T"], given["k"] - 1
        assert draw.answer == pytest.approx(1 / sum(math.exp((each - z[k]) / T) for each in z))
        assert draw.mistakes["cancelled"] == pytest.approx(1 / sum(math.exp(each - z[k]) for each in z))
        assert draw.mistakes["multiplied"] == pytest.approx(
            1 / sum(math.exp((each - z[k]) * T) for each in z)
        )
