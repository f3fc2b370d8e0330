"""The key of the exercises on the encoder-decoder: torch's own attention, pairs counted one by one, dictionaries."""

import pytest
import torch
from torch.nn import functional

from tests.exercises.drawn import drawn, entries


def test_cross_attention_fetches_what_torch_does():
    for exercise in drawn("encoder_decoder", "fetch"):
        draw, given = exercise.draw, exercise.draw.given
        m, y = (
            torch.tensor(entries(given[name]), dtype=torch.float64)[None] for name in ("memory", "stream")
        )
        whole = functional.scaled_dot_product_attention(y, m, m)[0, -1]
        assert draw.answer == pytest.approx(whole.tolist())
        own = functional.scaled_dot_product_attention(y, y, y, is_causal=True)[0, -1]
        assert draw.mistakes["own"] == pytest.approx(own.tolist())


def test_the_scores_that_count_are_the_pairs_that_may_look():
    for exercise in drawn("encoder_decoder", "scores"):
        draw, S, T = exercise.draw, exercise.draw.given["S"], exercise.draw.given["T"]
        encoder = [(t, s) for t in range(S) for s in range(S)]
        decoder = [(t, s) for t in range(T) for s in range(T)]
        cross = [(t, s) for t in range(T) for s in range(S)]
        earlier = [(t, s) for t, s in decoder if s <= t]
        assert draw.answer == len(encoder) + len(earlier) + len(cross)
        assert draw.mistakes["left_out"] == len(encoder) + len(earlier)


def test_a_word_is_right_where_its_row_is_largest():
    for exercise in drawn("encoder_decoder", "map"):
        draw, weights, right = exercise.draw, exercise.draw.given["weights"], 0
        gold = dict(draw.given["pairs"])
        for word, row in zip(weights.rows, entries(weights), strict=True):
            best = max(zip(row, weights.columns, strict=True))[1]
            right += gold[word] == best
            assert sum(row) == pytest.approx(1)
        assert draw.answer == right
