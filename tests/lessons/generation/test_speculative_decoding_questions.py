"""The key of the exercises on speculative decoding, computed by listing what can happen."""

from itertools import product

import pytest

from tests.exercises.drawn import drawn, entries

LESSON = "speculative_decoding"


def outcomes(models, again):
    """Return the probability that each token is written, by every draft and every redraw from `again`."""
    found = [0.0] * len(models)
    for x, (p, q) in enumerate(models):
        passes = min(1, p / q)
        found[x] += q * passes
        for y in range(len(models)):
            found[y] += q * (1 - passes) * again[y]
    return found


def test_a_call_writes_the_tokens_before_the_first_failure_and_one_more():
    for exercise in drawn(LESSON, "written"):
        draw, kept = exercise.draw, 0
        for q, p, u in entries(draw.given["drafted"]):
            if u * q >= p:
                break
            kept += 1
        assert draw.answer == kept + 1 and draw.mistakes["own"] == kept


def test_the_overlap_is_the_share_of_drafted_tokens_that_pass():
    for exercise in drawn(LESSON, "overlap"):
        draw = exercise.draw
        models = entries(draw.given["models"])
        assert draw.answer == pytest.approx(sum(q * min(1, p / q) for p, q in models))
        assert draw.mistakes["rejected"] == pytest.approx(sum(abs(p - q) for p, q in models) / 2)


def test_with_the_residual_every_token_is_written_with_p():
    for exercise in drawn(LESSON, "residual"):
        draw = exercise.draw
        models = entries(draw.given["models"])
        written = outcomes(models, draw.answer)
        assert written == pytest.approx([p for p, _ in models]) and sum(draw.answer) == pytest.approx(1)


def test_redrawing_from_p_writes_what_all_outcomes_sum_to():
    for exercise in drawn(LESSON, "biased"):
        draw = exercise.draw
        models = entries(draw.given["models"])
        x = list(draw.given["models"].rows).index(draw.given["token"])
        assert draw.answer == pytest.approx(outcomes(models, [p for p, _ in models])[x])


def test_tokens_per_call_are_the_mean_over_all_ways_to_pass():
    for exercise in drawn(LESSON, "calls"):
        draw, mean = exercise.draw, 0.0
        alpha, k = draw.given["alpha"], draw.given["k"]
        for passed in product((True, False), repeat=k):
            probability = 1.0
            for each in passed:
                probability *= alpha if each else 1 - alpha
            mean += probability * (1 + (passed.index(False) if False in passed else k))
        assert draw.answer == pytest.approx(mean)
