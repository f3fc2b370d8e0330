"""The key of the exercises on edited attention: plain Python, and Pearson's correlation of ranks."""

from statistics import correlation

import pytest

from tests.exercises.drawn import drawn, entries


def test_the_other_weights_keep_their_proportions():
    for exercise in drawn("edit_attention", "row"):
        draw, given = exercise.draw, exercise.draw.given
        [before], place = entries(given["row"]), given["row"].columns.index(given["key"])
        assert sum(draw.answer) == pytest.approx(1)
        assert draw.answer[place] == pytest.approx(given["value"])
        ratios = [
            after / was for s, (was, after) in enumerate(zip(before, draw.answer, strict=True)) if s != place
        ]
        assert ratios == pytest.approx([ratios[0]] * len(ratios))
        assert sum(draw.mistakes["equally"]) == pytest.approx(1)


def test_what_moves_is_what_the_losers_lose():
    for exercise in drawn("edit_attention", "change"):
        draw = exercise.draw
        before, after = entries(draw.given["p"])
        assert draw.answer == pytest.approx(
            sum(max(p - q, 0) for p, q in zip(before, after, strict=True)), abs=1e-9
        )


def test_the_rank_correlation_is_that_of_the_ranks():
    for exercise in drawn("edit_attention", "rank"):
        draw = exercise.draw
        rows = entries(draw.given["pairs"])
        ranks = [[sum(other <= each for other in row) for each in row] for row in rows]
        assert draw.answer == pytest.approx(correlation(*ranks))
        assert draw.mistakes["opposite"] == pytest.approx(-draw.answer)
        assert draw.mistakes["numbers"] == pytest.approx(correlation(*rows))
