"""The key of the exercises on Zipf's law: sums in plain Python and fractions."""

from collections import Counter
from fractions import Fraction
from itertools import accumulate, pairwise

import pytest

from tests.exercises.drawn import drawn, entries


def test_half_of_the_text_takes_the_fewest_types_that_cover_it():
    for exercise in drawn("zipf", "half"):
        draw, [counts] = exercise.draw, entries(exercise.draw.given["counts"])
        needed = draw.given["share"] * sum(counts)
        least = min(k for k in range(1, len(counts) + 1) if sum(sorted(counts)[-k:]) >= needed)
        assert draw.answer == least
        assert draw.mistakes["rare"] == min(
            k for k in range(1, len(counts) + 1) if sum(sorted(counts)[:k]) >= needed
        )


def test_the_law_s_share_is_one_over_the_rank_to_the_s_of_the_sum():
    for exercise in drawn("zipf", "law"):
        draw, given = exercise.draw, exercise.draw.given
        parts = [1 / r ** given["s"] for r in range(1, given["V"] + 1)]
        assert draw.answer == pytest.approx(given["N"] * parts[given["r"] - 1] / sum(parts))
        until = sum(parts[: given["r"]])
        assert draw.mistakes["short"] == pytest.approx(given["N"] * parts[given["r"] - 1] / until)


def test_the_widest_gap_is_that_of_the_cumulated_shares():
    for exercise in drawn("zipf", "gap"):
        draw, (counts, law) = exercise.draw, entries(exercise.draw.given["shares"])
        own = accumulate(Fraction(int(each), int(sum(counts))) for each in counts)
        gaps = [abs(float(a) - b) for a, b in zip(own, accumulate(law), strict=True)]
        assert draw.answer == pytest.approx(max(gaps))
        assert draw.mistakes["first"] == pytest.approx(gaps[0])
        assert draw.mistakes["mean"] == pytest.approx(sum(gaps) / len(gaps))


def test_classes_are_counted_from_the_text():
    for exercise in drawn("zipf", "classes"):
        draw, words = exercise.draw, exercise.draw.given["text"].split()
        times, bounds = Counter(words), [*exercise.draw.given["bounds"], 10**9]
        expected = []
        for low, high in pairwise(bounds):
            kinds = [word for word in times if low <= times[word] < high]
            expected += [len(kinds), sum(word in kinds for word in words) / len(words)]
        assert draw.answer == pytest.approx(tuple(expected))
